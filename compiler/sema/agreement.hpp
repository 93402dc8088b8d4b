// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "flow/flow_graph.hpp"

/// How far ranks agree on a value, and why not further: the values that the analysis of uniformity computes
/// with. They form a lattice: all ranks, those of one team, none.
namespace kanor::sema {

enum class Cause {
  rank,       ///< `at` is the rank itself
  team_size,  ///< `at` differs between teams
  address,    ///< `at` is an address
  call,       ///< `at` calls a function that is neither seen nor known
  memory,     ///< `at` reads what may be anything
  received,   ///< `variable` gets at `at` what not all ranks get alike
  exception,  ///< whether one is thrown
  undefined,  ///< nobody ever gives the variable at `at` a value
  assigned,   ///< all of `variable` became `at`, which does not agree
  written,    ///< some of `variable` did
  branch,     ///< whether `variable` was assigned depends on the condition `at`
  argument,   ///< the parameter `variable` is `at` in a call; nowhere, without a reason behind it: as it came
  called,     ///< the call `at` is not reached by all; nowhere: as for the argument
  returned,   ///< the call `at` returns what does not agree
  other_file,   ///< `variable` may be written by code that is not seen
  other_caller  ///< the parameter `variable` is what code that is not seen gives
};

struct Reason {
  Cause cause = Cause::rank;
  int variable = -1;
  flow::Location at;
  int because = -1;  ///< index of the reason behind this one, -1 at the first

  bool operator==(const Reason&) const = default;
};

/// Whether ranks agree on a value: all of them, those of one team, or (as far as is known) none.
struct Agreement {
  enum class Level { all, team, none };
  Level level = Level::all;
  int team = -1;    ///< of Level::team: the variable, or unnamed_team()
  int reason = -1;  ///< why not all agree

  bool holds() const { return level == Level::all; }
};

/// Teams that have no name in a function are numbered for it.
constexpr int unnamed_team(int number) { return -2 - number; }
constexpr std::size_t unnamed_team_number(int team) { return static_cast<std::size_t>(-2 - team); }

/// Where reasons that end at a function's beginning go on.
struct Origins {
  std::map<int, int> arguments;  ///< by parameter: a reason
  int called = -1;
};

/// Both at once; the first one's reason stays unless the second is worse. True if `into` changed.
bool weaken(Agreement& into, const Agreement& by);

/// Every reason once.
class Reasons {
 public:
  int add(const Reason& reason);
  const Reason& operator[](int index) const { return all_[static_cast<std::size_t>(index)]; }
  /// The first reason behind one.
  const Reason& first(int index) const;
  /// The same with another reason in place of the first one, if that is where a function begins.
  int rebased(int index, const Origins& origins);
  std::vector<Reason> take() { return std::move(all_); }

 private:
  struct Hash {
    std::size_t operator()(const Reason& reason) const;
  };

  std::vector<Reason> all_;
  std::unordered_map<Reason, int, Hash> known_;
};

}  // namespace kanor::sema
