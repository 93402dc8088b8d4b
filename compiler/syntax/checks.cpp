// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/checks.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "syntax/identifier.hpp"
#include "syntax/words.hpp"

namespace kanor::syntax {
namespace {

using Parser = grammar::KanorParser;
using text::Kind;
using text::Span;

class Checks {
 public:
  Checks(const BlockTokens& block, const Reporter& reporter) : block_(block), reporter_(reporter) {}

  bool check(Parser::StatementContext& tree) const {
    return check_operands(tree) & check_operation(tree) & check_clauses(tree) & check_names(tree);
  }

 private:
  static std::size_t index(const antlr4::Token* token) { return token->getTokenIndex(); }
  const Token& token(antlr4::tree::TerminalNode* node) const {
    return block_.tokens[index(node->getSymbol())];
  }
  std::string_view text(std::size_t i) const { return reporter_.text(block_.tokens[i].span); }
  std::size_t after(std::size_t i) const { return std::max(i, block_.tokens[i].partner) + 1; }
  Span logical(const antlr4::ParserRuleContext& rule) const {
    return {block_.tokens[index(rule.start)].span.begin, block_.tokens[index(rule.stop)].span.end};
  }
  /// Reports a mistake at these tokens, with a note that says the way out. Returns false.
  bool mistake(std::size_t first, std::size_t last, std::string message, std::string way_out) const {
    reporter_.error(Kind::block_syntax, {block_.tokens[first].span.begin, block_.tokens[last].span.end},
                    std::move(message), {Reporter::note(std::move(way_out))});
    return false;
  }
  bool check_names(Parser::StatementContext& tree) const;
  bool check_operands(Parser::StatementContext& tree) const;
  bool check_value(const antlr4::ParserRuleContext& value) const;
  bool check_rank(const antlr4::ParserRuleContext& rank) const;
  bool check_subscripts(std::size_t first, std::size_t last) const;
  bool check_operation(Parser::StatementContext& tree) const;
  bool check_clauses(Parser::StatementContext& tree) const;
  bool goes_on(std::size_t i, std::size_t last) const;
  bool check_filter(const antlr4::ParserRuleContext& filter, bool after_generator) const;
  bool lacks_in(std::size_t first, std::size_t last) const;
  bool check_set(Parser::SetContext& set) const;
  bool check_range(Parser::SetContext& set) const;
  bool has_name(std::size_t first, std::size_t last) const;

  const BlockTokens& block_;
  const Reporter& reporter_;
};

bool Checks::check_names(Parser::StatementContext& tree) const {
  std::map<std::string, Span> first;
  bool good = true;
  for (auto* const clause : tree.clause()) {
    std::vector<antlr4::tree::TerminalNode*> names;
    if (clause->generator() != nullptr) names = clause->generator()->NAME();
    if (clause->let() != nullptr) names = {clause->let()->NAME()};
    for (auto* const node : names) {
      const auto [old, is_new] =
          first.try_emplace(identifier_name(reporter_.text(token(node).span)), token(node).span);
      if (is_new) continue;
      good = false;
      reporter_.error(
          Kind::name_bound_twice, token(node).span, "'" + old->first + "' is bound twice in this statement",
          {reporter_.note_at(old->second, "first bound here"), Reporter::note("rename one of them")});
    }
  }
  return good;
}

/// Reports places and values that only the grammar accepts, as `for (...) a` in `for (...) a@0 <<= b@1`.
bool Checks::check_operands(Parser::StatementContext& tree) const {
  const antlr4::ParserRuleContext* const operands[]{tree.place(), tree.value()};
  for (const auto* const operand : operands) {
    if (!check_subscripts(index(operand->start), index(operand->stop))) return false;
    const Span first = block_.tokens[index(operand->start)].span;
    const auto word = reporter_.text(first);
    if (word == "{" || word == "<%") {
      return mistake(index(operand->start), index(operand->start), "a braced list cannot be a place or value",
                     "name its type: 'std::vector<int>{1, 2}'");
    }
    if (!is_statement_word(word)) continue;
    return mistake(index(operand->start), index(operand->start),
                   "'" + std::string(word) + "' cannot begin a place or value", instead_of_statement(word));
  }
  return check_value(*tree.value()) && check_rank(*tree.receiver()) && check_rank(*tree.sender());
}

/// Reports `a@0 <<= + <<= b@1`: no C++ expression begins with an operator and an assignment.
bool Checks::check_value(const antlr4::ParserRuleContext& value) const {
  const std::size_t first = index(value.start);
  if (first + 1 > index(value.stop) || block_.tokens[first + 1].type != Parser::SHIFT_ASSIGN ||
      ends_operand(block_.tokens[first], text(first)))
    return true;
  return mistake(first - 1, first + 1,
                 "expected a value after '<<=', found '" + std::string(text(first)) + "'",
                 "a reduction is written '<< " + std::string(text(first)) + " <<'");
}

/// Reports ranks that the grammar accepts but C++ does not, as `0 if (n > 1)` in `a@0 if (n > 1)`.
bool Checks::check_rank(const antlr4::ParserRuleContext& rank) const {
  for (std::size_t i = index(rank.start); i <= index(rank.stop); i = after(i)) {
    const std::string word(text(i));
    if (is_control_word(word))
      return mistake(i, i, "unexpected '" + word + "' in a rank", instead_of_statement(word));
  }
  return true;
}

/// Reports `a[0..3]` and `a[0 ... 3]`: no C++ expression has two dots between operands, and only a lambda's
/// parameters have three, between names.
bool Checks::check_subscripts(std::size_t first, std::size_t last) const {
  const auto& tokens = block_.tokens;
  for (std::size_t i = first; i <= last; ++i) {
    const auto text = reporter_.text(tokens[i].span);
    Span interval = tokens[i].span;
    if (tokens[i].type != Parser::NUMBER || text.find("..") == std::string_view::npos) {
      const bool has_two = text == "." && i < last && reporter_.text(tokens[i + 1].span).starts_with('.');
      if (i == first || (!has_two && text != "...")) continue;
      // The second dot may begin a number.
      const std::size_t end = has_two && reporter_.text(tokens[i + 1].span) == "." ? i + 2 : i + 1;
      const bool has_last =
          end <= last && (tokens[end].type == Parser::IDENTIFIER || tokens[end].type == Parser::NUMBER);
      if (!has_last || !ends_operand(tokens[i - 1], {})) continue;
      if (!has_two && tokens[i - 1].type != Parser::NUMBER && tokens[end].type != Parser::NUMBER) continue;
      interval = {tokens[i - 1].span.begin, tokens[end].span.end};
    }
    reporter_.error(Kind::block_syntax, interval,
                    "an interval can only be a set, not an index or part of an expression",
                    {Reporter::note("use a name as the index: 'a[k]@i <<= b[k]@j where k in {0 ... 3}'"),
                     Reporter::note("or use a section of consecutive elements: 'a[first : count]'")});
    return false;
  }
  return true;
}

/// Reports a callable that has no name, literal or brackets.
bool Checks::check_operation(Parser::StatementContext& tree) const {
  auto* const operation = tree.arrow()->operation();
  if (operation == nullptr) return true;
  for (std::size_t i = index(operation->start); i <= index(operation->stop); ++i)
    if (block_.tokens[i].partner != 0 || ends_operand(block_.tokens[i], {})) return true;
  reporter_.error(Kind::block_syntax, logical(*operation),
                  "'" + std::string(reporter_.text(logical(*operation))) + "' is not a reduction operator",
                  {Reporter::note("the operators are + * & | ^ && || min max, and any callable 'op(a, b)'")});
  return false;
}

bool Checks::check_clauses(Parser::StatementContext& tree) const {
  bool good = true, after_generator = false;
  for (auto* const clause : tree.clause()) {
    if (auto* const filter = clause->filter()) good &= check_filter(*filter, after_generator);
    after_generator = clause->generator() != nullptr;
    if (after_generator) good &= check_set(*clause->generator()->set());
  }
  return good;
}

/// Returns true if an operator follows, rather than the set after a misspelt `in`.
bool Checks::goes_on(std::size_t i, std::size_t last) const {
  if (i == last) return false;
  const auto next = block_.tokens[i + 1].type;
  return next != Parser::IDENTIFIER && next != Parser::NUMBER && next != Parser::LBRACE &&
         next != Parser::LPAREN;
}

/// Returns true for `i : set` and `i = first ... last`, in which a generator has another mark than `in`: no
/// C++ expression begins so.
bool Checks::lacks_in(std::size_t first, std::size_t last) const {
  if (first == last || block_.tokens[first].type != Parser::IDENTIFIER) return false;
  const auto& tokens = block_.tokens;
  if (tokens[first + 1].type == Parser::COLON) return true;
  if (tokens[first + 1].type != Parser::EQUALS) return false;
  const bool in_braces = tokens[first + 2].type == Parser::LBRACE;
  const std::size_t end = in_braces ? tokens[first + 2].partner : last;
  for (std::size_t i = first + (in_braces ? 3 : 2); i < end; i = after(i)) {
    const bool ends_pack = in_braces && (i + 1 == end || tokens[i + 1].type == Parser::COMMA);
    if (tokens[i].type == Parser::ELLIPSIS && ends_operand(tokens[i - 1], text(i - 1)) && !ends_pack)
      return true;
  }
  return false;
}

bool Checks::check_filter(const antlr4::ParserRuleContext& filter, bool after_generator) const {
  const std::size_t first = index(filter.start), last = index(filter.stop);
  const std::string word(reporter_.text(block_.tokens[first].span));
  // Had the generator stood behind it, the filter would be one of its names.
  if (first == last && after_generator && !is_value_word(word)) {
    reporter_.error(
        Kind::block_syntax, logical(filter), "the filter '" + word + "' looks like a generator's name",
        {Reporter::note("write '(" + word + ")' for a filter, '" + word + " in set' for a generator")});
    return false;
  }
  if (lacks_in(first, last))
    return mistake(first + 1, first + 1,
                   "expected 'in' after '" + word + "', found '" + std::string(text(first + 1)) + "'",
                   "a generator is written '" + word + " in {first ... last}' or '" + word + " in world'");
  // C++ has no expression in which a name follows an operand, so this was to be a generator or a binding,
  // unless one of them is a macro.
  for (std::size_t i = first + 1; i <= last; i = std::max(i, block_.tokens[i].partner) + 1) {
    const auto found = block_.tokens[i].span;
    const bool follows_operand =
        block_.tokens[i].type == Parser::IDENTIFIER &&
        ends_operand(block_.tokens[i - 1], reporter_.text(block_.tokens[i - 1].span));
    if (!follows_operand || (i > first + 1 && reporter_.text(found) != "in")) continue;
    if (reporter_.text(found) != "in" && word != "let" && (is_value_word(word) || goes_on(i, last))) continue;
    const std::string name(reporter_.text(found));
    const std::string message = i > first + 1   ? "'in' follows a list of names"
                                : word == "let" ? "expected '=' after 'let " + name + "'"
                                : word == "in"  ? "expected a name before 'in'"
                                                : "expected 'in' after '" + word + "', found '" + name + "'";
    reporter_.error(Kind::block_syntax, word == "in" ? block_.tokens[first].span : found, message,
                    {Reporter::note("a clause is 'i in set', 'let name = expression' or a condition")});
    return false;
  }
  return true;
}

/// Reports a set that is meant as an interval but is not written as one. Returns false if it is.
bool Checks::check_set(Parser::SetContext& set) const {
  if (set.INTERVAL() != nullptr) return true;
  if (set.SET_OPEN() == nullptr && !check_range(set)) return false;
  const bool in_braces = set.SET_OPEN() != nullptr;
  const auto& tokens = block_.tokens;
  const std::size_t first = index(set.start);
  // A lambda's captures may end in dots, but have none between two of them.
  const bool in_brackets = tokens[first].type == Parser::LBRACKET;
  const std::size_t end = in_brackets ? tokens[first].partner : index(set.stop);
  for (std::size_t i = first + (in_braces || in_brackets ? 1 : 0); i <= end;
       i = std::max(i, tokens[i].partner) + 1) {
    const auto text = reporter_.text(tokens[i].span);
    const bool three_dots =
        tokens[i].type == Parser::ELLIPSIS && reporter_.text(tokens[i - 1].span) != "sizeof" &&
        (!in_brackets ||
         (ends_operand(tokens[i - 1], {}) && tokens[i + 1].type != Parser::COMMA && i + 1 < end));
    const bool two_dots = (text == "." && reporter_.text(tokens[i + 1].span).starts_with('.')) ||
                          (tokens[i].type == Parser::NUMBER && text.find("..") != std::string_view::npos);
    if (!two_dots && (in_braces || !three_dots)) continue;
    reporter_.error(Kind::block_syntax, logical(set),
                    two_dots ? "an interval needs three dots" : "an interval needs braces",
                    {Reporter::note("write '{first ... last}'")});
    return false;
  }
  if (in_brackets && end == index(set.stop)) {  // a lambda goes on
    reporter_.error(Kind::block_syntax, logical(set), "a set needs braces",
                    {Reporter::note("write '{first ... last}' for an interval, and '{a, b, c}' for a list")});
    return false;
  }
  for (auto* const element : set.expression()) {
    const std::size_t last = index(element->stop);
    if (tokens[last].type != Parser::ELLIPSIS || has_name(index(element->start), last)) continue;
    reporter_.error(Kind::block_syntax, tokens[last].span, "expected an expression in the set after '...'",
                    {Reporter::note("an interval is written '{first ... last}'")});
    return false;
  }
  return true;
}

/// Reports a C++ range in which a second clause begins: `world and j in world`, `world if i > 2`.
bool Checks::check_range(Parser::SetContext& set) const {
  const std::size_t first = index(set.start), last = index(set.stop);
  for (std::size_t i = first + 1; i <= last; i = after(i)) {
    const std::string word(text(i));
    if (block_.tokens[i].type != Parser::IDENTIFIER || !ends_operand(block_.tokens[i - 1], text(i - 1)))
      continue;
    if (is_statement_word(word))
      return mistake(i, i, "unexpected '" + word + "' in a set",
                     "a condition is a clause of its own, behind a ','");
    if (word != "in" || i < first + 3) continue;
    return mistake(
        i - 2, i - 2,
        "unexpected '" + std::string(text(i - 2)) + "' before '" + std::string(text(i - 1)) + " in'",
        "',' separates the clauses");
  }
  return true;
}

bool Checks::has_name(std::size_t first, std::size_t last) const {
  const auto begin = block_.tokens.begin();
  return std::any_of(begin + static_cast<std::ptrdiff_t>(first),
                     begin + static_cast<std::ptrdiff_t>(last) + 1,
                     [](const Token& token) { return token.type == Parser::IDENTIFIER; });
}

}  // namespace

bool check(Parser::StatementContext& tree, const BlockTokens& block, const Reporter& reporter) {
  return Checks(block, reporter).check(tree);
}

}  // namespace kanor::syntax
