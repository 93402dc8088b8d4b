// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace kanor::host {

// For the rooms of host/ alone: what kind of message a number of Clang's (clang::diag::...) stands for.

/// Returns true if Clang reads no further after this error.
bool is_fatal(unsigned id);

/// Returns true for errors on an attribute's form, place or arguments. Clang drops the attribute and keeps
/// its declaration.
bool is_about_attribute(unsigned id);

}  // namespace kanor::host
