#include "sema/symbolic.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace kanor::sema {
namespace {

void collect_names(const Symbolic& expression, std::vector<int>& names) {
  if (expression.is(Symbolic::Kind::name)) names.push_back(static_cast<int>(expression.value));
  for (const Symbolic& operand : expression.operands) collect_names(operand, names);
}

}  // namespace

Symbolic integer(std::int64_t value) {
  Symbolic made;
  made.kind = Symbolic::Kind::integer;
  made.value = value;
  return made;
}

Symbolic name(int index) {
  Symbolic made = integer(index);
  made.kind = Symbolic::Kind::name;
  return made;
}

Symbolic leaf(int index) {
  Symbolic made = integer(index);
  made.kind = Symbolic::Kind::leaf;
  return made;
}

Symbolic operation(Operation operation, Symbolic left, Symbolic right) {
  Symbolic made;
  made.kind = Symbolic::Kind::operation;
  made.operation = operation;
  made.operands.push_back(std::move(left));
  made.operands.push_back(std::move(right));
  return made;
}

Symbolic negated(Symbolic operand) {
  Symbolic made;
  made.kind = Symbolic::Kind::operation;
  made.operation = Operation::negate;
  made.operands.push_back(std::move(operand));
  return made;
}

Symbolic opaque(Obscurity why, Span span, const std::vector<int>& names) {
  Symbolic made;
  made.obscurity = why;
  made.span = span;
  for (const int index : names) made.operands.push_back(name(index));
  return made;
}

const Symbolic* find_opaque(const Symbolic& expression) {
  if (expression.is(Symbolic::Kind::opaque)) return &expression;
  for (const Symbolic& operand : expression.operands)
    if (const Symbolic* found = find_opaque(operand)) return found;
  return nullptr;
}

bool is_described(const Symbolic& expression) { return find_opaque(expression) == nullptr; }

std::vector<int> names_of(const Symbolic& expression) {
  std::vector<int> names;
  collect_names(expression, names);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Relation negated(Relation relation) {
  switch (relation) {
    case Relation::equal:
      return Relation::not_equal;
    case Relation::not_equal:
      return Relation::equal;
    case Relation::less:
      return Relation::greater_equal;
    case Relation::less_equal:
      return Relation::greater;
    case Relation::greater:
      return Relation::less_equal;
    case Relation::greater_equal:
      return Relation::less;
  }
  throw std::logic_error("unknown relation");
}

}  // namespace kanor::sema
