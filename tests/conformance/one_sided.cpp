// RUN: %kanorc -Wall -Wextra -Werror %s -o %t && %run_everywhere --large %t
// RUN: env KANOR_REFERENCE=1 %run_everywhere --keep KANOR_REFERENCE --ranks 3 %t
// RUN: env KANOR_DISABLE=plan %run_everywhere --unchecked --keep KANOR_DISABLE --ranks 3,4 %t
// RUN: env KANOR_DISABLE=cache %run_everywhere --unchecked --keep KANOR_DISABLE --ranks 3,4 %t
// RUN: env KANOR_INFLIGHT=4K %run_everywhere --keep KANOR_INFLIGHT --ranks 1,4 %t
// Blocks that only their senders or only their receivers know: sparse exchange and pull.
#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using kanor::world;

/// What a rank sends in a round is known to it alone.
std::vector<int> draw(int rank, int round, int n) {
  std::mt19937 random(977u * static_cast<unsigned>(rank) + static_cast<unsigned>(round));
  std::vector<int> to(random() % 7);
  for (int& one : to) one = static_cast<int>(random() % static_cast<unsigned>(n));
  return to;
}

struct Reading {
  int rank = 0;
  std::string text;
  bool operator==(const Reading&) const = default;
};
bool operator<(const Reading& a, const Reading& b) { return std::pair(a.rank, a.text) < std::pair(b.rank, b.text); }

template <class T>
std::vector<T> gather_at_root(const std::vector<T>& mine) {
  const int me = world.rank();
  std::vector<T> all;
  std::map<std::pair<int, int>, T> parts;
  const int count = static_cast<int>(mine.size());
  @communicate (knows = sender) {
    parts[std::pair(from, k)]@0 <<= mine[static_cast<std::size_t>(k)]@me where let from = me, k in {0 ... count - 1}
  }
  for (auto& [where, part] : parts) all.push_back(part);
  return all;
}

}  // namespace

int main() {
  const int n = world.size(), me = world.rank();

  for (int round = 0; round < 12; ++round) {  // receivers that do not know who will write
    const std::vector<int> to = draw(me, round, n);
    std::map<std::pair<int, int>, std::vector<int>> got;
    @communicate (knows = sender) {
      got[{from, k}]@to[static_cast<std::size_t>(k)] <<= std::vector<int>(static_cast<std::size_t>(k + round), me)@me
        where let from = me, k in {0 ... static_cast<int>(to.size()) - 1}
    }
    std::map<std::pair<int, int>, std::vector<int>> expected;
    for (int rank = 0; rank < n; ++rank) {
      const std::vector<int> theirs = draw(rank, round, n);
      for (int k = 0; k < static_cast<int>(theirs.size()); ++k)
        if (theirs[static_cast<std::size_t>(k)] == me)
          expected[{rank, k}] = std::vector<int>(static_cast<std::size_t>(k + round), rank);
    }
    CHECK(got == expected);
    CHECK_EQ(static_cast<int>(got.size()), static_cast<int>(expected.size()));
  }
  {  // reductions: the order is by sender rank, then the sender's own; nothing arrives at most ranks
    std::string words = "none";
    std::vector<double> sums(3, -1.0);
    const auto join = [](const std::string& a, const std::string& b) { return "(" + a + b + ")"; };
    @communicate (knows = sender) {
      words@n / 2 << join << std::to_string(me)@me where k in kanor::range(0, me + 1);
      sums[static_cast<std::size_t>(k % 3)]@k % n << + << 0.1 * (k + me)@me where k in {0 ... 2 * me}
    }
    CHECK_EQ(words == "none", me != n / 2);
    CHECK_EQ(words, words);
    for (int k = 0; k < 3; ++k) {
      double sum = -1.0;
      for (int rank = 0; rank < n; ++rank)
        for (int i = 0; i <= 2 * rank; ++i)
          if (i % n == me && i % 3 == k) sum = (sum < 0 ? 0 : sum) + 0.1 * (i + rank);
      CHECK(std::abs(sums[static_cast<std::size_t>(k)] - sum) < 1e-9);
    }
    CHECK_EQ(sums, sums);
  }
  {  // lets of many types travel with the binding, and a type of the program's
    std::map<std::string, std::pair<Reading, std::optional<double>>> seen;
    @communicate (knows = sender) {
      seen[key + reading.text]@i <<= std::pair(reading, maybe)@me
        where i in world, let key = "key " + std::to_string(me) + "/", let reading = Reading{i, std::string(static_cast<std::size_t>(i), 'r')},
              let maybe = i % 2 == 0 ? std::optional<double>(0.5 * me) : std::nullopt
    }
    CHECK_EQ(static_cast<int>(seen.size()), n);
    for (const auto& [key, value] : seen) {
      CHECK(key.starts_with("key "));
      CHECK_EQ(value.first.rank, me);
      CHECK_EQ(value.second.has_value(), me % 2 == 0);
    }
    std::set<Reading> readings;
    for (const auto& [key, value] : seen) readings.insert(value.first);
    CHECK_EQ(static_cast<int>(readings.size()), 1);
  }
  {  // in a template
    const std::vector<std::string> all = gather_at_root<std::string>(std::vector<std::string>(static_cast<std::size_t>(me), std::to_string(me)));
    std::vector<std::string> expected;
    for (int rank = 0; rank < n; ++rank)
      for (int k = 0; k < rank; ++k) expected.push_back(std::to_string(rank));
    CHECK_EQ(all, me == 0 ? expected : std::vector<std::string>());
  }
  {  // the superstep: values and places of the state before the block
    std::size_t at = 0;
    std::vector<int> v{100 + me, 200 + me};
    const std::size_t one = 1;
    @communicate (knows = sender) {
      at@(me + 1) % n <<= one@me;
      v[at]@(me + 1) % n <<= v[0]@me;
      v[1]@me <<= v[0]@me
    }
    CHECK_EQ(at, one);
    CHECK_EQ(v, std::vector<int>{100 + (me + n - 1) % n, 100 + me});
  }
  for (int round = 0; round < 12; ++round) {  // pull: owners that do not know who will ask
    std::vector<std::string> mine;
    for (int k = 0; k < 5; ++k) mine.push_back(std::string(static_cast<std::size_t>(100 * k), 'a') + std::to_string(10 * me + k));
    const std::vector<int> from = draw(me, round, n);
    std::vector<std::string> got(from.size());
    @communicate (knows = receiver) {
      got[k]@me <<= mine[k % 5]@from[k] where k in kanor::range(std::size_t{0}, from.size())
    }
    for (std::size_t k = 0; k < got.size(); ++k)
      CHECK_EQ(got[k], std::string(100 * (k % 5), 'a') + std::to_string(10 * from[k] + static_cast<int>(k % 5)));
  }
  {  // pulled reductions keep the receiver's own order; a swap by pulling
    std::string words;
    const auto join = [](const std::string& a, const std::string& b) { return "(" + a + b + ")"; };
    const std::map<std::string, int> ages{{"a", me}, {"b", 10 * me}};
    int total = 0, a = me, b = 100 + me;
    @communicate (knows = receiver) {
      words@me << join << std::to_string(me)@(me + k) % n where k in {0 ... 4};
      total@me << + << ages.at(name)@i where i in world, let name = std::string(i % 2 ? "b" : "a");
      a@me <<= b@(me + 1) % n;
      b@me <<= a@(me + 1) % n
    }
    int expected = 0;
    for (int i = 0; i < n; ++i) expected += i % 2 ? 10 * i : i;
    CHECK_EQ(total, expected);
    CHECK_EQ(a, 100 + (me + 1) % n);
    CHECK_EQ(b, (me + 1) % n);
    CHECK_EQ(words, words);
  }
  {  // several at once, with other blocks between; all modifiers
    const kanor::team half = world.split(me % 2, me);
    const int member = half.rank(), size = half.size();
    std::vector<int> pushed(static_cast<std::size_t>(size), -1), pulled(static_cast<std::size_t>(size), -1);
    @communicate (async = push, team = half, knows = sender, copy) {
      pushed[static_cast<std::size_t>(from)]@i <<= 1000 * member + i@member where let from = member, i in half
    }
    @communicate (knows = receiver, team = half, async = pull) {
      pulled[static_cast<std::size_t>(i)]@member <<= 1000 * member + to@i where i in half, let to = member
    }
    int left = -1;
    @communicate { left@(i + 1) % n <<= me@i where i in world }
    CHECK_EQ(left, (me + n - 1) % n);
    push.wait();
    pull.wait();
    for (int i = 0; i < size; ++i) {
      CHECK_EQ(pushed[static_cast<std::size_t>(i)], 1000 * i + member);
      CHECK_EQ(pulled[static_cast<std::size_t>(i)], 1000 * i + member);
    }
  }
  {  // nobody sends; and everybody to everybody, more than is allowed on the way
    int x = 5;
    @communicate (knows = sender) { x@0 <<= 1@me where i in kanor::range(0, 0) }
    @communicate (knows = receiver) { x@kanor::no_rank <<= 1@me; x@me <<= 2@kanor::no_rank }
    CHECK_EQ(x, 5);
    std::vector<std::vector<std::uint32_t>> all(static_cast<std::size_t>(n));
    const std::vector<std::uint32_t> big(20'000, static_cast<std::uint32_t>(me));
    for (int round = 0; round < 3; ++round) {
      @communicate (knows = sender) { all[static_cast<std::size_t>(from)]@i <<= big@me where i in world, let from = me }
    }
    for (int i = 0; i < n; ++i)
      CHECK(all[static_cast<std::size_t>(i)] == std::vector<std::uint32_t>(20'000, static_cast<std::uint32_t>(i)));
  }
  {  // what the other side evaluates later has copies of the numbers and pointers that it reads
    std::vector<int> pushed(3, -1), pulled(3, -1), numbers(6);
    for (int k = 0; k < 6; ++k) numbers[static_cast<std::size_t>(k)] = 10 * me + k;
    std::vector<kanor::pending> all;
    for (int k = 0; k < 3; ++k) {
      int slot = 2 - k;
      int* const into = &pushed[static_cast<std::size_t>(slot)];
      @communicate (async = push, knows = sender) {
        into[0 : 1]@(me + 1) % n <<= numbers[k : 1]@me
      }
      @communicate (async = pull, knows = receiver) {
        pulled[static_cast<std::size_t>(k)]@me <<= numbers[static_cast<std::size_t>(slot + 1)]@(me + 1) % n
      }
      all.push_back(std::move(push));
      all.push_back(std::move(pull));
      slot = 5;
    }
    all.clear();
    const int left = (me + n - 1) % n, right = (me + 1) % n;
    for (int k = 0; k < 3; ++k) {
      CHECK_EQ(pushed[static_cast<std::size_t>(2 - k)], 10 * left + k);
      CHECK_EQ(pulled[static_cast<std::size_t>(k)], 10 * right + 3 - k);
    }
  }
  return check::finish("one_sided");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
