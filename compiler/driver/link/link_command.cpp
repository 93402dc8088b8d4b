// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/link/link_command.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "driver/link/own_definitions.hpp"
#include "kanor/abi/hidden_state.hpp"

namespace kanor::driver {
namespace {

/// The linker options that wrap functions of the C library. Those with state, which the runtime itself does
/// not call, may be the program's own.
std::string wrapped_functions(const CommandLine& line, const std::vector<LinkInput>& inputs) {
  const std::set<std::string> own = defined_functions(line, inputs);
  std::string words;
#define KANOR_WRAP(name) words += ",--wrap=" #name;
  KANOR_OWN_HANDLERS(KANOR_WRAP)
  KANOR_OWN_SIGNALS(KANOR_WRAP)
  KANOR_OWN_CALLS(KANOR_WRAP)
#undef KANOR_WRAP
#define KANOR_WRAP(name) \
  if (!own.contains(#name)) words += ",--wrap=" #name;
  KANOR_OWN_STATE(KANOR_WRAP)
#undef KANOR_WRAP
  return words;
}

/// Returns true if the linker is asked to refuse undefined symbols.
bool refuses_undefined(const CommandLine& line) {
  return std::any_of(line.arguments.begin(), line.arguments.end(), [](const Argument& argument) {
    const auto* flag = std::get_if<Flag>(&argument);
    return flag != nullptr &&
           std::any_of(flag->words.begin(), flag->words.end(), [](const std::string& word) {
             return word == "defs" || word.ends_with(",defs") || word.ends_with("zdefs") ||
                    word.find("--no-undefined") != std::string::npos ||
                    word.find(",defs,") != std::string::npos;
           });
  });
}

/// The host's command with the user's flags and inputs.
Command with_inputs(const CommandLine& line, const std::vector<LinkInput>& objects, bool is_program) {
  Command command = line.host;
  std::size_t next = 0;
  for (const Argument& argument : line.arguments) {
    if (const auto* flag = std::get_if<Flag>(&argument)) {
      const bool fits = is_program || (flag->words.front() != "-pie" && flag->words.front() != "-no-pie");
      if (flag->role != Role::compile && fits)
        command.insert(command.end(), flag->words.begin(), flag->words.end());
    } else {
      command.push_back(objects.at(next++).path);
    }
  }
  return command;
}

/// Returns true if the word names the compiler's library `name`.
bool names_library(const std::string& word, const std::string& name) {
  return word == "-l" + name || word.starts_with("-l:lib" + name) ||
         std::filesystem::path(word).filename().string().starts_with("lib" + name + '.');
}

/// The first of the user's words for the C++ library, whose streams count unless ours come before it, or for
/// OpenMP's, whose lock does.
Command::const_iterator compilers_library(const Command& command) {
  return std::find_if(command.begin(), command.end(), [](const std::string& word) {
    return names_library(word, "stdc++") || names_library(word, "gomp");
  });
}

}  // namespace

Command link_command(const CommandLine& line, const Installation& installation,
                     const std::vector<LinkInput>& objects) {
  Command command = with_inputs(line, objects, true);
  if (!line.host_flags.links_library) {
    // `-u main`: the start-up code asks for the wrapper, so nothing else would fetch a main from an archive.
    command.insert(command.end(), {"-Wl,--wrap=main" + wrapped_functions(line, objects), "-Wl,-u,main"});
    // MPI's own start and end are the runtime's, wherever the MPI library stands; and also for shared
    // libraries, whose calls nothing but the runtime's definition in the program takes from it.
#define KANOR_WRAP(name) command.push_back("-Wl,--wrap=" #name ",-u,__wrap_" #name);
    KANOR_OWN_MPI_CALLS(KANOR_WRAP)
#undef KANOR_WRAP
    if (line.mpi_ranks) command.push_back("-Wl,@" + installation.mpi_exports());
    command.insert(command.end(),
                   {"-Wl,@" + installation.exports(), installation.library(), "-pthread", "-ldl"});
    // The runtime is C++, which the host of a C program does not link.
    if (line.mpi_ranks) command.insert(command.end(), {"-lstdc++", "-lm"});
  }
  if (line.host_flags.links_library && line.mpi_ranks && refuses_undefined(line))
    command.push_back("-Wl,@" + installation.mpi_undefined());
  command.emplace_back("-Wl,-t,-t");
  if (line.output) command.insert(command.end(), {"-o", *line.output});
  return command;
}

Command image_command(const CommandLine& line, const Installation& installation,
                      const std::vector<LinkInput>& objects, const std::vector<std::string>& more,
                      const std::string& exports, const std::string& output) {
  Command command = with_inputs(line, objects, false);
  if (const auto found = compilers_library(command); found != command.end())
    command.insert(found, installation.copies());
  command.insert(command.end(), more.begin(), more.end());
  command.insert(command.end(), {"-shared", "-Wl,-Bsymbolic", "-Wl,--version-script=" + exports,
                                 "-Wl,-u,main" + wrapped_functions(line, objects), installation.copies(), "-pthread",
                                 "-ldl", "-o", output});
  return command;
}

}  // namespace kanor::driver
