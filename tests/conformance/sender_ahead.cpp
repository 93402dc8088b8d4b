// RUN: %kanorc -O1 %s -o %t
// RUN: env KANOR_INFLIGHT=1000000 %run_everywhere --every-mode --unchecked --keep KANOR_INFLIGHT --ranks 2,4 %t 1
// RUN: env KANOR_INFLIGHT=1 %run_everywhere --unchecked --keep KANOR_INFLIGHT --ranks 3 %t 0.25
// A sender that runs far ahead of a slow receiver keeps the memory bounded: 400 messages of 256 KiB, 100 MiB in all,
// with KANOR_INFLIGHT of about one megabyte (the argument), and so small that only the one message that is always
// allowed may be on its way. (Checked mode keeps more, to compare it later.)
#include "check.hpp"

#include <chrono>
#include <cstdlib>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <vector>

namespace {

/// Peak resident memory of this process in MiB, with what the ranks share counted once for each process.
double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

int main(int argc, char** argv) {
  const int n = kanor::world.size(), me = kanor::world.rank(), last = n - 1;
  const double allowed_mib = argc > 1 ? std::atof(argv[1]) : 1;
  std::vector<char> message(256 * 1024, 'x'), got;
  @communicate { got@last <<= message@0 }
  const double before = peak_mib();

  constexpr int messages = 400;
  for (int k = 0; k < messages; ++k) {
    if (me == last && k % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    message[0] = static_cast<char>(k % 100);
    @communicate { got@last <<= message@0 }
    if (me == last) CHECK_EQ(int(got[0]), k % 100);
  }
  // Every pair, all ahead of rank 0.
  std::vector<std::vector<char>> parts(n);
  for (int k = 0; k < 40; ++k) {
    if (me == 0 && k % 20 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    @communicate { parts[i]@0 <<= message@i where i in world, i > 0 }
  }
  const double grown = peak_mib() - before;
  // Copies on their way through a transport, and each pair's bytes in flight, are allowed; the 100 MiB are not.
  const double limit = 24 + 4 * allowed_mib * n;
  if (grown > limit) std::fprintf(stderr, "rank %d: memory grew by %.1f MiB, at most %.1f expected\n", me, grown, limit);
  CHECK(grown <= limit);
  return check::finish("sender_ahead");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
