// RUN: %kanorc --dump=plan %s | %python %root/tests/tools/check_patterns.py %s
// RUN: %kanorc -O1 %s -o %t && %run_everywhere --ranks 1,3,8,9,17,33 %t > %t.collective
// RUN: env KANOR_DISABLE=patterns %run_everywhere --keep KANOR_DISABLE --ranks 1,3,8,9,17,33 --modes threads %t > %t.direct
// RUN: diff %t.collective %t.direct
// Every pattern of communication that kanorc recognises (named behind its statement), of the world and of a team, with small
// and large values, against what each rank can tell by itself; and bit for bit against direct messages.
#include "check.hpp"
#include "fold.hpp"

#include <array>
#include <functional>
#include <numeric>
#include <vector>

namespace {

using kanor::team;

constexpr std::size_t large = 5000;

template <class T>
T blank() {
  T value{};
  if constexpr (requires { value.resize(large); }) value.resize(large);
  return value;
}

/// The value of rank r for rank k: one number, or many.
template <class T>
T made(int r, int k = 0) {
  if constexpr (requires(T value) { value.size(); }) {
    T value = blank<T>();
    for (std::size_t at = 0; at < value.size(); ++at) value[at] = 1.0 / (1 + r + 7 * k) + static_cast<double>(at % 97);
    return value;
  } else {
    return static_cast<T>(100.0 / (1 + r + 7 * k));
  }
}

/// What a reduction of these ranks' values gives.
template <class T>
T folded(int first, int last) {
  if constexpr (requires(T value) { value.size(); }) {
    T result = blank<T>();
    std::vector<T> values;
    for (int r = first; r <= last; ++r) values.push_back(made<T>(r));
    for (std::size_t at = 0; at < result.size(); ++at) {
      std::vector<fold::Contribution<double>> terms;
      for (int r = first; r <= last; ++r) terms.push_back({r, values[static_cast<std::size_t>(r - first)][at]});
      result[at] = fold::reduced(terms, std::plus<double>());
    }
    return result;
  } else {
    std::vector<fold::Contribution<T>> terms;
    for (int r = first; r <= last; ++r) terms.push_back({r, made<T>(r)});
    return fold::reduced(terms, std::plus<T>());
  }
}

template <class T>
void one_to_one(const team& t) {
  const int n = t.size(), me = t.rank();
  T got = made<T>(99);
  const T mine = made<T>(me);
  // clang-format off
  @communicate (team = t) { got@n - 1 <<= mine@0 }  // point_to_point
  CHECK(got == (me == n - 1 ? made<T>(0) : made<T>(99)));
  for (int by = 0; by < 3; ++by) {
    @communicate (team = t) { got@(i + by) % t.size() <<= mine@i where i in t }  // shift
    CHECK(got == made<T>((me + 3 * n - by) % n));
  }
  @communicate (team = t) { got@t.size() - 1 - i <<= mine@i where i in t }  // permutation
  CHECK(got == made<T>(n - 1 - me));
  @communicate (team = t) { got@i ^ 1 <<= mine@i where i in t, (i ^ 1) < t.size() }  // permutation
  CHECK(got == made<T>((me ^ 1) < n ? me ^ 1 : n - 1 - me));
  T left = made<T>(98), right = made<T>(97);
  @communicate (team = t) { left@i + 1 <<= mine@i where i in t, i + 1 < t.size();  // neighbours
                            right@i - 1 <<= mine@i where i in t, i > 0 }  // neighbours
  // clang-format on
  CHECK(left == made<T>(me > 0 ? me - 1 : 98));
  CHECK(right == made<T>(me + 1 < n ? me + 1 : 97));
}

template <class T>
void one_to_all(const team& t) {
  const int n = t.size(), me = t.rank();
  for (const int root : {0, n / 2, n - 1}) {
    T got = made<T>(99);
    std::vector<T> parts(static_cast<std::size_t>(n)), all = parts;
    for (int k = 0; k < n; ++k) parts[static_cast<std::size_t>(k)] = made<T>(me, k);
    // clang-format off
    @communicate (team = t) { got@i <<= parts[0]@root where i in t }  // broadcast
    CHECK(got == made<T>(root));
    @communicate (team = t) { got@i <<= parts[i]@root where i in t }  // scatter
    CHECK(got == made<T>(root, me));
    @communicate (team = t) { all[i]@root <<= parts[1 % n]@i where i in t }  // gather
    // clang-format on
    for (int k = 0; k < n; ++k) CHECK(all[static_cast<std::size_t>(k)] == (me == root ? made<T>(k, 1 % n) : T{}));
  }
}

template <class T>
void all_to_all(const team& t) {
  const int n = t.size(), me = t.rank();
  std::vector<T> parts(static_cast<std::size_t>(n)), all = parts;
  for (int k = 0; k < n; ++k) parts[static_cast<std::size_t>(k)] = made<T>(me, k);
  // clang-format off
  @communicate (team = t) { all[i]@j <<= parts[0]@i where i, j in t }  // all_gather
  for (int k = 0; k < n; ++k) CHECK(all[static_cast<std::size_t>(k)] == made<T>(k));
  @communicate (team = t) { all[i]@j <<= parts[j]@i where i, j in t }  // all_to_all
  for (int k = 0; k < n; ++k) CHECK(all[static_cast<std::size_t>(k)] == made<T>(k, me));
  // Of unlike lengths.
  std::vector<std::vector<int>> rows(static_cast<std::size_t>(n)), columns = rows;
  for (int k = 0; k < n; ++k) rows[static_cast<std::size_t>(k)].assign(static_cast<std::size_t>(me * n + k), me);
  @communicate (team = t) { columns[i]@j <<= rows[j]@i where i, j in t }  // all_to_all
  // clang-format on
  for (int k = 0; k < n; ++k)
    CHECK(columns[static_cast<std::size_t>(k)] == std::vector<int>(static_cast<std::size_t>(k * n + me), k));
}

template <class T>
void folds(const team& t) {
  const int n = t.size(), me = t.rank();
  const T mine = made<T>(me);
  T sum = made<T>(99), all = sum, up_to = sum, below = sum;
  // clang-format off
  @communicate (team = t) { sum@t.size() / 2 << + << mine@i where i in t }  // reduce
  CHECK(sum == (me == n / 2 ? folded<T>(0, n - 1) : made<T>(99)));
  @communicate (team = t) { all@j << + << mine@i where i, j in t }  // all_reduce
  CHECK(all == folded<T>(0, n - 1));
  @communicate (team = t) { up_to@j << + << mine@i where i, j in t, i <= j }  // scan
  CHECK(up_to == folded<T>(0, me));
  @communicate (team = t) { below@j << + << mine@i where i, j in t, i < j }  // exclusive_scan
  // clang-format on
  CHECK(below == (me == 0 ? made<T>(99) : folded<T>(0, me - 1)));
  if constexpr (requires { check::show(sum); }) {
    CHECK_EQ(sum, sum);
    CHECK_EQ(up_to, up_to);
  }
}

template <class T>
void everything(const team& t) {
  one_to_one<T>(t);
  one_to_all<T>(t);
  all_to_all<T>(t);
  folds<T>(t);
}

}  // namespace

int main() {
  const int me = kanor::world.rank();
  const team backwards = kanor::world.split(0, -me), parts = kanor::world.split(me % 3 == 0, me);
  for (const team& t : {kanor::world, backwards, parts}) {
    everything<double>(t);
    everything<std::array<double, large>>(t);
  }
  everything<std::vector<double>>(kanor::world);
  return check::finish("patterns");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
