// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %kanorc %s -o %t
// RUN: env KANOR_DELTA=pages,4K %run_everywhere --keep KANOR_DELTA --ranks 2,3 %t
// RUN: %run_everywhere --ranks 2 %t
#include <kanor/delta.h>

#include <cstdio>
#include <cstdlib>
#include <kanor/kanor.hpp>
#include <vector>

using kanor::world;

namespace {

constexpr int n = 64 * 512, tag = 5;  // of doubles: 64 pages

void check(bool right, const char* what, int round) {
  if (right) return;
  std::fprintf(stderr, "round %d, rank %d: %s\n", round, world.rank(), what);
  std::exit(1);
}

}  // namespace

// What Delta_recv still waits for is sent on by blocks, received into by blocks, and read between them.
int main() {
  std::vector<double> sent(n), received(n), copy(n);
  for (int round = 0; round < 6; ++round) {
    MPI_Request sending = MPI_REQUEST_NULL;
    const auto value = [&](int i) { return 1000.0 * round + i; };
    if (world.rank() == 0) {
      Delta_send_begin(sent.data(), n, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, &sending);
      for (int i = 0; i < n; ++i) sent[static_cast<std::size_t>(i)] = value(i);
      if (round % 2 == 0) Delta_wait(&sending, MPI_STATUS_IGNORE);
    } else if (world.rank() == 1) {
      Delta_recv(received.data(), n, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (round % 2 == 1 && world.rank() == 0) Delta_send_end(&sending);
    if (round < 2) {
      @communicate { copy@0 <<= received@1 }
    } else if (round < 4) {
      @communicate { copy[k]@0 <<= received[k]@1 where k in {n - 3 ... n - 1} }
    } else {
      double last = 0;
      @communicate { last@r <<= received[n - 1]@1 where r in world }
      check(last == value(n - 1), "the last element is wrong", round);
    }
    Delta_wait(&sending, MPI_STATUS_IGNORE);
    if (world.rank() == 0 && round < 4)
      for (int i = round < 2 ? 0 : n - 3; i < n; ++i)
        check(copy[static_cast<std::size_t>(i)] == value(i), "an element is wrong", round);
    if (world.rank() == 1)
      for (int i = 0; i < n; ++i)
        check(received[static_cast<std::size_t>(i)] == value(i), "a received element is wrong", round);
    // The receiver's memory is a block's place while a message is under way.
    if (world.rank() == 0) {
      Delta_send_begin(sent.data(), n, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, &sending);
      for (int i = 0; i < n; ++i) sent[static_cast<std::size_t>(i)] = -value(i);
      Delta_send_end(&sending);
    } else if (world.rank() == 1) {
      Delta_recv(received.data(), n, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    @communicate { received[k + 1000]@1 <<= 7.0 + k@0 where k in {0 ... 9} }
    Delta_wait(&sending, MPI_STATUS_IGNORE);
    if (world.rank() == 1)
      for (int i = 0; i < n; ++i)
        check(received[static_cast<std::size_t>(i)] == (i >= 1000 && i < 1010 ? 7.0 + (i - 1000) : -value(i)),
              "an element is not what came last", round);
  }
  if (world.rank() == 0) std::puts("passed");
}
