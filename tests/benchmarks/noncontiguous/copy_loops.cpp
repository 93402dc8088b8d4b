// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that pack rows of a matrix into a buffer, exchange them by a block, and unpack them:
//
//     copy_loops ROWS WIDTH STRIDE  BATCHES ITERATIONS
//
// WIDTH doubles of each row of STRIDE doubles travel to the next rank, to the row's end. Rank 0 prints a
// checksum, and for each batch the microseconds of one exchange.
#include <kanor/kanor.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

using kanor::world;

int main(int argc, char** argv) {
  if (argc < 6) return 2;
  const int rows = std::atoi(argv[1]), width = std::atoi(argv[2]), stride = std::atoi(argv[3]);
  const int batches = std::atoi(argv[4]), iterations = std::atoi(argv[5]), whole = rows * width;
  std::vector<double> matrix(static_cast<std::size_t>(rows) * stride), out(whole), in(whole);
  for (std::size_t at = 0; at < matrix.size(); ++at)
    matrix[at] = static_cast<double>((at * 7 + static_cast<std::size_t>(world.rank())) % 1000);
  std::vector<double> took;
  for (int batch = -1; batch < batches; ++batch) {  // the first warms up
    const auto begin = std::chrono::steady_clock::now();
    for (int turn = 0; turn < iterations; ++turn) {
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < width; ++j) out[i * width + j] = matrix[i * stride + j];
      @communicate { in[0 : whole]@(r + 1) % world.size() <<= out[0 : whole]@r where r in world }
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < width; ++j) matrix[i * stride + stride - width + j] = in[i * width + j];
    }
    const std::chrono::duration<double, std::micro> all = std::chrono::steady_clock::now() - begin;
    if (batch >= 0) took.push_back(all.count() / iterations);
  }
  double sum = 0;
  for (const double one : matrix) sum += one;
  if (world.rank() != 0) return 0;
  std::printf("%.0f", sum);
  for (const double one : took) std::printf(" %.3f", one);
  std::printf("\n");
}
