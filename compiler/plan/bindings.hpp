// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "plan/polynomial.hpp"

namespace kanor::plan {

/// A rank as a polynomial, modulo the team's size if `wrapped`.
struct RankValue {
  Polynomial value;
  bool wrapped = false;
};

/// A statement's clauses in normal form: constraints on its names, as polynomials compared with 0. Names that
/// an equation determines are eliminated: expressions of them become expressions of the names in their place.
class Bindings {
 public:
  struct Name {
    bool is_interval = false;         ///< or a progression, whose steps are a gap
    Polynomial first, last;           ///< for an interval
    std::vector<Polynomial> members;  ///< for a list
    bool gone = false;
    std::set<int> depends_on;  ///< names in its set, opaque parts too
  };

  Bindings(Algebra& algebra, const sema::SymbolicStatement& statement);

  std::optional<RankValue> receiver, sender;
  std::vector<Name> names;
  std::vector<Polynomial> not_negative, not_zero;  ///< from intervals' ends and filters
  /// The names in each opaque filter, and in each progression, which leaves out members of the interval
  /// between its ends.
  std::vector<std::set<int>> opaque_filters, gaps;
  std::set<int> place_names, value_names;

  /// Returns true if all of the name's members are ranks of the team.
  bool is_rank_of_team(int name) const;
  /// Returns true if different members of the names' sets always give different ranks.
  bool is_injective(const RankValue& rank) const;
  std::set<int> names_of(const RankValue& rank) const { return algebra_.names(rank.value); }

 private:
  std::optional<RankValue> rank_value(const sema::Symbolic& expression);
  void add_filter(const sema::SymbolicFilter& filter, std::vector<Polynomial>& equations);
  bool eliminate(const Polynomial& equation);
  void simplify(RankValue& rank) const;
  bool is_injective_in(const Polynomial& value, const std::set<int>& names) const;

  Algebra& algebra_;
};

}  // namespace kanor::plan
