// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <vector>

#include "KanorParser.h"
#include "syntax/ast.hpp"
#include "syntax/reporter.hpp"
#include "syntax/tokens.hpp"

namespace kanor::syntax {

/// The parser's tree as a Block, whose spans are the file's. `misfits` are the tokens, in order, at which
/// the parser failed: statements and modifiers that hold one are left out, and so are statements that check()
/// refuses. Reports unknown and repeated modifiers.
Block read_tree(grammar::KanorParser::BlockContext& tree, const BlockTokens& block,
                const std::vector<std::size_t>& misfits, const Reporter& reporter);

}  // namespace kanor::syntax
