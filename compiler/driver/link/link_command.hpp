// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/command_line.hpp"
#include "driver/installation.hpp"
#include "driver/link/link.hpp"
#include "driver/process.hpp"

namespace kanor::driver {

/// The host's link command: the user's flags and inputs in their order, `objects` in place of the inputs.
/// Every file is reported (--trace). For a program: main, exit, and MPI's start and end wrapped, the runtime
/// behind everything else.
Command link_command(const CommandLine& line, const Installation& installation,
                     const std::vector<LinkInput>& objects);

/// The same for an MPI program's image (driver/link/image.hpp), which goes to `output` and shows what the
/// version script `exports` says. What it takes from the runtime stays undefined.
Command image_command(const CommandLine& line, const Installation& installation,
                      const std::vector<LinkInput>& objects, const std::vector<std::string>& more,
                      const std::string& exports, const std::string& output);

/// Returns true for -lNAME, and for files that are called as shared libraries are.
bool may_be_shared_library(const LinkInput& input);

/// A link of the libraries among `objects` alone, whose product is of no use: it writes which files the
/// linker opens, those that libraries need among them, to `dependencies`, as a rule for make.
Command libraries_command(const CommandLine& line, const std::vector<LinkInput>& objects,
                          const std::string& dependencies, const std::string& output);

}  // namespace kanor::driver
