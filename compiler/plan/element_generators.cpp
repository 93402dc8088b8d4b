// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/element_generators.hpp"

#include <utility>

namespace kanor::plan {
namespace {

std::optional<ElementSection> section_of(const syntax::Operand& operand, std::int64_t stride) {
  if (!operand.subscript) return std::nullopt;
  return ElementSection{operand.subscript->base, operand.subscript->index.span, stride};
}

}  // namespace

std::optional<ElementGenerator> element_generator(const sema::CheckedStatement& statement) {
  if (!statement.strides) return std::nullopt;
  const syntax::Generator* last = nullptr;
  for (const auto& clause : statement.syntax->clauses)
    if (const auto* generator = std::get_if<syntax::Generator>(&clause)) last = generator;
  if (last == nullptr || last->set.form != syntax::Set::Form::interval) return std::nullopt;
  const auto place = section_of(statement.syntax->place, statement.strides->place);
  const auto value = section_of(statement.syntax->value, statement.strides->value);
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
