// RUN: %kanorc -Wall -Wextra -Werror %s -o %t && %run_everywhere --ranks 1,2,3,5,9 %t
// Constructors, destructors and allocators of the program's run on the rank that has the object: they may use variables
// that are private to it, such as a number of objects or an arena.
#include "check.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

using kanor::world;

int alive = 0;

struct Item {
  int id = 0;
  std::vector<int> data;

  Item() { ++alive; }
  explicit Item(int number) : id(number), data(static_cast<std::size_t>(number), number) { ++alive; }
  Item(const Item& other) : id(other.id), data(other.data) { ++alive; }
  Item(Item&& other) noexcept : id(other.id), data(std::move(other.data)) { ++alive; }
  Item& operator=(const Item&) = default;
  Item& operator=(Item&&) = default;
  ~Item() { --alive; }
  bool operator==(const Item& other) const { return id == other.id && data == other.data; }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(id, data);
  }
};

// The mark has no effect: the class has functions for cereal.
struct [[kanor::same_address_space]] Marked {
  Item item;
  int* unused = nullptr;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(item);
  }
};

struct Named {
  std::string name;
  Item item;
};

// Each rank's memory, which it never frees.
std::vector<std::byte> arena(1 << 20);
std::size_t used = 0;

template <class T>
struct FromArena {
  using value_type = T;
  FromArena() = default;
  template <class U>
  FromArena(const FromArena<U>&) {}
  T* allocate(std::size_t count) {
    const std::size_t at = used;
    used += (count * sizeof(T) + 63) / 64 * 64;
    if (used > arena.size()) kanor::abort("the arena is too small");
    return reinterpret_cast<T*>(&arena[at]);
  }
  void deallocate(T* first, std::size_t) {
    const auto* at = reinterpret_cast<const std::byte*>(first);
    if (at < arena.data() || at >= arena.data() + arena.size()) kanor::abort("freed in another rank's arena");
  }
  bool operator==(const FromArena&) const { return true; }
};
using Row = std::vector<int, FromArena<int>>;

void all_gone(const char* what) {
  if (alive != 0) kanor::abort(std::string(what) + ": " + std::to_string(alive) + " objects are alive");
}

void right(bool is, const char* what) {
  if (!is) kanor::abort(std::string(what) + " is wrong");
}

}  // namespace

int main() {
  const int n = world.size(), me = world.rank(), left = (me + n - 1) % n;
  {
    Item mine(me), got;
    @communicate { got@(i + 1) % n <<= mine@i where i in world }
    right(got == Item(left), "an object");
  }
  all_gone("an object");
  {
    Named mine{"rank " + std::to_string(me), Item(me)}, got;
    @communicate { got@(i + 1) % n <<= mine@i where i in world }
    right(got.name == "rank " + std::to_string(left) && got.item == Item(left), "a member");
  }
  all_gone("a member");
  {
    Marked mine{Item(me), &alive}, got;
    @communicate { got@(i + 1) % n <<= mine@i where i in world }
    right(got.item == Item(left) && got.unused == nullptr, "a marked object");
  }
  all_gone("a marked object");
  {
    std::map<int, std::vector<Item>> mine, got;
    mine[me].emplace_back(me);
    mine[n].assign(3, Item(7));
    @communicate { got@(i + 1) % n <<= mine@i where i in world }
    right(got.size() == 2 && got[left].at(0) == Item(left) && got[n].at(2) == Item(7), "a map");
  }
  all_gone("a map");
  {
    // Only to the next rank, so that no rank destroys as many objects of others as others destroy of its own.
    std::vector<Item> mine(5, Item(me)), got(5);
    @communicate { got[0 : 3]@i + 1 <<= mine[2 : 3]@i where i in {0 ... n - 2} }
    right(got[2] == (me == 0 ? Item() : Item(left)) && got[3] == Item(), "a section");
  }
  all_gone("a section");
  {
    std::vector<Item> mine(5, Item(me)), got(5);
    const std::vector<int> some{4, 0};
    @communicate { got[some]@i + 1 <<= mine[some]@i where i in {0 ... n - 2} }
    right(got[4] == (me == 0 ? Item() : Item(left)) && got[3] == Item(), "listed elements");
  }
  all_gone("listed elements");
  {
    Item mine[2] = {Item(me), Item(1)}, got[2];
    @communicate (copy) { got@i <<= mine@0 where i in world }
    right(got[0] == Item(0) && got[1] == Item(1), "an array");
  }
  all_gone("an array");
  {
    Item mine(me), got;
    const auto larger = [](const Item& a, const Item& b) { return a.id < b.id ? b : a; };
    @communicate { got@i << larger << mine@j where i, j in world }
    right(got == Item(n - 1), "a reduction");
  }
  all_gone("a reduction");
  {
    Item mine(me), got;
    const int next = (me + 1) % n;
    @communicate (knows = sender) { got@next <<= mine@me }
    right(got == Item(left), "a one-sided block");
  }
  all_gone("a one-sided block");
  {
    std::vector<Item> got;
    kanor::pending exchange;
    {
      std::vector<Item> mine(4, Item(me));
      @communicate (async = started) { got@(i + 1) % n <<= std::move(mine)@i where i in world }
      exchange = std::move(started);
    }
    exchange.wait();
    right(got == std::vector<Item>(4, Item(left)), "a moved vector");
  }
  all_gone("a moved vector");

  std::vector<Row> mine(3, Row(2000, me)), got;
  Row alone(500, me), got_alone;
  @communicate {
    got@(i + 1) % n <<= mine@i where i in world;
    got_alone@(i + 1) % n <<= alone@i where i in world
  }
  // The senders end at different times, and their arenas with them.
  usleep(static_cast<unsigned>(me) * 20000);
  right(got == std::vector<Row>(3, Row(2000, left)) && got_alone == Row(500, left), "a row of an arena");
  return check::finish("own_lifetimes");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
