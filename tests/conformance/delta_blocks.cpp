// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %kanorc -Wall -Wextra -Wshadow -Werror %s -o %t && %run_everywhere --large %t
// RUN: env KANOR_REFERENCE=1 %run_everywhere --keep KANOR_REFERENCE --ranks 1,3 %t
// RUN: env KANOR_DELTA=1 %run_everywhere --keep KANOR_DELTA --ranks 1,4 %t
// RUN: env KANOR_DELTA=100K %run_everywhere --keep KANOR_DELTA --ranks 2 %t
// RUN: env KANOR_INFLIGHT=4K %run_everywhere --keep KANOR_INFLIGHT --ranks 1,4 %t
// RUN: env KANOR_DISABLE=delta %run_everywhere --keep KANOR_DISABLE --ranks 3 %t
// Blocks that are pipelined with the loops around them, all of them.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "check.hpp"

namespace {

using kanor::world;

/// What element k of rank r's value is, in round t.
double number(int r, long long k, int t = 0) { return 1000.0 * r + 0.25 * static_cast<double>(k) + 7.0 * t; }

/// Rank 0 computes, the last rank uses.
void pair(long long n) {
  const int me = world.rank(), last = world.size() - 1;
  const auto length = static_cast<std::size_t>(n);
  std::vector<double> sent(length, -1), got;
  if (me == 0) {
    for (long long k = 0; k < n; ++k) sent[static_cast<std::size_t>(k)] = number(0, k);
  }
  @communicate (delta) { got@last <<= sent@0 }
  double sum = 0;
  if (me == last)
    for (std::size_t k = 0; k < got.size(); ++k) sum += got[k];
  CHECK_EQ(sum, me == last ? 0.125 * static_cast<double>(n * (n - 1)) : 0.0);
  CHECK_EQ(got.size(), me == last ? length : 0u);
}

/// Everyone computes and uses; the values are overwritten at once, and the places live on.
void shift(int n, int rounds) {
  const int me = world.rank(), size = world.size(), before = (me + size - 1) % size;
  std::vector<double> sent(static_cast<std::size_t>(n)), got(3, -5.0);
  for (int t = 0; t < rounds; ++t) {
    for (int k = 0; k < n; ++k) sent[k] = number(me, k, t);
    @communicate (delta) { got@(i + 1) % size <<= sent@i where i in world }
    int wrong = 0;
    for (int k = 0; k < n; k++) {
      wrong += got[k] != number(before, k, t);
      got[k] *= 2;
    }
    CHECK_EQ(wrong, 0);
    for (int k = 0; k < n; ++k) sent[k] = -1;
    for (int k = 0; k < n; ++k) CHECK_EQ(got[k], 2 * number(before, k, t));
  }
}

/// Functions that give one of their arguments read elements on both sides.
void extremes(int n) {
  const int me = world.rank(), size = world.size(), before = (me + size - 1) % size;
  std::vector<double> sent(static_cast<std::size_t>(n)), got;
  for (int k = 0; k < n; ++k) sent[k] = std::max(number(me, k), k > 0 ? sent[k - 1] : 0.0);
  @communicate (delta) { got@(i + 1) % size <<= sent@i where i in world }
  double largest = -1, least = 1e300;
  for (int k = 0; k < n; ++k) {
    largest = std::max(got[k], largest);
    least = std::clamp(least, -1.0, std::min(got[k], least));
  }
  CHECK_EQ(largest, number(before, n - 1));
  CHECK_EQ(least, number(before, 0));
}

/// A loop that uses what one block brings computes what the next one sends: a pipeline of ranks.
void chain(int n) {
  const int me = world.rank(), size = world.size();
  std::vector<double> first(n), second(n), third(n), in(n), middle(n), out(n);
  if (size < 3) return;
  if (me == 0)
    for (int k = 0; k < n; ++k) first[k] = number(0, k);
  @communicate (delta) { middle@1 <<= first@0 }
  if (me == 1)
    for (int k = 0; k < n; ++k) second[k] = middle[k] + 1;
  @communicate (delta) { in@2 <<= second@1 }
  if (me == 2)
    for (int k = 0; k < n; ++k) third[k] = 2 * in[k];
  @communicate (delta) { out@0 <<= third@2 }
  int wrong = 0;
  if (me == 0)
    for (int k = 0; k < n; ++k) wrong += out[k] != 2 * (number(0, k) + 1);
  CHECK_EQ(wrong, 0);
}

/// Arrays of several dimensions, other steps and limits, and earlier elements.
void shapes() {
  const int me = world.rank(), size = world.size();
  static_assert(sizeof(double[40][30]) > 4096);
  double rows[40][30], from[40][30] = {};
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 30; ++j) rows[i][j] = number(me, 30 * i + j);
  @communicate (delta) { from@(i + 1) % size <<= rows@i where i in world }
  double sum = 0;
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 30; ++j) sum += from[i][j];
  CHECK_EQ(sum, 1200 * number((me + size - 1) % size, 0) + 0.25 * 1199 * 600);

  std::array<int, 2000> even{}, here{};
  for (int k = 0; k <= 1998; k += 2) {
    even[k + 1] = me + k + 1;
    even[k] = me + k;
  }
  @communicate (delta) { here@i <<= even@(i + 1) % size where i in world }
  int wrong = 0;
  for (int k = 1; k != 2000; ++k) wrong += here[k] - here[k - 1] + here[0] != 1 + (me + 1) % size;

  std::vector<int> flat(1200), blocks(1200);
  for (int i = 0; i < 30; ++i)
    for (int j = 0; j < 40; ++j) flat[40 * i + j] = 3 * (40 * i + j) + me;
  @communicate (delta) { blocks@(i + 1) % size <<= flat@i where i in world }
  for (int i = 1; i < 30; ++i)
    for (int j = 0; j < 40; ++j)
      wrong += blocks[40 * i + j] - blocks[40 * i + j - 40] != 120 || blocks[7] != 21 + (me + size - 1) % size;
  CHECK_EQ(wrong, 0);
}

/// Loops that end early, and iterations that are skipped.
void jumps(unsigned n) {
  const int me = world.rank(), size = world.size();
  std::vector<unsigned> sent(n, 9), got(n, 8);
  for (unsigned k = 0; k < n; ++k) {
    if (k == n / 2) break;
    if (k % 3 == 0) continue;
    sent[k] = k + static_cast<unsigned>(me);
  }
  @communicate (delta) { got@(i + 1) % size <<= sent@i where i in world }
  const auto before = static_cast<unsigned>((me + size - 1) % size);
  unsigned seen = 0;
  for (unsigned k = 0; k < n; ++k) {
    if (k == n / 3) break;
    if (k % 3 == 0) continue;
    if (got[k] == k + before) ++seen;
  }
  CHECK_EQ(seen, n / 3 - (n / 3 + 2) / 3);
  for (unsigned k = 0; k < n; ++k) CHECK_EQ(got[k], k >= n / 2 || k % 3 == 0 ? 9 : k + before);
}

/// Returns before the block, or in the loop after it.
int leaves(int n, bool early, bool late) {
  const int me = world.rank(), size = world.size();
  std::vector<int> sent(n), got(n);
  for (int k = 0; k < n; ++k) {
    sent[k] = k * k + me;
    if (early && k == n / 2) return -1;
  }
  @communicate (delta) { got@(i + 1) % size <<= sent@i where i in world }
  for (int k = 0; k < n; ++k) {
    if (got[k] != k * k + (me + size - 1) % size) return -3;
    if (late && k == n / 2) return got[k];
  }
  return -2;
}

/// An exception that all ranks throw leaves the loop before the block.
void throws(int n) {
  const int size = world.size();
  std::vector<int> sent(n), got(n);
  for (int k = 0; k < n; ++k) {
    sent[k] = k;
    if (sent[k] > n / 2) throw std::runtime_error("half");
  }
  @communicate (delta) { got@(i + 1) % size <<= sent@i where i in world }
}

/// Blocks in the loops, and between them and the block.
void blocks_inside(int n) {
  const int me = world.rank(), size = world.size();
  std::vector<long> sent(n), got;
  long all = 0, once = 0;
  for (int k = 0; k < n; ++k) {
    sent[k] = 3L * k + me;
    if (k % (n / 4) == 0) {
      @communicate { all@r << + << sent[k]@s where r, s in world }
      CHECK_EQ(all, 3L * k * size + size * (size - 1L) / 2);
    }
  }
  @communicate { once@r << + << 1L@s where r, s in world }
  @communicate (delta) { got@(i + 1) % size <<= sent@i where i in world }
  @communicate { once@r << + << 2L@s where r, s in world }
  CHECK_EQ(once, 2L * size);
  long wrong = 0;
  for (int k = 0; k < n; ++k) {
    if (k % (n / 4) == 0) {
      @communicate { all@r << + << got[k]@s where r, s in world }
      CHECK_EQ(all, 3L * k * size + size * (size - 1L) / 2);
    }
    wrong += got[k] != 3L * k + (me + size - 1) % size;
  }
  CHECK_EQ(wrong, 0L);
}

/// One rank sends to all, also to itself.
void to_all(int n) {
  std::vector<float> sent(n), got;
  const int me = world.rank(), root = world.size() / 2;
  if (me == root)
    for (int k = 0; k < n; ++k) sent[k] = 0.5f * static_cast<float>(k);
  @communicate (delta) { got@r <<= sent@root where r in world }
  float least = 0;
  for (int k = 1; k < n; ++k) least += got[k] - got[k - 1] == 0.5f ? 0.0f : 1.0f;
  CHECK_EQ(least, 0.0f);
}

/// A rank may receive nothing, and a set may be empty.
void partly(int n) {
  const int me = world.rank(), size = world.size(), pairs = size / 2;
  std::vector<short> sent(n), got(n, 7);
  for (int k = 0; k < n; ++k) sent[k] = static_cast<short>(k % 1000 + me);
  @communicate (delta) { got@(2 * i + 1) <<= sent@(2 * i) where i in {0 ... pairs - 1} }
  int wrong = 0;
  for (int k = 0; k < n; ++k) wrong += got[k] != (me % 2 == 1 ? k % 1000 + me - 1 : 7);
  CHECK_EQ(wrong, 0);
}

}  // namespace

int main() {
  for (const long long n : {0, 1, 2, 63, 64, 65, 129, 1000, 300000}) pair(n);
  for (const int n : {1, 64, 2000, 40000}) shift(n, 3);
  for (const int n : {1, 64, 5000}) extremes(n);
  for (const int n : {5, 500, 20000}) chain(n);
  shapes();
  for (const unsigned n : {6u, 300u, 30000u}) jumps(n);
  for (const int n : {10, 5000}) {
    CHECK_EQ(leaves(n, false, false), -2);
    CHECK_EQ(leaves(n, true, false), -1);
    CHECK_EQ(leaves(n, false, true), n / 2 * (n / 2) + (world.rank() + world.size() - 1) % world.size());
    bool is_caught = false;
    try {
      throws(n);
    } catch (const std::runtime_error&) {
      is_caught = true;
    }
    CHECK_EQ(is_caught, true);
    CHECK_EQ(leaves(n, false, false), -2);
  }
  blocks_inside(4000);
  to_all(30000);
  partly(5000);
  return check::finish("delta_blocks");
}
