// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace kanor::host {

// For the rooms of host/ alone: what kind of message a number of Clang's (clang::diag::...) stands for.

/// Clang reads no further behind it.
bool is_fatal(unsigned id);

/// Clang does not know an attribute's form, place or arguments. It drops the attribute, and keeps what has
/// it.
bool is_about_attribute(unsigned id);

}  // namespace kanor::host
