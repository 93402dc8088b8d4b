// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <vector>

#include "flow/flow_graph.hpp"
#include "sema/agreement.hpp"
#include "sema/effects.hpp"
#include "sema/instances.hpp"
#include "sema/team_names.hpp"

namespace kanor::sema {

/// How what is said on one side of a call reads on the other. The callee knows teams by its parameters'
/// names; one that has none there gets a number below -1. Its reasons end where the callee begins: there the
/// caller's go on.
class CallMapping {
 public:
  struct Sides {
    const flow::FlowGraph& graph;
    const Effects& effects;
    const TeamNames& names;
    Reasons& reasons;
  };

  CallMapping(const Sides& sides, const Instance& caller, const flow::Event& call);

  /// What an argument is in the callee, for whom the reason is the parameter.
  Agreement argument(std::size_t at, Agreement value);
  /// Whether all ranks of the callee's team call it.
  Agreement control(Agreement value);
  /// What the callee says, as the caller's.
  Agreement outwards(Agreement value) const;

  /// For the callee's instance.
  Circumstances circumstances(int caller) const;

 private:
  Agreement inwards(Agreement value);

  const Sides& sides_;
  const flow::Event& call_;
  const flow::Function& callee_;
  std::vector<std::pair<int, int>> passed_;  ///< teams: the caller's, the callee's parameter
  std::map<int, int> same_teams_;
  std::vector<int> unnamed_teams_;
  Origins origins_;
};

/// The team that a variable means in an instance: a parameter may be the world, or another parameter's.
int team_in(const Instance& instance, const TeamNames& names, int variable);

}  // namespace kanor::sema
