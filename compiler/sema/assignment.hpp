// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sema/facts.hpp"
#include "syntax/ast.hpp"
#include "text/diagnostic.hpp"

namespace kanor::sema {

/// Reports a place that nothing can be assigned to, a value that cannot travel or does not fit the place, and
/// an operator that does not fold the values.
void check_assignment(const text::Source& source, const syntax::Statement& statement,
                      const StatementFacts& facts, text::Diagnostics& diagnostics);

}  // namespace kanor::sema
