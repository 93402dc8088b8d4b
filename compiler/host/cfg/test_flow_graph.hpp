// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// For tests: builds the flow graph of a source.

#include "host/cfg/cfg.hpp"
#include "host/facts/parsed_unit.hpp"
#include "host/facts/test_front_end.hpp"

namespace kanor::host {

class FlowGraphFixture : public FrontEndTest {
 protected:
  /// Builds the graph of `body` behind `includes`. It must have no errors.
  void build(const std::string& includes, const std::string& body, bool whole_program = false) {
    also_ = [&](const ParsedUnit& parsed) { graph_ = build_flow_graph(parsed, {whole_program}); };
    run("#include <kanor/kanor.hpp>\n" + includes + "using kanor::world;\n" + body);
    EXPECT_EQ(messages(), "");
    flow::verify(graph_);
  }

  /// The rest of those lines of a function in the printed graph that begin with the prefix.
  std::vector<std::string> lines(const std::string& function, const std::string& prefix) const {
    std::ostringstream out;
    print(graph_, out);
    std::istringstream in(out.str());
    std::vector<std::string> found;
    bool inside = false;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("function")) inside = line.starts_with("function " + function + " ");
      if (inside && line.starts_with(prefix)) found.push_back(line.substr(prefix.size()));
    }
    return found;
  }

  flow::FlowGraph graph_;
};

}  // namespace kanor::host
