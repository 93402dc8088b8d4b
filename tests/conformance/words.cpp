// RUN: %kanorc %s -o %t && %run_everywhere --unchecked %t
// How the pieces of a block are told apart: the language's words as the program's own names, macros,
// comments, literals, digraphs, alternative tokens, and both spellings.
#include "check.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

#define PEER(i) (((i) + 1) % kanor::world.size())
#define LEFT_OF(i) (((i) + world.size() - 1) % world.size())
#define ONE_OF(a, b) ((a) + (b))
#define MIRROR_OF_I n - 1 - i
#define TENFOLD_OF_I (10 * i)
#define EVERY_RANK kanor::world
#define EMPTY
#define ARROW_IN_PARENTHESES(x) ((x) << 1)
// @communicate { in a comment
/* KANOR_COMMUNICATE( in another */
const char* const in_a_string = "@communicate { a@0 <<= b@0 }";
const char* const in_a_raw_string = R"text(
@communicate { ")" a@0 <<= b@0
)text";

namespace game {
/// A program with names of its own where kanor has some: they win inside blocks.
int world = 3;
std::vector<int> range(int first, int count) {
  std::vector<int> numbers;
  for (int k = 0; k < count; ++k) numbers.push_back(first + k);
  return numbers;
}
int play(int n) {
  int sum = 0;
  @communicate { sum@0 << + << world + i@i % n where i in range(2, 3) }
  return sum;
}
struct Level {
  std::vector<int> world{0};
  int range = 4, no_rank = 5;
  int load(int) {
    int got = 0;
    @communicate { got@i << + << range + no_rank@0 where i in world }
    return got;
  }
};
}  // namespace game

namespace app {
namespace kanor {
/// Not ours.
const int scale = 3;
}  // namespace kanor
int scaled(int n) {
  int got = 0;
  @communicate { got@(i + 1) % n <<= kanor::scale * i@i where i in world }
  return got;
}
}  // namespace app

namespace imported {
using namespace kanor;
int sum(int mine) {
  int got = 0;
  @communicate { got@i << + << mine@j where i in world, j in range(0, world.size()) }
  return got;
}
}  // namespace imported

int parameter_named(std::vector<int> world, int where) {
  int got = 0;
  @communicate { got@i << + << where@0 where i in world, i >= 0, i < kanor::world.size() }
  return got;
}

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank(), left = (me + n - 1) % n;

  {  // the names that emitted blocks use for themselves, with `kanor_` before
    std::vector<int> block(4, me), bind(4, me), send(4, me), carry(4);
    const int left_of_left = (left + n - 1) % n;
    @communicate { block[at]@(i + 1) % n <<= send[at]@i where i in world, at in {0 ... 3} }
    CHECK_EQ(block, std::vector<int>(4, left));
    @communicate { carry[bind]@(i + 1) % n <<= send[bind]@i where i in world, bind in {1 ... 2} }
    CHECK_EQ(carry, (std::vector<int>{0, left, left, 0}));
    int site = 3;
    @communicate { site@i <<= at@i where i in world, let bind = 5, let at = bind + site }
    CHECK_EQ(site, 8);
    {
      @communicate (async = block) { bind[0]@(i + 1) % n <<= site + block[1] - i + i@i where i in world }
      block.wait();
    }
    CHECK_EQ(bind[0], 8 + left_of_left);
  }

  {  // the language's words as names
    int where = -1, let = 10 * me, in = 20 * me, min = 30 * me, max = 40 * me, async = 50 * me, team = 60 * me, knows = 0, copy = 0, communicate = 7;
    @communicate { where@(i + 1) % n <<= let@i where i in world }
    CHECK_EQ(where, 10 * left);
    @communicate { let@(in + 1) % n <<= in@in where in in world }
    CHECK_EQ(let, left);
    @communicate { in@(let + 1) % n <<= let@let where let in world }
    CHECK_EQ(in, left);
    @communicate { in@(where + 1) % n <<= where + 5@where where where in world }
    CHECK_EQ(in, left + 5);
    @communicate { in@i <<= let + 1@i where i in world, let let = 4 }
    CHECK_EQ(in, 5);
    @communicate { in@i << min << min@s where i, s in world }
    CHECK_EQ(in, 0);
    @communicate { in@i << max << max@s where i, s in world }
    CHECK_EQ(in, 40 * (n - 1));
    @communicate { knows@i <<= async + team@i where i in world; copy@i <<= communicate@i where i in world }
    CHECK_EQ(knows, 110 * me);
    CHECK_EQ(copy, 7);
    const bool delta = n > 0;
    @communicate { copy@i <<= 8@0 where (delta), i in world }
    CHECK_EQ(copy, 8);
  }
  {  // the program's own world and range
    CHECK_EQ(game::play(n), me == 0 ? 3 * 3 + 2 + 3 + 4 : 0);
    CHECK_EQ(game::Level().load(n), me == 0 ? 9 : 0);
    CHECK_EQ(parameter_named({0, 0, 100}, 6), me == 0 ? 12 : 0);
    CHECK_EQ(app::scaled(n), 3 * left);
    CHECK_EQ(imported::sum(me + 1), n * (n + 1) / 2);
    int x = 0;
    {
      const int world = 5;
      @communicate { x@i <<= world@0 where i in kanor::world }
      CHECK_EQ(x, 5);
    }
    @communicate { x@i <<= world.size() + 100@0 where i in world }
    CHECK_EQ(x, n + 100);
    const auto range = [](int a, int b) { return std::vector<int>{a, b}; };
    @communicate { x@i <<= 1@0 where i in range(0, n - 1) }
    CHECK_EQ(x, me == 0 || me == n - 1 ? 1 : n + 100);
    @communicate { x@ä <<= ö@ö where ä, ö in world, ö == (ä + 1) % n }
    CHECK_EQ(x, (me + 1) % n);
    // A name bound by a clause hides the program's.
    const int i = 1000;
    @communicate { x@i <<= i@i where i in world }
    CHECK_EQ(x, me);
    CHECK_EQ(i, 1000);
  }
  {  // macros inside expressions
    int x = -1, y = 0;
    @communicate { x@PEER(i) <<= i@i where i in EVERY_RANK; y@i <<= ONE_OF(i, 1) EMPTY@LEFT_OF(i) where i in world }
    CHECK_EQ(x, left);
    CHECK_EQ(y, me + 1);
    @communicate { x@i <<= ARROW_IN_PARENTHESES(i)@i where i in world }
    CHECK_EQ(x, 2 * me);
    {  // A macro names what a clause binds: no rank is evaluated before the loops, and names travel.
      const int i = 7 + me;
      @communicate { x@MIRROR_OF_I <<= TENFOLD_OF_I@i where i in world }
      CHECK_EQ(x, 10 * (n - 1 - me));
      @communicate { x@i <<= i@MIRROR_OF_I where i in world, k in {0 ... 0} }
      CHECK_EQ(x, me);
      std::vector<int> got(10 * n);
      @communicate (knows = sender) { got[TENFOLD_OF_I]@i <<= i + me@me where i in world, me == 0 }
      CHECK_EQ(got[10 * me], me);
      @communicate (knows = receiver) { x@me <<= TENFOLD_OF_I@i where i in world, i == (me + 1) % n }
      CHECK_EQ(x, (me + 1) % n * 10);
      CHECK_EQ(i, 7 + me);
    }
    std::string where_from;
    @communicate { where_from@0 <<= std::string(__FILE__).substr(std::string(__FILE__).size() - 9)@0 }
    CHECK_EQ(where_from, me == 0 ? "words.cpp" : "");
    int line = 0;
    @communicate {
      line@0 <<= __LINE__@0
    }
    CHECK_EQ(line, me == 0 ? __LINE__ - 2 : 0);
  }
  {  // comments, literals, splices, several lines
    std::string text, raw;
    char sign = ' ';
    int x = 0;
    @communicate  // } where @
    {
      text /* at @ */ @ /* rank */ (i + 1) % n  // ; where
          <<= "@ where } ; <<= // \" \\" + std::to_string(i)@i
          where i in world,  // a comment with , and }
          /* let k = 0, */ true;
      raw@i <<= std::string(R"x(} ; @ " ) where)x")@i where i in world;
      sign@i <<= '@'@i where i in world; /* ; */
      x@i <<= '\'' + 1'000 + 0x1'0@i where i in wor\
ld
    }
    CHECK_EQ(text, "@ where } ; <<= // \" \\" + std::to_string(left));
    CHECK_EQ(raw, "} ; @ \" ) where");
    CHECK_EQ(sign, '@');
    CHECK_EQ(x, 39 + 1000 + 16);
  }
  {  // digraphs and alternative tokens
    int cells[2] = {0, 0};
    unsigned bits = 0, odd = 0;
    bool all = false, some = true;
    @communicate <% cells<:1:>@(i + 1) % n <<= i + 2@i where i in world, not (i < 0) and i not_eq -1 %>
    CHECK_EQ(cells[1], left + 2);
    @communicate {
      bits@i << bitor << 1u << s % 32@s where i, s in world;
      odd@i << xor << 3u@s where i, s in world;
      all@i << and << s >= 0@s where i, s in world;
      some@i << or << s < 0@s where i, s in world
    }
    CHECK_EQ(bits, n < 32 ? (1u << n) - 1 : ~0u);
    CHECK_EQ(odd, n % 2 == 0 ? 0u : 3u);
    CHECK_EQ(all, true);
    CHECK_EQ(some, false);
  }
  {  // commas and angle brackets in places and values; shifts in brackets in ranks
    std::map<std::pair<int, int>, int> table;
    std::vector<std::pair<int, std::string>> rows(1);
    int x = 0;
    @communicate {
      table[std::pair<int, int>{1, 2}]@i <<= std::map<int, int>{{1, 10 + i}, {2, 20}}.at(1)@i where i in world;
      rows[0]@i <<= std::pair<int, std::string>(i, "x")@i where i in world;
      x@(1 << 0) % n <<= 1 << 4@(2 >> 1) - 1;
    }
    CHECK_EQ((table[{1, 2}]), 10 + me);
    CHECK_EQ(rows[0].first, me);
    CHECK_EQ(x, me == 1 % n ? 16 : 0);
    // `where` after a comma, a trailing semicolon, a conditional that has its own colon
    @communicate { x@i % 2 == 0 ? i : i <<= (i % 2 == 0 ? 1 : 2)@i, where i in world; }
    CHECK_EQ(x, me % 2 == 0 ? 1 : 2);
    @communicate { x@i <<= [&](int k) { int a[2] = {k, 2 * k}; return a[1]; }(i)@i where i in world }
    CHECK_EQ(x, 2 * me);
  }
  {  // the spelling that is lexically C++
    int x = 0, y = 0;
    KANOR_COMMUNICATE(x@(i + 1) % n <<= i@i where i in world);
    CHECK_EQ(x, left);
    KANOR_COMMUNICATE(
        x@i << + << 1@j where i, j in world;  // both statements in one superstep
        y@i <<= x@i where i in world;
    );
    CHECK_EQ(x, n);
    CHECK_EQ(y, left);
    if (n > 0) KANOR_COMMUNICATE(y@i <<= 1@0 where i in {0 ... n - 1});
    else KANOR_COMMUNICATE(y@i <<= 2@0 where i in world);
    CHECK_EQ(y, 1);
  }
  {  // a block without statements' worth of spaces, and the papers' interval
    int a = 0;
    @communicate{a@i<<=i@i where i in{0...n-1}}
    CHECK_EQ(a, me);
    a = 0;
    @communicate{a@i<<+<<1@j where i,j in{0...n-1}}
    CHECK_EQ(a, n);
  }
  CHECK(in_a_string[0] == '@' && in_a_raw_string[1] == '@');
  return check::finish("words");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
