// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/block_parser.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "KanorParser.h"
#include "syntax/mistake.hpp"
#include "syntax/tree_reader.hpp"

namespace kanor::syntax {
namespace {

using Parser = grammar::KanorParser;

/// Instead of guessing what the user meant, as ANTLR's own strategy does, skips to the end of the
/// statement or of the modifier list, and notes where it went wrong.
class SkipStatement final : public antlr4::DefaultErrorStrategy {
 public:
  std::vector<Mistake> mistakes;

  void reportError(antlr4::Parser* parser, const antlr4::RecognitionException& e) override {
    if (inErrorRecoveryMode(parser)) return;
    beginErrorCondition(parser);
    Mistake mistake;
    mistake.token = e.getOffendingToken()->getTokenIndex();
    const auto* context = parser->getContext();
    if (!context->children.empty())
      if (const auto* rule = dynamic_cast<const antlr4::ParserRuleContext*>(context->children.back()))
        mistake.previous_rule = rule->getRuleIndex();
    for (; context != nullptr; context = dynamic_cast<const antlr4::ParserRuleContext*>(context->parent))
      mistake.rules.push_back({context->getRuleIndex(), context->start->getTokenIndex()});
    mistakes.push_back(std::move(mistake));
  }

  void recover(antlr4::Parser* parser, std::exception_ptr) override { skip(parser); }

  antlr4::Token* recoverInline(antlr4::Parser* parser) override {
    throw antlr4::InputMismatchException(parser);
  }

  /// Called before every choice: a statement or modifier that has ended must be followed by the next one.
  void sync(antlr4::Parser* parser) override {
    const auto rule = parser->getContext()->getRuleIndex();
    const auto next = parser->getCurrentToken()->getType();
    const bool misfit =
        (rule == Parser::RuleStatements && !ends_statement(next)) ||
        (rule == Parser::RuleModifiers && next != Parser::COMMA && next != Parser::MODIFIERS_CLOSE);
    if (!misfit) return;
    reportError(parser, antlr4::InputMismatchException(parser));
    skip(parser);
  }

 private:
  static bool ends_statement(std::size_t type) {
    return type == Parser::SEPARATOR || type == Parser::LAST_SEPARATOR || type == Parser::BODY_CLOSE;
  }
  static void skip(antlr4::Parser* parser) {
    for (auto type = parser->getCurrentToken()->getType();
         !ends_statement(type) && type != Parser::MODIFIERS_CLOSE && type != antlr4::Token::EOF;
         type = parser->getCurrentToken()->getType())
      parser->consume();
  }
};

std::vector<std::unique_ptr<antlr4::Token>> antlr_tokens(const std::vector<Token>& tokens) {
  std::vector<std::unique_ptr<antlr4::Token>> result;
  result.reserve(tokens.size() + 1);
  for (const Token& token : tokens) result.push_back(std::make_unique<antlr4::CommonToken>(token.type));
  result.push_back(std::make_unique<antlr4::CommonToken>(antlr4::Token::EOF));
  return result;
}

}  // namespace

Block parse_block(const BlockTokens& block, const Reporter& reporter) {
  antlr4::ListTokenSource source(antlr_tokens(block.tokens));
  antlr4::CommonTokenStream stream(&source);
  Parser parser(&stream);
  parser.removeErrorListeners();
  const auto strategy = std::make_shared<SkipStatement>();
  parser.setErrorHandler(strategy);
  parser.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(
      antlr4::atn::PredictionMode::SLL);
  auto* const tree = parser.block();

  std::vector<std::size_t> misfits;
  for (const Mistake& mistake : strategy->mistakes) {
    // A `;` too many splits a statement in two halves that both fail.
    const bool second_half = !misfits.empty() && misfits.back() + 1 == mistake.token &&
                             block.tokens[mistake.token].type == Parser::AT;
    if (!second_half) report(mistake, block, reporter);
    misfits.push_back(mistake.token);
  }
  return read_tree(*tree, block, misfits, reporter);
}

}  // namespace kanor::syntax
