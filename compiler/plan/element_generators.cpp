// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/element_generators.hpp"

#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

namespace kanor::plan {
namespace {

using text::Span;

/// Splits `base[index]` at its last brackets. Nothing if literals, comments or digraphs may hide other ones.
std::optional<ElementSection> split(const text::Source& source, Span operand, std::int64_t stride) {
  const std::string_view text = source.text(operand);
  const auto has = [&](std::string_view what) { return text.find(what) != text.npos; };
  if (!text.ends_with(']') || text.find_first_of("\"'\\") != text.npos || has("//") || has("/*") ||
      has("<:") || has(":>"))
    return std::nullopt;
  int depth = 0;
  for (std::size_t at = text.size(); at-- > 0;) {
    depth += text[at] == ']' ? 1 : text[at] == '[' ? -1 : 0;
    if (depth != 0) continue;
    std::size_t base_end = at;
    while (base_end > 0 && std::isspace(static_cast<unsigned char>(text[base_end - 1])) != 0) --base_end;
    const auto offset = [&](std::size_t place) { return operand.begin + static_cast<std::uint32_t>(place); };
    ElementSection section{{operand.begin, offset(base_end)}, {offset(at + 1), operand.end - 1}, stride};
    if (section.base.empty()) return std::nullopt;
    return section;
  }
  return std::nullopt;
}

}  // namespace

std::optional<ElementGenerator> element_generator(const text::Source& source,
                                                  const sema::CheckedStatement& statement) {
  if (!statement.strides) return std::nullopt;
  const syntax::Generator* last = nullptr;
  for (const auto& clause : statement.syntax->clauses)
    if (const auto* generator = std::get_if<syntax::Generator>(&clause)) last = generator;
  if (last == nullptr || last->set.form != syntax::Set::Form::interval) return std::nullopt;
  const auto place = split(source, statement.syntax->place.span, statement.strides->place);
  const auto value = split(source, statement.syntax->value.span, statement.strides->value);
  if (!place || !value) return std::nullopt;
  return ElementGenerator{last, *place, *value};
}

sema::SymbolicStatement without_elements(sema::SymbolicStatement statement) {
  const sema::SymbolicSet set = statement.names.back().set;
  if (set.form != sema::SymbolicSet::Form::interval || !sema::is_described(set.members[0]) ||
      !sema::is_described(set.members[1]))
    return statement;
  statement.names.pop_back();
  const int element = static_cast<int>(statement.names.size());
  std::erase(statement.place_names, element);
  std::erase(statement.value_names, element);
  statement.filters.push_back({set.members[0], sema::Relation::less_equal, set.members[1], set.span});
  return statement;
}

}  // namespace kanor::plan
