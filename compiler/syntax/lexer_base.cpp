// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/lexer_base.hpp"

namespace kanor::syntax::grammar {

void LogicalStream::consume() {
  if (at_ < text_.size()) ++at_;
}

std::size_t LogicalStream::LA(ssize_t distance) {
  if (distance == 0) return 0;
  const auto offset = static_cast<ssize_t>(at_) + (distance > 0 ? distance - 1 : distance);
  if (offset < 0 || offset >= static_cast<ssize_t>(text_.size())) return EOF;
  constexpr unsigned char del = 0x7F;
  const auto byte = static_cast<unsigned char>(text_[static_cast<std::size_t>(offset)]);
  if (byte == del) return 1;  // a real DEL is as foreign to C++ as any control character
  return byte > del ? del : byte;
}

std::string LogicalStream::getText(const antlr4::misc::Interval& interval) {
  const auto begin = std::min(static_cast<std::size_t>(std::max<ssize_t>(interval.a, 0)), text_.size());
  const auto end =
      std::min(static_cast<std::size_t>(std::max<ssize_t>(interval.b + 1, interval.a)), text_.size());
  return std::string(text_.substr(begin, end - begin));
}

std::unique_ptr<antlr4::Token> LexerBase::nextToken() {
  auto token = Lexer::nextToken();
  if (token->getChannel() == antlr4::Token::DEFAULT_CHANNEL) line_start_ = false;
  return token;
}

void LexerBase::take_raw_string(std::size_t unterminated_type) {
  const auto& logical = stream().logical();
  auto [end, closed] = raw_string_end(logical, static_cast<std::uint32_t>(_input->index() - 1));
  if (!closed) setType(unterminated_type);
  while (closed && end < logical.size() && is_identifier_byte(logical.text()[end])) ++end;
  _input->seek(end);
}

void LexerBase::take_directive(std::size_t directive_type) {
  if (!line_start_) return;
  setType(directive_type);
  const auto text = stream().logical().text();
  _input->seek(std::min(text.find('\n', _input->index()), text.size()));
}

void LexerBase::end_before_ellipsis() {
  const auto index = _input->index();
  const auto text = stream().logical().text();
  if (_input->LA(1) == '.' && text.substr(0, index).ends_with("..")) _input->seek(index - 2);
}

void LexerBase::split_less_scope(std::size_t less_type) {
  if (_input->LA(-2) != '<' || _input->LA(-1) != ':' || _input->LA(1) != ':') return;
  if (_input->LA(2) == ':' || _input->LA(2) == '>') return;
  _input->seek(_input->index() - 1);
  setType(less_type);
}

}  // namespace kanor::syntax::grammar
