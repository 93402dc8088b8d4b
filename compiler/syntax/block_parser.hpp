// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "syntax/ast.hpp"
#include "syntax/reporter.hpp"
#include "syntax/tokens.hpp"

namespace kanor::syntax {

/// Parses a whole block whose words are marked. Reports one message for each statement or modifier with a
/// mistake and leaves that one out.
Block parse_block(const BlockTokens& block, const Reporter& reporter);

}  // namespace kanor::syntax
