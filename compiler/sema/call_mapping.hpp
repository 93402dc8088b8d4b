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

/// Translates agreements between a caller's terms and its callee's. The callee names teams by its parameters;
/// one that has no name there gets a number below -1. Its reasons end at the callee's entry, where the
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

  /// An argument's agreement in the callee's terms; its reason there is the parameter.
  Agreement argument(std::size_t at, Agreement value);
  /// The agreement on whether the call is reached, in the callee's terms.
  Agreement control(Agreement value);
  /// The callee's agreement in the caller's terms.
  Agreement outwards(Agreement value) const;

  /// The circumstances of the callee's instance.
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

/// The team that a variable denotes in an instance: a parameter may be the world, or another parameter's
/// team.
int team_in(const Instance& instance, const TeamNames& names, int variable);

}  // namespace kanor::sema
