// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/matrix.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "plan/form.hpp"

namespace kanor::report {
namespace {

using sema::Symbolic;
using sema::SymbolicSet;

/// The number of bindings after which the picture is given up.
constexpr long most_bindings = 1000000;

bool holds(sema::Relation relation, std::int64_t a, std::int64_t b) {
  switch (relation) {
    case sema::Relation::equal:
      return a == b;
    case sema::Relation::not_equal:
      return a != b;
    case sema::Relation::less:
      return a < b;
    case sema::Relation::less_equal:
      return a <= b;
    case sema::Relation::greater:
      return a > b;
    case sema::Relation::greater_equal:
      return a >= b;
  }
  return false;
}

class Painter {
 public:
  Painter(const sema::SymbolicStatement& statement, int ranks)
      : statement_(statement), values_(statement.names.size()) {
    matrix_.ranks = ranks;
    matrix_.values.resize(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks));
  }

  Matrix paint() {
    need(statement_.receiver);
    need(statement_.sender);
    bind(0);
    if (!matrix_.unknown.empty()) std::fill(matrix_.values.begin(), matrix_.values.end(), 0);
    return std::move(matrix_);
  }

 private:
  /// Marks the names that the expression needs, through their sets too; all others are left out.
  void need(const Symbolic& expression) {
    for (const int name : sema::names_of(expression))
      if (needed_.insert(name).second)
        for (const auto& member : statement_.names[static_cast<std::size_t>(name)].set.members) need(member);
  }

  void give_up(const std::string& what) {
    if (matrix_.unknown.empty()) matrix_.unknown = what;
  }

  std::optional<std::int64_t> value(const Symbolic& expression) {
    switch (expression.kind) {
      case Symbolic::Kind::integer:
        return expression.value;
      case Symbolic::Kind::name:
        return values_[static_cast<std::size_t>(expression.value)];
      case Symbolic::Kind::team_size:
        return matrix_.ranks;
      case Symbolic::Kind::leaf: {
        const auto& leaf = statement_.leaves[static_cast<std::size_t>(expression.value)];
        if (!leaf.meaning.empty()) return value(leaf.meaning.front());
        culprit_ = plan::spelling(leaf);
        return std::nullopt;
      }
      case Symbolic::Kind::operation: {
        std::vector<std::int64_t> operands;
        for (const Symbolic& operand : expression.operands) {
          const auto number = value(operand);
          if (!number) return std::nullopt;
          operands.push_back(*number);
        }
        return sema::evaluate(expression.operation, operands);
      }
      case Symbolic::Kind::grid_rank:
      case Symbolic::Kind::grid_neighbor:
      case Symbolic::Kind::grid_coordinate:
        culprit_ = "the extents of '" + plan::in_words(expression.operands.front(), statement_) + "'";
        return std::nullopt;
      case Symbolic::Kind::opaque:
        break;
    }
    return std::nullopt;
  }

  /// The expression's value; if it is not known, gives up with the reason.
  std::optional<std::int64_t> known(const Symbolic& expression, const std::string& otherwise) {
    culprit_.clear();
    const auto number = value(expression);
    if (!number) give_up(culprit_.empty() ? otherwise : culprit_);
    return number;
  }

  void bind(std::size_t name) {
    if (!matrix_.unknown.empty()) return;
    if (name == statement_.names.size()) return add();
    const SymbolicSet& set = statement_.names[name].set;
    if (!needed_.contains(static_cast<int>(name))) return bind(name + 1);
    const std::string what = "the members of the set of '" + statement_.names[name].text + "'";
    if (set.form == SymbolicSet::Form::unknown) return give_up(what);
    std::vector<std::int64_t> numbers;
    for (const auto& member : set.members) {
      const auto number = known(member, what);
      if (!number) return;
      numbers.push_back(*number);
    }
    if (set.form == SymbolicSet::Form::list) {
      for (const std::int64_t member : numbers) with(name, member);
      return;
    }
    const auto members = sema::members_of(set.form, numbers);
    if (!members) return give_up(what);
    std::int64_t member = members->first;
    for (std::uint64_t at = 0; at < members->count && matrix_.unknown.empty(); ++at) {
      if (at != 0) member += members->step;
      with(name, member);
    }
  }

  void with(std::size_t name, std::int64_t member) {
    if (++bindings_ > most_bindings) return give_up("so many bindings");
    values_[name] = member;
    bind(name + 1);
    values_[name].reset();
  }

  void add() {
    for (const auto& filter : statement_.filters) {
      const auto left = value(filter.left);
      const auto right = left ? value(filter.right) : std::nullopt;
      if (!right)
        matrix_.is_partial = true;
      else if (!holds(filter.relation, *left, *right))
        return;
    }
    const auto to = known(statement_.receiver, "the receiver");
    const auto from = to ? known(statement_.sender, "the sender") : std::nullopt;
    if (!from || *to < 0 || *from < 0 || *to >= matrix_.ranks || *from >= matrix_.ranks) return;
    ++matrix_.values[static_cast<std::size_t>(*from * matrix_.ranks + *to)];
  }

  const sema::SymbolicStatement& statement_;
  Matrix matrix_;
  std::vector<std::optional<std::int64_t>> values_;
  std::set<int> needed_;
  std::string culprit_;
  long bindings_ = 0;
};

}  // namespace

Matrix communication_matrix(const plan::StatementPlan& statement, int ranks) {
  if (statement.statement->symbols != nullptr) return Painter(*statement.statement->symbols, ranks).paint();
  Matrix unknown;
  unknown.ranks = ranks;
  unknown.values.resize(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks));
  unknown.unknown = "the statement";
  return unknown;
}

}  // namespace kanor::report
