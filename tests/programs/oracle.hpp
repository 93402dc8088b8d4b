#pragma once
// What the whole programs share: every rank can compute the serial answer, and compares its part with it.
#include <kanor/kanor.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>

namespace oracle {

/// Reproducible numbers: the same sequence on every rank and in every run.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed * 2862933555777941757ull + 3037000493ull) {}
  std::uint32_t next() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<std::uint32_t>(state_ >> 33);
  }
  int below(int bound) { return static_cast<int>(next() % static_cast<std::uint32_t>(bound)); }
  double real() { return next() / 2147483648.0; }

 private:
  std::uint64_t state_;
};

/// The half-open interval of `count` things that rank `rank` of `ranks` owns.
struct Part {
  int first, last;
  int size() const { return last - first; }
};
inline Part part(int count, int ranks, int rank) {
  return {static_cast<int>(1L * count * rank / ranks), static_cast<int>(1L * count * (rank + 1) / ranks)};
}

inline bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(a) + std::abs(b)); }

/// Prints whether this rank's part is right; main's return value.
inline int verdict(const char* program, bool right) {
  std::printf("%s rank %d of %d: %s\n", program, kanor::world.rank(), kanor::world.size(), right ? "right" : "WRONG");
  return right ? 0 : 1;
}

}  // namespace oracle

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
