// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/link/linker_words.hpp"

#include <cctype>
#include <string>

namespace kanor::driver {
namespace {

/// The first offset, from `from` on, of the word as a mangled name with its length in front (`5count`). A
/// name may begin at `from`.
std::size_t find_word(std::string_view name, std::string_view word, std::size_t from) {
  const std::string spelled = std::to_string(word.size()) + std::string(word);
  auto at = name.find(spelled, from);
  while (at != std::string_view::npos && at != from &&
         std::isdigit(static_cast<unsigned char>(name[at - 1])) != 0)
    at = name.find(spelled, at + 1);
  return at;
}

std::size_t end_of(std::size_t at, std::string_view word) {
  return at + std::to_string(word.size()).size() + word.size();
}

/// Returns true if a variable's name may end before `rest`: the end of its scopes, template arguments, an ABI
/// tag, a number within its function, or an optimiser's suffix.
bool ends_name(std::string_view rest) { return rest.empty() || rest.find_first_of("EIB_.") == 0; }

}  // namespace

bool is_made_of(std::string_view linker_name, std::string_view words) {
  const auto last_space = words.rfind(' ');
  const std::string_view variable =
      last_space == std::string_view::npos ? words : words.substr(last_space + 1);
  // The names of C and of the global namespace, with what an optimiser appends.
  if (const std::string_view plain = linker_name.substr(0, linker_name.find('.')); plain == words)
    return true;
  if (!linker_name.starts_with("_Z")) return false;
  // From the marks that open scopes to the outermost name.
  std::size_t at = linker_name.find_first_not_of("ZNKVLDC", 2);
  if (at == std::string_view::npos) return false;
  bool is_first = true;
  for (std::string_view scopes = words.substr(0, words.size() - variable.size()); !scopes.empty();) {
    const std::string_view word = scopes.substr(0, scopes.find(' '));
    scopes.remove_prefix(word.size() + 1);
    if (word != "*") {
      const std::size_t found = find_word(linker_name, word, at);
      if (found == std::string_view::npos || (is_first && found != at)) return false;
      at = end_of(found, word);
    }
    is_first = false;
  }
  for (std::size_t found = find_word(linker_name, variable, at); found != std::string_view::npos;
       found = find_word(linker_name, variable, end_of(found, variable))) {
    if (is_first && found != at) return false;
    if (ends_name(linker_name.substr(end_of(found, variable)))) return true;
  }
  return false;
}

}  // namespace kanor::driver
