// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/names.hpp"

#include <cctype>

namespace kanor::sema {

bool has_word(std::string_view text, std::string_view word) {
  const auto in_word = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1))
    if ((at == 0 || !in_word(at - 1)) && !in_word(at + word.size())) return true;
  return false;
}

Knows who_knows(const syntax::Block& block, const text::Source& source) {
  const auto* modifier = syntax::find_modifier(block, syntax::ModifierKind::knows);
  if (modifier == nullptr) return Knows::both;
  const auto side = source.text(modifier->argument.span);
  return side == "sender" ? Knows::sender : side == "receiver" ? Knows::receiver : Knows::both;
}

std::vector<std::string> carried_names(const syntax::Statement& statement, Knows knows,
                                       const text::Source& source, bool are_hidden) {
  std::vector<std::string> names;
  if (knows == Knows::both) return names;
  const auto piece = source.text(knows == Knows::sender ? statement.place.span : statement.value.span);
  const auto add = [&](const syntax::Name& name) {
    if (are_hidden || has_word(piece, name.text)) names.push_back(name.text);
  };
  for (const auto& clause : statement.clauses) {
    if (const auto* generator = std::get_if<syntax::Generator>(&clause))
      for (const auto& name : generator->names) add(name);
    if (const auto* let = std::get_if<syntax::Let>(&clause)) add(let->name);
  }
  return names;
}

}  // namespace kanor::sema
