// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "driver/command_line.hpp"
#include "driver/installation.hpp"

/// The compilation database, in which editors and clangd find how a source is compiled.
namespace kanor::driver {

/// Adds an entry for every C++ source of the command line to the compilation database `file`, in place of the
/// one that the same source had, and leaves the others; makes the file if there is none. The entry compiles
/// the original source as a tool may read it: with the host compiler, Kanor's headers and KANOR_IDE, under
/// which a block in the macro's spelling is nothing. Processes that do so at the same time wait for each
/// other. Throws std::runtime_error if the file is no database, std::system_error if it can't be written.
void note_compile_commands(const std::string& file, const CommandLine& line,
                           const Installation& installation);

}  // namespace kanor::driver
