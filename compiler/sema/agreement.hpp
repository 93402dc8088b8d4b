// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "flow/flow_graph.hpp"

/// The lattice of the uniformity analysis: all ranks have the same value, those of one team have, or none are
/// known to; with the reason.
namespace kanor::sema {

enum class Cause {
  rank,       ///< `at` is the rank itself
  team_size,  ///< `at` differs between teams
  address,    ///< `at` is an address
  call,       ///< `at` calls a function that is neither seen nor known
  memory,     ///< `at` reads what may be anything
  received,   ///< `variable` gets at `at` what not all ranks get alike
  exception,  ///< it depends on whether one is thrown
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

/// The ranks that are known to have the same value: all, those of one team, or none.
struct Agreement {
  enum class Level { all, team, none };
  Level level = Level::all;
  int team = -1;    ///< for Level::team: its variable, or unnamed_team()
  int reason = -1;  ///< why not all agree

  bool holds() const { return level == Level::all; }
};

/// Team numbers below -1 stand for teams that have no name in a function.
constexpr int unnamed_team(int number) { return -2 - number; }
constexpr std::size_t unnamed_team_number(int team) { return static_cast<std::size_t>(-2 - team); }

/// The caller's reasons behind those that end at a function's entry.
struct Origins {
  std::map<int, int> arguments;  ///< by parameter: a reason
  int called = -1;
};

/// Meet: `into` becomes the weaker of both; it keeps its own reason unless `by` is weaker. Returns true if it
/// changed.
bool weaken(Agreement& into, const Agreement& by);

/// A table of reasons without duplicates.
class Reasons {
 public:
  int add(const Reason& reason);
  const Reason& operator[](int index) const { return all_[static_cast<std::size_t>(index)]; }
  /// The root of the reason's chain.
  const Reason& first(int index) const;
  /// The reason with the root of its chain replaced by the caller's, if the root is a function's entry.
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
