// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/finder.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace kanor::syntax {
namespace {

constexpr std::string_view macro_name = "KANOR_COMMUNICATE";
constexpr std::string_view at_sign_word = "communicate";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r'; }

bool opens_raw_string(std::string_view identifier) {
  return identifier == "R" || identifier == "LR" || identifier == "uR" || identifier == "UR" ||
         identifier == "u8R";
}

/// Returns true if the word has at most two letters too many, missing, wrong or in upper case.
bool is_misspelt(std::string_view word) {
  constexpr std::size_t most = 2, size = at_sign_word.size();
  if (word == at_sign_word || word.size() + most < size || word.size() > size + most) return false;
  std::array<std::size_t, size + 1> distance{};  // from the word so far to each beginning of the right one
  for (std::size_t i = 0; i <= size; ++i) distance[i] = i;
  for (std::size_t row = 0; row < word.size(); ++row) {
    std::size_t diagonal = std::exchange(distance[0], row + 1);
    for (std::size_t i = 1; i <= size; ++i) {
      const std::size_t replaced = diagonal + (word[row] == at_sign_word[i - 1] ? 0 : 1);
      diagonal = distance[i];
      distance[i] = std::min({replaced, distance[i] + 1, distance[i - 1] + 1});
    }
  }
  return distance[size] <= most;
}

}  // namespace

bool mentions_misspelt_block(std::string_view bytes) {
  for (auto at = bytes.find('@'); at != std::string_view::npos; at = bytes.find('@', at + 1)) {
    const auto end = std::find_if_not(bytes.begin() + static_cast<std::ptrdiff_t>(at) + 1, bytes.end(),
                                      is_identifier_byte);
    if (is_misspelt(bytes.substr(at + 1, static_cast<std::size_t>(end - bytes.begin()) - at - 1)))
      return true;
  }
  return false;
}

Finder::Finder(const LogicalText& text, std::vector<text::Span> inactive_groups)
    : logical_(text), text_(text.text()), size_(text.size()), inactive_(std::move(inactive_groups)) {
  for (auto& group : inactive_) group = {logical_.logical(group.begin), logical_.logical(group.end)};
  std::sort(inactive_.begin(), inactive_.end(), [](auto a, auto b) { return a.begin < b.begin; });
}

void Finder::resume(std::uint32_t logical) {
  at_ = std::max(at_, logical);
  line_start_ = false;
}

std::optional<Candidate> Finder::next() {
  while (at_ < size_) {
    if (skip_inactive_group()) continue;
    const char c = text_[at_];
    if (c == '\n') {
      ++at_;
      line_start_ = true;
      directive_ = Directive::none;
      continue;
    }
    if (is_blank(c) || (c == '/' && (at(at_ + 1) == '/' || at(at_ + 1) == '*'))) {
      skip_blanks_and_comments(false);
      continue;
    }
    const bool first_on_line = std::exchange(line_start_, false);
    if (first_on_line && (c == '#' || (c == '%' && at(at_ + 1) == ':'))) {
      at_ += c == '#' ? 1 : 2;
      enter_directive();
    } else if (c == '"' || c == '\'') {
      skip_literal(c);
    } else if (is_digit(c) || (c == '.' && is_digit(at(at_ + 1)))) {
      skip_number();
    } else if (is_identifier_byte(c)) {
      if (const auto candidate = word(at_)) return candidate;
    } else if (c == '@') {
      if (const auto candidate = at_sign()) return candidate;
    } else {
      punctuation();
    }
  }
  return std::nullopt;
}

void Finder::punctuation() {
  const char c = text_[at_++];
  if (directive_ != Directive::none) return;
  const char next = at(at_);
  if (c == '{' || (c == '<' && next == '%')) ++open_braces_;
  if (c == '}' || (c == '%' && next == '>')) --open_braces_;
}

bool Finder::skip_inactive_group() {
  while (next_inactive_ < inactive_.size() && inactive_[next_inactive_].end <= at_) ++next_inactive_;
  if (next_inactive_ == inactive_.size() || at_ < inactive_[next_inactive_].begin) return false;
  at_ = inactive_[next_inactive_].end;
  auto before = at_;
  while (before > 0 && is_blank(text_[before - 1])) --before;
  line_start_ = before == 0 || text_[before - 1] == '\n';
  directive_ = Directive::none;
  return true;
}

void Finder::skip_blanks_and_comments(bool newlines_too) {
  while (at_ < size_) {
    const char c = text_[at_];
    if (is_blank(c) || (newlines_too && c == '\n')) {
      ++at_;
    } else if (c == '/' && at(at_ + 1) == '/') {
      at_ = static_cast<std::uint32_t>(std::min<std::size_t>(text_.find('\n', at_), size_));
    } else if (c == '/' && at(at_ + 1) == '*') {
      const auto end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? size_ : static_cast<std::uint32_t>(end + 2);
    } else {
      return;
    }
  }
}

void Finder::skip_literal(char quote) {
  ++at_;
  while (at_ < size_ && text_[at_] != quote && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
  at_ = std::min(at_, size_);
  if (at_ == size_ || text_[at_] != quote) return;
  ++at_;
  take_identifier();  // the R of "a"R"(" is a suffix
}

void Finder::skip_number() {
  while (at_ < size_) {
    const char c = text_[at_], next = at(at_ + 1);
    const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
    if (exponent && (next == '+' || next == '-'))
      at_ += 2;
    else if (c == '\'' && is_identifier_byte(next))
      at_ += 2;
    else if (is_identifier_byte(c) || c == '.')
      ++at_;
    else
      return;
  }
}

std::string_view Finder::take_identifier() {
  const auto begin = at_;
  while (at_ < size_ && is_identifier_byte(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

/// Enters a directive: neither a definition of the macro itself nor a mention in another directive is a
/// block.
void Finder::enter_directive() {
  directive_ = Directive::other;
  skip_blanks_and_comments(false);
  if (take_identifier() != "define") return;
  skip_blanks_and_comments(false);
  if (take_identifier() != macro_name) directive_ = Directive::define;
}

std::optional<Candidate> Finder::word(std::uint32_t begin) {
  const auto identifier = take_identifier();
  if (at(at_) == '"' && opens_raw_string(identifier)) {
    at_ = raw_string_end(logical_, at_).logical;
    return std::nullopt;
  }
  if (identifier == at_sign_word && directive_ == Directive::none && opens_statements())
    return Candidate{Candidate::Form::without_at_sign, {begin, at_}};
  return identifier == macro_name ? found(Candidate::Form::macro, begin) : std::nullopt;
}

/// Returns true if braces follow, perhaps after parentheses, with an `@` in them that opens no block: C++ has
/// no such braces, so code that names something `communicate` is left alone.
bool Finder::opens_statements() const {
  Finder ahead = *this;
  ahead.skip_blanks_and_comments(true);
  if (ahead.at(ahead.at_) == '(') ahead.skip_group();
  ahead.skip_blanks_and_comments(true);
  if (ahead.at(ahead.at_) != '{') return false;
  const auto open = ahead.at_;
  ahead.skip_group();
  const auto close = ahead.at_;
  for (ahead.at_ = open; ahead.at_ < close;) {
    const auto begin = ahead.at_;
    const bool is_at_sign = text_[begin] == '@';
    if (is_at_sign) {
      ++ahead.at_;
      ahead.skip_blanks_and_comments(true);
      if (ahead.take_identifier() != at_sign_word) return true;
    } else {
      ahead.skip_token();
    }
    if (is_at_sign || text_.substr(begin, ahead.at_ - begin) == macro_name) ahead.skip_block();
  }
  return false;
}

/// Skips the text after the word of a block: its modifiers and its statements.
void Finder::skip_block() {
  skip_blanks_and_comments(true);
  if (at(at_) == '(') skip_group();
  skip_blanks_and_comments(true);
  if (at(at_) == '{') skip_group();
}

/// Skips to the end of the group that the bracket here opens, or of the file.
void Finder::skip_group() {
  int depth = 0;
  do {
    const char c = at(at_);
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    skip_token();
  } while (depth > 0 && at_ < size_);
}

/// Skips a literal, a comment, a number, an identifier, or one byte of anything else.
void Finder::skip_token() {
  const char c = text_[at_];
  if (c == '/' && (at(at_ + 1) == '/' || at(at_ + 1) == '*')) {
    skip_blanks_and_comments(false);
  } else if (c == '"' || c == '\'') {
    skip_literal(c);
  } else if (is_digit(c)) {
    skip_number();
  } else if (is_identifier_byte(c)) {
    const auto identifier = take_identifier();
    if (at(at_) == '"' && opens_raw_string(identifier)) at_ = raw_string_end(logical_, at_).logical;
  } else {
    ++at_;
  }
}

std::optional<Candidate> Finder::at_sign() {
  const auto begin = at_++;
  skip_blanks_and_comments(directive_ == Directive::none);
  const auto word = take_identifier();
  if (word == at_sign_word) return found(Candidate::Form::at_sign, begin);
  const bool misspelt = directive_ == Directive::none && is_misspelt(word) && opens_bracket_behind_blanks();
  return misspelt ? std::optional(Candidate{Candidate::Form::misspelt, {begin, at_}}) : std::nullopt;
}

bool Finder::opens_bracket_behind_blanks() const {
  const auto next = text_.find_first_not_of(" \t\v\f\r\n", at_);
  return next != std::string_view::npos && (text_[next] == '{' || text_[next] == '(');
}

std::optional<Candidate> Finder::found(Candidate::Form form, std::uint32_t begin) {
  if (directive_ == Directive::other) return std::nullopt;
  if (directive_ == Directive::define) {
    directive_ = Directive::other;  // one message a definition
    form = Candidate::Form::in_macro_definition;
  }
  return Candidate{form, {begin, at_}};
}

}  // namespace kanor::syntax
