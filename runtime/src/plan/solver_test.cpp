// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "plan/brute_force.hpp"

namespace kanor::rt::plan {
namespace {

LeafValue number(std::int64_t value) { return {.number = value, .grid = {}}; }
LeafValue grid(const std::vector<int>& extents, bool periodic) {
  const std::vector<char> flags(extents.size(), periodic);
  return {.grid = GridShape(extents.data(), reinterpret_cast<const bool*>(flags.data()),
                            static_cast<int>(extents.size()))};
}

struct Tally {
  std::uint64_t visited = 0;  ///< values of names that a rank's loops went through
  std::uint64_t needed = 0;   ///< those on the way to a binding of the rank
};

/// How many values of names a search without a false step goes through.
std::uint64_t needed_values(const std::vector<Values>& bindings) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < bindings.size(); ++i)
    for (std::size_t name = 0; name < bindings[i].size(); ++name)
      if (i == 0 ||
          !std::equal(bindings[i].begin(), bindings[i].begin() + static_cast<std::ptrdiff_t>(name) + 1,
                      bindings[i - 1].begin()))
        ++count;
  return count;
}

/// Compares each rank's narrowed walk with all bindings, and says how much it went through in vain.
Tally check(const std::string& text, const std::vector<LeafValue>& leaves, int size) {
  std::string error;
  const std::optional<Form> form = parse_form(text, error);
  EXPECT_TRUE(form) << text << ": " << error;
  const Schedule schedule(*form);
  Workspace workspace;
  Walk walk(*form, leaves);
  const std::vector<Values> all = walk.bindings();
  Tally tally;
  for (int rank = 0; rank < size; ++rank) {
    Solver solver(*form, schedule, leaves, rank, size, workspace);
    const bool all_are_found = solver.all_are_found();
    for (const Side side : {Side::sending, Side::receiving}) {
      const int rank_node = side == Side::sending ? form->from : form->to;
      const auto concerns = [&](const Values& binding) {
        return rank_node < 0 || walk.evaluation().value(rank_node, binding) == rank;
      };
      std::vector<Values> wanted, got;
      std::copy_if(all.begin(), all.end(), std::back_inserter(wanted), concerns);
      got = walk.bindings([&](int name, const Values& names, const Domain& members) {
        const Domain some = solver.candidates(side, name, names.data(), members);
        for (const Progression& part : some)
          EXPECT_TRUE(members.contains(part.first) && members.contains(part.last));
        return some;
      });
      tally.visited += walk.visited;
      tally.needed += needed_values(wanted);
      got.erase(
          std::remove_if(got.begin(), got.end(), [&](const Values& binding) { return !concerns(binding); }),
          got.end());
      EXPECT_EQ(got, wanted) << text << " as rank " << rank << " of " << size;
    }
    if (all_are_found && form->to >= 0 && form->from >= 0)
      for (const Values& binding : all) {
        const auto inside = [&](int node) {
          const auto value = walk.evaluation().value(node, binding);
          return *value == no_rank || (*value >= 0 && *value < size);
        };
        EXPECT_TRUE(inside(form->to) || inside(form->from)) << text << " for " << size;
      }
    if (testing::Test::HasFailure()) break;
  }
  return tally;
}

// Random forms.

class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}
  int pick(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }

  std::string expression(int depth) {
    const auto inner = [&] { return expression(depth - 1); };
    if (depth == 0 || pick(0, 3) == 0) {
      if (names_ > 0 && pick(0, 3) != 0) return std::string(1, static_cast<char>('i' + pick(0, names_ - 1)));
      return pick(0, 1) ? "$" + std::to_string(pick(0, 2)) : std::to_string(pick(-4, 9));
    }
    static const char* const operators[] = {"+", "-", "*", "/", "%", "^", "&", "|", "<<", ">>", "+", "%"};
    switch (pick(0, 13)) {
      case 0:
        return "-(" + inner() + ")";
      case 1:
        return "$3.neighbor(" + inner() + ", " + std::to_string(pick(0, 1)) + ", " + inner() + ")";
      case 2:
        return "$3(" + inner() + ", " + inner() + ")";
      case 3:
        return "$3.coords(" + inner() + ")[" + (pick(0, 2) ? std::to_string(pick(0, 1)) : inner()) + "]";
      case 4:
        return "$3.neighbor(" + inner() + ", " + inner() + ", " + std::to_string(pick(-2, 2)) + ")";
      default:
        return "(" + inner() + " " + operators[pick(0, 11)] + " " + inner() + ")";
    }
  }

  std::string form() {
    static const char* const relations[] = {"==", "!=", "<", "<=", ">", ">="};
    std::string text;
    names_ = 0;
    for (const int count = pick(1, 3); names_ < count;) {
      text += std::string(1, static_cast<char>('i' + names_)) + ": ";
      switch (pick(0, 6)) {
        case 6: {
          const std::string steps[] = {"1", "3", "-2", "$1", "-$2"};
          const auto end = [&] { return "(" + expression(1) + ") % 9"; };
          const std::string first = end(), last = end();
          text += first + " until " + last + " by " + steps[pick(0, 4)];
          break;
        }
        case 0:
          text += "{" + expression(0) + ", " + expression(1) + "}";
          break;
        case 1:
          text += std::to_string(pick(-5, 2)) + " .. " + expression(0);
          break;
        case 2:
          text += std::to_string(pick(-5, 2)) + " .. " + std::to_string(pick(0, 6));
          break;
        default:
          text += "0 .. $0 - 1";
      }
      text += "; ";
      ++names_;
    }
    for (int i = pick(0, 2); i > 0; --i)
      text += "if " + expression(2) + " " + relations[pick(0, 5)] + " " + expression(1) + "; ";
    return text + "to " + expression(pick(0, 3)) + "; from " + expression(pick(0, 3));
  }

 private:
  std::mt19937 random_;
  int names_ = 0;
};

TEST(Solver, LosesNoBindingOfRandomForms) {
  for (unsigned seed = 0; seed < 4000; ++seed) {
    Writer writer(seed);
    const std::string text = writer.form();
    const int rows = writer.pick(1, 4), columns = writer.pick(1, 3), size = rows * columns;
    SCOPED_TRACE("seed " + std::to_string(seed));
    check(text,
          {number(size), number(writer.pick(-3, 12)), number(writer.pick(0, 3)),
           grid({rows, columns}, writer.pick(0, 1) == 1)},
          size);
    if (HasFailure()) break;
  }
}

// What LANGUAGE.md promises: each rank goes through its own bindings alone.

struct Family {
  const char* text;
  double excess = 1;  ///< values gone through for each one needed
};

TEST(Solver, FindsTheBindingsOfPromisedFamiliesAlone) {
  const Family families[] = {
      {"i: 0 .. $0 - 1; to (i + 1) % $0; from i"},
      {"i: 0 .. $0 - 1; to i; from (i + 1) % $0"},
      {"i: 0 .. $0 - 1; to (i + $0 - 1) % $0; from i"},
      {"i: 0 .. $0 - 2; to i + 1; from i"},
      {"i: 1 .. $0 - 1; to i - 1; from i"},
      {"i: 0 .. $0 - 1; if i + 1 < $0; to i + 1; from i"},
      {"i: 0 .. $0 - 1; to $0 - 1 - i; from i"},
      {"i: 0 .. $0 - 1; if (i ^ 1) < $0; to i ^ 1; from i"},
      {"i: 0 .. $0 - 1; if (i ^ $1) < $0; to i ^ $1; from i"},
      {"i: 0 .. ($0 - 1) / $1; to i * $1; from i"},
      {"i: 0 .. $0 - 1; to i / $1; from i"},
      {"i: 0 until $0 by 2; to (i + 1) % $0; from i"},
      {"i: $0 - 1 until -1 by -$1; to i; from (i + 1) % $0"},
      {"i: 0 until $0 by $1; to i; from i / $1"},
      {"i: 0 .. $0 - 1; j: i until $0 by $1; to i; from j"},
      {"i: 0 .. $0 - 1; j: i until -1 by -2; to i; from j"},
      {"i: 0 .. $0 - 1; j: i + 1 until $0 by $1; to i; from j"},
      {"i: 0 .. $0 - 1; j: i until 2 * i by 2; to i; from j"},
      // Elements dealt out in turn.
      {"i: 0 .. $0 - 1; k: i until 5 * $0 by $0; to i; from (i + 1) % $0"},
      {"i: 0 .. $0 - 1; k: i until 5 * $0 by $0; to k % $0; from 0"},
      {"i: 0 .. $0 - 1; to i / $1 * $1; from i"},
      {"i: 0 .. $0 - 1; to i - i % $1; from i", 2},
      {"i: 0 .. ($0 - 1) >> 1; to i << 1; from i"},
      {"i: 0 .. $0 - 1; to i >> 1; from i"},
      {"i: 0 .. $0 - 1; to (7 * i + 3) % $0; from i"},
      {"i: 0 .. $0 - 1; to ((-5) * i + 5 * $0) % $0; from i"},
      {"i: 0 .. $0 - 1; to 0; from i"},
      {"i: 0 .. $0 - 1; to i; from 0"},
      {"i: 0 .. $0 - 1; j: 0 .. $0 - 1; to j; from i"},
      {"i: 0 .. $0 - 1; j: 0 .. $0 - 1; if i < j; to j; from i"},
      {"i: 0 .. $0 - 1; j: 0 .. i; to i; from j"},
      {"i: 0 .. $0 - 1; j: i + 1 .. $0 - 1; to i; from j"},
      {"i: 0 .. $0 - 1; j: 0 .. $0 - 1; if i % 2 == 0; if j == i / 2; to j; from i"},
      {"i: 0 .. $0 - 1; j: 0 .. $0 - 1; if j == (i + 3) % $0; to j; from i"},
      {"i: 0 .. $0 - 1; j: 0 .. $0 - 1; if (i & 1) == 0; if i != j; to i; from j"},
      {"i: 0 .. $0 - 1; if i % 3 != 1; to i; from i"},
      // A listed set is gone through as a whole.
      {"i: 0 .. $0 - 1; d: {-1, 1}; to (i + d + $0) % $0; from i", 1.5},
      {"d: {-1, 1}; i: 0 .. $0 - 1; to (i + d + $0) % $0; from i"},
      {"i: 0 .. $0 - 1; d: -1 .. 1; to (i + d + $0) % $0; from i"},
      {"k: 0 .. 5; i: 0 .. $0 - 1; to i; from (i + k) % $0"},
      {"k: 0 .. 30; to k % $0; from (k + 1) % $0"},
      {"i: 0 .. $0 - 1; k: 0 .. 7; to (i + 1) % $0; from i"},
      {"i: 0 .. $0 - 1; to $2.neighbor(i, 0, 1); from i"},
      {"i: 0 .. $0 - 1; to $2.neighbor(i, 1, -1); from i"},
      {"i: 0 .. $0 - 1; to $3.neighbor(i, 0, 1); from i"},
      {"i: 0 .. $0 - 1; to i; from $3.neighbor(i, 1, -1)"},
      {"i: 0 .. $0 - 1; o: {-1, 1}; to $2.neighbor(i, 1, o); from i", 1.5},
      {"i: 0 .. $0 - 1; d: 0 .. 1; o: {-1, 1}; to $3.neighbor(i, d, o); from i", 1.5},
      {"i: 0 .. $0 - 1; to $3.neighbor($3.neighbor(i, 0, 1), 1, 1); from i"},
      {"x: 0 .. $4 - 1; y: 0 .. $5 - 1; to $2(x + 1, y); from $2(x, y)"},
      {"x: 0 .. $4 - 1; y: 0 .. $5 - 1; to $3(x - 1, y + 1); from $3(x, y)"},
      {"x: 0 .. $4 - 1; y: 0 .. $5 - 1; to x * $5 + (y + 1) % $5; from x * $5 + y"},
      {"i: 0 .. $0 - 1; to i / $5 * $5 + (i % $5 + 1) % $5; from i"},
      {"i: 0 .. $0 - 1; to (i / $5 + 1) % $4 * $5 + i % $5; from i"},
      {"i: 0 .. $0 - 1; if $2.coords(i)[0] == 0; to i; from i"},
      {"i: 0 .. $0 - 1; j: 0 .. $0 - 1; if $2.coords(i)[1] == $2.coords(j)[1]; to i; from j"},
      {"x: 0 .. $4 - 1; y: 0 .. $5 - 1; to $2(0, y); from $2(x, y)"},
      {"x: 0 .. $4 - 1; y: 0 .. $5 - 1; a: 0 .. $4 - 1; to $2(a, y); from $2(x, y)"},
      // What one name tells of the next comes back in a second round.
      {"i: 0 .. $0 - 1; j: i + 1 .. i + 2; k: j + 1 .. j + 2; if k < $0; to i; from k", 1.5},
      {"i: 0 .. $0 - 1; j: 0 .. $0 - 1; if $2.neighbor($2.neighbor(i, 0, 1), 0, -1) == -2147483648; "
       "to j; from j",
       9},
      {"i: 0 .. $0 - 1; if $2.neighbor($2.neighbor(i, 0, 1), 1, -1) != -2147483648; to i; from i", 9},
      {"x: 0 .. $4 - 1; y: 0 .. $5 - 1; dx: -1 .. 1; dy: -1 .. 1; to $2(x + dx, y + dy); from $2(x, y)"},
  };
  for (const Family& family : families) {
    Tally tally;
    for (const auto& [rows, columns] : {std::pair(1, 1), {2, 2}, {3, 4}, {7, 5}, {8, 8}, {6, 11}}) {
      const int size = rows * columns;
      const Tally more = check(family.text,
                               {number(size), number(3), grid({rows, columns}, false),
                                grid({rows, columns}, true), number(rows), number(columns)},
                               size);
      tally.visited += more.visited;
      tally.needed += more.needed;
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(tally.needed, 0u);
    EXPECT_LE(static_cast<double>(tally.visited), family.excess * static_cast<double>(tally.needed))
        << family.text << ": " << tally.visited << " for " << tally.needed;
  }
}

bool finds_all(const char* text, int size) {
  std::string error;
  const std::optional<Form> form = parse_form(text, error);
  EXPECT_TRUE(form) << error;
  const Schedule schedule(*form);
  const std::vector<LeafValue> leaves{number(size), grid({2, size / 2}, false)};
  Workspace workspace;
  return Solver(*form, schedule, leaves, 0, size, workspace).all_are_found();
}

TEST(Solver, KnowsWhichFormsLeaveNoBindingUnseen) {
  EXPECT_TRUE(finds_all("i: 0 .. $0 - 1; to i + 5; from i", 8));
  EXPECT_TRUE(finds_all("i: ?; to i; from 0", 8));
  EXPECT_TRUE(finds_all("i: ?; if i >= 0; if i < $0; to i; from i + 1", 8));
  EXPECT_TRUE(finds_all("i: 0 .. $0; if i < $0; to ?; from i", 8));
  EXPECT_TRUE(finds_all("i: 0 .. $0 - 1; to $1.neighbor(i, 0, 1); from i + 1", 8));
  EXPECT_TRUE(finds_all("i: 0 .. 3; if i > 7; to i + 90; from i - 90", 8));
  EXPECT_TRUE(finds_all("i: 0 until $0 by 3; to ?; from i", 8));
  EXPECT_TRUE(finds_all("i: $0 - 1 until -1 by -3; to ?; from i", 8));
  EXPECT_TRUE(finds_all("i: 0 until 2 * $0 by $0; to ?; from i / 2", 8));
  EXPECT_FALSE(finds_all("i: 0 until $0 + 1 by 4; to ?; from i", 8));
  EXPECT_FALSE(finds_all("i: $0 until 0 by -1; to ?; from i", 8));
  // Its last member is 6, although 9 comes before its end.
  EXPECT_TRUE(finds_all("i: 0 until 9 by 6; to ?; from i", 8));
  EXPECT_FALSE(finds_all("i: 0 .. $0; to i; from i", 8));
  EXPECT_FALSE(finds_all("i: ?; to i; from i", 8));
  EXPECT_FALSE(finds_all("i: 0 .. $0 - 1; to i + 1; from ?", 8));
  EXPECT_FALSE(finds_all("i: 0 .. $0 - 1; to i - 1; from i + 1", 8));
  EXPECT_FALSE(finds_all("i: 0 .. $0 - 1; to ?; from ?", 8));
}

TEST(Solver, TakesBoundedStepsForAnyTeam) {
  std::uint64_t steps[2] = {};
  for (const int large : {0, 1}) {
    const int size = large ? 1000000 : 1000;
    std::string error;
    const std::optional<Form> form = parse_form("i: 0 .. $0 - 1; to (i + 1) % $0; from i", error);
    const Schedule schedule(*form);
    const std::vector<LeafValue> leaves{number(size)};
    Workspace workspace;
    Solver solver(*form, schedule, leaves, size / 2, size, workspace);
    const Domain all = Domain::interval(0, size - 1);
    EXPECT_EQ(solver.candidates(Side::sending, 0, nullptr, all), Domain::of(size / 2));
    EXPECT_EQ(solver.candidates(Side::receiving, 0, nullptr, all), Domain::of(size / 2 - 1));
    steps[large] = workspace.steps;
  }
  EXPECT_EQ(steps[0], steps[1]);
  EXPECT_LE(steps[1], 4u);
}

// Values that no set holds tell nothing, and numbers at the ends of 64 bits do no harm.
TEST(Solver, UnknownValuesTellNothing) {
  std::string error;
  const std::optional<Form> form = parse_form("i: ?; j: 0 .. $0; if j > i; to i + j; from j - $1", error);
  const Schedule schedule(*form);
  Workspace workspace;
  for (const std::int64_t leaf : {greatest, least, unknown_value, std::int64_t{4}}) {
    const std::vector<LeafValue> leaves{number(leaf), number(leaf)};
    Solver solver(*form, schedule, leaves, 1, 8, workspace);
    for (const long long i : {unknown_value, greatest, least, std::int64_t{0}})
      for (const Side side : {Side::sending, Side::receiving}) {
        const Domain some = solver.candidates(side, 1, &i, Domain::all());
        if (i == unknown_value && leaf == unknown_value) {
          EXPECT_TRUE(some.contains(12345));
        }
        if (i == 0 && leaf == 4) {
          EXPECT_EQ(some, Domain::of(side == Side::sending ? 5 : 1));
        }
      }
  }
}

TEST(Solver, DistancesThat64BitsDoNotHoldTellNothing) {
  // The fourth number that the first member reaches is the filter's, three steps of 2^62 above it.
  std::string error;
  const std::optional<Form> form = parse_form(
      "i: {-9223372036854775807, 0}; j: i until 9223372036854775807 by 4611686018427387904; "
      "if j == 4611686018427387905; to 0; from 0",
      error);
  ASSERT_TRUE(form) << error;
  const Schedule schedule(*form);
  const std::vector<LeafValue> leaves;
  Workspace workspace;
  Solver solver(*form, schedule, leaves, 0, 1, workspace);
  Domain members = Domain::of(least);
  members.add(0);
  EXPECT_TRUE(solver.candidates(Side::sending, 0, nullptr, members).contains(least));
}

}  // namespace
}  // namespace kanor::rt::plan
