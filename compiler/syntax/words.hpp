// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/logical_text.hpp"
#include "syntax/tokens.hpp"

namespace kanor::syntax {

/// Gives the language's own words and marks in a whole block their types of grammar/KanorLexer.g4: everything
/// that is Kanor's only by its position. Reports nothing: a token that makes no sense keeps its C++ type, and
/// the parser reports it.
void mark_words(BlockTokens& block, const LogicalText& text);

/// Returns true if an expression may end with this token and cannot go on with an identifier after it: an
/// identifier that is no operator, a literal, a closing bracket.
bool ends_operand(const Token& token, std::string_view text);

/// Returns true for `true` and the like: no name, although the lexer takes it for one.
bool is_value_word(std::string_view text);

/// Returns true for a keyword that begins a C++ statement, such as `if` and `return`, which blocks do not
/// have.
bool is_statement_word(std::string_view text);

/// The same, without keywords that may begin a part of an expression: a lambda in a rank may be `constexpr`.
bool is_control_word(std::string_view text);

/// A note on what to write instead of the statement that begins with this word.
std::string instead_of_statement(std::string_view word);

}  // namespace kanor::syntax
