// RUN: %kanorc %s -o %t && %run_everywhere --unchecked %t
// RUN: %kanorc -g -fsanitize=address %s -o %t.asan && %run_everywhere --modes threads,processes --ranks 1,3 %t.asan
// A block that updates a whole aggregate, which has base classes, bit-fields or many members, and parts of it: the last in
// order wins, although the whole's update moves the parts elsewhere.
#include "aggregates.hpp"
#include "check.hpp"

using namespace aggregates;

namespace {

/// The same thing by a name under which the compiler does not know it: that the two updates meet is an error otherwise.
template <class T>
T& same(T& thing) {
  return thing;
}

std::string text(int r) { return std::string(static_cast<std::size_t>(r % 40), 'x') + std::to_string(r); }

Bits bits(int r) {
  return Bits{static_cast<unsigned>(r) & 7u, r % 3 ? -16 : 15, r % 2 == 1, static_cast<Colour>(r % 3), text(r), -(1LL << 40) - r,
              ~std::uint64_t(0) - static_cast<std::uint64_t>(r), static_cast<unsigned char>(r & 255)};
}

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();
  const std::string mine = "mine " + text(me), other = "other " + text(me);
  Deep deep{{{}, {text(500), {1, 2, 3}}, {}, {"a", "b"}}, Place{{5, 6}, "town"}};
  const Deep sent{{{}, {text(me), {7, 8, 9}}, {}, {"c", std::string(60, 'd')}}, Place{{1.0 * me, 2}, text(me)}};
  @communicate {
    deep@(i + 1) % n <<= sent@i where i in world;
    same(deep).name@(i + 1) % n <<= mine@i where i in world;
    same(deep).tags[1]@(i + 1) % n <<= other@i where i in world;
    same(deep).numbers[2]@(i + 1) % n <<= 100 + i@i where i in world;
    same(deep).place->town@(i + 1) % n <<= mine@i where i in world;
    same(deep).x@(i + 1) % n <<= 0.5@i where i in world
  }
  const int left = (me + n - 1) % n;
  CHECK(deep.name == "mine " + text(left));
  CHECK(deep.tags[0] == "c" && deep.tags[1] == "other " + text(left));
  CHECK((deep.numbers == std::vector<int>{7, 8, 100 + left}));
  CHECK(deep.place->town == "mine " + text(left));
  CHECK(deep.place->x == 1.0 * left && deep.x == 0.5);

  // What is made from a container has more to it than its elements.
  Maybe maybe{text(300), text(301)};
  Table table{{{1, "one"}}, {"x", "y"}};
  const Maybe next_maybe{text(me), text(me + 1)};
  const Table next_table{{{1, "two"}, {2, "three"}}, {"u", std::string(70, 'v'), "w"}};
  @communicate {
    maybe@(i + 1) % n <<= next_maybe@i where i in world;
    same(maybe).otherwise@(i + 1) % n <<= mine@i where i in world;
    table@(i + 1) % n <<= next_table@i where i in world;
    same(table).rest[1]@(i + 1) % n <<= other@i where i in world;
    same(table)[1]@(i + 1) % n <<= mine@i where i in world
  }
  CHECK(*maybe == text(left) && maybe.otherwise == "mine " + text(left));
  CHECK(table.rest.size() == 3 && table.rest[1] == "other " + text(left) && table.rest[2] == "w");
  CHECK(table.size() == 2 && table[1] == "mine " + text(left) && table[2] == "three");

  Bits place = bits(77);
  @communicate {
    place@(i + 1) % n <<= bits(i)@i where i in world;
    same(place).name@(i + 1) % n <<= mine@i where i in world
  }
  Bits expected = bits(left);
  expected.name = "mine " + text(left);
  CHECK(place == expected);

  Many100 many{};
  many.j9 = "before";
  @communicate {
    many@(i + 1) % n <<= Many100{}@i where i in world;
    same(many).j9@(i + 1) % n <<= mine@i where i in world
  }
  CHECK(many.j9 == "mine " + text(left) && many.j8.empty());
  return check::finish("aggregate_updates");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
