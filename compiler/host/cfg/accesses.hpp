// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/Analysis/CFG.h>

#include <functional>

#include "host/cfg/blocks_flow.hpp"
#include "host/cfg/candidates.hpp"
#include "host/cfg/functions.hpp"
#include "host/cfg/variables.hpp"

namespace kanor::host {

/// Adds to a function of the flow graph what it does to the contents of candidates, and of what its
/// parameters refer to: its accesses, statements and loops. Nothing in units without candidates.
class Accesses {
 public:
  Accesses(const ParsedUnit& unit, Variables& variables, Functions& functions, const Places& places,
           BlocksFlow& blocks)
      : unit_(unit),
        variables_(variables),
        functions_(functions),
        places_(places),
        blocks_(blocks),
        candidates_(unit, variables, places) {}

  /// `node_of` gives the flow graph's number of a block of Clang's graph. The function's nodes are there.
  void add(int function, const clang::FunctionDecl* declaration, const clang::CFG& cfg,
           const std::function<int(const clang::CFGBlock*)>& node_of);
  std::vector<std::pair<flow::Location, std::string>> unshareable() const {
    return candidates_.unshareable();
  }
  bool are_needed() const { return !candidates_.empty(); }

 private:
  const ParsedUnit& unit_;
  Variables& variables_;
  Functions& functions_;
  const Places& places_;
  BlocksFlow& blocks_;
  Candidates candidates_;
};

}  // namespace kanor::host
