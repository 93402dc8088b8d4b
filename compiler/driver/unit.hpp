// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/decisions.hpp"
#include "flow/flow_graph.hpp"
#include "host/discover/discover.hpp"
#include "host/discover/invocation.hpp"
#include "host/shadow/shadow.hpp"
#include "plan/plan.hpp"
#include "sema/facts.hpp"
#include "sema/program.hpp"
#include "sema/uniformity.hpp"
#include "syntax/ast.hpp"
#include "text/diagnostic.hpp"

namespace kanor::driver {

/// One translation unit on its way through the pipeline: owns what every phase made. Later products refer to
/// earlier ones, so it stays where it is.
struct Unit {
  Unit() = default;
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;

  host::Invocation invocation;
  bool is_whole_program =
      false;  ///< no other file is linked that could name this one's functions and variables
  text::Diagnostics diagnostics;
  host::Discovery discovery;
  std::vector<syntax::Ast> asts;  ///< one for each user file that may have blocks
  std::vector<host::Shadow> shadows;
  sema::Facts facts;
  flow::FlowGraph flow;
  sema::Program program;
  sema::Uniformity uniformity;
  plan::Options plan_options;
  plan::CommPlan plan;
  analysis::Options analysis_options;
  analysis::Pipelines pipelines;
  analysis::SharingDecisions decisions;
  analysis::SplitPhases splits;
  analysis::ReplacedLoops loops;

  analysis::Sharing sharing() const { return {flow, decisions, pipelines, splits, loops}; }

  /// Returns true if some user file may have a block; never false if one has.
  bool may_have_blocks() const;
  /// The first thing in the program, in words, that the host compiler would misread, or that the note has for
  /// the link; nothing: the originals can be compiled.
  std::optional<std::string> reason_to_emit() const;
  bool needs_emission() const { return reason_to_emit().has_value(); }
};

}  // namespace kanor::driver
