// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "antlr4-runtime.h"
#include "syntax/logical_text.hpp"

namespace kanor::syntax::grammar {

/// The characters of a LogicalText for ANTLR, from the beginning; a byte of a multi-byte character is DEL.
class LogicalStream final : public antlr4::CharStream {
 public:
  explicit LogicalStream(const LogicalText& text) : logical_(text), text_(text.text()) {}

  const LogicalText& logical() const { return logical_; }

  void consume() override;
  std::size_t LA(ssize_t distance) override;
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  std::size_t index() override { return at_; }
  void seek(std::size_t index) override { at_ = index; }
  std::size_t size() override { return text_.size(); }
  std::string getSourceName() const override { return {}; }
  std::string getText(const antlr4::misc::Interval& interval) override;
  std::string toString() const override { return std::string(text_); }

 private:
  const LogicalText& logical_;
  std::string_view text_;
  std::size_t at_ = 0;
};

/// The parts of KanorLexer.g4's rules that a grammar can't express: called by its actions, at the end of a
/// match.
class LexerBase : public antlr4::Lexer {
 public:
  /// `input` must be a LogicalStream.
  explicit LexerBase(antlr4::CharStream* input) : Lexer(input) {}
  std::unique_ptr<antlr4::Token> nextToken() override;

 protected:
  void starts_line() { line_start_ = true; }
  /// After `R"`: takes the rest; a string without an end becomes `unterminated_type`.
  void take_raw_string(std::size_t unterminated_type);
  /// After `#`: where it is its line's first token, takes the line and becomes `directive_type`.
  void take_directive(std::size_t directive_type);
  /// After a number that ends with `..`: gives the dots back if a third follows.
  void end_before_ellipsis();
  /// After `<:`: it is `<` if it is followed by `:` and then neither `:` nor `>` ([lex.pptoken]).
  void split_less_scope(std::size_t less_type);

 private:
  LogicalStream& stream() { return static_cast<LogicalStream&>(*_input); }

  bool line_start_ = false;
};

}  // namespace kanor::syntax::grammar
