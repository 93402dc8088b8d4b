// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/make_rule.hpp"

#include <gtest/gtest.h>

namespace kanor::driver {
namespace {

using Names = std::vector<std::string>;

TEST(MakeRule, ReadsWhatCompilersWrite) {
  EXPECT_EQ(prerequisites("unit: a.cpp /usr/include/stdio.h \\\n b\\ c.h d$$e.h \\\n f\\#.h\n\nx.h:\n"),
            (Names{"a.cpp", "/usr/include/stdio.h", "b c.h", "d$e.h", "f#.h"}));
  EXPECT_EQ(prerequisites("unit: a.cpp"), Names{"a.cpp"});
  EXPECT_EQ(prerequisites("unit: \\\n  a.cpp\n"), Names{"a.cpp"});
  EXPECT_EQ(prerequisites(""), Names{});
}

TEST(MakeRule, WritesWhatItReads) {
  const Names names{"a.cpp", "with blank.h", "dollar$.h", "hash#.h", "back\\slash.h", "ends\\ in.h"};
  EXPECT_EQ(prerequisites(make_rule({"t"}, names, false)), names);
}

TEST(MakeRule, BreaksLinesAndAddsPhonyTargets) {
  const std::string name(40, 'x');
  EXPECT_EQ(make_rule({"t", "u"}, {"a.cpp", name, "b h"}, true),
            "t u: a.cpp " + name + " b\\ h\n" + name + ":\nb\\ h:\n");
  EXPECT_EQ(make_rule({"t"}, {"a.cpp", name, name}, false), "t: a.cpp " + name + " \\\n " + name + "\n");
}

}  // namespace
}  // namespace kanor::driver
