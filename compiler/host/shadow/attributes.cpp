// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/shadow/attributes.hpp"

#include <cctype>
#include <optional>
#include <string>

namespace kanor::host {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Hands out the tokens of C++ as far as attributes need it: words, numbers, literals (as one token),
/// punctuation by the character, `::` whole.
class Tokens {
 public:
  explicit Tokens(std::string_view bytes) : bytes_(bytes) {}

  std::optional<Span> next() {
    skip_blanks();
    if (at_ >= bytes_.size()) return std::nullopt;
    const std::size_t begin = at_;
    const char c = bytes_[at_];
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      skip_number();
    } else if (is_word(c)) {
      while (at_ < bytes_.size() && is_word(bytes_[at_])) ++at_;
      if (at_ < bytes_.size() && bytes_[at_] == '"' && bytes_[at_ - 1] == 'R') skip_raw_string();
    } else if (c == '"' || c == '\'') {
      skip_literal(c);
    } else {
      at_ += bytes_.substr(at_, 2) == "::" ? 2 : 1;
    }
    return Span{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
  }

 private:
  void skip_to(std::string_view end) {
    const auto found = bytes_.find(end, at_);
    at_ = found == std::string_view::npos ? bytes_.size() : found + end.size();
  }

  void skip_blanks() {
    while (at_ < bytes_.size()) {
      if (std::isspace(static_cast<unsigned char>(bytes_[at_])) != 0)
        ++at_;
      else if (bytes_.substr(at_, 2) == "//")
        skip_to("\n");
      else if (bytes_.substr(at_, 2) == "/*")
        at_ += 2, skip_to("*/");
      else
        return;
    }
  }

  void skip_number() {
    while (at_ < bytes_.size() &&
           (is_word(bytes_[at_]) || bytes_[at_] == '.' ||
            (bytes_[at_] == '\'' && at_ + 1 < bytes_.size() && is_word(bytes_[at_ + 1]))))
      ++at_;
  }

  void skip_literal(char quote) {
    for (++at_; at_ < bytes_.size() && bytes_[at_] != quote && bytes_[at_] != '\n'; ++at_)
      if (bytes_[at_] == '\\') ++at_;
    if (at_ < bytes_.size()) ++at_;
    if (at_ > bytes_.size()) at_ = bytes_.size();
  }

  void skip_raw_string() {
    const auto open = bytes_.find('(', at_);
    if (open == std::string_view::npos) {
      at_ = bytes_.size();
      return;
    }
    const std::string end = ")" + std::string(bytes_.substr(at_ + 1, open - at_ - 1)) + "\"";
    at_ = open;
    skip_to(end);
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

struct Entry {
  Span span;
  std::optional<Span> name;  ///< if it is Kanor's
};

/// Appends the attributes of one list, whose brackets are `list` and whose comma-separated entries are given.
void add_list(Span list, const std::vector<Entry>& entries, std::vector<Attribute>& found) {
  bool all_ours = true;
  for (const Entry& entry : entries) all_ours &= entry.name.has_value();
  bool other_before = false;
  for (std::size_t at = 0; at < entries.size(); ++at) {
    const Entry& entry = entries[at];
    other_before |= !entry.name;
    if (!entry.name) continue;
    Span blank = entry.span;
    if (all_ours)
      blank = list;
    else if (other_before)
      blank.begin = entries[at - 1].span.end;  // with the comma before
    else
      blank.end = entries[at + 1].span.begin;  // with the comma behind
    found.push_back({*entry.name, blank});
  }
}

}  // namespace

std::vector<Attribute> find_attributes(std::string_view bytes) {
  std::vector<Attribute> found;
  if (bytes.find("kanor") == std::string_view::npos) return found;
  Tokens tokens(bytes);
  const auto text = [&](Span span) { return bytes.substr(span.begin, span.end - span.begin); };
  bool after_bracket = false;
  std::uint32_t bracket = 0;
  for (auto token = tokens.next(); token; token = tokens.next()) {
    if (!after_bracket || text(*token) != "[") {
      after_bracket = text(*token) == "[";
      bracket = token->begin;
      continue;
    }
    after_bracket = false;
    std::vector<Entry> entries;
    std::vector<Span> entry;
    const auto end_entry = [&] {
      if (entry.empty()) return;
      const bool ours = entry.size() >= 3 && text(entry[0]) == "kanor" && text(entry[1]) == "::";
      entries.push_back({{entry.front().begin, entry.back().end}, std::nullopt});
      if (ours) entries.back().name = Span{entry[0].begin, entry[2].end};
      entry.clear();
    };
    int depth = 0;
    bool closing = false;
    for (token = tokens.next(); token; token = tokens.next()) {
      const auto word = text(*token);
      if (depth == 0 && word == "]") {
        if (closing) break;
        closing = true;
        continue;
      }
      if (closing) break;  // an index that holds a lambda, no attribute
      if (word == "(" || word == "[" || word == "{") ++depth;
      if (word == ")" || word == "]" || word == "}") --depth;
      if (depth < 0) break;
      if (depth == 0 && word == ",")
        end_entry();
      else
        entry.push_back(*token);
    }
    end_entry();
    if (!token) break;
    if (closing && text(*token) == "]") add_list({bracket, token->end}, entries, found);
  }
  return found;
}

}  // namespace kanor::host
