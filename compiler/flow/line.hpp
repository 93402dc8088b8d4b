// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "flow/flow_graph.hpp"

// For parse() alone: reads a line of the text form.
namespace kanor::flow {

/// One line: words, quoted texts, and punctuation by the character.
class Line {
 public:
  Line(std::string text, const text::Source& source) : text_(std::move(text)), source_(source) { skip(); }

  [[noreturn]] void fail() const { throw std::invalid_argument("flow graph: cannot read '" + text_ + "'"); }
  bool at_end() const { return at_ == text_.size(); }
  char next() const { return at_end() ? '\0' : text_[at_]; }

  bool take(std::string_view token) {
    const std::size_t end = at_ + token.size();
    if (text_.compare(at_, token.size(), token) != 0) return false;
    if (is_word(token.back()) && end < text_.size() && is_word(text_[end])) return false;
    at_ = end;
    skip();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) fail();
  }
  std::string word() {
    const std::size_t begin = at_;
    while (!at_end() && is_word(text_[at_])) ++at_;
    if (begin == at_) fail();
    const std::string found = text_.substr(begin, at_ - begin);
    skip();
    return found;
  }
  bool at_number() const { return next() >= '0' && next() <= '9'; }
  template <typename Number>
  Number number(const std::string& digits) const {
    Number value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) fail();
    return value;
  }
  int number() { return number<int>(word()); }
  long long signed_number() { return number_after(take("-")); }
  long long number_after(bool minus) { return number<long long>((minus ? "-" : "") + word()); }
  bool at_quote() const { return next() == '"'; }
  std::string quoted() {
    if (!at_quote()) fail();
    std::string text;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
      text += text_[at_] == 'n' && text_[at_ - 1] == '\\' ? '\n' : text_[at_];
    }
    if (at_end()) fail();
    ++at_;
    skip();
    return text;
  }
  /// The location of a quoted text, if one is next: where it first occurs in the source.
  Location location() {
    if (!at_quote()) return {};
    const std::string text = quoted();
    const auto begin = source_.bytes().find(text);
    if (begin == std::string_view::npos) fail();
    return {&source_, {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + text.size())}};
  }

 private:
  static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '#';
  }
  void skip() {
    while (!at_end() && text_[at_] == ' ') ++at_;
  }

  std::string text_;
  const text::Source& source_;
  std::size_t at_ = 0;
};

}  // namespace kanor::flow
