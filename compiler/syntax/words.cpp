// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/words.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "KanorLexer.h"

namespace kanor::syntax {
namespace {

using T = grammar::KanorLexer;

constexpr std::array<std::string_view, 5> modifier_words{"team", "async", "knows", "delta", "copy"};
constexpr std::array<std::string_view, 10> prefix_words{
    "sizeof", "alignof", "new", "delete", "co_await", "throw", "co_yield", "typename", "const", "volatile"};
constexpr std::array<std::string_view, 4> value_words{"true", "false", "nullptr", "this"};
constexpr std::array<std::string_view, 4> condition_words{"if", "else", "switch", "case"};
constexpr std::array<std::string_view, 3> loop_words{"for", "while", "do"};
constexpr std::array<std::string_view, 10> other_statement_words{
    "return", "goto", "break", "continue", "try", "using", "auto", "static", "constexpr", "const"};

template <std::size_t size>
bool contains(const std::array<std::string_view, size>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Walks a block's tokens and retypes those that are the language's own.
class Marker {
 public:
  Marker(BlockTokens& block, const LogicalText& text)
      : block_(block), tokens_(block.tokens), text_(text.text()) {}

  void run() {
    const std::size_t first = mark_modifiers();
    mark_sections();
    tokens_[block_.body_open].type = T::BODY_OPEN;
    tokens_[end()].type = T::BODY_CLOSE;
    mark_statements(first);
  }

 private:
  /// The piece of a statement that the walk along its top level is in.
  enum class Piece { place, receiver, operation, value, sender, clauses };

  std::size_t end() const { return block_.body_close(); }
  std::string_view text(std::size_t i) const {
    return text_.substr(tokens_[i].span.begin, tokens_[i].span.end - tokens_[i].span.begin);
  }
  bool is(std::size_t i, std::size_t type) const { return tokens_[i].type == type; }
  bool is_word(std::size_t i, std::string_view word) const { return is(i, T::IDENTIFIER) && text(i) == word; }
  bool ends_operand_at(std::size_t i) const { return ends_operand(tokens_[i], text(i)); }
  /// The next token of the same level: an opening bracket steps over its group.
  std::size_t after(std::size_t i) const { return std::max(i, tokens_[i].partner) + 1; }

  std::size_t mark_modifiers();
  void mark_sections();
  bool is_no_scope(std::size_t i) const;
  void mark_statements(std::size_t first);
  void mark_in_statement(std::size_t i);
  bool rank_ends_at(std::size_t where) const;
  std::size_t mark_clause(std::size_t i);
  void mark_set(std::size_t open);

  BlockTokens& block_;
  std::vector<Token>& tokens_;
  std::string_view text_;
  Piece piece_ = Piece::place;
  std::size_t piece_begin_ = 0;
  bool at_clause_ = false;               ///< the next token begins a clause
  std::size_t no_generator_before_ = 0;  ///< a list of names that ends here has no `in` behind it
};

/// Marks the modifiers. Returns the first token of the statements.
std::size_t Marker::mark_modifiers() {
  const std::size_t first = block_.body_open + 1;
  const std::size_t open = block_.is_macro ? first : 2;
  if (!is(open, T::LPAREN)) return first;
  const std::size_t close = tokens_[open].partner;
  const bool nothing_else = close + 1 == end() && contains(modifier_words, text(open + 1));
  if (block_.is_macro && !is(close + 1, T::COMMA) && !nothing_else) return first;
  tokens_[open].type = T::MODIFIERS_OPEN;
  tokens_[close].type = T::MODIFIERS_CLOSE;
  if (!block_.is_macro) return first;
  if (nothing_else) return end();
  tokens_[close + 1].type = T::MODIFIERS_COMMA;
  return close + 2;
}

/// Marks sections: in every subscript, at any depth, a `:` without an earlier `?` makes it a section's.
void Marker::mark_sections() {
  struct Level {
    std::size_t opener;
    std::size_t questions = 0;
  };
  std::vector<Level> levels{{block_.body_open}};
  for (std::size_t i = block_.body_open + 1; i < end(); ++i) {
    const std::size_t opener = levels.back().opener;
    const bool in_subscript = is(opener, T::LBRACKET) || is(opener, T::SECTION_OPEN);
    if (is_word(i, "KANOR_COMMUNICATE")) {
      tokens_[i].type = T::MACRO;  // a block in a block, for the parser to stumble on
    } else if (is(i, T::QUESTION)) {
      ++levels.back().questions;
    } else if (is(i, T::COLON) && levels.back().questions > 0) {
      --levels.back().questions;
    } else if (is(i, T::COLON) && in_subscript && !is_word(opener + 1, "using")) {
      tokens_[i].type = T::SECTION_COLON;
      tokens_[opener].type = T::SECTION_OPEN;
      tokens_[tokens_[opener].partner].type = T::SECTION_CLOSE;
    } else if (is(i, T::SCOPE) && in_subscript && is_no_scope(i)) {
      tokens_[i].type = T::SCOPE_IN_SECTION;
    } else if (tokens_[i].partner > i) {
      levels.push_back({i});
    } else if (tokens_[i].partner != 0) {
      levels.pop_back();
    }
  }
}

/// Returns true for a `::` where C++ can have none: the user meant two colons of a section.
bool Marker::is_no_scope(std::size_t i) const {
  const bool name_follows = is(i + 1, T::IDENTIFIER) || text(i + 1) == "~";
  const bool value_before = is(i - 1, T::NUMBER) || is(i - 1, T::CHARACTER) || is(i - 1, T::RBRACKET);
  return !name_follows || value_before;
}

void Marker::mark_statements(std::size_t first) {
  piece_ = Piece::place;
  piece_begin_ = first;
  for (std::size_t i = first; i < end();) {
    if (is(i, T::SEMICOLON)) {
      tokens_[i].type = i + 1 == end() ? T::LAST_SEPARATOR : T::SEPARATOR;
      piece_ = Piece::place;
      piece_begin_ = ++i;
    } else if (piece_ == Piece::clauses && std::exchange(at_clause_, false)) {
      i = mark_clause(i);
    } else {
      mark_in_statement(i);
      i = after(i);
    }
  }
}

void Marker::mark_in_statement(std::size_t i) {
  const auto go_on_with = [&](Piece piece) {
    piece_ = piece;
    piece_begin_ = i + 1;
    at_clause_ = piece == Piece::clauses;
  };
  switch (piece_) {
    case Piece::place:
      if (is(i, T::AT)) go_on_with(Piece::receiver);
      return;
    case Piece::receiver:
      if (is(i, T::SHIFT_ASSIGN)) {
        tokens_[i].type = T::ARROW;
        go_on_with(Piece::value);
      } else if (is(i, T::SHIFT)) {
        tokens_[i].type = T::FOLD;
        go_on_with(Piece::operation);
      } else if (is_word(i, "where") && rank_ends_at(i)) {
        tokens_[i].type = T::WHERE;  // too early: for the parser to stumble on
      }
      return;
    case Piece::operation:
      if (!is(i, T::SHIFT)) return;
      tokens_[i].type = T::FOLD;
      if (i == piece_begin_ + 1) {
        const auto op = tokens_[i - 1].type;
        const bool known = op == T::PLUS || op == T::STAR || op == T::AMPERSAND || op == T::PIPE ||
                           op == T::CARET || op == T::AND || op == T::OR || is_word(i - 1, "min") ||
                           is_word(i - 1, "max");
        if (known) tokens_[i - 1].type = T::OPERATION;
      }
      go_on_with(Piece::value);
      return;
    case Piece::value:
      if (is(i, T::AT)) {
        go_on_with(Piece::sender);
      } else if (is_word(i, "where") && i > piece_begin_ && ends_operand_at(i - 1) &&
                 is(i + 1, T::IDENTIFIER)) {
        tokens_[i].type = T::WHERE;  // `b where i in world@0`: for the parser to stumble on
      }
      return;
    case Piece::sender:
      // `b@0 i in world` lacks its `where`: for the parser to stumble on.
      if (is_word(i, "in") && i > piece_begin_ && ends_operand_at(i - 1) &&
          (is(i + 1, T::IDENTIFIER) || is(i + 1, T::LBRACE)))
        tokens_[i].type = T::IN;
      if (!is_word(i, "where") || !rank_ends_at(i)) return;
      tokens_[i].type = T::WHERE;
      go_on_with(Piece::clauses);
      return;
    case Piece::clauses:
      if (is(i, T::COMMA)) go_on_with(Piece::clauses);
      // A second `where` is an error of its own, not an operator of the clause before it.
      if (is_word(i, "where") && is(i + 1, T::IDENTIFIER) && ends_operand_at(i - 1))
        tokens_[i].type = T::WHERE;
      return;
  }
}

/// Returns true if the `where` at this index, in a rank, is the language's: the rank before it is complete.
bool Marker::rank_ends_at(std::size_t where) const {
  const std::size_t last = where - 1;
  // `b@ where i in world` has no rank at all, unless the program's `where` is the rank.
  if (where == piece_begin_) return is(where + 1, T::IDENTIFIER) && !is_word(where + 1, "where");
  if (is(last, T::COMMA) || ends_operand_at(last)) return true;
  if (is(last, T::INCREMENT)) return last > piece_begin_ && ends_operand_at(last - 1);
  // `>` may close template arguments, or be less likely to compare with a `where` of the program's.
  return (text(last) == ">" || text(last) == ">>") && !is_word(where + 1, "where");
}

/// Marks the beginning of the clause at `i`; returns the first token that is still to be examined.
std::size_t Marker::mark_clause(std::size_t i) {
  if (is_word(i, "let") && is(i + 1, T::IDENTIFIER) && is(i + 2, T::EQUALS)) {
    tokens_[i].type = T::LET;
    tokens_[i + 1].type = T::NAME;
    return i + 3;
  }
  if (!is(i, T::IDENTIFIER) || is_value_word(text(i)) || i < no_generator_before_) return i;
  std::size_t last = i;
  while (is(last + 1, T::COMMA) && is(last + 2, T::IDENTIFIER)) last += 2;
  if (!is_word(last + 1, "in")) {
    no_generator_before_ = last + 1;
    return i;
  }
  for (std::size_t name = i; name <= last; name += 2) tokens_[name].type = T::NAME;
  tokens_[last + 1].type = T::IN;
  if (!is(last + 2, T::LBRACE)) return last + 2;
  mark_set(last + 2);
  return after(last + 2);
}

void Marker::mark_set(std::size_t open) {
  const std::size_t close = tokens_[open].partner;
  tokens_[open].type = T::SET_OPEN;
  tokens_[close].type = T::SET_CLOSE;
  for (std::size_t i = open + 1; i < close; i = after(i)) {
    const bool expands_pack = is(i + 1, T::COMMA) || i + 1 == close || is_word(i - 1, "sizeof");
    if (is(i, T::ELLIPSIS) && !expands_pack) tokens_[i].type = T::INTERVAL;
  }
}

}  // namespace

void mark_words(BlockTokens& block, const LogicalText& text) { Marker(block, text).run(); }

bool is_value_word(std::string_view text) { return contains(value_words, text); }

bool is_control_word(std::string_view text) {
  return contains(condition_words, text) || contains(loop_words, text);
}

bool is_statement_word(std::string_view text) {
  return is_control_word(text) || contains(other_statement_words, text);
}

std::string instead_of_statement(std::string_view word) {
  if (contains(condition_words, word))
    return "for a condition, use a filter: 'place@rank <<= value@rank where condition'";
  if (contains(loop_words, word))
    return "for a loop, use a generator: 'place@rank <<= value@rank where i in set'";
  return "a block has no C++ statements: put them before or after it";
}

bool ends_operand(const Token& token, std::string_view text) {
  switch (token.type) {
    case T::IDENTIFIER:
      return !contains(prefix_words, text);
    case T::NUMBER:
    case T::STRING:
    case T::RAW_STRING:
    case T::CHARACTER:
    case T::RPAREN:
    case T::RBRACKET:
    case T::RBRACE:
    case T::SECTION_CLOSE:
    case T::SET_CLOSE:
      return true;
    default:
      return false;
  }
}

}  // namespace kanor::syntax
