// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/discover/pragma_text.hpp"

#include <algorithm>
#include <cctype>

namespace kanor::host {
namespace {

/// The text up to the end of its line; a backslash at the end joins the next line to it.
std::string_view logical_line(std::string_view text) {
  for (std::size_t end = 0;; ++end) {
    end = std::min(text.find('\n', end), text.size());
    const auto last = text.substr(0, end).find_last_not_of("\r");
    if (end == text.size() || last == std::string_view::npos || text[last] != '\\')
      return text.substr(0, end);
  }
}

}  // namespace

PragmaText::PragmaText(std::string_view text) : rest_(logical_line(text)) {
  bool is_directive = skip("#") && skip("pragma");
  if (!is_directive && skip("_Pragma") && skip("(") && skip("\"")) {
    is_directive = true;
    rest_ = rest_.substr(0, rest_.find('"'));
  }
  const bool is_compilers = is_directive && (skip("GCC") || skip("clang"));
  is_about_warnings_ = is_compilers && skip("diagnostic");
  is_for_speed_ = is_compilers || (is_directive && (skip("unroll") || skip("nounroll")));
  is_openmp_ = is_directive && skip("omp");
  may_be_openmp_ = is_openmp_ || !is_directive;
}

bool PragmaText::may_lock() const {
  return is_openmp_ ? rest_.find("critical") != std::string_view::npos : may_be_openmp_;
}

void PragmaText::add_openmp_words(std::set<std::string>& words) const {
  if (!may_be_openmp_) return;
  const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  for (auto at = rest_.begin(); at != rest_.end();) {
    at = std::find_if(at, rest_.end(), is_word);
    const auto end = std::find_if_not(at, rest_.end(), is_word);
    if (at != end) words.emplace(at, end);
    at = end;
  }
}

/// Drops the word, and blanks before it, from the front. Returns false if something else stands there.
bool PragmaText::skip(std::string_view word) {
  rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size()));
  const bool found = rest_.starts_with(word);
  if (found) rest_.remove_prefix(word.size());
  return found;
}

}  // namespace kanor::host
