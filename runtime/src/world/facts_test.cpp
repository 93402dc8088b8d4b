// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/facts.hpp"

#include <gtest/gtest.h>

#include <kanor/abi/program_facts.hpp>
#include <string>

namespace kanor::rt {
namespace {

TEST(Facts, OfAProgramThatKanorcDidNotLinkAreUnknown) {
  const Facts facts = program_facts();
  EXPECT_FALSE(facts.linked_by_kanorc);
  EXPECT_TRUE(facts.obstacles.empty());
  EXPECT_FALSE(facts.needs_image);
  EXPECT_FALSE(parse_facts("").linked_by_kanorc);
}

TEST(Facts, ListObstaclesAndThePlugIn) {
  std::string text = KANOR_PROGRAM_FACTS_HEADER
      "plugins\t/opt/kanor/lib dir\n"
      "news\tof a later version\n"
      "image\n"
      "library\tlibmine.so.2\t123\n"
      "obstacle\tcounter\tc.o\t'counter' in c.o is shared by all threads\n"
      "obstacle\terrors\tl.a(e.o)\t'errors' in l.a(e.o) is too\n"
      "more\t3\n";
  text.append(10, '\0').append("obstacle\tpadding\t\t\n");
  const Facts facts = parse_facts(text);
  EXPECT_TRUE(facts.linked_by_kanorc);
  EXPECT_EQ(facts.plugin_directory, "/opt/kanor/lib dir");
  EXPECT_TRUE(facts.needs_image);
  ASSERT_EQ(facts.libraries.size(), 1u);
  EXPECT_EQ(facts.libraries[0].name, "libmine.so.2");
  EXPECT_EQ(facts.libraries[0].digest, "123");
  ASSERT_EQ(facts.obstacles.size(), 2u);
  EXPECT_EQ(facts.obstacles[1].what, "errors");
  EXPECT_EQ(facts.obstacles[1].location, "l.a(e.o)");
  EXPECT_EQ(facts.obstacles[1].reason, "'errors' in l.a(e.o) is too");
  EXPECT_EQ(obstacle_words(facts), "'counter' in c.o is shared by all threads (and 4 more)");
}

TEST(Facts, OneObstacleIsSaidAlone) {
  EXPECT_EQ(obstacle_words(parse_facts(KANOR_PROGRAM_FACTS_HEADER "obstacle\ta\tb\tbecause\n")), "because");
  EXPECT_EQ(obstacle_words(parse_facts(KANOR_PROGRAM_FACTS_HEADER)), "");
}

TEST(Facts, SayWhoseStreamsTheStandardOnesAre) {
  EXPECT_FALSE(parse_facts(KANOR_PROGRAM_FACTS_HEADER "obstacle\tchdir\tb\tc\n").changes_streams);
  EXPECT_TRUE(parse_facts(KANOR_PROGRAM_FACTS_HEADER "obstacle\tchdir\tb\tc\nobstacle\tfreopen\tb\tc\n")
                  .changes_streams);
}

}  // namespace
}  // namespace kanor::rt
