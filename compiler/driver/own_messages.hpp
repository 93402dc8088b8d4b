// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "analysis/message_pipelining.hpp"
#include "analysis/own_messages.hpp"
#include "driver/command_line.hpp"
#include "driver/installation.hpp"
#include "flow/flow_graph.hpp"
#include "host/discover/discover.hpp"
#include "host/discover/invocation.hpp"
#include "text/diagnostic.hpp"

namespace kanor::driver {

/// One source of an MPI program, C or C++, as far as its messages are concerned.
struct MessageUnit {
  std::string path;
  host::Invocation invocation;
  text::Diagnostics diagnostics;
  host::Discovery discovery;
  flow::FlowGraph graph;
  analysis::OwnMessages decisions;
  std::vector<analysis::MessagePipeline> pipelines;

  bool needs_emission() const { return decisions.any() || any(pipelines); }
  const host::DiscoveredFile& main_file() const { return discovery.files.front(); }
};

/// The sources of a command line with -fown-messages or -fdelta, and the decisions on their messages.
class MessageUnits {
 public:
  /// Reads and analyses all sources that are C or C++. What Clang can't read has no unit.
  MessageUnits(const CommandLine& line, const Installation& installation);

  /// The unit of an input; null for other files.
  const MessageUnit* of(const Input& input) const;

 private:
  std::deque<MessageUnit> units_;
};

}  // namespace kanor::driver
