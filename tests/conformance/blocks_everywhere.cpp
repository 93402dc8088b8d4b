// RUN: %kanorc -I%S/Inputs/include %s %S/Inputs/blocks_second_unit.cpp -o %t && %run_everywhere %t
// Blocks wherever a statement may stand: headers, templates, classes, lambdas, substatements, two translation units.
#include "check.hpp"

#include "Inputs/blocks_quoted.hpp"

#include <deep/blocks_found.hpp>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

int second_unit_ring(int mine);
std::vector<int> second_unit_gather(int mine);
const void* second_unit_address_of_ring();

namespace {

const int n = kanor::world.size(), me = kanor::world.rank(), left = (me + n - 1) % n;

int in_a_function(int mine) {
  int got = -1;
  @communicate { got@(i + 1) % n <<= mine@i where i in world }
  return got;
}

auto abbreviated(auto mine) noexcept {
  auto got = mine;
  @communicate { got@(i + 1) % n <<= mine@i where i in world }
  return got;
}

template <class T, int Shift = 1>
requires(Shift > 0)
T shifted(const T& mine) {
  T got{};
  @communicate { got@(i + Shift) % n <<= mine@i where i in world }
  return got;
}

template <class Container>
typename Container::value_type total(const Container& container) {
  typename Container::value_type sum{};
  @communicate { sum@i << + << container[k]@s where i, s in world, k in {0 ... static_cast<int>(container.size()) - 1} }
  return sum;
}

template <class... Values>
int sum_of_pack(Values... values) {
  int sum = 0;
  @communicate { sum@i << + << (values + ... + 0)@s where i, s in world }
  return sum;
}

template <class T>
class Shared {
 public:
  explicit Shared(T value) : value_(value) {
    @communicate { first_@i <<= value_@0 where i in world }
  }
  virtual ~Shared() = default;
  T first() const { return first_; }
  virtual void rotate() {
    @communicate { value_@(i + 1) % n <<= value_@i where i in world }
  }
  void operator()(T& out) const {
    @communicate { out@(i + 1) % n <<= this->value_@i where i in world }
  }
  static T last_of(T mine) {
    @communicate { mine@i <<= mine@n - 1 where i in world }
    return mine;
  }
  template <class U>
  U converted() const;
  struct Nested {
    int number = me;
    void reverse() {
      @communicate { number@n - 1 - i <<= number@i where i in world }
    }
  };

 protected:
  T value_, first_{};
};

template <class T>
template <class U>
U Shared<T>::converted() const {
  U got{};
  @communicate { got@(i + 1) % n <<= value_@i where i in world }
  return got;
}

struct Doubling : Shared<int> {
  using Shared::Shared;
  void rotate() override {
    Shared::rotate();
    @communicate { value_@i << + << value_@i where i in world, k in {0, 1} }
  }
};

template <>
void Shared<char>::rotate() {
  @communicate { value_@i <<= 'c'@0 where i in world }
}

int recursive(int depth) {
  int got = 0;
  @communicate { got@i << + << depth@s where i, s in world }
  return depth == 0 ? got : got + recursive(depth - 1);
}

void substatements() {
  int x = -1;
  if (n > 0)
    @communicate { x@i <<= 1@0 where i in world }
  else
    @communicate { x@i <<= 2@0 where i in world }
  CHECK_EQ(x, 1);
  if (n < 0) @communicate { x@i <<= 3@0 where i in world } else if (n > 0) @communicate { x@i <<= 4@0 where i in world }
  CHECK_EQ(x, 4);
  for (int round = 0; round < 3; ++round) @communicate { x@i << + << round@s where i, s in world }
  CHECK_EQ(x, 2 * n);
  for (const int add : {10, 20})
    @communicate { x@i <<= x + add@i where i in world }
  CHECK_EQ(x, 2 * n + 30);
  int rounds = 0;
  while (rounds < 2) @communicate { rounds@i <<= rounds + 1@0 where i in world }
  CHECK_EQ(rounds, 2);
  do @communicate { rounds@i <<= rounds - 1@0 where i in world } while (rounds > 0);
  CHECK_EQ(rounds, 0);
  switch (n > 0) {
    case true:
      @communicate { x@i <<= 5@0 where i in world }
      break;
    default: @communicate { x@i <<= 6@0 where i in world }
  }
  CHECK_EQ(x, 5);
  goto past;
past:
  @communicate { x@i <<= 7@0 where i in world }
  CHECK_EQ(x, 7);
  { @communicate { x@i <<= 8@0 where i in world } @communicate { x@i <<= x + 1@0 where i in world } }
  CHECK_EQ(x, 9);
  try {
    @communicate { x@i <<= 10@0 where i in world }
    throw std::runtime_error("after the block");
  } catch (const std::runtime_error&) {
    @communicate { x@i <<= x + 1@0 where i in world }
  }
  CHECK_EQ(x, 11);
}

void lambdas() {
  int x = -1;
  const auto by_reference = [&] { @communicate { x@(i + 1) % n <<= i@i where i in world } };
  by_reference();
  CHECK_EQ(x, left);
  auto by_value = [x]() mutable {
    @communicate { x@(i + 1) % n <<= x@i where i in world }
    return x;
  };
  CHECK_EQ(by_value(), (left + n - 1) % n);
  CHECK_EQ(x, left);
  const auto generic = [](auto mine, auto... more) {
    auto got = mine;
    @communicate { got@(i + 1) % n <<= mine + (0 + ... + more)@i where i in world }
    return got;
  };
  CHECK_EQ(generic(me), left);
  CHECK_EQ(generic(0.5 + me, 1, 2), 3.5 + left);
  CHECK_EQ(generic(std::string("s")[0], 1), 't');
  const auto explicit_template = []<class T>(std::vector<T> mine) {
    std::vector<T> got;
    @communicate { got@(i + 1) % n <<= mine@i where i in world }
    return got;
  };
  CHECK_EQ(explicit_template(std::vector<std::string>(2, std::to_string(me))), std::vector<std::string>(2, std::to_string(left)));
  std::function<int(int)> stored = [&](int step) {
    @communicate { x@(i + step) % n <<= 100 + i@i where i in world }
    return x;
  };
  CHECK_EQ(stored(1), 100 + left);
  const auto& [first, second] = std::pair(me, 2 * me);
  const auto nested = [&] { return [&] {
    @communicate { x@(i + 1) % n <<= first + second@i where i in world }
    return x; }(); };
  CHECK_EQ(nested(), 3 * left);
}

}  // namespace

int main() {
  CHECK_EQ(in_a_function(10 * me), 10 * left);
  CHECK_EQ(abbreviated(me), left);
  CHECK_EQ(abbreviated(std::to_string(me)), std::to_string(left));
  CHECK_EQ((shifted<double>(me)), double(left));
  CHECK_EQ((shifted<long, 2>(me)), (me + 2L * n - 2) % n);
  CHECK_EQ((shifted<std::vector<int>>({me, me})), (std::vector<int>{left, left}));
  CHECK_EQ(total(std::vector<int>(3, me)), 3 * n * (n - 1) / 2);
  CHECK_EQ(total(std::vector<std::string>(1, "x")), std::string(n, 'x'));
  CHECK_EQ(sum_of_pack(1, 2, me), 3 * n + n * (n - 1) / 2);
  CHECK_EQ(sum_of_pack(), 0);

  Shared<int> shared(me + 100);
  CHECK_EQ(shared.first(), 100);
  shared.rotate();
  int out = 0;
  std::as_const(shared)(out);
  CHECK_EQ(out, 100 + (left + n - 1) % n);
  CHECK_EQ(shared.converted<double>(), 100.0 + (left + n - 1) % n);
  CHECK_EQ(Shared<std::string>::last_of(std::to_string(me)), std::to_string(n - 1));
  Shared<std::string> words(std::to_string(me));
  CHECK_EQ(words.first(), "0");
  Shared<char> letter('a');
  letter.rotate();
  out = 0;
  CHECK_EQ(letter.converted<int>(), int('c'));
  Doubling doubling(me);
  static_cast<Shared<int>&>(doubling).rotate();
  CHECK_EQ(doubling.converted<int>(), 2 * ((left + n - 1) % n));
  Shared<int>::Nested nested;
  nested.reverse();
  CHECK_EQ(nested.number, n - 1 - me);

  CHECK_EQ(recursive(3), 6 * n);
  substatements();
  lambdas();

  // Headers with blocks, included by both units: inline functions, templates, a class.
  CHECK_EQ(quoted::ring(me), left);
  CHECK_EQ(second_unit_ring(me), left);
  CHECK_EQ(second_unit_gather(me).at(n - 1), n - 1);
  CHECK_EQ(found::gather(me).size(), static_cast<std::size_t>(n));
  CHECK_EQ(found::gather(std::string("a"))[0], "a");
  CHECK_EQ(found::Minimum<int>(me + 3).value(), 3);
  CHECK(reinterpret_cast<const void*>(quoted::address_of_ring()) == second_unit_address_of_ring());
  return check::finish("blocks_everywhere");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
