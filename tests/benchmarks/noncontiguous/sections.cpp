// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The messages of noncontiguous.c, in blocks:
//
//     sections LAYOUT BYTES  WAY sections|packed  BATCHES ITERATIONS
//
// `sections`: sections of a matrix, or (irregular) listed elements; `packed`: a buffer, by loops.
#include <kanor/kanor.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

using kanor::world;

int main(int argc, char** argv) {
  if (argc < 6) return 2;
  char* rest = nullptr;
  const int block = static_cast<int>(std::strtol(argv[1], &rest, 10)) / 4;  // of floats
  const int stride = std::atoi(rest + 1) / 4;                               // 0: irregular
  const int count = std::atoi(argv[2]) / (4 * block), whole = count * block;
  const bool packs = argv[3] == std::string_view("packed");
  const int batches = std::atoi(argv[4]), iterations = std::atoi(argv[5]), me = world.rank();
  std::vector<int> starts(count);
  unsigned seed = 1;
  for (int i = 0, at = 0; i < count; ++i) {
    starts[i] = at;
    seed = seed * 1103515245U + 12345U;
    at += stride ? stride : block + static_cast<int>(1 + (seed >> 16) % 8);
  }
  std::vector<float> data(stride ? count * stride : starts[count - 1] + block), out(whole), in(whole);
  for (int i = 0; i < count; ++i) {
    auto* const bytes = reinterpret_cast<unsigned char*>(&data[starts[i]]);
    for (int k = 0; k < 4 * block; ++k) bytes[k] = static_cast<unsigned char>(me == 0 ? i * 7 + k : 0);
  }
  const auto rows = kanor::section(data, stride ? count : 0, stride ? stride : block);
  // The two loops that programs have; the compiler is to know the lengths of short blocks.
  const auto copy_blocks = [&](float* to, int to_stride, const float* from, int from_stride) {
    if (block == 1)
      for (int i = 0; i < count; ++i) to[i * to_stride] = from[i * from_stride];
    else if (block == 2)
      for (int i = 0; i < count; ++i) std::memcpy(to + i * to_stride, from + i * from_stride, 8);
    else if (block == 3)
      for (int i = 0; i < count; ++i) std::memcpy(to + i * to_stride, from + i * from_stride, 12);
    else
      for (int i = 0; i < count; ++i) std::memcpy(to + i * to_stride, from + i * from_stride, 4UL * block);
  };

  std::vector<double> took;
  for (int batch = -1; batch < batches; ++batch) {  // the first warms up
    int go = 0;
    @communicate { go@i <<= go@0 where i in world }
    const auto begin = std::chrono::steady_clock::now();
    for (int turn = 0; turn < 2 * iterations; ++turn) {
      const int from = turn % 2, to = 1 - from;
      if (packs) {
        if (me == from && stride) copy_blocks(out.data(), block, data.data(), stride);
        if (me == from && !stride)
          for (int i = 0; i < count; ++i) out[i] = data[starts[i]];
        @communicate { in[0 : whole]@to <<= out[0 : whole]@from }
        if (me == to && stride) copy_blocks(data.data(), stride, in.data(), block);
        if (me == to && !stride)
          for (int i = 0; i < count; ++i) data[starts[i]] = in[i];
      } else if (stride) {
        @communicate { rows[0 : count][0 : block]@to <<= rows[0 : count][0 : block]@from }
      } else {
        @communicate { data[starts]@to <<= data[starts]@from }
      }
    }
    const std::chrono::duration<double, std::micro> all = std::chrono::steady_clock::now() - begin;
    if (batch >= 0) took.push_back(all.count() / (2.0 * iterations));
  }
  unsigned long sum = 0;
  for (int i = 0; i < count; ++i) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&data[starts[i]]);
    for (int k = 0; k < 4 * block; ++k) sum = sum * 31 + bytes[k];
  }
  if (me == 0) {
    std::printf("%lu", sum);
    for (const double one : took) std::printf(" %.3f", one);
    std::printf("\n");
  }
}
