// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "driver/command_line.hpp"
#include "driver/workspace.hpp"

/// `-x c++ -`: the source is what comes in on standard input.
namespace kanor::driver {

/// Reads standard input to its end if the pipeline compiles it; the source is called `<stdin>` then, and what
/// it includes is looked for in the working directory. Throws std::system_error.
CommandLine with_standard_input(const CommandLine& line);

/// A file that tells Clang that there is a file of that name with that text. Throws std::system_error.
std::string overlay_of(const Input& input, Workspace& workspace);

}  // namespace kanor::driver
