// A block that updates a whole vector or string and elements of it: the last in order wins, although the whole's
// update moves the elements elsewhere.
// RUN: %kanorc %s -o %t && %run_everywhere --unchecked %t
// RUN: %kanorc -g -fsanitize=address %s -o %t.asan && %run_everywhere --modes threads,processes --ranks 1,3 %t.asan
#include "check.hpp"

#include <map>
#include <optional>
#include <queue>
#include <string>
#include <variant>
#include <vector>

namespace {

struct Cell {
  int value = 0;
  int weight = 1;
  bool operator==(const Cell&) const = default;
};

struct Shelf {
  std::vector<std::vector<int>> rows;
  std::map<int, std::string> names;
};

/// The same thing by a name under which the compiler does not know it: that the two updates meet is an error otherwise.
template <class T>
T& same(T& thing) {
  return thing;
}

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();

  std::vector<int> v{1, 2, 3};
  @communicate {
    v@r <<= std::vector<int>(1000, 4)@0 where r in world;
    same(v)[2]@r <<= (5 + me)@(r + 1) % n where r in world
  }
  CHECK_EQ(v.size(), 1000u);
  CHECK_EQ(v[1], 4);
  CHECK_EQ(v[2], 5 + (me + 1) % n);

  // The other way round the whole wins.
  @communicate {
    same(v)[0]@r <<= 9@r where r in world;
    v@r <<= std::vector<int>(2000, me)@(r + 1) % n where r in world
  }
  CHECK_EQ(v, std::vector<int>(2000, (me + 1) % n));

  // So it does over keys that only the earlier updates had made.
  std::map<std::string, int> counts{{"old", 1}};
  @communicate {
    counts["made"]@r <<= 9@r where r in world;
    same(counts)["summed"]@r << + << me@s where r, s in world;
    same(counts)@r <<= std::map<std::string, int>{{"new", me}}@(r + 1) % n where r in world
  }
  CHECK_EQ(counts, (std::map<std::string, int>{{"new", (me + 1) % n}}));

  std::string text = "abc";
  @communicate {
    text@r <<= std::string(300, 'x')@0 where r in world;
    same(text)[1]@r <<= 'y'@0 where r in world
  }
  CHECK_EQ(text, "xy" + std::string(298, 'x'));

  // A member of an element, and an element that is itself a vector.
  std::vector<Cell> cells(2);
  std::vector<std::vector<int>> lists{{1}, {2}};
  @communicate {
    cells@r <<= std::vector<Cell>(50)@0 where r in world;
    same(cells)[1].value@r <<= me@0 where r in world;
    lists@r <<= std::vector<std::vector<int>>(40, std::vector<int>(3, me))@r where r in world;
    same(lists)[1]@r <<= std::vector<int>(7, me)@0 where r in world
  }
  CHECK(cells[1] == Cell{0, 1} && cells.size() == 50);
  CHECK_EQ(lists[0], std::vector<int>(3, me));
  CHECK_EQ(lists[1], std::vector<int>(7, 0));

  // Sections of what has moved, and of what has another length now.
  std::vector<std::vector<int>> rows(2, std::vector<int>(3));
  std::vector<int> line(4);
  @communicate {
    rows@r <<= std::vector<std::vector<int>>(60, std::vector<int>(5, me))@r where r in world;
    same(rows)[1][1 : 2]@r <<= same(v)[0 : 2]@0 where r in world;
    line@r <<= std::vector<int>(100, 7)@r where r in world;
    same(line)[1 : 3]@r <<= same(line)[0 : 3]@0 where r in world
  }
  CHECK_EQ(rows[1], (std::vector<int>{me, 1 % n, 1 % n, me, me}));
  CHECK_EQ(line[1], 0);
  CHECK_EQ(line[4], 7);

  // Deeper: an element of an element, a map's value, a member's element, what an optional holds.
  std::map<std::string, std::vector<int>> map{{"a", {1}}, {"gone", {2}}};
  std::vector<Shelf> shelves(2, Shelf{{{1, 2}}, {{3, "three"}}});
  std::optional<std::vector<std::string>> maybe{{"one"}};
  @communicate {
    lists@r <<= std::vector<std::vector<int>>(90, std::vector<int>(5, me))@r where r in world;
    same(lists)[1][0]@r <<= 77@0 where r in world;
    map@r <<= std::map<std::string, std::vector<int>>{{"a", std::vector<int>(9, me)}, {"b", {}}}@r where r in world;
    same(map)["a"][0]@r <<= 78@0 where r in world;
    same(map)["gone"]@r <<= std::vector<int>(3, 79)@0 where r in world;
    shelves@r <<= std::vector<Shelf>(60, Shelf{{{4, 4}, {5}}, {{3, "drei"}}})@0 where r in world;
    same(shelves)[1].rows[0][1]@r <<= 80@0 where r in world;
    same(shelves)[0].names[3]@r <<= std::string(40, 'n')@0 where r in world;
    maybe@r <<= std::optional<std::vector<std::string>>(std::vector<std::string>(20, "many"))@0 where r in world;
    (*same(maybe))[0]@r <<= std::string("first")@0 where r in world
  }
  CHECK_EQ(lists[1], std::vector<int>{77, me, me, me, me});
  CHECK_EQ(map["a"][0], 78);
  CHECK_EQ(map["a"][8], me);
  CHECK_EQ(map["gone"], std::vector<int>(3, 79));
  CHECK_EQ(shelves[1].rows, std::vector<std::vector<int>>{{4, 80}, {5}});
  CHECK_EQ(shelves[0].names[3], std::string(40, 'n'));
  CHECK_EQ((*maybe)[0] + (*maybe)[1], "firstmany");

  // What a variant holds, and what a queue is around.
  std::variant<int, std::vector<int>, std::string> either = std::vector<int>{1, 2};
  std::vector<std::variant<std::string, std::vector<std::string>>> many(2, std::vector<std::string>{"a"});
  std::queue<std::vector<int>> jobs(std::deque<std::vector<int>>{{1}, {2}});
  @communicate {
    either@r <<= std::variant<int, std::vector<int>, std::string>(std::vector<int>(50, me))@r where r in world;
    std::get<1>(same(either))[1]@r <<= 81@0 where r in world;
    many@r <<= std::vector<std::variant<std::string, std::vector<std::string>>>(40, std::vector<std::string>(9, "b"))@0 where r in world;
    std::get<1>(same(many)[1])[0]@r <<= std::string(40, 'v')@0 where r in world;
    jobs@r <<= std::queue<std::vector<int>>(std::deque<std::vector<int>>(300, std::vector<int>(2, me)))@r where r in world;
    same(jobs).back()[0]@r <<= 82@0 where r in world
  }
  CHECK_EQ(std::get<1>(either)[0], me);
  CHECK_EQ(std::get<1>(either)[1], 81);
  CHECK_EQ(std::get<1>(many[1])[0] + std::get<1>(many[1])[1], std::string(40, 'v') + "b");
  CHECK_EQ(jobs.size(), 300u);

  // The variant itself may have changed places, or hold something else for the whole that comes last.
  @communicate {
    std::get<1>(same(either))[1]@r <<= 83@0 where r in world;
    either@r <<= std::variant<int, std::vector<int>, std::string>("a text that does not fit inside of the variant")@0 where r in world
  }
  CHECK_EQ(std::get<2>(either).size(), 46u);

  // Reductions too.
  std::vector<double> sums{0.5};
  @communicate {
    sums@r << + << std::vector<double>(100, 1)@s where r, s in world;
    same(sums)[0]@r << max << double(me)@s where r, s in world
  }
  CHECK_EQ(sums[0], double(n - 1));
  CHECK_EQ(sums[99], double(n));
  return check::finish("element_updates");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
