// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
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

/// Whether this keyword begins a C++ statement that a block has none of, such as `if` and `return`.
bool is_statement_word(std::string_view text);

/// Of these, those that begin no part of an expression either: a lambda in a rank may be `constexpr`.
bool is_control_word(std::string_view text);

/// What to write instead of the statement that begins with this word: a note.
std::string instead_of_statement(std::string_view word);

}  // namespace kanor::syntax
