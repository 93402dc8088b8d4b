// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "host/discover/discover.hpp"
#include "syntax/ast.hpp"

namespace kanor::driver {

/// Returns true if the unit's text includes Kanor's kanor/kanor.hpp ahead of all of its blocks.
bool includes_kanor_first(const host::Discovery& discovery, const std::vector<syntax::Ast>& asts);

}  // namespace kanor::driver
