// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/link/link_command.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "driver/link/linker.hpp"
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
  KANOR_MEMORY_CALLS(KANOR_WRAP)
#undef KANOR_WRAP
#define KANOR_WRAP(name) \
  if (!own.contains(#name)) words += ",--wrap=" #name;
  KANOR_OWN_STATE(KANOR_WRAP)
  KANOR_POSIX_MEMORY_CALLS(KANOR_WRAP)
#undef KANOR_WRAP
  return words;
}

/// Returns true if the linker is asked to refuse undefined symbols.
bool refuses_undefined(const CommandLine& line) {
  const LinkerOptions options(line);
  return options.has_keyword("defs") || options.has("no-undefined");
}

/// Adds the user's flags and inputs to a command: of flags what `without` leaves, of inputs those that
/// `takes` is true for.
template <typename Takes>
void add_inputs(Command& command, const CommandLine& line, const std::vector<LinkInput>& objects,
                WithoutOptions without, Takes takes) {
  std::size_t next = 0;
  for (const Argument& argument : line.arguments) {
    if (const auto* flag = std::get_if<Flag>(&argument)) {
      if (flag->role == Role::compile) continue;
      const auto words = without.of(*flag);
      command.insert(command.end(), words.begin(), words.end());
    } else if (const LinkInput& input = objects.at(next++); takes(input)) {
      command.push_back(input.path);
    }
  }
}

bool takes_all(const LinkInput&) { return true; }

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

bool may_be_shared_library(const LinkInput& input) {
  const std::string name = std::filesystem::path(input.path).filename().string();
  return input.path.starts_with("-l") || name.ends_with(".so") || name.find(".so.") != std::string::npos;
}

Command link_command(const CommandLine& line, const Installation& installation,
                     const std::vector<LinkInput>& objects) {
  Command command = line.host;
  add_inputs(command, line, objects, {{}, {}}, takes_all);
  if (!line.host_flags.links_library) {
    // `-u main`: the start-up code asks for the wrapper, so nothing else would fetch a main from an archive.
    command.insert(command.end(), {"-Wl,--wrap=main" + wrapped_functions(line, objects), "-Wl,-u,main"});
    // Part of the program, not of the C library, and lld takes nothing from an archive for `__real_` names.
    command.emplace_back("-Wl,-u,at_quick_exit");
    // MPI's own start and end are the runtime's, wherever the MPI library stands; and also for shared
    // libraries, whose calls nothing but the runtime's definition in the program takes from it.
#define KANOR_WRAP(name) command.push_back("-Wl,--wrap=" #name ",-u,__wrap_" #name);
    KANOR_OWN_MPI_CALLS(KANOR_WRAP)
#undef KANOR_WRAP
    if (line.mpi.ranks) command.push_back("-Wl,@" + installation.mpi_exports());
    command.insert(command.end(),
                   {"-Wl,@" + installation.exports(), installation.library(), "-pthread", "-ldl"});
    // The runtime is C++, which the host of a C program does not link.
    if (line.mpi.ranks) command.insert(command.end(), {"-lstdc++", "-lm"});
  }
  if (line.host_flags.links_library && !line.host_flags.links_object) {
    command.emplace_back("-Wl,--wrap=atexit,--wrap=on_exit,-u,__wrap_atexit,-u,atexit");
    if (line.mpi.ranks) command.emplace_back("-Wl,--wrap=__cxa_atexit,-u,__wrap___cxa_atexit");
    command.push_back(installation.at_exit());
  }
  if (line.host_flags.links_library && line.mpi.ranks && refuses_undefined(line))
    command.push_back("-Wl,@" + installation.mpi_undefined());
  command.emplace_back("-Wl,-t,-t");
  if (line.output) command.insert(command.end(), {"-o", *line.output});
  return command;
}

Command image_command(const CommandLine& line, const Installation& installation,
                      const std::vector<LinkInput>& objects, const std::vector<std::string>& more,
                      const std::string& exports, const std::string& output) {
  Command command = line.host;
  add_inputs(command, line, objects, {{"version-script", "dependency-file"}, {"pie", "no-pie"}}, takes_all);
  if (const auto found = compilers_library(command); found != command.end())
    command.insert(found, installation.copies());
  command.insert(command.end(), more.begin(), more.end());
  command.insert(command.end(), {"-shared", "-Wl,-Bsymbolic,--unresolved-symbols=ignore-all",
                                 "-Wl,--version-script=" + exports,
                                 "-Wl,-u,main,-u,kanor_call_handlers" + wrapped_functions(line, objects),
                                 installation.copies(), "-pthread", "-ldl", "-o", output});
  return command;
}

Command libraries_command(const CommandLine& line, const std::vector<LinkInput>& objects,
                          const std::string& dependencies, const std::string& output) {
  Command command = line.host;
  // Only what an executable needs is looked for.
  command.push_back("-Wl,--no-as-needed");
  add_inputs(command, line, objects, {{"dependency-file"}, {"as-needed", "whole-archive"}},
             may_be_shared_library);
  command.insert(command.end(), {"-nostartfiles", "-Wl,--warn-unresolved-symbols",
                                 "-Wl,--dependency-file=" + dependencies, "-o", output});
  return command;
}

}  // namespace kanor::driver
