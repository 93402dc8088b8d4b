// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <stdexcept>

#include "analysis/flow_text.hpp"
#include "analysis/sharing_decisions.hpp"

namespace kanor::analysis {
namespace {

/// What verify() says of insertions (statements of their own numbers) and hand-overs in
///
///     double A[8];                0
///     while (go) {                1 <-+
///       @0                        2   |   sends A, receives it on all ranks
///       A = first(A);             3   |   statement 3
///       A = second;               4 --+   statement 4: all of it is overwritten
///     }                           5
std::string complaint(std::vector<Insertion> insertions, std::vector<Handover> handovers = {}) {
  const FlowText text("double A[8]; while (go) { @0 first; second; }", R"(variable A local of f
function f () entry 0 exit 5
  candidate A[8] in 0
  statement 0 "double A[8];"
  statement 1 loop "while (go) { @0 first; second; }"
  statement 2 "@0" in 1
  statement 3 "first;" in 1
  statement 4 "second;" in 1
  loop 0 header 1 in 1
  node 0: 1
    access overwrite A in 0
  node 1 level 1: 2 5 if  "go"
  node 2 level 1: 3
    access send A block 0 part 0 in 2
    access receive A block 0 part 0 everywhere in 2
  node 3 level 1: 4
    access read A in 3
    access write A in 3
  node 4 level 1: 1
    access overwrite A in 4
  node 5:
)");
  SharingDecisions decisions;
  SharingDecision& decision = decisions.emplace_back();
  decision.function = decision.candidate = 0;
  decision.is_globalised = true;
  decision.insertions = std::move(insertions);
  decision.handovers = std::move(handovers);
  try {
    verify(text.graph, decisions);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

const Insertion acquire{3, false, Action::acquire};

TEST(Verify, AcceptsWhatIsRight) {
  EXPECT_EQ(complaint({acquire}), "");
  EXPECT_EQ(complaint({acquire}, {{0, 0, {}}}), "");
  EXPECT_EQ(complaint({acquire, {4, false, Action::overwrite}}), "");
  EXPECT_EQ(complaint({acquire, {1, true, Action::release}}), "");
  EXPECT_EQ(complaint({acquire, {3, true, Action::release}, {4, false, Action::acquire}}), "");
}

TEST(Verify, WritesNeedExclusiveUse) {
  EXPECT_EQ(complaint({}), "sharing decisions: a write without exclusive use");
  EXPECT_EQ(complaint({{4, false, Action::acquire}}), "sharing decisions: a write without exclusive use");
  EXPECT_EQ(complaint({acquire, {3, true, Action::release}}),
            "sharing decisions: a write without exclusive use");
}

TEST(Verify, ReadsNeedTheirValue) {
  EXPECT_EQ(complaint({{3, false, Action::overwrite}}),
            "sharing decisions: a value is read after it was let go of");
  EXPECT_EQ(complaint({acquire, {2, true, Action::release}}),
            "sharing decisions: a value is read after it was let go of");
  EXPECT_EQ(complaint({acquire, {4, true, Action::release}}),
            "sharing decisions: a value is read after it was let go of");
}

TEST(Verify, ExclusiveUseDoesNotLastBeyondABlock) {
  EXPECT_EQ(complaint({{1, false, Action::acquire}}), "sharing decisions: a write without exclusive use");
}

TEST(Verify, InsertionsHaveAPlace) {
  EXPECT_EQ(complaint({{9, false, Action::acquire}}), "sharing decisions: an insertion at no statement");
  EXPECT_EQ(complaint({{3, true, Action::acquire}}), "sharing decisions: an insertion on the wrong side");
  EXPECT_EQ(complaint({acquire}, {{7, 0, {}}}), "sharing decisions: a hand-over of what is not sent");
}

}  // namespace
}  // namespace kanor::analysis
