// RUN: %kanorc -Wall -Wextra -Werror %s -o %t
// RUN: %run_everywhere %t
// What functions of the C++ library make of values that are the same on all ranks is so too: no warning, and
// the ranks do agree.
#include <kanor/kanor.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <charconv>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdint>
#include <deque>
#include <functional>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <ranges>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <valarray>
#include <variant>
#include <vector>

#include "check.hpp"

using kanor::world;

/// The value of rank `root`, which must be the same on all ranks.
static int from(int me, int root) {
  int got = -1;
  @communicate { got@i <<= me@root where i in world }
  return got;
}

/// Numbers: a tree's levels, tiles, powers of two.
static void numbers(int me, int n) {
  const int levels = static_cast<int>(std::bit_width(static_cast<unsigned>(n - 1)));
  int sum = me;
  for (int level = 0; level < levels; ++level) {
    const int step = 1 << level;
    int got = 0;
    @communicate { got@i <<= sum@(i + step) where i in world, i % (2 * step) == 0, i + step < n }
    sum += got;
  }
  if (me == 0) CHECK_EQ(sum, n * (n - 1) / 2);
  CHECK_EQ(from(me, std::gcd(n, 1) - 1), 0);
  CHECK_EQ(from(me, std::midpoint(0, n - 1)), (n - 1) / 2);
  CHECK_EQ(from(me, std::clamp(7, 0, n - 1)), std::min(7, n - 1));
  CHECK_EQ(from(me, std::popcount(0xffu) % n), 8 % n);
  CHECK_EQ(from(me, static_cast<int>(std::hypot(3.0F, 4.0F)) % n), 5 % n);
  CHECK_EQ(from(me, static_cast<int>(std::lerp(0.0, n - 1.0, 1.0))), n - 1);
  CHECK_EQ(from(me, static_cast<int>(std::has_single_bit(8U)) % n), 1 % n);
  CHECK_EQ(from(me, static_cast<int>(std::abs(std::complex<double>(3, 4)) + 0.5) % n), 5 % n);
  CHECK_EQ(from(me, std::isfinite(1.0 / n) ? 0 : 1), 0);
  CHECK_EQ(from(me, std::cmp_less(-1, 1U) ? 0 : 1), 0);
  CHECK_EQ(from(me, std::numeric_limits<int>::max() % n), std::numeric_limits<int>::max() % n);
  CHECK_EQ(from(me, static_cast<int>(std::legendre(1, 0.0))), 0);
}

/// Offsets of blocks of different lengths: the last that begins at or before an index.
static void distribution(int me, int n) {
  std::vector<int> lengths(static_cast<std::size_t>(n)), offsets(lengths.size());
  std::iota(lengths.begin(), lengths.end(), 1);
  std::exclusive_scan(lengths.begin(), lengths.end(), offsets.begin(), 0);
  const int total = std::accumulate(lengths.begin(), lengths.end(), 0);
  CHECK_EQ(total, n * (n + 1) / 2);
  int owned = 0;
  for (int index = 0; index < total; ++index) {
    const auto above = std::upper_bound(offsets.begin(), offsets.end(), index);
    const int owner = static_cast<int>(std::distance(offsets.begin(), above)) - 1;
    int one = 0;
    @communicate { one@0 <<= me@owner }
    if (me == 0) owned += one;
  }
  int expected = 0;
  for (int rank = 0; rank < n; ++rank) expected += rank * (rank + 1);
  if (me == 0) CHECK_EQ(owned, expected);
  const auto found = std::lower_bound(lengths.begin(), lengths.end(), n);
  CHECK_EQ(from(me, static_cast<int>(found - lengths.begin())), n - 1);
  CHECK_EQ(from(me, static_cast<int>(std::ssize(lengths)) - 1), n - 1);
  CHECK_EQ(from(me, *std::ranges::max_element(offsets) % n), n * (n - 1) / 2 % n);
  CHECK_EQ(from(me, static_cast<int>(std::ranges::count_if(lengths, [&](int one) { return one > n; }))), 0);
  std::rotate(lengths.begin(), lengths.begin() + n / 2, lengths.end());
  std::ranges::sort(lengths, std::greater<>());
  CHECK_EQ(from(me, lengths.front() - 1), n - 1);
  std::partial_sort(offsets.begin(), offsets.begin() + 1, offsets.end());
  CHECK_EQ(from(me, offsets.front()), 0);
  int sum = 0;
  for (const int k : std::views::iota(0, n) | std::views::filter([](int one) { return one % 2 == 0; }))
    sum += from(me, k);
  CHECK_EQ(sum, (n - 1) / 2 * ((n - 1) / 2 + 1));
}

/// A line of settings: words, numbers, names.
static void settings(int me, int n, std::string_view given) {
  const std::string line(given);
  std::istringstream in(line);
  std::map<std::string, int> values;
  std::string word;
  while (std::getline(in, word, ',')) {
    const auto at = word.find('=');
    if (at == std::string::npos) throw std::invalid_argument("no value: " + word);
    values.insert_or_assign(word.substr(0, at), std::stoi(word.substr(at + 1)));
  }
  for (int step = 0; step < values.at("steps"); ++step) CHECK_EQ(from(me, values.at("root") % n), 1 % n);
  CHECK_EQ(from(me, values.contains("last") ? n - 1 : 0), 0);
  int number = -1;
  const std::string digits = line.substr(line.find_last_of('=') + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  CHECK_EQ(from(me, error == std::errc() && end != nullptr ? number % n : 0), 1 % n);
  std::istringstream words("a b c");
  int count = 0;
  while (words >> word) ++count;
  CHECK_EQ(from(me, count % n), 3 % n);
  const std::vector<std::string> list{std::istream_iterator<std::string>(*std::make_unique<std::istringstream>("x y")), {}};
  CHECK_EQ(from(me, static_cast<int>(list.size()) % n), 2 % n);
  std::ostringstream out;
  out << std::setw(4) << std::setfill('0') << n << std::hex << n;
  CHECK_EQ(from(me, static_cast<int>(out.str().size() - 4) % n), static_cast<int>(std::to_string(n).size()) % n);
  std::string_view view = given;
  view.remove_prefix(std::min(view.find('='), view.size()));
  if (view.starts_with("=") && !view.empty()) CHECK_EQ(from(me, 0), 0);
}

/// What may be there or not, and one of several types.
static void choices(int me, int n) {
  std::optional<int> root;
  CHECK_EQ(from(me, root.value_or(n - 1)), n - 1);
  root.emplace(n / 2);
  if (root) CHECK_EQ(from(me, *root), n / 2);
  const std::variant<int, double> either = 1;
  CHECK_EQ(from(me, std::holds_alternative<int>(either) ? std::get<int>(either) % n : 0), 1 % n);
  CHECK_EQ(from(me, std::visit([](auto one) { return static_cast<int>(one); }, either) % n), 1 % n);
  const auto pair = std::make_pair(n - 1, 2.5);
  const std::tuple<int, std::string, int> tuple{0, "text", n - 1};
  CHECK_EQ(from(me, pair.first), n - 1);
  CHECK_EQ(from(me, std::get<2>(tuple)), n - 1);
  const auto [first, text, last] = tuple;
  CHECK_EQ(from(me, text.size() == 4 ? first : last), 0);
  CHECK_EQ(from(me, std::apply([](int a, const std::string&, int b) { return a + b; }, tuple)), n - 1);
  int low = 0, high = 0;
  std::tie(low, high) = std::minmax({n - 1, 0});
  CHECK_EQ(from(me, low), 0);
  CHECK_EQ(from(me, high), n - 1);
  std::bitset<16> bits(5);
  bits.set(3).flip(0);
  CHECK_EQ(from(me, static_cast<int>(bits.count()) % n), 2 % n);
  CHECK_EQ(from(me, std::exchange(low, high)), 0);
}

/// Queues, sets and lists that all ranks fill alike.
static void containers(int me, int n) {
  std::deque<int> turns;
  for (int rank = 0; rank < n; ++rank) turns.push_back(rank);
  int sum = 0;
  while (!turns.empty()) {
    sum += from(me, turns.front());
    turns.pop_front();
  }
  CHECK_EQ(sum, n * (n - 1) / 2);
  std::priority_queue<std::pair<double, int>> best;
  best.emplace(1.5, 0);
  best.emplace(2.5, n - 1);
  CHECK_EQ(from(me, best.top().second), n - 1);
  std::set<int> seen{0, n - 1};
  for (const int one : seen) CHECK_EQ(from(me, one), one);
  std::unordered_map<std::string, int> named{{"root", n - 1}};
  if (const auto found = named.find("root"); found != named.end()) CHECK_EQ(from(me, found->second), n - 1);
  std::list<int> chain(3, 0);
  chain.splice(chain.end(), std::list<int>{n - 1});
  CHECK_EQ(from(me, chain.back()), n - 1);
  std::array<int, 4> fixed{};
  fixed.fill(n - 1);
  CHECK_EQ(from(me, fixed[2]), n - 1);
  std::vector<bool> flags(static_cast<std::size_t>(n), true);
  for (std::size_t k = 0; k < flags.size(); ++k)
    if (flags[k]) CHECK_EQ(from(me, static_cast<int>(k)), static_cast<int>(k));
  const std::span<const int> part = std::span(fixed).first(2);
  CHECK_EQ(from(me, part.back()), n - 1);
  std::valarray<int> values{0, 1, 2};
  CHECK_EQ(from(me, (values * 2 + 1).sum() % n), 9 % n);
  std::vector<int> filled;
  std::generate_n(std::back_inserter(filled), 3, [k = 0]() mutable { return k++; });
  CHECK_EQ(from(me, filled.back() % n), 2 % n);
  std::erase_if(filled, [](int one) { return one % 2 == 1; });
  CHECK_EQ(from(me, static_cast<int>(filled.size()) % n), 2 % n);
  const auto owner = std::make_shared<int>(n - 1);
  const auto sole = std::make_unique<int>(0);
  CHECK_EQ(from(me, *owner), n - 1);
  CHECK_EQ(from(me, *sole), 0);
}

/// Random numbers of one seed, times of day, functions that are kept.
static void others(int me, int n) {
  std::mt19937_64 random(42);
  std::uniform_int_distribution<int> rank(0, n - 1);
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  for (const int one : order) CHECK_EQ(from(me, one), one);
  const int root = rank(random);
  CHECK_EQ(from(me, root), root);
  constexpr std::chrono::milliseconds wait(1500);
  CHECK_EQ(from(me, static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(wait).count()) % n), 1 % n);
  CHECK_EQ(from(me, static_cast<int>(std::hash<int>()(n) % static_cast<std::size_t>(n))), 0);
  std::mutex mutex;
  int steps = 0;
  {
    const std::lock_guard lock(mutex);
    steps = 2;
  }
  std::cout << std::flush;
  for (int step = 0; step < steps; ++step) CHECK_EQ(from(me, step % n), step % n);
  if ((n <=> 1) >= 0) CHECK_EQ(from(me, 0), 0);
}

int main(int argc, char** argv) {
  const int me = world.rank(), n = world.size();
  numbers(me, n);
  distribution(me, n);
  settings(me, n, argc > 1 ? argv[1] : "steps=2,root=1");
  choices(me, n);
  containers(me, n);
  others(me, n);
  return check::finish("uniform_library");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
