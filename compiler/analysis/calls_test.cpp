// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/calls.hpp"

#include <gtest/gtest.h>

#include "analysis/flow_text.hpp"

namespace kanor::analysis {
namespace {

/// What the function at `index` does to its first parameter.
Summary summary(const FlowText& text, int index) {
  flow::Access call;
  call.kind = flow::AccessKind::call;
  call.callee = index;
  call.parameter = 0;
  return Calls(text.graph).of(call);
}

TEST(Calls, AreWhatTheirFunctionsDo) {
  const FlowText text("", R"(variable p parameter of looks
variable q parameter of changes
variable r parameter of keeps
function looks (p) entry 0 exit 0
  node 0:
    access read p[0]
function changes (q) entry 0 exit 0
  node 0:
    access overwrite q
function keeps (r) entry 0 exit 0
  node 0:
    access escape r because "it is stored"
)");
  EXPECT_EQ(summary(text, 0), (Summary{true, false, false, ""}));
  EXPECT_EQ(summary(text, 1), (Summary{false, true, false, ""}));
  EXPECT_EQ(summary(text, 2), (Summary{false, false, true, "it is stored"}));
}

TEST(Calls, AreFollowedThroughRecursion) {
  // even calls odd, odd calls even; odd writes, and only even is given to somebody who keeps it
  const FlowText text("", R"(variable p parameter of even
variable q parameter of odd
variable r parameter of idle
function even (p) entry 0 exit 0
  node 0:
    access call p to odd 0
    access read p
function odd (q) entry 0 exit 0
  node 0:
    access call q to even 0
    access write q
function idle (r) entry 0 exit 0
  node 0:
    access call r to idle 0
)");
  EXPECT_EQ(summary(text, 0), (Summary{true, true, false, ""}));
  EXPECT_EQ(summary(text, 1), (Summary{true, true, false, ""}));
  EXPECT_EQ(summary(text, 2), Summary{});
}

TEST(Calls, OfFunctionsThatAreNotSeenKeepWhatTheyGet) {
  const FlowText text("", R"(variable p parameter of f
function f (p) entry 0 exit 0
  node 0:
    access call p to ?
)");
  EXPECT_TRUE(summary(text, 0).keeps);
}

}  // namespace
}  // namespace kanor::analysis
