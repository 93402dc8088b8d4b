// RUN: %kanorc -Wall -Wextra -Werror %s -o %t && %run_everywhere --large %t
// RUN: env KANOR_REFERENCE=1 %run_everywhere --keep KANOR_REFERENCE --ranks 1,3 %t
// RUN: env KANOR_INFLIGHT=4K %run_everywhere --keep KANOR_INFLIGHT --ranks 1,4 %t
// Windows between blocks, in all kinds of scopes, and several at once.
#include "windows.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using kanor::world;

void put_all(kanor::window<int>& w, int to, int count, int mark) {
  for (int k = 0; k < count; ++k) w.put(to, k, mark + k);
}

kanor::window<int> opened(std::vector<int>& memory, int to, int mark) {
  kanor::window<int> w(memory);
  put_all(w, to, static_cast<int>(memory.size()) / 2, mark);
  return w;
}

/// Counts that are kept by their owner, `key % size`.
class Counters {
 public:
  Counters(const kanor::team& team, int most)
      : team_(team), counts_(at(most)), arrived_(at(most * team.size())), w_(arrived_, team) {}
  void add(int key) { ++mine_[at(key)]; }
  void finish() {
    std::fill(arrived_.begin(), arrived_.end(), 0);
    const int n = team_.size(), most = static_cast<int>(counts_.size());
    for (int key = 0; key < static_cast<int>(mine_.size()); ++key)
      if (mine_[at(key)] != 0) w_.put(key % n, team_.rank() * most + key / n, std::exchange(mine_[at(key)], 0));
    w_.fence();
    for (std::size_t k = 0; k < arrived_.size(); ++k) counts_[k % counts_.size()] += arrived_[k];
  }
  int count(int key) const { return counts_[at(key / team_.size())]; }

 private:
  kanor::team team_;
  std::vector<int> counts_, arrived_;
  std::array<int, 40> mine_{};
  kanor::window<int> w_;
};

/// Blocks that write and read the memory of a window, between its fences.
void between_blocks() {
  const int n = world.size(), me = world.rank(), left = (me + n - 1) % n, right = (me + 1) % n;
  std::vector<double> v(600);
  if (me == 0) std::iota(v.begin(), v.end(), 0.0);
  @communicate { v@i <<= v@0 where i in world }
  kanor::window<double> w(v);
  w.put(right, 3 + me, 1000.0 + me);
  CHECK_EQ(v[at(3 + left)], 3.0 + left);
  @communicate { v[1]@i <<= v[0] + i@i where i in world }  // before the fence
  w.fence();
  std::vector<double> expected(600);
  std::iota(expected.begin(), expected.end(), 0.0);
  expected[1] = me;
  expected[at(3 + left)] = 1000.0 + left;
  CHECK_EQ(v, expected);
  for (int round = 0; round < 3; ++round) {  // the whole vector moves on by one rank, and one element is put
    @communicate { v@(i + 1) % n <<= v@i where i in world }
    w.put(right, 100 + round, -1.0 * round - me);
    @communicate { v[200 : 50]@i <<= v[0 : 50]@(i + 1) % n where i in world }
    w.fence();
  }
  // The same by hand, for all ranks.
  std::vector<std::vector<double>> all(at(n), std::vector<double>(600));
  for (int rank = 0; rank < n; ++rank) {
    std::iota(all[at(rank)].begin(), all[at(rank)].end(), 0.0);
    all[at(rank)][1] = rank;
    all[at(rank)][at(3 + (rank + n - 1) % n)] = 1000.0 + (rank + n - 1) % n;
  }
  for (int round = 0; round < 3; ++round) {
    std::vector<std::vector<double>> next(at(n));
    for (int rank = 0; rank < n; ++rank) next[at((rank + 1) % n)] = all[at(rank)];
    all = next;
    for (int rank = 0; rank < n; ++rank) std::copy_n(next[at((rank + 1) % n)].begin(), 50, all[at(rank)].begin() + 200);
    for (int rank = 0; rank < n; ++rank) all[at((rank + 1) % n)][at(100 + round)] = -1.0 * round - rank;
  }
  CHECK_EQ(v, all[at(me)]);

  // A pending block of other memory, a block that its senders know, and a sum, around one fence.
  std::vector<double> far(300, 0.5 * me), got(300);
  double sum = 0;
  @communicate (async = moving) { got@(i + 1) % n <<= far@i where i in world }
  w.put(left, 0, 5.0 * me);
  @communicate (knows = sender) { v[2]@(me + 1) % n <<= 9.0 + me@me }
  w.fence();
  @communicate { sum@i << + << v[0]@j where i, j in world }
  moving.wait();
  CHECK_EQ(v[0], 5.0 * right);
  CHECK_EQ(v[2], 9.0 + left);
  CHECK_EQ(sum, 2.5 * n * (n - 1));
  CHECK_EQ(got, std::vector<double>(300, 0.5 * left));
}

/// Vectors that blocks share between ranks as long as nobody writes: what a window changes is each rank's own.
void beside_shared() {
  const int n = world.size(), me = world.rank();
  for (int round = 0; round < 3; ++round) {
    std::vector<int> table(20'000);
    if (me == 0) std::iota(table.begin(), table.end(), round);
    @communicate { table@i <<= table@0 where i in world }
    std::vector<int> copy(table.size());
    @communicate { copy@i <<= table@i where i in world }
    if (me == n / 2) table[7] = -5;
    CHECK_EQ(table[7], me == n / 2 ? -5 : 7 + round);
    announce(copy, world, 300 + round);
    CHECK_EQ(table[0], round);
    {
      kanor::window w(table);
      w.put(n - 1, 19'000 + me, -me);
      w.fence();
    }
    @communicate { copy@i <<= table@n - 1 where i in world }
    for (int k = 0; k < 20'000; ++k) {
      const int put_last = k >= 19'000 && k < 19'000 + n ? 19'000 - k : k == 7 && n - 1 == n / 2 ? -5 : k + round;
      if (copy[at(k)] != put_last) CHECK_EQ(copy[at(k)], put_last);
      const int own = me == n - 1 ? put_last : k == 7 && me == n / 2 ? -5 : k + round;
      if (table[at(k)] != own) CHECK_EQ(table[at(k)], own);
    }
  }
}

void lives() {
  const int n = world.size(), me = world.rank(), left = (me + n - 1) % n, right = (me + 1) % n;
  {  // what may be opened
    int numbers[4] = {1, 2, 3, 4};
    std::array<int, 4> array{1, 2, 3, 4};
    std::vector<int> vector{1, 2, 3, 4};
    kanor::buffer<int> buffer(4);
    std::fill(buffer.begin(), buffer.end(), 1);
    kanor::window a(numbers), b(array), c(vector), d{std::span(vector).subspan(2)}, e(buffer), f{numbers + 1, 2};
    for (auto* w : {&a, &b, &c, &e}) w->put(right, 0, 10 + me);
    d.put(right, 0, 20 + me);
    f.put(right, 1, 30 + me);
    for (auto* w : {&f, &e, &d, &c, &b, &a}) w->fence();
    CHECK_EQ(std::to_array(numbers), std::array{10 + left, 2, 30 + left, 4});
    CHECK_EQ(array, std::array{10 + left, 2, 3, 4});
    CHECK_EQ(vector, std::vector{10 + left, 2, 20 + left, 4});
    CHECK_EQ(buffer[0], 10 + left);
    CHECK_EQ(buffer[3], 1);
  }
  {  // moved with its puts, out of a function and into an optional and a vector; closed in any order
    std::vector<int> x(8, -1), y(6, -1), z(4, -1);
    kanor::window<int> first = opened(x, right, 100 * me);
    kanor::window<int> moved(std::move(first));
    moved.put(right, 7, 7);
    std::optional<kanor::window<int>> maybe(std::move(moved));
    put_all(*maybe, me, 0, 0);
    CHECK_EQ(x, std::vector<int>(8, -1));
    maybe->fence();
    CHECK_EQ(x, std::vector{100 * left, 100 * left + 1, 100 * left + 2, 100 * left + 3, -1, -1, -1, 7});
    std::vector<kanor::window<int>> several;
    several.push_back(opened(y, left, 200 * me));
    several.emplace_back(z);
    several.push_back(*std::move(maybe));
    if (me % 2 == 0) maybe.reset();
    several[1].put(left, 3, me);
    several[2].put(left, 6, me);
    for (auto& w : several) w.fence();
    CHECK_EQ(y, std::vector{200 * right, 200 * right + 1, 200 * right + 2, -1, -1, -1});
    CHECK_EQ(z[3], right);
    CHECK_EQ(x[6], right);
    maybe.emplace(z);
    maybe->put(right, 0, 3 * me);
    several.clear();
    maybe->fence();
    CHECK_EQ(z[0], 3 * left);
    const auto owned = std::make_unique<kanor::window<int>>(y);
    owned->put(me, me % 6, 1);
    owned->fence();
    CHECK_EQ(y[at(me % 6)], 1);
  }
  {  // an exception drops the puts
    std::vector<int> x(3, -1);
    try {
      kanor::window<int> w(x);
      w.put(right, 1, me);
      throw std::runtime_error("dropped");
    } catch (const std::exception&) {
    }
    CHECK_EQ(x, std::vector<int>(3, -1));
  }
  {  // values are copied by put, and what a rank puts to itself waits for the fence, too
    std::vector<int> x{1, 2, 3};
    kanor::window<int> w(x);
    int value = 10;
    w.put(me, 0, value);
    value = 11;
    w.put(me, 1, x[2]);
    x[2] = 9;
    w.put(me, 2, x[0]);
    CHECK_EQ(x, std::vector{1, 2, 9});
    w.put(kanor::no_rank, 0, 1);
    w.put(kanor::no_rank, -5'000'000'000, 1);
    w.fence();
    CHECK_EQ(x, std::vector{10, 3, 1});
    for (int k = 0; k < 20; ++k) w.fence();
    CHECK_EQ(x, std::vector{10, 3, 1});
  }
  {  // no memory anywhere; memory on the last rank only
    std::vector<double> none, some(me == n - 1 ? at(n) : 0, -1.0);
    kanor::window<double> a(none), b(some), c(static_cast<double*>(nullptr), 0);
    a.fence();
    c.fence();
    b.put(n - 1, me, 0.25 * me);
    b.fence();
    for (int k = 0; k < n && me == n - 1; ++k) CHECK_EQ(some[at(k)], 0.25 * k);
  }
  for (int round = 0; round < 60; ++round) {  // opened and closed again and again, some without a fence
    std::vector<short> x(at(1 + round % 3), -1);
    kanor::window w(x);
    if (round % 4 == 3) continue;
    w.put((me + round) % n, round % 3, static_cast<short>(me + round));
    w.fence();
    CHECK_EQ(x[at(round % 3)], static_cast<short>((me + n * 60 - round) % n + round));
  }
  {  // a class with a window, twice at once
    Counters by_world(world, 40), by_self(world.split(me, 0), 40);
    for (int round = 0; round < 3; ++round) {
      for (int k = 0; k < 10 + me; ++k) {
        by_world.add((k * k + round) % 40);
        by_self.add(k % 3);
      }
      by_world.finish();
      by_self.finish();
    }
    std::vector<int> counts(40);
    for (int round = 0; round < 3; ++round)
      for (int rank = 0; rank < n; ++rank)
        for (int k = 0; k < 10 + rank; ++k) ++counts[at((k * k + round) % 40)];
    for (int key = me; key < 40; key += n) CHECK_EQ(by_world.count(key), counts[at(key)]);
    CHECK_EQ(by_self.count(0) + by_self.count(1) + by_self.count(2), 3 * (10 + me));
  }
}

int of_rank[5];
std::optional<kanor::window<int>> of_program;

void put_to(int to, int index, int value) {
  static kanor::window<int> w(of_rank);  // opened by the first call, closed when the rank ends
  w.put(to, index, value);
  w.fence();
}

/// Variables of the program, private to each rank, as memory and as windows.
void globals() {
  const int n = world.size(), me = world.rank(), left = (me + n - 1) % n, right = (me + 1) % n;
  std::fill(of_rank, of_rank + 5, -1);
  of_program.emplace(of_rank);
  of_program->put(right, 2, me);
  put_to(right, 1, 10 * me);
  CHECK_EQ(std::to_array(of_rank), std::array{-1, 10 * left, -1, -1, -1});
  of_program->fence();
  put_to(left, 3, 20 * me);
  @communicate { of_rank[4]@(i + 1) % n <<= of_rank[3]@i where i in world }
  CHECK_EQ(std::to_array(of_rank), std::array{-1, 10 * left, left, 20 * right, 20 * me});
}

/// Windows that are open together; each fence brings the puts of its own.
void in_turn() {
  const int n = world.size(), me = world.rank(), left = (me + n - 1) % n, right = (me + 1) % n;
  std::vector<std::vector<int>> memory(7, std::vector<int>(5, -1));
  std::deque<kanor::window<int>> windows;
  for (auto& one : memory) windows.emplace_back(one);
  for (int round = 0; round < 10; ++round) {
    for (int k = 0; k < 7; ++k) windows[at(k)].put(right, (round + k) % 5, 100 * round + 10 * k + me);
    for (int k = 0; k < 7; ++k) {
      const int which = (k * 3 + round) % 7;
      const auto before = memory;
      windows[at(which)].fence();
      for (int other = 0; other < 7; ++other) {
        if (other != which) CHECK(memory[at(other)] == before[at(other)]);
      }
      CHECK_EQ(memory[at(which)][at((round + which) % 5)], 100 * round + 10 * which + left);
    }
  }
}

}  // namespace

int main() {
  between_blocks();
  beside_shared();
  lives();
  in_turn();
  globals();
  return check::finish("windows_and_blocks");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
