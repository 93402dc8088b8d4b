// RUN: %kanorc %s %S/Inputs/globals_second_unit.cpp -o %t && %run_everywhere %t
// Variables with static storage are private to each rank, whatever a rank is; their initialisers run for each
// rank before its main; references and pointers among them reach the rank's own.
#include "check.hpp"

#include "Inputs/globals.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace {

const int n = kanor::world.size(), me = kanor::world.rank(), left = (me + n - 1) % n;

int hidden = 5;
static int also_hidden;
thread_local int already_private = 9;
const std::string fixed = "fixed";
const std::string dynamic = "rank " + std::to_string(kanor::world.rank());
const std::vector<int> squares = [] {
  std::vector<int> numbers;
  for (int k = 0; k <= kanor::world.rank(); ++k) numbers.push_back(k * k);
  return numbers;
}();
constexpr int constant = 17;
int a = 1, b = a + kanor::world.rank(), *pointer = &a, &reference = b, row[3] = {1, 2, 3};
int* const fixed_pointer = &hidden;
const int& fixed_reference = hidden;
std::array<int*, 2> addresses{&a, &b};
auto [first, second] = std::pair(kanor::world.rank(), std::string("pair"));
std::unique_ptr<int> owner = std::make_unique<int>(kanor::world.rank());
int (*function)(int) = [](int x) { return x + hidden; };

struct Node {
  int value;
  Node* next;
};
extern Node head;
Node tail{2, &head};
Node head{1, &tail};

struct Lives {
  static inline int born = 0;
  int number;
  Lives() : number(++born) {}
};
Lives one, two;

struct Mutable {
  mutable int calls = 0;
  int call() const { return ++calls; }
};
const Mutable counted;

template <class T>
T per_type = T(kanor::world.rank());
template <class T>
static inline T per_type_inline = T(kanor::world.rank());
struct Holder {
  template <class T>
  static inline T per_type_member = T(kanor::world.rank() + 1);
};
template <class T>
struct Registry {
  static T last;
  static std::vector<T>& all() {
    static std::vector<T> values{T(me)};
    return values;
  }
};
template <class T>
T Registry<T>::last = T(100 + kanor::world.rank());

int next_number() {
  static int number = 10 * me;
  static int* const address = &number;
  static bool first_call = true;
  if (first_call) first_call = false;
  ++*address;
  return number;
}

template <int Start>
int next_from() {
  static int number = Start;
  return ++number;
}

int sent = me, received = -1;

}  // namespace

int external = 1000 + kanor::world.rank();
namespace outer {
inline namespace inner {
std::string qualified = "outer " + std::to_string(external);
}
}  // namespace outer
int Declared::count = 50;
Declared Declared::instance{7};

int main() {
  // The state before anything was written.
  CHECK_EQ(hidden, 5);
  CHECK_EQ(also_hidden, 0);
  CHECK_EQ(already_private, 9);
  CHECK_EQ(fixed, "fixed");
  CHECK_EQ(dynamic, "rank " + std::to_string(me));
  CHECK_EQ(squares.size(), static_cast<std::size_t>(me) + 1);
  CHECK_EQ(b, 1 + me);
  CHECK_EQ(first, me);
  CHECK_EQ(second, "pair");
  CHECK_EQ(*owner, me);
  CHECK_EQ(Lives::born, 2);
  CHECK_EQ(one.number + 10 * two.number, 21);
  CHECK_EQ(per_type<long>, static_cast<long>(me));
  CHECK_EQ(per_type_inline<long>++, static_cast<long>(me));
  CHECK_EQ(Holder::per_type_member<short>, me + 1);
  CHECK_EQ(Registry<int>::last, 100 + me);
  CHECK_EQ(external, 1000 + me);
  CHECK_EQ(outer::qualified, "outer " + std::to_string(1000 + me));
  CHECK_EQ(shared_constant, 3);
  CHECK_EQ(in_header, 40 + me);
  CHECK_EQ(Declared::count, 50);
  CHECK_EQ(Declared::instance.value, 7);

  // Each rank writes its own number; if anything were shared the ranks would see each other's.
  for (int round = 0; round < 50; ++round) {
    hidden = 1000 * me + round;
    also_hidden = hidden + 1;
    already_private = hidden + 2;
    a = hidden + 3;
    b = hidden + 4;
    row[1] = hidden + 5;
    external = hidden + 6;
    in_header = hidden + 7;
    Declared::count = hidden + 8;
    Declared::instance.value = hidden + 9;
    per_type<long> = hidden + 10;
    Registry<int>::last = hidden + 11;
    first = hidden + 12;
    // Every rank is here at the same time.
    @communicate { received@(i + 1) % n <<= sent + row[1]@i where i in world }
    CHECK_EQ(received, left + 1000 * left + round + 5);
    CHECK_EQ(hidden, 1000 * me + round);
    CHECK_EQ(also_hidden, hidden + 1);
    CHECK_EQ(already_private, hidden + 2);
    CHECK_EQ(a, hidden + 3);
    CHECK_EQ(b, hidden + 4);
    CHECK_EQ(second_unit::external_plus_one(), hidden + 7);
    CHECK_EQ(second_unit::in_header_plus_one(), hidden + 8);
    CHECK_EQ(second_unit::declared_count(), hidden + 8);
    CHECK_EQ(Declared::instance.value, hidden + 9);
    CHECK_EQ(per_type<long>, hidden + 10L);
    CHECK_EQ(Registry<int>::last, hidden + 11);
    CHECK_EQ(first, hidden + 12);
    // Pointers and references among the variables reach this rank's.
    CHECK_EQ(*pointer, a);
    CHECK_EQ(reference, b);
    CHECK_EQ(*fixed_pointer, hidden);
    CHECK_EQ(fixed_reference, hidden);
    CHECK_EQ(*addresses[0] + *addresses[1], a + b);
    CHECK_EQ(function(1), hidden + 1);
    *pointer = -1;
    CHECK_EQ(a, -1);
  }
  CHECK(head.next == &tail && tail.next == &head && head.next->next->value == 1);
  head.value = me;
  CHECK_EQ(tail.next->value, me);
  for (int k = 1; k <= 3; ++k) CHECK_EQ(counted.call(), k);

  // Function-local statics, in templates and inline functions of a header too.
  for (int k = 1; k <= 5; ++k) {
    CHECK_EQ(next_number(), 10 * me + k);
    CHECK_EQ(next_from<100>(), 100 + k);
    CHECK_EQ(next_from<200>(), 200 + k);
    CHECK_EQ(header_counter(), 2 * k - 1);
    CHECK_EQ(second_unit::counted_there(), 2 * k);
  }
  Registry<long>::all().push_back(me + 1);
  Registry<long>::all().push_back(me + 2);
  CHECK_EQ(Registry<long>::all(), (std::vector<long>{me, me + 1L, me + 2L}));
  CHECK_EQ(second_unit::own_initialised(), 3 * me);

  // As places and values of blocks.
  @communicate {
    external@(i + 1) % n <<= 10 + i@i where i in world;
    Declared::count@(i + 1) % n <<= 20 + i@i where i in world;
    row[2]@(i + 1) % n <<= per_type<int> + 30@i where i in world;
    second@(i + 1) % n <<= dynamic@i where i in world;
    *pointer@(i + 1) % n <<= constant@i where i in world
  }
  CHECK_EQ(external, 10 + left);
  CHECK_EQ(Declared::count, 20 + left);
  CHECK_EQ(row[2], 30 + left);
  CHECK_EQ(second, "rank " + std::to_string(left));
  CHECK_EQ(a, 17);
  return check::finish("globals");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
