// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "KanorParser.h"
#include "syntax/reporter.hpp"
#include "syntax/tokens.hpp"

namespace kanor::syntax {

/// Reports what the grammar accepts in a statement but neither C++ nor the language does: names bound twice,
/// filters that look like a generator's names, clauses without a ',' between them.
/// Returns true if there is nothing to report.
bool check(grammar::KanorParser::StatementContext& tree, const BlockTokens& block, const Reporter& reporter);

}  // namespace kanor::syntax
