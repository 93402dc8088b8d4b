// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/symbolic.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace kanor::sema {
namespace {

void collect_names(const Symbolic& expression, std::vector<int>& names) {
  if (expression.is(Symbolic::Kind::name)) names.push_back(static_cast<int>(expression.value));
  for (const Symbolic& operand : expression.operands) collect_names(operand, names);
}

using Number = std::optional<std::int64_t>;

Number shifted_left(std::int64_t number, std::int64_t by) {
  if (by < 0 || by > 31 || number < INT32_MIN || number > INT32_MAX) return std::nullopt;
  const std::int64_t result = number * (std::int64_t{1} << by);
  return result < INT32_MIN || result > INT32_MAX ? std::nullopt : Number(result);
}

Number evaluate_two(Operation operation, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  const bool divides = b != 0 && !(a == INT64_MIN && b == -1);
  switch (operation) {
    case Operation::add:
      return __builtin_add_overflow(a, b, &result) ? std::nullopt : Number(result);
    case Operation::subtract:
      return __builtin_sub_overflow(a, b, &result) ? std::nullopt : Number(result);
    case Operation::multiply:
      return __builtin_mul_overflow(a, b, &result) ? std::nullopt : Number(result);
    case Operation::divide:
      return divides ? Number(a / b) : std::nullopt;
    case Operation::remainder:
      return divides ? Number(a % b) : std::nullopt;
    case Operation::bit_xor:
      return a ^ b;
    case Operation::bit_and:
      return a & b;
    case Operation::bit_or:
      return a | b;
    case Operation::shift_left:
      return shifted_left(a, b);
    case Operation::shift_right:
      return b < 0 || b > 31 ? std::nullopt : Number(a >> b);
    case Operation::negate:
      break;
  }
  throw std::logic_error("an operation of one operand");
}

}  // namespace

std::optional<std::int64_t> evaluate(Operation operation, std::span<const std::int64_t> operands) {
  if (operation == Operation::negate) return evaluate_two(Operation::subtract, 0, operands[0]);
  return evaluate_two(operation, operands[0], operands[1]);
}

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

std::optional<Members> members_of(SymbolicSet::Form form, std::span<const std::int64_t> numbers) {
  const bool is_interval = form == SymbolicSet::Form::interval;
  if (!is_interval && form != SymbolicSet::Form::progression) return std::nullopt;
  Members members{numbers[0], is_interval ? 1 : numbers[2], 0};
  if (members.step == 0) return std::nullopt;
  const bool up = members.step > 0;
  const std::int64_t low = up ? numbers[0] : numbers[1], high = up ? numbers[1] : numbers[0];
  if (low > high || (low == high && !is_interval)) return members;
  const std::uint64_t distance = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const std::uint64_t width =
      up ? static_cast<std::uint64_t>(members.step) : 0 - static_cast<std::uint64_t>(members.step);
  const std::uint64_t before_last = (is_interval ? distance : distance - 1) / width;
  if (before_last == UINT64_MAX) return std::nullopt;
  members.count = before_last + 1;
  return members;
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

namespace {

/// The expression with each leaf replaced by its meaning.
Symbolic spelt_out(const Symbolic& expression, const std::vector<Leaf>& leaves) {
  if (expression.is(Symbolic::Kind::leaf)) {
    const auto& meaning = leaves[static_cast<std::size_t>(expression.value)].meaning;
    return meaning.empty() ? expression : meaning.front();
  }
  Symbolic result = expression;
  for (Symbolic& operand : result.operands) operand = spelt_out(operand, leaves);
  return result;
}

}  // namespace

bool is_whole_team(const SymbolicSet& set, const std::vector<Leaf>& leaves) {
  if (set.form != SymbolicSet::Form::interval) return false;
  const Symbolic first = spelt_out(set.members[0], leaves), last = spelt_out(set.members[1], leaves);
  return first.is_integer(0) && last.is(Symbolic::Kind::operation) && last.operation == Operation::subtract &&
         last.operands[0].is(Symbolic::Kind::team_size) && last.operands[1].is_integer(1);
}

namespace {

bool is_never_empty(const SymbolicSet& set, const std::vector<Leaf>& leaves) {
  if (set.form != SymbolicSet::Form::interval) return set.form == SymbolicSet::Form::list;
  const Symbolic first = spelt_out(set.members[0], leaves), last = spelt_out(set.members[1], leaves);
  const bool known = first.is(Symbolic::Kind::integer) && last.is(Symbolic::Kind::integer);
  return known ? first.value <= last.value : is_whole_team(set, leaves);
}

/// How often the name is a term of a sum, with either sign; more than once: it may cancel out. Nothing if a
/// name stands elsewhere in it.
std::optional<int> count_in_sum(const Symbolic& sum, int name) {
  if (sum.is(Symbolic::Kind::name)) return sum.value == name ? std::optional(1) : std::nullopt;
  if (names_of(sum).empty()) return is_described(sum) ? std::optional(0) : std::nullopt;
  const bool adds = sum.is(Symbolic::Kind::operation) &&
                    (sum.operation == Operation::add || sum.operation == Operation::subtract);
  if (!adds) return std::nullopt;
  const auto left = count_in_sum(sum.operands[0], name), right = count_in_sum(sum.operands[1], name);
  return left && right ? std::optional(*left + *right) : std::nullopt;
}

/// Returns true if the expression is a rank's number and never no_rank, unless the program is in error.
bool is_surely_a_rank(const Symbolic& expression) {
  if (expression.is(Symbolic::Kind::integer)) return expression.value >= 0;
  if (expression.is(Symbolic::Kind::operation))
    return std::all_of(expression.operands.begin(), expression.operands.end(), is_surely_a_rank);
  return expression.is(Symbolic::Kind::name) || expression.is(Symbolic::Kind::team_size);
}

/// Returns true if the expression takes each rank's number as its names range over their sets: it is a name
/// that ranges over the team, or that name shifted cyclically.
bool goes_through_team(const Symbolic& receiver, const SymbolicStatement& statement) {
  const auto ranges_over_team = [&](std::int64_t name) {
    return is_whole_team(statement.names[static_cast<std::size_t>(name)].set, statement.leaves);
  };
  if (receiver.is(Symbolic::Kind::name)) return ranges_over_team(receiver.value);
  if (!receiver.is(Symbolic::Kind::operation) || receiver.operation != Operation::remainder ||
      !receiver.operands[1].is(Symbolic::Kind::team_size))
    return false;
  const auto names = names_of(receiver.operands[0]);
  return names.size() == 1 && ranges_over_team(names[0]) && count_in_sum(receiver.operands[0], names[0]) == 1;
}

}  // namespace

bool everyone_receives(const SymbolicStatement& statement) {
  const bool has_bindings =
      statement.filters.empty() &&
      std::all_of(statement.names.begin(), statement.names.end(),
                  [&](const SymbolicName& name) { return is_never_empty(name.set, statement.leaves); });
  return has_bindings && is_surely_a_rank(spelt_out(statement.sender, statement.leaves)) &&
         goes_through_team(spelt_out(statement.receiver, statement.leaves), statement);
}

bool always_has_receiver(const SymbolicStatement& statement) {
  const Symbolic receiver = spelt_out(statement.receiver, statement.leaves);
  const auto names = names_of(receiver);
  return is_surely_a_rank(receiver) && std::all_of(names.begin(), names.end(), [&](int name) {
           const SymbolicSet& set = statement.names[static_cast<std::size_t>(name)].set;
           return is_whole_team(set, statement.leaves) ||
                  (set.form != SymbolicSet::Form::unknown &&
                   std::all_of(set.members.begin(), set.members.end(), is_surely_a_rank));
         });
}

Reach reach(const SymbolicStatement& statement) {
  if (!statement.receiver.is(Symbolic::Kind::name)) return {};
  const int receiver = static_cast<int>(statement.receiver.value);
  const auto is_among = [&](const std::vector<int>& names) {
    return std::find(names.begin(), names.end(), receiver) != names.end();
  };
  if (is_among(names_of(statement.sender)) || is_among(statement.place_names) ||
      is_among(statement.value_names) ||
      !is_whole_team(statement.names[static_cast<std::size_t>(receiver)].set, statement.leaves))
    return {};
  Reach result{true, statement.filters.empty()};
  for (const SymbolicName& name : statement.names) {
    for (const Symbolic& member : name.set.members)
      if (is_among(names_of(member))) return {};
    result.certain &= is_never_empty(name.set, statement.leaves);
  }
  for (const SymbolicFilter& filter : statement.filters)
    if (is_among(names_of(filter.left)) || is_among(names_of(filter.right))) return {};
  return result;
}

}  // namespace kanor::sema
