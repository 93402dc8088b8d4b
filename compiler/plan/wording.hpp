// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

#include "plan/pattern.hpp"
#include "sema/symbolic.hpp"

namespace kanor::plan {

/// Why an expression has no symbolic form, as the end of a sentence about it.
std::string_view why(sema::Obscurity obscurity);

/// Why a statement is no better pattern, as a sentence about its bindings.
std::string_view why(Obstacle obstacle);

}  // namespace kanor::plan
