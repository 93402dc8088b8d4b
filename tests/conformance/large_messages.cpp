// RUN: %kanorc -O1 %s -o %t && %run_everywhere --ranks 1,2,4 %t
// RUN: env KANOR_DISABLE=huge-pages %run_everywhere --keep KANOR_DISABLE --ranks 2,4 %t
// Messages of many megabytes, of every size around the usual limits, and many at once.
#include "check.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

std::uint32_t pattern(int rank, std::size_t k) { return static_cast<std::uint32_t>(k * 2654435761u + 97u * rank); }

std::vector<std::uint32_t> filled(int rank, std::size_t count) {
  std::vector<std::uint32_t> data(count);
  for (std::size_t k = 0; k < count; ++k) data[k] = pattern(rank, k);
  return data;
}

std::uint32_t big[1 << 20];

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank(), left = (me + n - 1) % n;

  {  // 16 MiB round the ring: vectors, a C array, a string, and parts that cereal packs
    std::vector<std::uint32_t> mine = filled(me, 4 << 20), got;
    @communicate { got@(i + 1) % n <<= mine@i where i in world }
    CHECK(got == filled(left, 4 << 20));
    for (std::size_t k = 0; k < 1 << 20; ++k) big[k] = pattern(me, k);
    @communicate { big@(i + 1) % n <<= big@i where i in world }
    bool all = true;
    for (std::size_t k = 0; k < 1 << 20; ++k) all = all && big[k] == pattern(left, k);
    CHECK(all);
    std::string text(5 << 20, static_cast<char>('a' + me)), text_got;
    @communicate { text_got@(i + 1) % n <<= text@i where i in world }
    CHECK(text_got == std::string(5 << 20, static_cast<char>('a' + left)));
    const std::vector<std::pair<std::string, std::vector<std::uint32_t>>> packed{{"label", filled(me, 1 << 20)}, {std::string(1 << 20, 'x'), {}}};
    std::vector<std::pair<std::string, std::vector<std::uint32_t>>> packed_got;
    @communicate { packed_got@(i + 1) % n <<= packed@i where i in world }
    CHECK(packed_got.size() == 2 && packed_got[0].second == filled(left, 1 << 20) && packed_got[1].first.size() == 1 << 20);
  }
  {  // sizes around powers of two, both ways at once
    for (std::size_t power = 1; power <= 1 << 18; power *= 2)
      for (const std::size_t count : {power - 1, power, power + 1}) {
        const auto mine = filled(me, count);
        std::vector<std::uint32_t> from_left, from_right;
        @communicate {
          from_left@(i + 1) % n <<= mine@i where i in world;
          from_right@i <<= mine@(i + 1) % n where i in world
        }
        CHECK(from_left == filled(left, count));
        CHECK(from_right == filled((me + 1) % n, count));
      }
  }
  {  // an all-to-all of unequal megabytes, and an element-wise reduction of a long vector
    std::vector<std::vector<std::uint32_t>> outgoing(n), incoming(n);
    for (int k = 0; k < n; ++k) outgoing[k] = filled(10 * me + k, 100000u * (k + 1) + me);
    @communicate { incoming[i]@j <<= outgoing[j]@i where i, j in world }
    for (int k = 0; k < n; ++k) CHECK(incoming[k] == filled(10 * k + me, 100000u * (me + 1) + k));
    const std::vector<std::uint32_t> ones(1 << 20, me + 1);
    std::vector<std::uint32_t> sums;
    @communicate { sums@i << + << ones@s where i, s in world }
    CHECK(sums == std::vector<std::uint32_t>(1 << 20, n * (n + 1) / 2));
  }
  return check::finish("large_messages");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
