// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flow/dependence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <random>
#include <string>

namespace kanor::flow {

void PrintTo(const Dependence& dependence, std::ostream* out) {
  *out << dependence.level << ':' << static_cast<int>(dependence.distance);
}

namespace {

using List = std::vector<Dependence>;
constexpr Distance zero = Distance::zero, one = Distance::one, more = Distance::more;

/// The function
///     0 -> 1 -> 2 -> 3 -> 2 -> 1 -> 4 -> 5 -> 4 -> 6
/// with loop 0 = {1, 2, 3} around loop 1 = {2, 3}, and then loop 2 = {4, 5}.
FlowGraph graph_of(const std::string& outer, const std::string& inner, const std::string& last,
                   const std::string& in_2, const std::string& in_3, const std::string& in_5) {
  const text::Source source("none.cpp", "");
  const auto line = [](const std::string& access) {
    return access.empty() ? "" : "    access " + access + "\n";
  };
  const std::string text = "variable A local of f\nfunction f () entry 0 exit 6\n  loop 0 header 1 " + outer +
                           "\n  loop 1 header 2 inside 0 " + inner + "\n  loop 2 header 4 " + last +
                           "\n  node 0: 1\n  node 1 level 1: 2 4 if \n  node 2 level 2: 3 1 if \n" +
                           line(in_2) + "  node 3 level 2: 2\n" + line(in_3) +
                           "  node 4 level 1: 5 6 if \n  node 5 level 1: 4\n" + line(in_5) + "  node 6:\n";
  FlowGraph graph = parse(text, source);
  verify(graph);
  return graph;
}

List dependences_in(const FlowGraph& graph, std::size_t from, std::size_t to) {
  const Function& function = graph.functions[0];
  const auto around = loops_around(function);
  return dependences(function, function.nodes[from].accesses[0], around[from], function.nodes[to].accesses[0],
                     around[to]);
}

/// Both in the inner loop, the write in its body, the read in its header.
List nested(const std::string& outer, const std::string& inner, const std::string& write,
            const std::string& read) {
  return dependences_in(graph_of(outer, inner, "", "read A" + read, "write A" + write, ""), 3, 2);
}

/// Both in the inner loop, in one that goes round once.
List single(const std::string& loop, const std::string& write, const std::string& read) {
  return nested("counts 0 to 0", loop, write, read);
}

/// The write in the inner loop, the read in the one that follows.
List apart(const std::string& inner, const std::string& last, const std::string& write,
           const std::string& read) {
  return dependences_in(graph_of("", inner, last, "", "write A" + write, "read A" + read), 3, 5);
}

TEST(Dependence, LoopsAroundANodeAreFoundByTheirHeaders) {
  const FlowGraph graph = graph_of("", "", "", "", "", "");
  EXPECT_EQ(loops_around(graph.functions[0]),
            (std::vector<std::vector<int>>{{}, {0}, {0, 1}, {0, 1}, {2}, {2}, {}}));
}

TEST(Dependence, WithoutCountersTheConstantsDecide) {
  EXPECT_EQ(single("counts 0 to 9", "[3]", "[4]"), List{});
  EXPECT_EQ(single("counts 0 to 9", "[3]", "[3]"), (List{{2, zero}, {2, more}}));
  // Of two iterations the second is the next.
  EXPECT_EQ(single("counts 0 to 1", "[3]", "[3]"), (List{{2, zero}, {2, one}}));
}

TEST(Dependence, EqualCoefficientsHaveOneDistance) {
  EXPECT_EQ(single("counts 0 to 9", "[i1]", "[i1]"), (List{{2, zero}}));
  EXPECT_EQ(single("counts 0 to 9", "[i1 + 1]", "[i1]"), (List{{2, one}}));
  EXPECT_EQ(single("counts 0 to 9", "[i1 + 2]", "[i1]"), (List{{2, more}}));
  // What the next iteration writes was read before.
  EXPECT_EQ(single("counts 0 to 9", "[i1]", "[i1 + 1]"), List{});
  EXPECT_EQ(single("counts 0 to 9", "[2*i1 + 1]", "[2*i1]"), List{});
  EXPECT_EQ(single("counts 0 to 9", "[i1 + 9]", "[i1]"), (List{{2, more}}));
  EXPECT_EQ(single("counts 0 to 9", "[i1 + 10]", "[i1]"), List{});
  EXPECT_EQ(single("counts ? to ?", "[i1 + 10]", "[i1]"), (List{{2, more}}));
  EXPECT_EQ(single("counts ? to ?", "[i1 + 1]", "[i1]"), (List{{2, one}}));
}

TEST(Dependence, DistancesCountIterationsNotTheCounter) {
  EXPECT_EQ(single("counts 0 to 9 by 2", "[i1 + 2]", "[i1]"), (List{{2, one}}));
  EXPECT_EQ(single("counts 0 to 9 by 2", "[i1 + 1]", "[i1]"), List{});
  EXPECT_EQ(single("counts 9 to 0 by -1", "[i1]", "[i1 + 1]"), (List{{2, one}}));
  EXPECT_EQ(single("counts 9 to 0 by -1", "[i1 + 1]", "[i1]"), List{});
}

TEST(Dependence, OneCounterlessSubscriptMeetsTheLoopOnce) {
  // A[i] meets A[0] in the first iteration: read in that one and all later ones.
  EXPECT_EQ(single("counts 0 to 9", "[i1]", "[0]"), (List{{2, zero}, {2, more}}));
  // A[i] meets A[9] in the last one only, A[8] in the one before.
  EXPECT_EQ(single("counts 0 to 9", "[i1]", "[9]"), (List{{2, zero}}));
  EXPECT_EQ(single("counts 0 to 9", "[i1]", "[8]"), (List{{2, zero}, {2, one}}));
  EXPECT_EQ(single("counts 0 to 9", "[i1]", "[10]"), List{});
  EXPECT_EQ(single("counts 0 to 9", "[i1]", "[-1]"), List{});
  EXPECT_EQ(single("counts 0 to ?", "[i1]", "[-1]"), List{});
  // Written in the last one only: nothing follows. What was read in the first one came before.
  EXPECT_EQ(single("counts 0 to 9", "[0]", "[i1]"), (List{{2, zero}}));
}

TEST(Dependence, OppositeCoefficientsCrossInTheMiddle) {
  // i + i' = 9: never in the same iteration; the distances are 9, 7, 5, 3, 1.
  EXPECT_EQ(single("counts 0 to 9", "[i1]", "[-i1 + 9]"), (List{{2, more}}));
  // i + i' = 1: iterations 0 and 1.
  EXPECT_EQ(single("counts 0 to 9", "[i1]", "[-i1 + 1]"), (List{{2, one}}));
  // i + i' = 10: also 5 and 5; i + i' = 18: only 9 and 9.
  EXPECT_EQ(single("counts 0 to 9", "[i1]", "[-i1 + 10]"), (List{{2, zero}, {2, more}}));
  EXPECT_EQ(single("counts 0 to 9", "[i1]", "[-i1 + 18]"), (List{{2, zero}}));
  EXPECT_EQ(single("counts 0 to 9", "[i1]", "[-i1 + 19]"), List{});
}

TEST(Dependence, DifferentCoefficients) {
  // 2i = i': i = 0 in the same iteration, 1 in the next, 2 in the one after that.
  EXPECT_EQ(single("counts 0 to 9", "[2*i1]", "[i1]"), (List{{2, zero}, {2, more}}));
  // i = 2i': read first.
  EXPECT_EQ(single("counts 1 to 9", "[i1]", "[2*i1]"), List{});
  // 2i = 4i' + 1
  EXPECT_EQ(single("counts 0 to 9", "[2*i1]", "[4*i1 + 1]"), List{});
}

TEST(Dependence, TheOutermostLoopWithAnotherIterationCarriesIt) {
  const std::string ten = "counts 0 to 9";
  // The same row: the inner loop. The next row: the outer one, whatever the column.
  EXPECT_EQ(nested(ten, ten, "[i0][i1 + 1]", "[i0][i1]"), (List{{2, one}}));
  EXPECT_EQ(nested(ten, ten, "[i0 + 1][i1]", "[i0][i1]"), (List{{1, one}}));
  EXPECT_EQ(nested(ten, ten, "[i0 + 1][i1 - 1]", "[i0][i1]"), (List{{1, one}}));
  EXPECT_EQ(nested(ten, ten, "[i0 - 1][i1]", "[i0][i1]"), List{});
  EXPECT_EQ(nested(ten, ten, "[i0 + 1][i1 + 10]", "[i0][i1]"), List{});
  // All columns of the same row.
  EXPECT_EQ(nested(ten, ten, "[i0]", "[i0][i1]"), (List{{2, zero}, {2, more}}));
  // Subscripts that leave a loop out: every iteration of it touches the same.
  EXPECT_EQ(nested(ten, ten, "[i1]", "[i1]"), (List{{2, zero}, {1, more}}));
  EXPECT_EQ(nested("", ten, "[i1]", "[i1]"), (List{{2, zero}, {1, more}}));
}

TEST(Dependence, DimensionsWithDifferentDistancesHaveNoneInCommon) {
  EXPECT_EQ(single("counts 0 to 9", "[i1 + 1][i1 + 2]", "[i1][i1]"), List{});
  EXPECT_EQ(single("counts 0 to 9", "[i1 + 1][i1 + 1]", "[i1][i1]"), (List{{2, one}}));
}

TEST(Dependence, SeveralCountersHaveADivisorAndBounds) {
  const std::string ten = "counts 0 to 9";
  // 4i + 2j is even.
  EXPECT_EQ(nested(ten, ten, "[4*i0 + 2*i1]", "[4*i0 + 2*i1 + 1]"), List{});
  // Rows of ten, written out: the next row is 10 further, which no column reaches.
  EXPECT_EQ(nested(ten, ten, "[10*i0 + i1]", "[10*i0 + i1]"), (List{{2, zero}}));
  EXPECT_EQ(nested(ten, "counts 0 to 10", "[10*i0 + i1]", "[10*i0 + i1]"), (List{{2, zero}, {1, more}}));
  EXPECT_EQ(nested(ten, ten, "[10*i0 + i1 + 10]", "[10*i0 + i1]"), (List{{1, more}}));
  EXPECT_EQ(nested(ten, ten, "[10*i0 + i1 + 200]", "[10*i0 + i1]"), List{});
  EXPECT_EQ(nested(ten, "counts 0 to ?", "[10*i0 + i1 + 200]", "[10*i0 + i1]"), (List{{1, more}, {2, more}}));
}

TEST(Dependence, LoopsThatAreNotAroundBoth) {
  EXPECT_EQ(apart("counts 0 to 9", "counts 0 to 9", "[i1]", "[i2]"), (List{{0, zero}}));
  EXPECT_EQ(apart("counts 0 to 9", "counts 10 to 19", "[i1]", "[i2]"), List{});
  EXPECT_EQ(apart("counts 0 to 8 by 2", "counts 1 to 9 by 2", "[i1]", "[i2]"), List{});
  EXPECT_EQ(apart("counts 0 to 8 by 2", "counts 1 to ?", "[i1]", "[i2]"), (List{{0, zero}}));
  EXPECT_EQ(apart("counts 0 to -1", "counts 0 to 9", "[i1]", "[i2]"), List{});
}

TEST(Dependence, WhatIsNotKnownMayBeAnything) {
  EXPECT_EQ(single("counts 0 to 9", "[?]", "[i1]"), (List{{2, zero}, {2, more}}));
  EXPECT_EQ(single("counts 0 to 9", "", "[i1]"), (List{{2, zero}, {2, more}}));
  EXPECT_EQ(single("", "[?][3]", "[3][4]"), List{});
  // A counter outside of its loop.
  EXPECT_EQ(single("counts 0 to 9", "[i2 + 20]", "[i1]"), (List{{2, zero}, {2, more}}));
  // Where the inner loop starts differs between the outer one's iterations, but not within one.
  EXPECT_EQ(nested("counts 0 to 9", "counts ? to ?", "[i1 + 1]", "[i1]"), (List{{1, more}, {2, one}}));
  EXPECT_EQ(nested("counts 0 to 9", "counts ? to ?", "[2*i1]", "[i1]"),
            (List{{2, zero}, {1, more}, {2, more}}));
  EXPECT_EQ(single("counts 0 to 9", "[4294967296*i1]", "[1]"), (List{{2, zero}, {2, more}}));
}

/// A subscript of the two counters, and its value.
struct Subscript {
  long long outer, inner, constant;
  std::string text() const {
    std::string made = "[";
    if (outer != 0) made += std::to_string(outer) + "*i0";
    if (inner != 0) made += (made.size() > 1 && inner > 0 ? "+" : "") + std::to_string(inner) + "*i1";
    return made + (constant < 0 ? "" : "+") + std::to_string(constant) + "]";
  }
  long long at(long long i, long long j) const { return outer * i + inner * j + constant; }
};

TEST(Dependence, NoneIsMissedAndNoDistanceIsTooShort) {
  std::mt19937 random(7);
  const auto between = [&](int least, int greatest) {
    return least + static_cast<int>(random() % static_cast<unsigned>(greatest - least + 1));
  };
  int independent = 0, at_one = 0;
  for (int round = 0; round < 3000; ++round) {
    struct Counter {
      int first, last, step;
    } counters[2];
    std::string text[2];
    for (int at = 0; at < 2; ++at) {
      const int first = between(-2, 2), step = between(0, 1) == 0 ? between(1, 3) : -between(1, 3);
      counters[at] = {first, first + step * between(0, 4), step};
      text[at] = "counts " + (between(0, 4) == 0 ? "?" : std::to_string(counters[at].first)) + " to " +
                 (between(0, 4) == 0 ? "?" : std::to_string(counters[at].last)) + " by " +
                 std::to_string(step);
    }
    Subscript write[2], read[2];
    std::string write_text, read_text;
    const int dimensions = between(1, 2);
    for (int at = 0; at < dimensions; ++at) {
      const int outer = between(-1, 2), inner = between(-1, 2);
      write[at] = {outer, inner, between(-2, 4)};
      read[at] = between(0, 1) == 0 ? Subscript{outer, inner, between(-2, 4)}
                                    : Subscript{between(-1, 2), between(-1, 2), between(-2, 4)};
      write_text += write[at].text();
      read_text += read[at].text();
    }
    const List found = nested(text[0], text[1], write_text, read_text);
    independent += found.empty() ? 1 : 0;
    const auto claims = [&](int level, bool is_one) {
      return std::any_of(found.begin(), found.end(), [&](const Dependence& one) {
        return level == 0 ? one.distance == zero
                          : one.level == level &&
                                (one.distance == more || (one.distance == Distance::one && is_one));
      });
    };
    for (const Dependence& one : found) at_one += one.distance == Distance::one ? 1 : 0;
    std::vector<std::pair<int, int>> iterations;
    const auto count = [&](int at) {
      return (counters[at].last - counters[at].first) / counters[at].step + 1;
    };
    for (int outer = 0; outer < count(0); ++outer)
      for (int inner = 0; inner < count(1); ++inner) iterations.emplace_back(outer, inner);
    const auto value = [&](int at, int iteration) {
      return counters[at].first + static_cast<long long>(counters[at].step) * iteration;
    };
    for (const auto& [wi, wj] : iterations)
      for (const auto& [ri, rj] : iterations) {
        if (std::pair(wi, wj) > std::pair(ri, rj)) continue;
        bool meet = true;
        for (int at = 0; at < dimensions; ++at)
          meet = meet && write[at].at(value(0, wi), value(1, wj)) == read[at].at(value(0, ri), value(1, rj));
        if (!meet) continue;
        const int level = wi != ri ? 1 : wj != rj ? 2 : 0;
        const int distance = level == 1 ? ri - wi : rj - wj;
        ASSERT_TRUE(claims(level, distance == 1))
            << text[0] << "; " << text[1] << "; " << write_text << " " << read_text << " level " << level
            << " distance " << distance;
      }
  }
  EXPECT_GT(independent, 300);
  EXPECT_GT(at_one, 100);
}

TEST(Dependence, InOneLoopTheyAreExact) {
  for (int trips = 1; trips <= 6; ++trips)
    for (int a = -3; a <= 3; ++a)
      for (int b = -3; b <= 3; ++b)
        for (int constant = -7; constant <= 7; ++constant) {
          const Subscript write{0, a, 0}, read{0, b, constant};
          bool meet = false, at_one = false, further = false;
          for (int source = 0; source < trips; ++source)
            for (int sink = source; sink < trips; ++sink)
              if (write.at(0, source) == read.at(0, sink))
                (sink == source ? meet : sink == source + 1 ? at_one : further) = true;
          List expected;
          if (meet) expected.push_back({2, zero});
          if (at_one || further) expected.push_back({2, further ? more : one});
          ASSERT_EQ(single("counts 0 to " + std::to_string(trips - 1), write.text(), read.text()), expected)
              << trips << " iterations, " << write.text() << " " << read.text();
        }
}

}  // namespace
}  // namespace kanor::flow
