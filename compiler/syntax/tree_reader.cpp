// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/tree_reader.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "syntax/identifier.hpp"
#include "syntax/words.hpp"

namespace kanor::syntax {
namespace {

using Parser = grammar::KanorParser;
using text::Kind;

class TreeReader {
 public:
  TreeReader(const BlockTokens& block, const std::vector<std::size_t>& misfits, const Reporter& reporter)
      : block_(block), misfits_(misfits), reporter_(reporter) {}

  Block read(Parser::BlockContext& tree);

 private:
  static std::size_t index(const antlr4::Token* token) { return token->getTokenIndex(); }
  Span logical(std::size_t first, std::size_t last) const {
    return {block_.tokens[first].span.begin, block_.tokens[last].span.end};
  }
  Span logical(const antlr4::ParserRuleContext& rule) const {
    return logical(index(rule.start), index(rule.stop));
  }
  Span span(const antlr4::ParserRuleContext& rule) const { return reporter_.logical.original(logical(rule)); }
  Span span(antlr4::tree::TerminalNode* node) const { return reporter_.logical.original(token(node).span); }
  const Token& token(antlr4::tree::TerminalNode* node) const {
    return block_.tokens[index(node->getSymbol())];
  }
  bool has_misfit(std::size_t first, std::size_t last) const {
    const auto misfit = std::lower_bound(misfits_.begin(), misfits_.end(), first);
    return misfit != misfits_.end() && *misfit <= last;
  }
  Expr expression(const antlr4::ParserRuleContext& rule) const { return {span(rule)}; }
  Name name(antlr4::tree::TerminalNode* node) const {
    return {span(node), identifier_name(reporter_.text(token(node).span))};
  }

  void read_modifiers(Parser::ModifiersContext& tree, std::vector<Modifier>& modifiers);
  std::optional<Modifier> modifier(Parser::ModifierContext& tree) const;
  Statement statement(Parser::StatementContext& tree) const;
  Operand operand(Parser::OperandContext& tree) const;
  std::optional<Subscript> subscript(std::size_t first, std::size_t last) const;
  void read_arrow(Parser::ArrowContext& tree, Statement& statement) const;
  Clause clause(Parser::ClauseContext& tree) const;
  Set set(Parser::SetContext& tree) const;
  bool check_names(Parser::StatementContext& tree) const;
  bool check_operands(Parser::StatementContext& tree) const;
  bool check_rank(const antlr4::ParserRuleContext& rank) const;
  bool check_subscripts(std::size_t first, std::size_t last) const;
  bool check_operation(Parser::StatementContext& tree) const;
  bool check_clauses(Parser::StatementContext& tree) const;
  bool goes_on(std::size_t i, std::size_t last) const;
  bool check_filter(const antlr4::ParserRuleContext& filter, bool after_generator) const;
  bool check_set(Parser::SetContext& set) const;
  bool has_name(std::size_t first, std::size_t last) const;

  const BlockTokens& block_;
  const std::vector<std::size_t>& misfits_;
  const Reporter& reporter_;
};

Block TreeReader::read(Parser::BlockContext& tree) {
  Block block;
  block.spelling = block_.is_macro ? Block::Spelling::macro : Block::Spelling::at_sign;
  block.span = reporter_.logical.original(logical(0, block_.body_close()));
  if (tree.modifiers() != nullptr) read_modifiers(*tree.modifiers(), block.modifiers);
  if (tree.statements() == nullptr) return block;
  for (auto* const one : tree.statements()->statement()) {
    // The token after the statement belongs to it here: that is where a mistake at its end was noticed.
    std::size_t last = index(one->start);
    while (last < block_.body_close() && block_.tokens[last].type != Parser::SEPARATOR) ++last;
    if (has_misfit(index(one->start), last)) continue;
    const bool good = check_operands(*one) & check_operation(*one) & check_clauses(*one) & check_names(*one);
    if (good) block.statements.push_back(statement(*one));
  }
  return block;
}

void TreeReader::read_modifiers(Parser::ModifiersContext& tree, std::vector<Modifier>& modifiers) {
  const std::size_t close = block_.tokens[index(tree.start) - 1].partner;
  if (has_misfit(index(tree.start), close)) return;
  for (auto* const one : tree.modifier()) {
    const auto read = modifier(*one);
    if (!read) continue;
    const auto same =
        std::find_if(modifiers.begin(), modifiers.end(), [&](auto& m) { return m.kind == read->kind; });
    if (same == modifiers.end()) {
      modifiers.push_back(*read);
      continue;
    }
    const auto word = token(one->IDENTIFIER()).span;
    reporter_.error(Kind::block_syntax, word,
                    "modifier '" + std::string(reporter_.text(word)) + "' is given twice",
                    {{&reporter_.source, same->span, "the first one is here"}});
  }
}

std::optional<Modifier> TreeReader::modifier(Parser::ModifierContext& tree) const {
  struct Row {
    std::string_view word;
    ModifierKind kind;
    std::string_view argument;  ///< what follows `=` in a message; empty: nothing may follow
  };
  constexpr Row rows[]{{"team", ModifierKind::team, "team = expression"},
                       {"async", ModifierKind::async, "async = name"},
                       {"knows", ModifierKind::knows, "knows = both, sender or receiver"},
                       {"delta", ModifierKind::delta, {}},
                       {"copy", ModifierKind::copy, {}}};
  const auto word_span = token(tree.IDENTIFIER()).span;
  const std::string word(reporter_.text(word_span));
  const auto row =
      std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return r.word == word; });
  if (row == std::end(rows)) {
    reporter_.error(Kind::block_syntax, word_span, "unknown modifier '" + word + "'",
                    {Reporter::note("the modifiers are 'team = expression', 'async = name', "
                                    "'knows = both | sender | receiver', 'delta' and 'copy'")});
    return std::nullopt;
  }
  auto* const argument = tree.expression();
  if ((argument != nullptr) != !row->argument.empty()) {
    if (argument != nullptr)
      reporter_.error(Kind::block_syntax, logical(*argument), "modifier '" + word + "' takes no argument");
    else
      reporter_.error(Kind::block_syntax, word_span,
                      "modifier '" + word + "' needs an argument: " + std::string(row->argument));
    return std::nullopt;
  }
  Modifier result{row->kind, span(tree), {}};
  if (argument == nullptr) return result;
  result.argument = expression(*argument);
  const std::string text(reporter_.text(logical(*argument)));
  const bool one_word = argument->start == argument->stop && argument->start->getType() == Parser::IDENTIFIER;
  if (row->kind == ModifierKind::async && !one_word) {
    reporter_.error(Kind::block_syntax, logical(*argument), "'async' needs one name, not '" + text + "'",
                    {Reporter::note("the block declares it as a 'kanor::pending'")});
    return std::nullopt;
  }
  if (row->kind == ModifierKind::knows && text != "both" && text != "sender" && text != "receiver") {
    reporter_.error(Kind::block_syntax, logical(*argument),
                    "'knows' must be 'both', 'sender' or 'receiver', not '" + text + "'");
    return std::nullopt;
  }
  return result;
}

Statement TreeReader::statement(Parser::StatementContext& tree) const {
  Statement result;
  result.span = span(tree);
  result.place = operand(*tree.place()->operand());
  result.receiver = expression(*tree.receiver());
  read_arrow(*tree.arrow(), result);
  result.value = operand(*tree.value()->operand());
  result.sender = expression(*tree.sender());
  for (auto* const one : tree.clause()) result.clauses.push_back(clause(*one));
  return result;
}

Operand TreeReader::operand(Parser::OperandContext& tree) const {
  Operand result;
  result.base = result.span = span(tree);
  const auto dimensions = tree.dimension();
  if (dimensions.empty()) {
    result.subscript = subscript(index(tree.start), index(tree.stop));
    return result;
  }
  result.base = reporter_.logical.original(logical(index(tree.start), index(dimensions.front()->start) - 1));
  for (auto* const one : dimensions) {
    Dimension dimension;
    dimension.span = span(*one);
    const auto parts = one->expression();
    dimension.whole = parts.empty();
    if (!parts.empty()) dimension.first = expression(*parts[0]);
    if (parts.size() > 1) dimension.count = expression(*parts[1]);
    if (parts.size() > 2) dimension.stride = expression(*parts[2]);
    result.dimensions.push_back(std::move(dimension));
  }
  if (auto* const listed = tree.listed()) {
    Dimension& dimension = result.dimensions.emplace_back();
    dimension.span = span(*listed);
    dimension.indices = expression(*listed->indices());
  }
  return result;
}

/// The last brackets of an expression, if they subscript all that stands before them: names, members, calls
/// and other subscripts, perhaps with template arguments. In `-a[i]` they do not.
std::optional<Subscript> TreeReader::subscript(std::size_t first, std::size_t last) const {
  constexpr std::array<std::string_view, 6> joining{".", "->", "::", "<", ">", ">>"};
  const auto& tokens = block_.tokens;
  if (tokens[last].type != Parser::RBRACKET) return std::nullopt;
  const std::size_t open = tokens[last].partner;
  if (open <= first || open + 1 == last) return std::nullopt;
  for (std::size_t i = first; i < open; i = std::max(i, tokens[i].partner) + 1) {
    const auto text = reporter_.text(tokens[i].span);
    if (tokens[i].partner <= i && !ends_operand(tokens[i], text) &&
        std::find(joining.begin(), joining.end(), text) == joining.end())
      return std::nullopt;
  }
  const auto original = [&](std::size_t from, std::size_t to) {
    return reporter_.logical.original(logical(from, to));
  };
  return Subscript{original(first, open - 1), original(open, last), {original(open + 1, last - 1)}};
}

void TreeReader::read_arrow(Parser::ArrowContext& tree, Statement& statement) const {
  constexpr std::pair<std::string_view, Operator> words[]{
      {"+", Operator::add},           {"*", Operator::multiply},    {"&", Operator::bit_and},
      {"bitand", Operator::bit_and},  {"|", Operator::bit_or},      {"bitor", Operator::bit_or},
      {"^", Operator::bit_xor},       {"xor", Operator::bit_xor},   {"&&", Operator::logical_and},
      {"and", Operator::logical_and}, {"||", Operator::logical_or}, {"or", Operator::logical_or},
      {"min", Operator::min},         {"max", Operator::max}};
  statement.arrow = span(tree);
  if (tree.ARROW() != nullptr) return;
  if (tree.OPERATION() == nullptr) {
    statement.op = Operator::callable;
    statement.callable = expression(*tree.operation());
    return;
  }
  const auto word = reporter_.text(token(tree.OPERATION()).span);
  statement.op =
      std::find_if(std::begin(words), std::end(words), [&](auto& w) { return w.first == word; })->second;
  statement.callable = {span(tree.OPERATION())};
}

Clause TreeReader::clause(Parser::ClauseContext& tree) const {
  if (auto* const generator = tree.generator()) {
    Generator result{span(*generator), {}, set(*generator->set())};
    for (auto* const one : generator->NAME()) result.names.push_back(name(one));
    return result;
  }
  if (auto* const let = tree.let()) return Let{span(*let), name(let->NAME()), expression(*let->expression())};
  return Filter{expression(*tree.filter())};
}

Set TreeReader::set(Parser::SetContext& tree) const {
  Set result;
  result.span = span(tree);
  result.form = tree.INTERVAL() != nullptr   ? Set::Form::interval
                : tree.SET_OPEN() != nullptr ? Set::Form::list
                                             : Set::Form::range;
  for (auto* const one : tree.expression()) result.elements.push_back(expression(*one));
  return result;
}

bool TreeReader::check_names(Parser::StatementContext& tree) const {
  std::map<std::string, Span> first;
  bool good = true;
  for (auto* const clause : tree.clause()) {
    std::vector<antlr4::tree::TerminalNode*> names;
    if (clause->generator() != nullptr) names = clause->generator()->NAME();
    if (clause->let() != nullptr) names = {clause->let()->NAME()};
    for (auto* const node : names) {
      const auto [old, is_new] = first.try_emplace(name(node).text, token(node).span);
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
bool TreeReader::check_operands(Parser::StatementContext& tree) const {
  const antlr4::ParserRuleContext* const operands[]{tree.place(), tree.value()};
  for (const auto* const operand : operands) {
    if (!check_subscripts(index(operand->start), index(operand->stop))) return false;
    const Span first = block_.tokens[index(operand->start)].span;
    const auto word = reporter_.text(first);
    if (word == "{" || word == "<%") {
      reporter_.error(Kind::block_syntax, first, "a braced list cannot be a place or value",
                      {Reporter::note("name its type: 'std::vector<int>{1, 2}'")});
      return false;
    }
    if (!is_statement_word(word)) continue;
    reporter_.error(Kind::block_syntax, first, "'" + std::string(word) + "' cannot begin a place or value",
                    {Reporter::note(instead_of_statement(word))});
    return false;
  }
  return check_rank(*tree.receiver()) && check_rank(*tree.sender());
}

/// Reports ranks that the grammar accepts but C++ does not, as `0 if (n > 1)` in `a@0 if (n > 1)`.
bool TreeReader::check_rank(const antlr4::ParserRuleContext& rank) const {
  for (std::size_t i = index(rank.start); i <= index(rank.stop);
       i = std::max(i, block_.tokens[i].partner) + 1) {
    const auto word = reporter_.text(block_.tokens[i].span);
    if (!is_control_word(word)) continue;
    reporter_.error(Kind::block_syntax, block_.tokens[i].span,
                    "unexpected '" + std::string(word) + "' in a rank",
                    {Reporter::note(instead_of_statement(word))});
    return false;
  }
  return true;
}

/// Reports `a[0..3]` and `a[0 ... 3]`: no C++ expression has two dots between operands, and only a lambda's
/// parameters have three, between names.
bool TreeReader::check_subscripts(std::size_t first, std::size_t last) const {
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
bool TreeReader::check_operation(Parser::StatementContext& tree) const {
  auto* const operation = tree.arrow()->operation();
  if (operation == nullptr) return true;
  for (std::size_t i = index(operation->start); i <= index(operation->stop); ++i)
    if (block_.tokens[i].partner != 0 || ends_operand(block_.tokens[i], {})) return true;
  reporter_.error(Kind::block_syntax, logical(*operation),
                  "'" + std::string(reporter_.text(logical(*operation))) + "' is not a reduction operator",
                  {Reporter::note("the operators are + * & | ^ && || min max, and any callable 'op(a, b)'")});
  return false;
}

bool TreeReader::check_clauses(Parser::StatementContext& tree) const {
  bool good = true, after_generator = false;
  for (auto* const clause : tree.clause()) {
    if (auto* const filter = clause->filter()) good &= check_filter(*filter, after_generator);
    after_generator = clause->generator() != nullptr;
    if (after_generator) good &= check_set(*clause->generator()->set());
  }
  return good;
}

/// Returns true if an operator follows, rather than the set after a misspelt `in`.
bool TreeReader::goes_on(std::size_t i, std::size_t last) const {
  if (i == last) return false;
  const auto next = block_.tokens[i + 1].type;
  return next != Parser::IDENTIFIER && next != Parser::NUMBER && next != Parser::LBRACE &&
         next != Parser::LPAREN;
}

bool TreeReader::check_filter(const antlr4::ParserRuleContext& filter, bool after_generator) const {
  const std::size_t first = index(filter.start), last = index(filter.stop);
  const std::string word(reporter_.text(block_.tokens[first].span));
  // Had the generator stood behind it, the filter would be one of its names.
  if (first == last && after_generator && !is_value_word(word)) {
    reporter_.error(
        Kind::block_syntax, logical(filter), "the filter '" + word + "' looks like a generator's name",
        {Reporter::note("write '(" + word + ")' for a filter, '" + word + " in set' for a generator")});
    return false;
  }
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
bool TreeReader::check_set(Parser::SetContext& set) const {
  if (set.INTERVAL() != nullptr) return true;
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

bool TreeReader::has_name(std::size_t first, std::size_t last) const {
  const auto begin = block_.tokens.begin();
  return std::any_of(begin + static_cast<std::ptrdiff_t>(first),
                     begin + static_cast<std::ptrdiff_t>(last) + 1,
                     [](const Token& token) { return token.type == Parser::IDENTIFIER; });
}

}  // namespace

Block read_tree(Parser::BlockContext& tree, const BlockTokens& block, const std::vector<std::size_t>& misfits,
                const Reporter& reporter) {
  return TreeReader(block, misfits, reporter).read(tree);
}

}  // namespace kanor::syntax
