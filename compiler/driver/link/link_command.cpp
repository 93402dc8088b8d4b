// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/link/link_command.hpp"

#include <string>

#include "kanor/abi/hidden_state.hpp"

namespace kanor::driver {
namespace {

/// The C library's ways out of a process, and what has state of its own for each rank: cmake/KanorWraps.cmake
/// has the same.
std::string wrapped_functions() {
  std::string words;
#define KANOR_NAME(name) #name,
  for (const char* const name :
       {KANOR_OWN_STATE(KANOR_NAME) "exit", "_exit", "_Exit", "quick_exit", "at_quick_exit", "execl",
        "execle", "execlp", "execv", "execve", "execvp", "execvpe", "fexecve", "fflush", "setvbuf", "setbuf",
        "setbuffer", "setlinebuf"})
    words += std::string(",--wrap=") + name;
#undef KANOR_NAME
  return words;
}

}  // namespace

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
    command.insert(command.end(), {"-Wl,--wrap=main" + wrapped_functions(), "-Wl,-u,main"});
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
