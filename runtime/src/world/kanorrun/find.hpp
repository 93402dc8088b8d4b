// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs by their names.
#pragma once

#include <string>

namespace kanor::run {

/// The path of a program, looked up as execvp() does: in PATH, unless the name has a slash. Empty: there is
/// none that may be executed.
std::string find_program(const std::string& name);

}  // namespace kanor::run
