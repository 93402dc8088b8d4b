// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/collective_form.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kanor::rt::plan {
namespace {

constexpr int ranks = 5;

/// What the form is with $0 = 5, the team's size, and $1 = 3; as a word, with a broadcast's root.
std::string collective(const std::string& text, int size = ranks) {
  std::string error;
  const std::optional<Form> form = parse_form(text, error);
  EXPECT_TRUE(form) << text << ": " << error;
  const std::vector<abi::leaf> leaves{ranks, 3};
  const std::optional<CollectiveForm> found = collective_form(*form, leaves, size);
  if (!found) return "none";
  switch (found->kind) {
    case Collective::broadcast:
      return "broadcast from " + std::to_string(found->root);
    case Collective::all_gather:
      return "all_gather";
    case Collective::all_to_all:
      return "all_to_all";
    case Collective::all_reduce:
      return "all_reduce";
    case Collective::scan:
      return "scan";
    case Collective::exclusive_scan:
      return "exclusive_scan";
  }
  return "?";
}

TEST(CollectiveForm, Broadcast) {
  EXPECT_EQ(collective("i: 0 .. $0 - 1; to i; from 0; is broadcast"), "broadcast from 0");
  EXPECT_EQ(collective("i: 0 .. $0 - 1; to i; from $1 - 1; is broadcast"), "broadcast from 2");
  EXPECT_EQ(collective("i: 1 .. $0; to i - 1; from 0; is broadcast"), "broadcast from 0")
      << "ranks, not names";
  EXPECT_EQ(collective("i: 0 .. 4; if i >= 0; if i < $0; to i; from 4; is broadcast"), "broadcast from 4");
  EXPECT_EQ(collective("i: 0 .. $0 - 1; if 1 < 2; to i; from 0; is broadcast"), "broadcast from 0");
}

TEST(CollectiveForm, NoBroadcast) {
  EXPECT_EQ(collective("i: 0 .. $0 - 1; to i; from 0; is scatter"), "none") << "values for each receiver";
  EXPECT_EQ(collective("i: 0 .. $0 - 1; to i; from 0"), "none");
  EXPECT_EQ(collective("i: 0 .. $0 - 1; to i; from 0; is broadcast", 4), "none") << "of another team";
  EXPECT_EQ(collective("i: 1 .. $0 - 1; to i; from 0; is broadcast"), "none") << "not all receive";
  EXPECT_EQ(collective("i: 0 .. $0 - 2; to i; from 0; is broadcast"), "none");
  EXPECT_EQ(collective("i: 0 .. $0 - 1; if i != 2; to i; from 0; is broadcast"), "none");
  EXPECT_EQ(collective("i: 0 .. $0 - 1; if 2 < 1; to i; from 0; is broadcast"), "none");
  EXPECT_EQ(collective("i: 0 .. $0 - 1; if i == $1; to i; from 0; is broadcast"), "none");
  EXPECT_EQ(collective("i: 0 .. $0 - 1; to i; from $0; is broadcast"), "none") << "an error, told elsewhere";
  EXPECT_EQ(collective("i: 0 .. $0 - 1; to i; from i; is broadcast"), "none");
  EXPECT_EQ(collective("i: 0 .. $0 - 1; to $0 - 1 - i; from 0; is broadcast"), "none");
  EXPECT_EQ(collective("i: ?; to i; from 0; is broadcast"), "none");
  EXPECT_EQ(collective("i: {0, 1, 2, 3, 4}; to i; from 0; is broadcast"), "none");
  EXPECT_EQ(collective("i: 0 .. $0 - 1; k: 0 .. 1; to i; from 0; is broadcast"), "none") << "twice";
  EXPECT_EQ(collective("i: 0 .. $0 - 1; to ?; from 0; is broadcast"), "none");
  EXPECT_EQ(collective("i: 0 .. $0 - 1; to i; from ?; is broadcast"), "none");
}

TEST(CollectiveForm, AllToAll) {
  EXPECT_EQ(collective("r: 0 .. $0 - 1; s: 0 .. $0 - 1; to r; from s; is all_reduce"), "all_reduce");
  EXPECT_EQ(collective("s: 0 .. $0 - 1; r: 0 .. $0 - 1; to r; from s; is all_reduce"), "all_reduce");
  EXPECT_EQ(collective("r: 0 .. $0 - 1; s: 0 .. $0 - 1; to r; from s; is all_gather"), "all_gather");
  EXPECT_EQ(collective("r: 0 .. $0 - 1; s: 0 .. $0 - 1; to r; from s; is all_to_all"), "all_to_all");
  EXPECT_EQ(collective("r: 0 .. $0 - 1; s: 0 .. $0 - 1; if s != r; to r; from s; is all_to_all"), "none");
  EXPECT_EQ(collective("r: 0 .. $0 - 1; s: 1 .. $0 - 1; to r; from s; is all_to_all"), "none");
  EXPECT_EQ(collective("r: 0 .. $0 - 1; s: 0 .. $0 - 1; if s <= r; to r; from s; is all_reduce"), "none");
  EXPECT_EQ(collective("r: 0 .. $0 - 1; s: 0 .. $0 - 2; to r; from s; is all_reduce"), "none");
  EXPECT_EQ(collective("r: 1 .. $0 - 1; s: 0 .. $0 - 1; to r; from s; is all_reduce"), "none");
  EXPECT_EQ(collective("r: 0 .. $0 - 1; s: 0 .. $0 - 1; to r; from r; is all_reduce"), "none");
  EXPECT_EQ(collective("r: 0 .. $0 - 1; s: 0 .. $0 - 1; k: 0 .. 0; to r; from s; is all_reduce"), "none");
  EXPECT_EQ(collective("r: 0 .. $0 - 1; s: 0 .. 2 * $0; to r; from s; is all_reduce"), "none");
}

TEST(CollectiveForm, Scans) {
  EXPECT_EQ(collective("r: 0 .. $0 - 1; s: 0 .. r; to r; from s; is scan"), "scan");
  EXPECT_EQ(collective("s: 0 .. $0 - 1; r: s .. $0 - 1; to r; from s; is scan"), "scan");
  EXPECT_EQ(collective("s: 0 .. $0 - 1; r: 0 .. $0 - 1; if r >= s; to r; from s; is scan"), "scan");
  EXPECT_EQ(collective("s: 0 .. $0 - 1; r: 0 .. $0 - 1; if s < r + 1; to r; from s; is scan"), "scan");
  EXPECT_EQ(collective("r: 0 .. $0 - 1; s: 0 .. r - 1; to r; from s; is exclusive_scan"), "exclusive_scan");
  EXPECT_EQ(collective("r: 1 .. $0 - 1; s: 0 .. r - 1; to r; from s; is exclusive_scan"), "exclusive_scan");
  EXPECT_EQ(collective("s: 0 .. $0 - 1; r: 0 .. $0 - 1; if s < r; to r; from s; is exclusive_scan"),
            "exclusive_scan");
  EXPECT_EQ(collective("s: 0 .. $0 - 2; r: s + 1 .. $0 - 1; to r; from s; is exclusive_scan"), "none")
      << "a bound that is not known here: the general exchange does it";
  EXPECT_EQ(collective("r: 0 .. $0 - 1; s: 0 .. r - 1; to r; from s; is scan"), "none")
      << "the word is wrong";
  EXPECT_EQ(collective("r: 0 .. $0 - 1; s: 0 .. r; to r; from s; is exclusive_scan"), "none");
  EXPECT_EQ(collective("r: 1 .. $0 - 1; s: 0 .. r; to r; from s; is scan"), "none");
  EXPECT_EQ(collective("r: 0 .. $0 - 1; s: r .. $0 - 1; to r; from s; is scan"), "none") << "from above";
  EXPECT_EQ(collective("r: 0 .. $0 - 1; s: 0 .. r - 2; to r; from s; is exclusive_scan"), "none");
  EXPECT_EQ(collective("r: 0 .. $0 - 1; s: 1 .. r; to r; from s; is scan"), "none");
}

TEST(CollectiveForm, UnknownLeavesAndLongNumbers) {
  std::string error;
  const std::optional<Form> form = parse_form("i: 0 .. $0 - 1; to i; from 0; is broadcast", error);
  ASSERT_TRUE(form);
  EXPECT_FALSE(collective_form(*form, {}, ranks));
  const std::vector<abi::leaf> unknown{1LL << 62};
  EXPECT_FALSE(collective_form(*form, unknown, ranks));
  EXPECT_EQ(collective("i: 0 .. 2305843009213693951 + 2305843009213693951; to i; from 0; is broadcast"),
            "none");
}

}  // namespace
}  // namespace kanor::rt::plan
