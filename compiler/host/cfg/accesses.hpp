// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/Analysis/CFG.h>

#include <functional>

#include "host/cfg/blocks_flow.hpp"
#include "host/cfg/candidates.hpp"
#include "host/cfg/cfg.hpp"
#include "host/cfg/functions.hpp"
#include "host/cfg/variables.hpp"

namespace kanor::host {

/// Adds to a function of the flow graph its accesses to the contents of candidates and to what its parameters
/// refer to, its statements and its loops. Does nothing in units without candidates.
class Accesses {
 public:
  Accesses(const ParsedUnit& unit, Variables& variables, Functions& functions, const Places& places,
           BlocksFlow& blocks, const FlowOptions& options)
      : unit_(unit),
        variables_(variables),
        functions_(functions),
        places_(places),
        blocks_(blocks),
        candidates_(unit, variables, places),
        options_(options) {}

  /// `node_of` returns the flow graph's number of a block of Clang's graph. The function's nodes must exist
  /// already.
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
  FlowOptions options_;
};

}  // namespace kanor::host
