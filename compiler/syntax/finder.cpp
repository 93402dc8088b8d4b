#include "syntax/finder.hpp"

#include <algorithm>
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

}  // namespace

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
      ++at_;
    }
  }
  return std::nullopt;
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

/// A definition of the macro itself is no block, and neither is a mention in any other directive.
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
  return identifier == macro_name ? found(Candidate::Form::macro, begin) : std::nullopt;
}

std::optional<Candidate> Finder::at_sign() {
  const auto begin = at_++;
  skip_blanks_and_comments(directive_ == Directive::none);
  return take_identifier() == at_sign_word ? found(Candidate::Form::at_sign, begin) : std::nullopt;
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
