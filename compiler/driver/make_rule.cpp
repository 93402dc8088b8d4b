// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/make_rule.hpp"

#include <algorithm>
#include <cstddef>

namespace kanor::driver {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Length of a line splice at `at`, or 0.
std::size_t splice(std::string_view text, std::size_t at) {
  if (text.substr(at).starts_with("\\\n")) return 2;
  return text.substr(at).starts_with("\\\r\n") ? 3 : 0;
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (const auto length = splice(text, at))
      at += length;
    else if (text[at] == ' ' || text[at] == '\t')
      ++at;
    else
      break;
  }
  return at;
}

/// Reads one name; `at` moves behind it. A run of n backslashes before a blank or `#` stands for n/2 of
/// them, and an odd one escapes what follows.
std::string read_name(std::string_view text, std::size_t& at) {
  std::string name;
  while (at < text.size() && !is_blank(text[at])) {
    if (text.substr(at).starts_with("$$")) {
      name += '$';
      at += 2;
      continue;
    }
    if (text[at] != '\\') {
      name += text[at++];
      continue;
    }
    const auto run_end = std::min(text.find_first_not_of('\\', at), text.size());
    const std::size_t run = run_end - at;
    const char next = run_end < text.size() ? text[run_end] : '\n';
    if (next == ' ' || next == '\t' || next == '#') {
      name.append(run / 2, '\\');
      if (run % 2 == 1) {
        name += next;
        at = run_end + 1;
      } else {
        at = run_end;
        if (next != '#') break;
      }
    } else if (is_blank(next)) {
      // The last backslash of the run splices the line.
      name.append(run - 1, '\\');
      at = run_end - 1;
      break;
    } else {
      name.append(run, '\\');
      at = run_end;
    }
  }
  return name;
}

}  // namespace

std::string quote_for_make(std::string_view name) {
  std::string quoted;
  std::size_t backslashes = 0;
  for (const char c : name) {
    if (c == ' ' || c == '\t') {
      quoted.append(backslashes, '\\');
      quoted += '\\';
    } else if (c == '#') {
      quoted += '\\';
    } else if (c == '$') {
      quoted += '$';
    }
    backslashes = c == '\\' ? backslashes + 1 : 0;
    quoted += c;
  }
  return quoted;
}

std::vector<std::string> prerequisites(std::string_view text) {
  std::vector<std::string> names;
  // The target ends at the first colon that a blank follows; kanorc itself names the target, so it
  // holds no colon.
  std::size_t at = text.find(": ");
  if (at == std::string_view::npos) at = text.find(":\n");
  if (at == std::string_view::npos) return names;
  for (at = skip_blanks(text, at + 1); at < text.size() && text[at] != '\n' && text[at] != '\r';
       at = skip_blanks(text, at))
    names.push_back(read_name(text, at));
  return names;
}

std::string make_rule(const std::vector<std::string>& targets, const std::vector<std::string>& prerequisites,
                      bool phony) {
  constexpr std::size_t line_length = 72;
  std::string rule;
  std::size_t column = 0;
  const auto add = [&](const std::string& word) {
    if (column != 0 && column + 1 + word.size() > line_length) {
      rule += " \\\n ";
      column = 1;
    } else if (column != 0) {
      rule += ' ';
      ++column;
    }
    rule += word;
    column += word.size();
  };
  for (const auto& target : targets) add(target);
  rule += ':';
  ++column;
  for (const auto& name : prerequisites) add(quote_for_make(name));
  rule += '\n';
  if (phony)
    for (std::size_t at = 1; at < prerequisites.size(); ++at)
      rule += quote_for_make(prerequisites[at]) + ":\n";
  return rule;
}

}  // namespace kanor::driver
