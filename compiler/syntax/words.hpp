// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "syntax/logical_text.hpp"
#include "syntax/tokens.hpp"

namespace kanor::syntax {

/// Gives the language's own words and marks in a whole block their types of grammar/KanorLexer.g4:
/// everything that is Kanor's only because of where it stands. Reports nothing: what makes no sense keeps
/// its C++ type, and the parser finds it.
void mark_words(BlockTokens& block, const LogicalText& text);

/// Whether an expression may end with this token and cannot go on with an identifier after it: an
/// identifier that is no operator, a literal, a closing bracket.
bool ends_operand(const Token& token, std::string_view text);

/// `true` and the like: no name, although the lexer takes it for one.
bool is_value_word(std::string_view text);

}  // namespace kanor::syntax
