// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string_view>

#include "syntax/logical_text.hpp"
#include "syntax/tokens.hpp"

namespace kanor::syntax {

/// Where text shows that a block's own `}` was forgotten, so that its brackets pair only because it took
/// another's.
struct Unclosed {
  text::Span at;           ///< logical; the brace that it took, or code that is no statement of a block
  std::string_view means;  ///< what a note there says
};

/// Asks a block whose brackets pair, before its words are marked. The answer is a suspicion: it is right
/// only if the file has more opening braces than closing ones.
std::optional<Unclosed> find_unclosed(const BlockTokens& block, const LogicalText& text);

}  // namespace kanor::syntax
