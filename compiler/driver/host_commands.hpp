// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/command_line.hpp"
#include "driver/installation.hpp"
#include "driver/process.hpp"

/// Spells the host compiler's commands. Pure: nothing is run or read here.
namespace kanor::driver {

/// The inputs and outputs of one compile command.
struct CompileJob {
  std::string file;             ///< the file that the host reads: the original or the emitted text
  std::string forced_language;  ///< for `-x`; empty where the file's ending says it
  Language language = Language::cxx;
  std::optional<std::string> output;  ///< none for -fsyntax-only
  bool adds_note = false;  ///< the original is compiled, so nothing in its text says that kanorc did it
  std::vector<std::string> front;  ///< flags for this file alone, before the user's
  std::vector<std::string> extra;  ///< and after them
  std::map<std::string, std::string>
      copies;  ///< of headers that -include and -include-pch name (driver/precompiled.hpp)
  std::vector<std::string> headers_of_copies;  ///< and the headers that these need
};

/// `-std=gnu++20`, or what the user said.
std::string standard_flag(const CommandLine& line);

/// The flags that decide how C++ text is read, for Clang as for the host: the user's compile flags in their
/// order, the standard, Kanor's include directory.
std::vector<std::string> language_flags(const CommandLine& line, const Installation& installation);

/// The flags of an MPI program: Kanor's mpi.h, and code of which each rank can have a copy.
std::vector<std::string> mpi_flags(const CommandLine& line, const Installation& installation);

/// The same for a tool that only reads the original, and knows nothing of blocks.
std::vector<std::string> reading_flags(const CommandLine& line, const Installation& installation);

Command compile_command(const CommandLine& line, const Installation& installation, const CompileJob& job);

/// `-E`, `-M`, `-MM`: the user's words with what kanorc adds for C++.
Command preprocess_command(const CommandLine& line, const Installation& installation);

}  // namespace kanor::driver
