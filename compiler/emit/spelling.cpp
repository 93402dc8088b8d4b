// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/spelling.hpp"

#include <array>
#include <cctype>
#include <cstdio>

namespace kanor::emit {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The end of the comment or line splice that begins at `at`, or `at` if none does.
std::size_t end_of_comment(std::string_view code, std::size_t at) {
  const auto rest = code.substr(at);
  if (rest.starts_with("\\\n")) return at + 2;
  if (rest.starts_with("\\\r\n")) return at + 3;
  if (rest.starts_with("/*")) {
    const auto end = code.find("*/", at + 2);
    return end == std::string_view::npos ? code.size() : end + 2;
  }
  if (rest.starts_with("//")) {
    // A splice continues the comment on the next line.
    for (std::size_t end = code.find('\n', at); end != std::string_view::npos;
         end = code.find('\n', end + 1)) {
      const std::size_t last = code[end - 1] == '\r' ? end - 2 : end - 1;
      if (code[last] != '\\') return end;
    }
    return code.size();
  }
  return at;
}

/// The end of the string or character literal whose quote stands at `at`; `word` is what stands directly
/// before.
std::size_t end_of_literal(std::string_view code, std::size_t at, std::string_view word) {
  if (code[at] == '"' && word.ends_with('R')) {
    const auto open = code.find('(', at);
    if (open == std::string_view::npos) return code.size();
    const std::string close = ")" + std::string(code.substr(at + 1, open - at - 1)) + "\"";
    const auto end = code.find(close, open);
    return end == std::string_view::npos ? code.size() : end + close.size();
  }
  for (std::size_t end = at + 1; end < code.size(); ++end) {
    if (code[end] == '\\')
      ++end;
    else if (code[end] == code[at])
      return end + 1;
  }
  return code.size();
}

enum class Element { blank, word, literal, other };

/// Calls `visit(element, text)` for each run of blanks and comments, each word or number, each literal, and
/// every other character.
template <typename Visit>
void walk(std::string_view code, Visit visit) {
  std::string_view word;
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t begin = at;
    Element element = Element::other;
    for (std::size_t end = at; at < code.size(); at = end) {
      end = is_blank(code[at]) ? at + 1 : end_of_comment(code, at);
      if (end == at) break;
      element = Element::blank;
    }
    if (element == Element::blank) {
      visit(element, code.substr(begin, at - begin));
      word = {};
      continue;
    }
    if (is_word(code[at])) {
      element = Element::word;
      // A quote between digits separates them; after letters it begins a literal.
      const bool number = std::isdigit(static_cast<unsigned char>(code[at])) != 0;
      while (at < code.size() && (is_word(code[at]) || (number && code[at] == '\'' && at + 1 < code.size() &&
                                                        is_word(code[at + 1]))))
        ++at;
      word = code.substr(begin, at - begin);
      visit(element, word);
      continue;
    }
    if (code[at] == '"' || code[at] == '\'') {
      element = Element::literal;
      at = end_of_literal(code, at, word);
    } else {
      ++at;
    }
    visit(element, code.substr(begin, at - begin));
    word = {};
  }
}

}  // namespace

std::string string_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      literal += '\\';
      literal += c;
    } else if (c == '\n') {
      literal += "\\n";
    } else if (c == '\t') {
      literal += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      std::array<char, 5> octal{};
      std::snprintf(octal.data(), octal.size(), "\\%03o",
                    static_cast<unsigned>(static_cast<unsigned char>(c)));
      literal += octal.data();
    } else {
      literal += c;
    }
  }
  return literal + '"';
}

std::string name_beside(Beside kind, const std::string& name) {
  static constexpr std::string_view kinds[] = {"shared", "set", "let", "pending"};
  return "kanor_" + std::string(kinds[static_cast<std::size_t>(kind)]) + '_' + name;
}

std::string one_line(std::string_view code) {
  std::string line;
  walk(code, [&](Element element, std::string_view text) {
    if (element == Element::blank) {
      line += ' ';
      return;
    }
    for (const char c : text) line += c == '\n' || c == '\r' ? ' ' : c;
  });
  return line;
}

std::string abbreviated(std::string text) {
  constexpr std::size_t most = 200, kept_at_the_end = 80;
  if (text.size() <= most) return text;
  const auto begins_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0u) != 0x80;
  };
  std::size_t first_end = most - kept_at_the_end, last_begin = text.size() - kept_at_the_end;
  while (!begins_character(first_end)) --first_end;
  while (last_begin < text.size() && !begins_character(last_begin)) ++last_begin;
  return text.replace(first_end, last_begin - first_end, " [...] ");
}

bool has_top_level_comma(std::string_view code) {
  int depth = 0;
  bool found = false;
  walk(code, [&](Element element, std::string_view text) {
    if (element != Element::other) return;
    const char c = text[0];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0) found = true;
  });
  return found;
}

bool has_word(std::string_view code, std::string_view word) {
  bool found = false;
  walk(code,
       [&](Element element, std::string_view text) { found |= element == Element::word && text == word; });
  return found;
}

bool is_parenthesised(std::string_view code) {
  if (!code.starts_with('(') || !code.ends_with(')')) return false;
  int depth = 0, closed = 0;
  bool outside = false, part_of_syntax = false;
  char before = ' ';
  walk(code, [&](Element element, std::string_view text) {
    if (element == Element::blank) return;
    const char c = element == Element::other ? text[0] : 'x';
    if (closed > 0) outside = true;
    // A fold's dots follow its operator or its parenthesis; those of a pack follow a name or a bracket.
    const bool dots = code.substr(static_cast<std::size_t>(text.data() - code.data())).starts_with("...");
    const bool fold = dots && before != 'x' && before != ')' && before != ']';
    if (depth == 1 && (fold || (c == '{' && before == '('))) part_of_syntax = true;
    if (c == '(') ++depth;
    if (c == ')' && --depth == 0) ++closed;
    before = c;
  });
  return !outside && closed == 1 && !part_of_syntax;
}

std::uint32_t skip_blanks_and_comments(std::string_view code, std::uint32_t at) {
  for (std::size_t next = at; next < code.size(); at = static_cast<std::uint32_t>(next)) {
    next = is_blank(code[at]) ? at + 1 : end_of_comment(code, at);
    if (next == at) break;
  }
  return std::min(at, static_cast<std::uint32_t>(code.size()));
}

}  // namespace kanor::emit
