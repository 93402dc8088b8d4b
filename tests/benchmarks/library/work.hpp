// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs with Kanor's standard library and those with MPI have in common.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

namespace work {

/// The keys of a rank, of `all` in total.
inline std::vector<std::uint64_t> keys(long all, int rank, int ranks) {
  std::mt19937_64 random(static_cast<unsigned>(rank) + 1);
  std::vector<std::uint64_t> found(static_cast<std::size_t>(all * (rank + 1) / ranks - all * rank / ranks));
  for (auto& key : found) key = random();
  return found;
}

/// The global indices that a rank needs: a tenth as many as each rank owns, of the other ranks.
inline std::vector<long> needed(long owned, int rank, int ranks) {
  std::mt19937_64 random(static_cast<unsigned>(rank) + 1);
  std::vector<long> found(static_cast<std::size_t>(owned / 10));
  for (auto& index : found) {
    const auto other = (rank + 1 + static_cast<long>(random() % static_cast<unsigned>(std::max(1, ranks - 1)))) % ranks;
    index = other * owned + static_cast<long>(random() % static_cast<unsigned long>(owned));
  }
  return found;
}

/// The own elements of a rank: their global indices.
inline std::vector<double> elements(long owned, int rank) {
  std::vector<double> found(static_cast<std::size_t>(owned));
  for (long at = 0; at < owned; ++at) found[static_cast<std::size_t>(at)] = static_cast<double>(rank * owned + at);
  return found;
}

/// Microseconds of `repeats` calls, each.
template <class Call>
double microseconds(int repeats, const Call& call) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < repeats; ++i) call();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() / repeats;
}

inline constexpr int gathers = 100;  // of a batch

/// A number made of a rank's sorted keys and of the position of the first one among all.
inline std::uint64_t digest(const std::vector<std::uint64_t>& keys, long first) {
  std::uint64_t sum = 0;
  for (std::uint64_t key : keys) sum += key * static_cast<std::uint64_t>(2 * ++first + 1);
  return sum;
}

inline std::uint64_t digest(const std::vector<double>& ghosts) {
  double sum = 0;
  for (std::size_t at = 0; at < ghosts.size(); ++at) sum += ghosts[at] * static_cast<double>(at % 7 + 1);
  return static_cast<std::uint64_t>(sum);
}

inline void print(std::uint64_t digest, const std::vector<double>& times) {
  std::printf("%llu", static_cast<unsigned long long>(digest));
  for (double time : times) std::printf(" %.3f", time);
  std::printf("\n");
}

}  // namespace work
