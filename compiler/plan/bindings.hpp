// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "plan/polynomial.hpp"

namespace kanor::plan {

/// A rank as a polynomial, perhaps of what it leaves on division by the team's size.
struct RankValue {
  Polynomial value;
  bool wrapped = false;
};

/// A statement's clauses in normal form: what holds of its names, sums compared with 0. Names that an
/// equation determines are gone, and what depended on them depends on the names in their place.
class Bindings {
 public:
  struct Name {
    bool is_interval = false;         ///< or a progression, whose steps are a gap
    Polynomial first, last;           ///< of an interval
    std::vector<Polynomial> members;  ///< of a list
    bool gone = false;
    std::set<int> depends_on;  ///< names in its set, opaque parts too
  };

  Bindings(Algebra& algebra, const sema::SymbolicStatement& statement);

  std::optional<RankValue> receiver, sender;
  std::vector<Name> names;
  std::vector<Polynomial> not_negative, not_zero;  ///< of intervals' ends and filters
  /// The names in each: filters that are opaque, and progressions, of whose ends' interval some are left out.
  std::vector<std::set<int>> opaque_filters, gaps;
  std::set<int> place_names, value_names;

  /// Whether the name's members all lie in the team.
  bool is_rank_of_team(int name) const;
  /// Whether different members of the names' sets always give different ranks.
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
