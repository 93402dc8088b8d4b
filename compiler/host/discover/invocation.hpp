// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>
#include <string>
#include <vector>

#include "text/diagnostic.hpp"

/// The part of the user's command line that Clang needs to see the same program as the host compiler.
namespace kanor::host {

struct Invocation {
  std::string main_file;              ///< as the user spelled it
  std::string host_compiler = "g++";  ///< a program name or a path, e.g. "mpicxx"
  /// The preprocessing and language flags that the host compiler gets, one word per element, including
  /// `-std=` and Kanor's own include directory as `-isystem`. Flags that Clang doesn't need or know are left
  /// out.
  std::vector<std::string> flags;
  bool is_c = false;            ///< the main file is C
  bool is_mpi_program = false;  ///< it has MPI's calls and no blocks; nothing is made private to ranks
  /// The host compiler's built-in include directories in search order: query_host() fills it.
  std::vector<std::string> system_directories;
  /// Linker names of variables defined by objects on the command line: they stay shared between ranks.
  std::set<std::string> foreign_variables;
};

/// Runs `host_compiler <flags> -E -v -x c++ /dev/null` (`-x c` for C) and fills in `system_directories`.
/// Blocks until that ends (some 10 ms). Returns false, with a command_line error reported, if the compiler
/// can't be run or fails, or is too old for programs with blocks.
bool query_host(Invocation& invocation, text::Diagnostics& diagnostics);

/// The path of a header in the directories that the flags name and those of the host compiler, by the name
/// in `#include <name>`; empty if there is none.
std::string find_header(const Invocation& invocation, const std::string& name);

/// The command line for Clang's driver: flags that matter to the parse, in the user's order, `__KANORC__`,
/// the host's directories, the main file. The first word is the program's name.
std::vector<std::string> clang_arguments(const Invocation& invocation);

}  // namespace kanor::host
