// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: what a form means, found by going through everything.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kanor/team.hpp"
#include "plan/solver.hpp"

namespace kanor::rt::plan {

using Values = std::vector<long long>;

/// Evaluates a form's expressions as C++ does, one binding at a time; no value where C++ defines none.
class Evaluation {
 public:
  Evaluation(const Form& form, const std::vector<LeafValue>& leaves) : form_(form), leaves_(leaves) {}

  std::optional<std::int64_t> value(int number, const Values& names) const {
    const Node& node = form_.nodes[static_cast<std::size_t>(number)];
    Values operands;
    for (int i = 0; i < node.operands; ++i) {
      const auto operand = value(form_.operands[static_cast<std::size_t>(node.first_operand + i)], names);
      if (!operand) return {};
      operands.push_back(*operand);
    }
    switch (node.kind) {
      case Node::Kind::constant:
        return node.value;
      case Node::Kind::leaf:
        return leaf(node).number;
      case Node::Kind::name:
        return names[static_cast<std::size_t>(node.value)];
      case Node::Kind::negation:
        return -operands[0];
      case Node::Kind::operation:
        return operation(node.op, operands[0], operands[1]);
      case Node::Kind::neighbour:
        return neighbour(leaf(node).grid, operands);
      case Node::Kind::at:
        return rank_at(leaf(node).grid, operands);
      case Node::Kind::coordinate:
        return coordinate(leaf(node).grid, operands[0], operands[1]);
    }
    return {};
  }

  /// Returns true if the filter holds; false also where C++ defines no value.
  bool holds(const Form::Filter& filter, const Values& names) const {
    const auto left = value(filter.left, names), right = value(filter.right, names);
    if (!left || !right) return false;
    switch (filter.relation) {
      case Relation::equal:
        return *left == *right;
      case Relation::unequal:
        return *left != *right;
      case Relation::less:
        return *left < *right;
      case Relation::less_or_equal:
        return *left <= *right;
      case Relation::greater:
        return *left > *right;
      case Relation::greater_or_equal:
        return *left >= *right;
    }
    return false;
  }

  /// The members of a name's set that the form describes, in order; none where C++ defines no value.
  Values set_of(int name, const Values& names) const {
    const Form::Set& set = form_.sets[static_cast<std::size_t>(name)];
    Values ends;
    for (const int end : set.ends) {
      const auto value = this->value(end, names);
      if (!value) return {};
      ends.push_back(*value);
    }
    Values members;
    if (set.kind == Form::Set::Kind::progression) {
      const std::int64_t step = ends[2];
      for (std::int64_t at = ends[0]; step > 0 ? at < ends[1] : step < 0 && at > ends[1]; at += step)
        members.push_back(at);
      return members;
    }
    if (set.kind != Form::Set::Kind::interval) return ends;
    for (std::int64_t member = ends[0]; member <= ends[1]; ++member) members.push_back(member);
    return members;
  }

 private:
  const LeafValue& leaf(const Node& node) const { return leaves_[static_cast<std::size_t>(node.value)]; }

  static std::optional<std::int64_t> operation(Operator op, std::int64_t x, std::int64_t y) {
    const auto fits = [](std::int64_t value) { return value == static_cast<std::int32_t>(value); };
    switch (op) {
      case Operator::add: {
        std::int64_t sum;
        return __builtin_add_overflow(x, y, &sum) ? std::nullopt : std::optional(sum);
      }
      case Operator::subtract: {
        std::int64_t difference;
        return __builtin_sub_overflow(x, y, &difference) ? std::nullopt : std::optional(difference);
      }
      case Operator::multiply: {
        std::int64_t product;
        return __builtin_mul_overflow(x, y, &product) ? std::nullopt : std::optional(product);
      }
      case Operator::divide:
        return y == 0 ? std::nullopt : std::optional(x / y);
      case Operator::modulo:
        return y == 0 ? std::nullopt : std::optional(x % y);
      case Operator::exclusive_or:
        return x ^ y;
      case Operator::bit_and:
        return x & y;
      case Operator::bit_or:
        return x | y;
      case Operator::shift_left:
        return y < 0 || y > 31 || !fits(x) ? std::nullopt
                                           : std::optional<std::int64_t>(static_cast<std::int32_t>(x << y));
      case Operator::shift_right:
        return y < 0 || y > 31 ? std::nullopt : std::optional(x >> y);
    }
    return {};
  }

  static bool has(const GridShape& grid, std::int64_t rank) { return rank >= 0 && rank < grid.size; }

  static std::optional<std::int64_t> coordinate(const GridShape& grid, std::int64_t rank,
                                                std::int64_t dimension) {
    if (!has(grid, rank) || dimension < 0 || dimension >= static_cast<std::int64_t>(grid.dimensions.size()))
      return {};
    const GridShape::Dimension& d = grid.dimensions[static_cast<std::size_t>(dimension)];
    return rank / d.stride % d.extent;
  }

  static std::optional<std::int64_t> rank_at(const GridShape& grid, const Values& coordinates) {
    std::int64_t rank = 0;
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      const GridShape::Dimension& d = grid.dimensions[i];
      std::int64_t at = coordinates[i];
      if (d.periodic) at = (at % d.extent + d.extent) % d.extent;
      if (at < 0 || at >= d.extent) return no_rank;
      rank += at * d.stride;
    }
    return rank;
  }

  static std::optional<std::int64_t> neighbour(const GridShape& grid, const Values& operands) {
    if (operands[0] == no_rank && operands[1] >= 0 &&
        operands[1] < static_cast<std::int64_t>(grid.dimensions.size()))
      return no_rank;
    Values at;
    for (std::size_t i = 0; i < grid.dimensions.size(); ++i) {
      const auto c = coordinate(grid, operands[0], static_cast<std::int64_t>(i));
      if (!c) return {};
      at.push_back(*c);
    }
    if (operands[1] < 0 || operands[1] >= static_cast<std::int64_t>(at.size())) return {};
    at[static_cast<std::size_t>(operands[1])] += operands[2];
    return rank_at(grid, at);
  }

  const Form& form_;
  const std::vector<LeafValue>& leaves_;
};

/// Goes through a statement's bindings as its loops do, and narrows described sets if `narrow` says how.
class Walk {
 public:
  using Narrow = std::function<Domain(int name, const Values& names, const Domain& members)>;

  Walk(const Form& form, const std::vector<LeafValue>& leaves) : form_(form), evaluation_(form, leaves) {}

  /// The bindings whose filters hold and whose ranks C++ defines, in order.
  std::vector<Values> bindings(const Narrow& narrow = {}) {
    found_.clear();
    visited = 0;
    descend(Values(), narrow);
    return found_;
  }
  const Evaluation& evaluation() const { return evaluation_; }

  std::uint64_t visited = 0;  ///< values of names that the loops went through

 private:
  void descend(const Values& names, const Narrow& narrow) {
    const int name = static_cast<int>(names.size());
    if (names.size() == form_.names.size()) {
      for (const Form::Filter& filter : form_.filters)
        if (!evaluation_.holds(filter, names)) return;
      for (const int rank : {form_.to, form_.from})
        if (rank >= 0 && !evaluation_.value(rank, names)) return;
      found_.push_back(names);
      return;
    }
    const Values set = evaluation_.set_of(name, names);
    const auto kind = form_.sets[static_cast<std::size_t>(name)].kind;
    const bool described = kind == Form::Set::Kind::interval || kind == Form::Set::Kind::progression;
    Domain some;
    if (narrow && described && !set.empty()) {
      const auto [lowest, highest] = std::minmax(set.front(), set.back());
      const long long step = set.size() > 1 ? std::abs(set[1] - set[0]) : 1;
      some = narrow(name, names, Domain::interval(lowest, highest, step));
    }
    for (const std::int64_t member : set) {
      if (narrow && described && !some.contains(member)) continue;
      ++visited;
      Values inner = names;
      inner.push_back(member);
      descend(inner, narrow);
    }
  }

  const Form& form_;
  Evaluation evaluation_;
  std::vector<Values> found_;
};

}  // namespace kanor::rt::plan
