// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sstream>
#include <string>

#include "analysis/sharing_decisions.hpp"
#include "analysis/steps.hpp"
#include "flow/flow_graph.hpp"

// For the tests of this folder alone.
namespace kanor::analysis {

/// A flow graph from its text form, and the file that its quotations are from.
struct FlowText {
  FlowText(std::string program, const std::string& flow)
      : source("a.cpp", std::move(program)), graph(flow::parse(flow, source)) {
    flow::verify(graph);
  }

  const flow::Function& function() const { return graph.functions[0]; }
  const flow::Candidate& candidate() const { return function().candidates[0]; }

  /// Finds and verifies the decisions; returns their printed form.
  std::string decisions(const Options& options = {}) const {
    const SharingDecisions found = decide_sharing(graph, options);
    verify(graph, found);
    std::ostringstream out;
    print(graph, found, out);
    return out.str();
  }

  text::Source source;
  flow::FlowGraph graph;
};

}  // namespace kanor::analysis
