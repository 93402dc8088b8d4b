// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places in what an earlier update of the same block replaces.
#include <gtest/gtest.h>

#include <deque>
#include <list>
#include <map>
#include <optional>
#include <queue>
#include <stack>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "exchange/test_job.hpp"
#include "kanor/abi/cereal.hpp"

namespace kanor::rt {
namespace {

/// `{ whole <<= value; part(whole) <<= piece }`, where part() is asked before the block.
template <class Whole, class Part, class Piece>
Whole update(Whole whole, const Whole& value, const Part& part, const Piece& piece) {
  TestJob(1).run_rank(0, [&] {
    BLOCK;
    block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT((whole)), 0, SEND(value)); });
    block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT((part(whole))), 0, SEND(piece)); });
    block.run();
  });
  return whole;
}

struct Cell {
  std::string name;
  std::vector<std::vector<int>> rows;
  std::map<int, std::string> words;
  bool operator==(const Cell&) const = default;
};

/// Owns what nobody can see.
class Opaque {
 public:
  Opaque() = default;
  explicit Opaque(int number) : numbers_(100, number) {}
  int& first() { return numbers_.front(); }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(numbers_);
  }

 private:
  std::vector<int> numbers_;
};

TEST(Follow, ElementsOfASectionsElements) {
  using Rows = std::vector<std::vector<int>>;
  Rows rows(5, std::vector<int>(3, 1));
  const Rows value(2, std::vector<int>(4, 7));
  TestJob(1).run_rank(0, [&] {
    BLOCK;
    block.assign(SITE, [&](auto& bind) {
      binding(bind, 0, AT(abi::section(rows, abi::part(0, 2, 2))), 0,
              SEND(abi::section(value, abi::part(0, 2))));
    });
    block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT((rows[2][1])), 0, SEND(9)); });
    block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT((rows[1][1])), 0, SEND(8)); });
    block.run();
  });
  EXPECT_EQ(rows[0], std::vector<int>(4, 7));
  EXPECT_EQ(rows[1], (std::vector<int>{1, 8, 1}));
  EXPECT_EQ(rows[2], (std::vector<int>{7, 9, 7, 7}));
}

TEST(Follow, ElementsOfElements) {
  using Rows = std::vector<std::vector<int>>;
  const Rows value(20, std::vector<int>(30, 7));
  Rows expected = value;
  expected[0][0] = 1;
  EXPECT_EQ(update(
                Rows{{5}}, value, [](Rows& rows) -> int& { return rows[0][0]; }, 1),
            expected);
  using Deep = std::vector<std::vector<std::vector<std::string>>>;
  Deep deep{{{"a"}, {"b", "long enough to lie elsewhere in memory"}}};
  Deep longer(3, std::vector<std::vector<std::string>>(4, std::vector<std::string>(5, "x")));
  Deep expected_deep = longer;
  expected_deep[0][1][1] = "new";
  EXPECT_EQ(update(
                deep, longer, [](Deep& d) -> std::string& { return d[0][1][1]; }, std::string("new")),
            expected_deep);
  expected_deep = longer;
  expected_deep[0][1][0] = "y";
  EXPECT_EQ(update(
                deep, longer, [](Deep& d) -> char& { return d[0][1][0][0]; }, 'y'),
            expected_deep);
}

TEST(Follow, ValuesOfMaps) {
  using Map = std::map<std::string, std::vector<int>>;
  const Map value{{"a", {1, 2, 3}}, {"b", {4}}};
  Map expected = value;
  expected["b"] = {9, 9};
  EXPECT_EQ(update(
                Map{{"b", {}}, {"c", {}}}, value, [](Map& map) -> std::vector<int>& { return map["b"]; },
                std::vector<int>{9, 9}),
            expected);
  expected = value;
  expected["a"][1] = 5;
  EXPECT_EQ(update(
                Map{{"a", {0, 0}}}, value, [](Map& map) -> int& { return map["a"][1]; }, 5),
            expected);
  // A place that the block has made stays: its update is the last.
  expected = value;
  expected["new"] = {6};
  EXPECT_EQ(update(
                Map{}, value, [](Map& map) -> std::vector<int>& { return map["new"]; }, std::vector<int>{6}),
            expected);
  using Hashed = std::unordered_map<int, std::string>;
  EXPECT_EQ(update(
                Hashed{{1, "one"}}, Hashed{{1, "x"}, {2, "y"}},
                [](Hashed& map) -> std::string& { return map[1]; }, std::string("z")),
            (Hashed{{1, "z"}, {2, "y"}}));
}

TEST(Follow, MembersOptionalsListsAndPairs) {
  const Cell value{"a name that is rather long, so it lies elsewhere", {{1, 2}, {3}}, {{1, "one"}}};
  Cell expected = value;
  expected.rows[1][0] = 8;
  const Cell before{"short", {{0}, {0}}, {{1, "x"}}};
  EXPECT_EQ(update(
                before, value, [](Cell& cell) -> int& { return cell.rows[1][0]; }, 8),
            expected);
  expected = value;
  expected.words[1] = "new";
  EXPECT_EQ(update(
                before, value, [](Cell& cell) -> std::string& { return cell.words[1]; }, std::string("new")),
            expected);
  expected = value;
  expected.name = "n";
  EXPECT_EQ(update(
                before, value, [](Cell& cell) -> std::string& { return cell.name; }, std::string("n")),
            expected);
  using Maybe = std::optional<std::vector<int>>;
  EXPECT_EQ(update(
                Maybe(std::vector<int>{1}), Maybe(std::vector<int>{2, 3}),
                [](Maybe& maybe) -> int& { return (*maybe)[0]; }, 4),
            Maybe({4, 3}));
  using List = std::list<std::vector<int>>;
  EXPECT_EQ(update(
                List{{1}, {2}}, List{{3, 3}, {4, 4}}, [](List& list) -> int& { return list.back()[0]; }, 5),
            (List{{3, 3}, {5, 4}}));
  using Pairs = std::vector<std::pair<int, std::vector<int>>>;
  EXPECT_EQ(
      update(
          Pairs{{1, {1}}}, Pairs{{2, {2}}, {3, {3}}}, [](Pairs& p) -> int& { return p[0].second[0]; }, 9),
      (Pairs{{2, {9}}, {3, {3}}}));
}

TEST(Follow, VariantsQueuesAndStacks) {
  using Either = std::variant<int, std::vector<int>, std::vector<std::string>>;
  EXPECT_EQ(update(
                Either(std::vector<int>{1}), Either(std::vector<int>{2, 3}),
                [](Either& either) -> int& { return std::get<1>(either)[0]; }, 4),
            Either(std::vector<int>{4, 3}));
  // The held vector itself lies in the variant's own bytes.
  EXPECT_EQ(update(
                Either(std::vector<int>{1}), Either(std::vector<int>{2, 3}),
                [](Either& either) -> std::vector<int>& { return std::get<1>(either); }, std::vector<int>{5}),
            Either(std::vector<int>{5}));
  using Many = std::vector<Either>;
  const std::vector<std::string> words{"one", "two"};
  EXPECT_EQ(update(
                Many{0, words}, Many{1, words, 2, 3, 4},
                [](Many& many) -> std::string& { return std::get<2>(many[1])[1]; }, std::string("new")),
            (Many{1, std::vector<std::string>{"one", "new"}, 2, 3, 4}));
  // Twice the same type: only the one with the same number is meant.
  using Twice = std::variant<std::string, std::string>;
  EXPECT_EQ(update(
                Twice(std::in_place_index<1>, "a"), Twice(std::in_place_index<1>, "b"),
                [](Twice& twice) -> std::string& { return std::get<1>(twice); }, std::string("c")),
            Twice(std::in_place_index<1>, "c"));
  // The whole variant or optional begins where its value begins, and is not part of it.
  EXPECT_EQ(update(
                Either(std::vector<int>{1}), Either(words), [](Either& either) -> Either& { return either; },
                Either(std::vector<int>{5})),
            Either(std::vector<int>{5}));
  EXPECT_EQ(update(
                Many{words, 1}, Many{words, words}, [](Many& many) -> Either& { return many[1]; }, Either(6)),
            (Many{words, 6}));
  EXPECT_EQ(update(
                Many{words, 1}, Many{1, words}, [](Many& many) -> Either& { return many[0]; }, Either(6)),
            (Many{6, words}));
  using Maybe = std::optional<std::string>;
  EXPECT_EQ(update(
                Maybe("a"), Maybe(), [](Maybe& maybe) -> Maybe& { return maybe; }, Maybe("b")),
            Maybe("b"));
  using Jobs = std::queue<std::vector<int>>;
  EXPECT_EQ(update(
                Jobs({{1}, {2}}), Jobs({{3}, {4, 5}}), [](Jobs& jobs) -> int& { return jobs.back()[0]; }, 6),
            Jobs({{3}, {6, 5}}));
  using Pile = std::stack<int, std::vector<int>>;
  EXPECT_EQ(update(
                Pile(std::vector<int>{1, 2}), Pile(std::vector<int>{3, 4}),
                [](Pile& pile) -> int& { return pile.top(); }, 7),
            Pile(std::vector<int>{3, 7}));
}

TEST(Follow, WhatIsNotUnderstoodStaysInMemory) {
  Opaque whole(1);
  whole = update(
      whole, Opaque(2), [](Opaque& object) -> int& { return object.first(); }, 3);
  EXPECT_TRUE(whole.first() == 2 || whole.first() == 3);
  std::vector<bool> bits = update(
      std::vector<bool>(500), std::vector<bool>(1000, true),
      [](std::vector<bool>& v) -> std::vector<bool>::reference { return v[0]; }, false);
  EXPECT_EQ(bits.size(), 1000u);
}

TEST(FollowFailure, APartThatIsNoMore) {
  using Numbers = std::vector<int>;
  EXPECT_EXIT(update(
                  Numbers{1, 2, 3}, Numbers{4, 5}, [](Numbers& numbers) -> int& { return numbers[2]; }, 6),
              testing::ExitedWithCode(1), "is element 2, but .* has changed the length from 3 to 2");
  using Rows = std::vector<std::vector<int>>;
  EXPECT_EXIT(update(
                  Rows{{1, 2}}, Rows{{1}}, [](Rows& rows) -> int& { return rows[0][1]; }, 1),
              testing::ExitedWithCode(1),
              "part of a value that an earlier update of this block has replaced");
  using Maybe = std::optional<std::string>;
  EXPECT_EXIT(update(
                  Maybe("a"), Maybe(), [](Maybe& maybe) -> std::string& { return *maybe; }, std::string("b")),
              testing::ExitedWithCode(1), "the new one has no such part");
  using Either = std::variant<std::string, std::vector<int>>;
  EXPECT_EXIT(update(
                  Either("a"), Either(std::vector<int>{1}),
                  [](Either& either) -> std::string& { return std::get<0>(either); }, std::string("b")),
              testing::ExitedWithCode(1), "the new one has no such part");
}

}  // namespace
}  // namespace kanor::rt
