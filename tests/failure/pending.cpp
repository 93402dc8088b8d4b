// Exchanges that are pending while others touch their places: found in checked mode, with both statements.
// RUN: %kanorc -Wno-kanor-nonuniform %s -o %t
// RUN: env KANOR_CHECK=1 %run_everywhere --keep KANOR_CHECK --ranks 2,4 --modes threads,processes,mpi %t nothing
// RUN: %run_everywhere --ranks 4 --modes threads %t two-exchanges
// RUN: %check_failure --modes threads,mpi --set KANOR_CHECK=1 --message 'rank 0: checked mode: .*pending.cpp:[0-9]+: in .same@0 <<= me@2., and .*pending.cpp:[0-9]+: in .a@0 <<= me@1., which is pending, places overlap on this rank' %t two-exchanges
// RUN: %check_failure --modes threads,mpi --set KANOR_CHECK=1 --message 'rank 0: checked mode: .*: in .w.k.@0 <<= me@k .* for k = 1, and .*: in .v@0 <<= v@2., which is pending, places overlap' %t element
// RUN: %check_failure --modes threads,mpi --set KANOR_CHECK=1 --message 'rank [0-3]: checked mode: .*: in .same@r << . << me@s .* for r = [0-3], s = 0, and .*: in .a@r <<= me@r .* for r = [0-3], which is pending, places overlap' %t block-between
// RUN: %check_failure --modes threads,mpi --set KANOR_CHECK=1 --message 'rank 0: checked mode: .*: in .other.2.@0 <<= true@1., and .*: in .bits.k.@0 <<= true@1 .* for k = 2, which is pending, places overlap' %t bits
// RUN: %check_failure --modes threads,mpi --set KANOR_CHECK=1 --message 'rank 0: checked mode: .*: in .same@0 <<= me@me.*, and .*: in .a@0 <<= me@1., which is pending, places overlap' %t one-sided
#include <kanor/kanor.hpp>

#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

int main(int, char** argv) {
  const std::string how = argv[1];
  const int me = kanor::world.rank();
  int a = me, b = me;
  int& same = a;
  std::vector<int> v(5, me), &w = v;
  std::vector<bool> bits(5), &other = bits;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);

  if (how == "nothing") {
    @communicate (async = p) { a@0 <<= me@1; v[0 : 2]@0 <<= v[3 : 2]@1; bits[1]@0 <<= true@1 }
    @communicate (async = q) { b@0 <<= me@1; v[2 : 3]@0 <<= v[0 : 3]@1; bits[2]@0 <<= true@1 }
    @communicate { a@1 <<= me@0; b@i <<= me@0 where i in world, i > 0 }
    p.wait();
    @communicate { same@i <<= me@1 where i in world; w[0]@0 <<= 7@1 }
    q.wait();
    std::printf("%d has %d and %d, %d %d\n", me, a, b, v[0], v[4]);
  }
  if (how == "two-exchanges") {
    @communicate (async = p) { a@0 <<= me@1 }
    @communicate (async = q) { same@0 <<= me@2 }
    q.wait();
  }
  if (how == "element") {
    @communicate (async = p) { v@0 <<= v@2 }
    @communicate { w[k]@0 <<= me@k where k in {1 ... 1} }
  }
  if (how == "block-between") {
    @communicate (async = p) { a@r <<= me@r where r in world }
    @communicate { same@r << + << me@s where r, s in world }
  }
  if (how == "bits") {
    @communicate (async = p) { bits[k]@0 <<= true@1 where k in {1, 2} }
    @communicate { other[2]@0 <<= true@1 }
  }
  if (how == "one-sided") {
    @communicate (async = p) { a@0 <<= me@1 }
    @communicate (knows = sender) { same@0 <<= me@me where me == 1 }
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
