// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string_view>

#include "syntax/logical_text.hpp"
#include "syntax/tokens.hpp"

namespace kanor::syntax {

/// The evidence that a block's own `}` was forgotten, and its brackets pair only because it took another's.
struct Unclosed {
  text::Span at;           ///< logical; the brace that it took, or code that is no statement of a block
  std::string_view means;  ///< the text of a note there
};

/// Examines a block whose brackets pair, before its words are marked. The result is a suspicion: it is right
/// only if the file has more opening braces than closing ones.
std::optional<Unclosed> find_unclosed(const BlockTokens& block, const LogicalText& text);

}  // namespace kanor::syntax
