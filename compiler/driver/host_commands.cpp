// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/host_commands.hpp"

#include <algorithm>

#include "driver/precompiled.hpp"

namespace kanor::driver {
namespace {

bool has_cxx(const CommandLine& line) {
  const auto inputs = line.inputs();
  return std::any_of(inputs.begin(), inputs.end(), [](const Input& input) {
    return input.language == Language::cxx || input.language == Language::header;
  });
}

void append(Command& command, const std::vector<std::string>& words) {
  command.insert(command.end(), words.begin(), words.end());
}

std::vector<std::string> user_flags(const CommandLine& line) {
  std::vector<std::string> flags;
  if (!line.host_flags.standard) flags.push_back(standard_flag(line));
  for (const Argument& argument : line.arguments)
    if (const auto* flag = std::get_if<Flag>(&argument); flag != nullptr && flag->role != Role::link)
      append(flags, flag->words);
  return flags;
}

/// Returns true for the user's flags of code whose functions a program may define itself.
bool is_for_libraries(const CommandLine& line) {
  return std::any_of(line.arguments.begin(), line.arguments.end(), [](const Argument& argument) {
    const auto* flag = std::get_if<Flag>(&argument);
    if (flag == nullptr) return false;
    const std::string& word = flag->words.front();
    return word == "-fPIC" || word == "-fpic" || word == "-fsemantic-interposition";
  });
}

/// Kanor's macro and include directory. It comes after the user's and the system's: a program's own `kanor`
/// folder wins, and `#include_next` in system headers is not disturbed. KANOR_IDE is for tools that read the
/// source without kanorc; kanor_target() defines it for those that read the compiler's own command.
std::vector<std::string> kanor_flags(const Installation& installation) {
  return {"-D__KANORC__=1", "-UKANOR_IDE", "-idirafter", installation.include_directory};
}

}  // namespace

std::string standard_flag(const CommandLine& line) {
  return "-std=" + line.host_flags.standard.value_or("gnu++20");
}

std::vector<std::string> mpi_flags(const CommandLine& line, const Installation& installation) {
  std::vector<std::string> flags{"-isystem", installation.mpi_include_directory(), "-fPIC"};
  const bool is_clang = std::any_of(line.host.begin(), line.host.end(), [](const std::string& word) {
    return word.find("clang") != std::string::npos;
  });
  // Variables of inline functions and templates must not become one for all copies, which g++ makes them.
  if (!is_clang) flags.push_back("-fno-gnu-unique");
  // As in a program, no other definition takes a function's place, so compilers may inline it. Libraries are
  // compiled with the user's own -fPIC.
  if (!is_for_libraries(line)) flags.push_back("-fno-semantic-interposition");
  return flags;
}

std::vector<std::string> language_flags(const CommandLine& line, const Installation& installation) {
  std::vector<std::string> flags = user_flags(line);
  append(flags, kanor_flags(installation));
  return flags;
}

std::vector<std::string> reading_flags(const CommandLine& line, const Installation& installation) {
  std::vector<std::string> flags = user_flags(line);
  append(flags, {"-DKANOR_IDE", "-idirafter", installation.include_directory});
  return flags;
}

Command compile_command(const CommandLine& line, const Installation& installation, const CompileJob& job) {
  Command command = line.host;
  append(command, job.front);
  if (job.language == Language::cxx || job.language == Language::header) {
    append(command, with_copies(language_flags(line, installation), job.copies, job.headers_of_copies));
    if (job.adds_note) append(command, {"-include", "kanor/abi/note.hpp"});
  } else {
    for (const Argument& argument : line.arguments)
      if (const auto* flag = std::get_if<Flag>(&argument); flag != nullptr && flag->role != Role::link)
        append(command, flag->words);
    append(command, line.mpi.ranks ? mpi_flags(line, installation)
                                   : std::vector<std::string>{"-idirafter", installation.include_directory});
  }
  // Without ordinary code beside the intermediate code nobody could read the object's variables and note.
  if (line.host_flags.intermediate_code) command.push_back("-ffat-lto-objects");
  append(command, job.extra);
  command.push_back(line.stage == Stage::check      ? "-fsyntax-only"
                    : line.stage == Stage::assembly ? "-S"
                                                    : "-c");
  if (!job.forced_language.empty()) append(command, {"-x", job.forced_language});
  command.push_back(job.file);
  if (job.output && line.stage != Stage::check) append(command, {"-o", *job.output});
  return command;
}

Command preprocess_command(const CommandLine& line, const Installation& installation) {
  Command command = line.host;
  if (has_cxx(line)) {
    if (!line.host_flags.standard) command.push_back(standard_flag(line));
    append(command, kanor_flags(installation));
  }
  if (line.mpi.ranks) append(command, mpi_flags(line, installation));
  append(command, line.words);
  return command;
}

}  // namespace kanor::driver
