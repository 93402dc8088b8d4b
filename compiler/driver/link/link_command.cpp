#include "driver/link/link_command.hpp"

namespace kanor::driver {

Command link_command(const CommandLine& line, const Installation& installation,
                     const std::vector<LinkInput>& objects) {
  Command command = line.host;
  std::size_t next = 0;
  for (const Argument& argument : line.arguments) {
    if (const auto* flag = std::get_if<Flag>(&argument)) {
      if (flag->role != Role::compile) command.insert(command.end(), flag->words.begin(), flag->words.end());
    } else {
      command.push_back(objects.at(next++).path);
    }
  }
  if (!line.links_library) {
    // `-u main`: the start-up code asks for the wrapper, so nothing else would fetch a main from an archive.
    command.insert(command.end(), {"-Wl,--wrap=main", "-Wl,--wrap=exit", "-Wl,-u,main"});
    // MPI's own start and end are the runtime's, wherever the MPI library stands; and also for shared
    // libraries, whose calls nothing but the runtime's definition in the program takes from it.
    for (const std::string name : {"MPI_Init", "MPI_Init_thread", "MPI_Finalize"})
      command.push_back("-Wl,--wrap=" + name + ",-u,__wrap_" + name);
    command.insert(command.end(), {installation.library(), "-pthread", "-ldl"});
  }
  command.emplace_back("-Wl,-t,-t");
  if (line.output) command.insert(command.end(), {"-o", *line.output});
  return command;
}

}  // namespace kanor::driver
