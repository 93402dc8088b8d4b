// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "driver/command_line.hpp"
#include "driver/workspace.hpp"

/// `-x c++ -`: the source is read from standard input.
namespace kanor::driver {

/// Reads standard input to its end if the pipeline compiles it; the source is called `<stdin>` then, and what
/// it includes is looked for in the working directory. Throws std::system_error.
CommandLine with_standard_input(const CommandLine& line);

/// Writes a virtual file system overlay in which Clang finds the input's text under its name; returns its
/// path. Throws std::system_error.
std::string overlay_of(const Input& input, Workspace& workspace);

}  // namespace kanor::driver
