// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// How pieces of C++ are spelled; pure functions on text.
namespace kanor::emit {

/// A C++ string literal, quotes included.
std::string string_literal(std::string_view text);

/// What kanorc declares beside a name of the user's.
enum class Beside : unsigned char { shared, set, let, pending };
/// The name of such a declaration beside `name`: `kanor_shared_A`. Emitted names that are made of no user's
/// name begin otherwise.
std::string name_beside(Beside kind, const std::string& name);

/// C++ text on one line: comments and runs of blanks become one space, literals stay as they are except that
/// a raw string's line ends become spaces.
std::string one_line(std::string_view code);

/// The text for messages; of a long one, only its two ends.
std::string abbreviated(std::string text);

/// Returns true if a comma is outside of all (), [] and {}: such an expression is parenthesised as an
/// argument.
bool has_top_level_comma(std::string_view code);

/// Returns true if the word occurs in the code, outside of literals and comments.
bool has_word(std::string_view code, std::string_view word);

/// Returns true if one pair of parentheses encloses everything and could be left out: `(i < j)`, but not `(a)
/// && (b)`, nor a fold `(a && ...)` or a statement expression `({ a; })`, which need theirs.
bool is_parenthesised(std::string_view code);

/// The offset behind blanks, comments and line splices from `at`.
std::uint32_t skip_blanks_and_comments(std::string_view code, std::uint32_t at);

}  // namespace kanor::emit
