// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/tree_reader.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "syntax/checks.hpp"
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
    if (check(*one, block_, reporter_)) block.statements.push_back(statement(*one));
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

}  // namespace

Block read_tree(Parser::BlockContext& tree, const BlockTokens& block, const std::vector<std::size_t>& misfits,
                const Reporter& reporter) {
  return TreeReader(block, misfits, reporter).read(tree);
}

}  // namespace kanor::syntax
