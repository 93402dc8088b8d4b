// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/agreement.hpp"

#include <gtest/gtest.h>

#include "analysis/flow_text.hpp"

namespace kanor::analysis {
namespace {

/// An instantiation of
///
///     T A[N]; while (go) { @0 part; }        0 -> 1 -> 2 send -> 3 -> 1      1 -> 4
std::string instance(const std::string& name, const std::string& candidate, const std::string& part) {
  return "function " + name + " () entry 0 exit 4\n  candidate " + candidate +
         " \"T A[N]\" in 0\n"
         "  statement 0 \"T A[N];\"\n  statement 1 loop \"while (go) { @0 part; }\"\n"
         "  statement 2 \"@0\" in 1\n  statement 3 \"part;\" in 1\n  loop 0 header 1 in 1\n"
         "  node 0: 1\n    access overwrite A in 0\n  node 1 level 1: 2 4 if  \"go\"\n  node 2 level 1: 3\n"
         "    access send A block 0 part 0 \"@0\" in 2\n  node 3 level 1: 1\n" +
         (part.empty() ? "" : "    access " + part + " in 3\n") + "  node 4:\n";
}

FlowText both(const std::string& one, const std::string& other) {
  return {"T A[N]; while (go) { @0 part; }", "variable A local\n" + one + other};
}

const std::string large = "A[1024] bytes 8192";

TEST(Agreement, AllInstantiationsOrNone) {
  EXPECT_EQ(both(instance("f", large, ""), instance("g", "A[1] bytes 8", "")).decisions(), R"(function f
  candidate A: not globalised
    too small: 8 bytes "T A[N]"
function g
  candidate A: not globalised
    too small: 8 bytes "T A[N]"
)");
}

TEST(Agreement, OverwritesAndHandOversNeedAll) {
  EXPECT_EQ(both(instance("f", large, "overwrite A"), instance("g", large, "overwrite A")).decisions(),
            R"(function f
  candidate A: globalised
    locking set 1 2 3
    component 1 2 3 in 0->1 2->3 out 1->4 2->3
    overwrite before 3 "part;"
    hand over in block 0 part 0 "@0"
function g
  candidate A: globalised
    locking set 1 2 3
    component 1 2 3 in 0->1 2->3 out 1->4 2->3
    overwrite before 3 "part;"
    hand over in block 0 part 0 "@0"
)");
  const std::string mixed =
      both(instance("f", large, "overwrite A"), instance("g", large, "write A[0]")).decisions();
  EXPECT_NE(mixed.find(
                "function f\n  candidate A: globalised\n    locking set 1 2 3\n"
                "    component 1 2 3 in 0->1 2->3 out 1->4 2->3\n    acquire before 3 \"part;\"\nfunction g"),
            std::string::npos)
      << mixed;
  EXPECT_EQ(mixed.find("hand over"), std::string::npos);
}

TEST(Agreement, WhatOneReadsNoneOverwrites) {
  const std::string mixed =
      both(instance("f", large, "read A"), instance("g", large, "overwrite A")).decisions();
  EXPECT_NE(mixed.find("acquire before 3"), std::string::npos) << mixed;
  EXPECT_EQ(mixed.find("overwrite before"), std::string::npos) << mixed;
  EXPECT_EQ(mixed.find("hand over"), std::string::npos) << mixed;
}

TEST(Agreement, WhereOneNeedsExclusiveUseAllTakeIt) {
  const std::string mixed = both(instance("f", large, ""), instance("g", large, "write A[0]")).decisions();
  EXPECT_NE(mixed.find("function f\n  candidate A: globalised\n    acquire before 3 \"part;\"\nfunction g"),
            std::string::npos)
      << mixed;
}

TEST(Agreement, OtherDeclarationsKeepTheirOwn) {
  std::string other = instance("g", "A[1] bytes 8", "");
  other.replace(other.find("\"T A[N]\""), 8, "\"A[N]\"");
  const std::string found = both(instance("f", large, ""), other).decisions();
  EXPECT_NE(found.find("function f\n  candidate A: globalised"), std::string::npos) << found;
}

}  // namespace
}  // namespace kanor::analysis
