// RUN: %kanorc -Wall -Wextra -Werror %s -o %t && %run_everywhere --large %t
// RUN: env KANOR_REFERENCE=1 %run_everywhere --keep KANOR_REFERENCE --ranks 1,3 %t
// RUN: env KANOR_INFLIGHT=64K %run_everywhere --keep KANOR_INFLIGHT --ranks 1,3,4 %t
// Exchanges that are started, and ended later: several at once, in any order, with blocks between them.
#include "check.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using kanor::world;

template <class T>
kanor::pending start_shift(T& place, const T& value) {
  @communicate (async = started) { place@(i + 1) % world.size() <<= value@i where i in world }
  return started;
}

struct Buffers {
  std::vector<int> inner, outer[2];  // two, because pending exchanges must not overlap
  kanor::pending halo;
  void start(int n, int which) {
    @communicate (async = both) { outer[which]@(i + 1) % n <<= inner@i where i in world }
    halo = std::move(both);
  }
};

}  // namespace

int main() {
  const int n = world.size(), me = world.rank(), left = (me + n - 1) % n, right = (me + 1) % n;

  {  // values of the start, places of the wait
    int mine = 10 * me, got = -1;
    @communicate (async = p) { got@(i + 1) % n <<= mine@i where i in world }
    p.wait();
    CHECK_EQ(got, 10 * left);
  }
  {  // the superstep of the start: a swap, and a value that shares storage with a place
    std::vector<int> v{1, 2, 3, me};
    int a = me, b = 100 + me;
    @communicate (async = p) {
      a@i <<= b@i where i in world;
      b@i <<= a@i where i in world;
      v[0]@i <<= v[3]@i where i in world;
      v[3]@i <<= v[0]@i where i in world
    }
    p.wait();
    CHECK_EQ(a, 100 + me);
    CHECK_EQ(b, me);
    CHECK_EQ(v, std::vector<int>{me, 2, 3, 1});
  }
  {  // many at once, each rank waits in an order of its own, with blocks and other exchanges between
    constexpr int count = 12;
    std::vector<std::vector<std::string>> places(count), values(count);
    std::vector<kanor::pending> all;
    int sum = 0;
    for (int k = 0; k < count; ++k) {
      values[k].assign(k, "from " + std::to_string(me) + " to the right");
      all.push_back(start_shift(places[k], values[k]));
      int between = 0;
      @communicate { between@i << + << me + k@j where i, j in world }
      sum += between;
    }
    for (int k = 0; k < count; ++k) {
      all[(5 * k + me) % count].wait();
      int between = -1;
      @communicate { between@i <<= me@(i + 1) % n where i in world }
      CHECK_EQ(between, right);
    }
    CHECK_EQ(sum, count * n * (n - 1) / 2 + n * count * (count - 1) / 2);
    for (int k = 0; k < count; ++k)
      CHECK_EQ(places[k], std::vector<std::string>(k, "from " + std::to_string(left) + " to the right"));
  }
  {  // large ones that all ranks start before they end any
    constexpr int count = 4;
    std::vector<std::vector<int>> places(count), values(count);  // which stay until the exchanges end
    std::vector<kanor::pending> all;
    for (int k = 0; k < count; ++k) {
      values[k].assign(100'000 + k, 7 * me + k);
      all.push_back(start_shift(places[k], values[k]));
    }
    for (auto p = all.rbegin(); p != all.rend(); ++p) p->wait();
    for (int k = 0; k < count; ++k) CHECK(places[k] == std::vector<int>(100'000 + k, 7 * left + k));
  }
  {  // reductions, with an operation that the block keeps
    double total = -1;
    std::string all;
    const auto join = [](const std::string& a, const std::string& b) { return a + "|" + b; };
    @communicate (async = p, copy) {
      total@0 << + << 0.1 * (me + 1)@i where i in world;
      all@n - 1 << join << std::to_string(me)@i where i in world
    }
    p.wait();
    CHECK_EQ(total < 0, me != 0);
    CHECK_EQ(all.empty(), me != n - 1);
    CHECK_EQ(total, total);
    CHECK_EQ(all, all);
  }
  {  // ends with its scope; a member; a name that the block means something else by
    int first = -1, second = -1;
    {
      @communicate (async = p) { first@(i + 1) % n <<= me@i where i in world }
      @communicate (copy, async = q) { second@(i + 1) % n <<= me@i where i in world }
    }
    CHECK_EQ(first, left);
    CHECK_EQ(second, left);
    auto buffers = std::make_unique<Buffers>();
    buffers->inner = {me, me + 1};
    for (int round = 0; round < 3; ++round) buffers->start(n, round % 2);
    buffers->halo.wait();
    for (const auto& outer : buffers->outer) CHECK_EQ(outer, std::vector<int>{left, left + 1});
    const int p = me;
    {
      int got = -1;
      @communicate (async = p) { got@(p + 1) % n <<= p@p where p in world }
      p.wait();
      CHECK_EQ(got, left);
      @communicate (async = me) { got@(i + 1) % n <<= me * 3@i where i in world }
      me.wait();
      CHECK_EQ(got, 3 * left);
    }
    CHECK_EQ(p, me);
  }
  {  // in a lambda, with structured bindings, in the macro's spelling
    const std::pair<int, int> pair{me, 2 * me};
    const auto exchange = [&pair, n] {
      const auto& [one, two] = pair;
      int got = -1, got_two = -1;
      KANOR_COMMUNICATE((async = p), got@(i + 1) % n <<= one@i where i in world; got_two@(i + 1) % n <<= two@i where i in world);
      p.wait();
      return std::pair(got, got_two);
    };
    CHECK_EQ(exchange(), std::pair(left, 2 * left));
  }
  {  // places in a map, and a rank that takes no part
    std::map<int, std::string> words;
    @communicate (async = p) { words[i]@0 <<= "word " + std::to_string(me)@i where i in world, i % 2 == 0 }
    p.wait();
    CHECK_EQ(static_cast<int>(words.size()), me == 0 ? (n + 1) / 2 : 0);
    for (const auto& [rank, word] : words) CHECK_EQ(word, "word " + std::to_string(rank));
  }
  {  // a look that does not wait: at the place's old value, or at its new one
    int got = -1;
    @communicate (async = p) { got@(i + 1) % n <<= me@i where i in world }
    while (!p.test()) CHECK(got == -1);
    CHECK_EQ(got, left);
    @communicate (async = nothing) { got@0 <<= got@0 where world.size() < 0 }
    CHECK(nothing.test());
  }
  {  // not before the sender has started
    int got = -1, go = 0;
    @communicate (async = told) { got@0 <<= me@n - 1 where n > 1 }
    if (me == n - 1) told.wait();
    @communicate { go@n - 1 <<= me + 5@0 }
    CHECK_EQ(go, me == n - 1 ? 5 : 0);
    if (me != n - 1)
      while (!told.test()) continue;
    CHECK_EQ(got, me == 0 && n > 1 ? n - 1 : -1);
  }
  {  // whichever ends first: each rank hears of every other, in any order
    std::vector<int> from(n, -1);
    std::vector<kanor::pending> all(n);
    for (int k = 1; k < n; ++k) {
      @communicate (async = p) { from[(j + n - k) % n]@j <<= 10 * me@(j + n - k) % n where j in world }
      all[k] = std::move(p);
    }
    std::vector<int> times(n + 1, 0);
    for (int k = 1; k < n; ++k) {
      const std::size_t one = kanor::wait_any(all);
      ++times[one];
      CHECK(from[(me + n - static_cast<int>(one)) % n] >= 0);
    }
    CHECK_EQ(kanor::wait_any(all), static_cast<std::size_t>(n));  // none is left
    for (int k = 0; k < n; ++k) {
      CHECK_EQ(from[k], k == me ? -1 : 10 * k);
      CHECK_EQ(times[k], k == 0 ? 0 : 1);
    }
  }
  return check::finish("async");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
