// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// For tests: finds the uniformity of flow graphs that are written as text.

#include <gtest/gtest.h>

#include "sema/uniformity.hpp"

namespace kanor::sema {

/// Ranks and calls are texts of this source.
inline const text::Source source("a.cpp", "world.rank() get() row.size() @communicate cond p here x y z");

class UniformityTest : public testing::Test {
 protected:
  void run(const std::string& text) {
    graph_ = flow::parse(text, source);
    flow::verify(graph_);
    result_ = find_uniformity(graph_);
  }

  /// The causes behind the only finding, from the value back to the first.
  std::vector<Cause> causes() const {
    std::vector<Cause> found;
    for (const auto& block : result_.blocks)
      for (const auto& expression : block.expressions)
        for (const auto& finding : expression.nonuniform)
          for (int at = finding.agreement.reason; at >= 0;
               at = result_.reasons[static_cast<std::size_t>(at)].because)
            found.push_back(result_.reasons[static_cast<std::size_t>(at)].cause);
    return found;
  }
  bool agrees() const {
    for (const auto& block : result_.blocks)
      for (const auto& expression : block.expressions)
        if (!expression.nonuniform.empty()) return false;
    return !result_.blocks.empty();
  }
  bool reached() const { return result_.blocks.at(0).reached.holds(); }

  flow::FlowGraph graph_;
  Uniformity result_;
};

inline constexpr std::string_view ask = "    block 0 \"@communicate\"\n      sender 0 <- x\n";

inline std::string straight(const std::string& events) {
  return "variable x local of main\nvariable y local of main\nvariable row team of main\n"
         "function main () entry 0 exit 0\n  node 0:\n" +
         events + std::string(ask);
}

}  // namespace kanor::sema
