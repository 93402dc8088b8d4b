// Errors that only a run can show: what each says, and how the job ends.
// RUN: %kanorc %s -o %t
// RUN: %check_failure --message 'rank [0-9]: .*misuse.cpp:[0-9]+: in .there@i .*marked .*same_address_space.*shares no addresses with rank [0-9]' --modes processes,mpi %t address-space
// RUN: %check_failure --message 'rank [0-9]: .*same_address_space.*shares no addresses with rank [0-9]' --modes processes,mpi %t address-space-inside
// RUN: %check_failure --message 'rank 0: waits for data from rank 1, which has ended.*in the block at .*misuse.cpp:[0-9]+' %t ended
// RUN: %check_failure --message 'rank 0: waits for data from rank 1, which has ended.*in the block at .*misuse.cpp:[0-9]+' %t ends-later
// RUN: %check_failure --message 'rank 0: .*misuse.cpp:[0-9]+: in .w.4.@0 <<= 1@0., the place is element 4, .* length from 5 to 3' %t shorter
// RUN: %check_failure --message 'rank 0: .*for i = 1, the value of rank 1 has length 2, but that of rank 0 for i = 0 has length 1' %t fold-lengths
// RUN: %check_failure --message 'rank 0: .*misuse.cpp:[0-9]+: in .two.k : k.@0 <<= v.0 : k . 1.@k .*for k = 1, the place has length 1, but the value has length 2' %t section-lengths
// RUN: %check_failure --message 'rank 1: .*misuse.cpp:[0-9]+: in .*for k = 1, the section .1 : 2 : 3. goes beyond length 4' %t section-bound
// RUN: %check_failure --message 'rank 0: .*misuse.cpp:[0-9]+: in .*for k = 0, the section .2 : -1. in dimension 2 has a negative count' %t section-count
// RUN: %check_failure --modes threads --message 'rank [0-9]: .*misuse.cpp:[0-9]+: in .*the section .0 : 3. in dimension 1 goes beyond length 2' %t section-of-shape
// RUN: %check_failure --modes threads --message 'rank [0-9]: .*the shape 2 x 3 has more elements than its base, which has 4' %t section-shape
// RUN: %check_failure --message 'rank [0-9]: out of text' %t abort
// RUN: %check_failure --message 'rank [0-9]: the pending exchange of the block at .*misuse.cpp:[0-9]+ was waited for a second time' %t waited-twice
// RUN: %check_failure --message 'rank [0-9]: kanor::pending::wait.. was called on an object that has no exchange, or was moved from' %t moved-from
// RUN: %check_failure --message 'rank [0-9]: the pending exchange of the block at .*misuse.cpp:[0-9]+ is waited for while the block at .*misuse.cpp:[0-9]+ is being evaluated' %t wait-in-block
// RUN: %check_failure --message 'rank [0-9]: no such step .in the block at .*misuse.cpp:700[0-9]' %t rank-aborts
// RUN: %check_failure --message 'rank [0-9]: uncaught exception of type std::runtime_error: no such set .in the block at .*misuse.cpp:701[0-9]' %t set-throws
// RUN: %check_failure --message 'rank [0-9]: the block at .*misuse.cpp:702[0-9] is reached while the block at .*misuse.cpp:703[0-9] is being evaluated' %t set-has-block
// RUN: %check_failure --message 'rank [0-9]: the block at .*misuse.cpp:704[0-9] is reached while another thread of this rank executes the block at .*misuse.cpp:[0-9]+; one thread of a rank .*lock a mutex.*omp' %t two-threads
// RUN: %check_failure --message 'rank 0: waits for data from rank [0-9], which has ended.*in the block at .*misuse.cpp:[0-9]+' %t one-sided-ended
// RUN: %check_failure --message 'rank 0: .*misuse.cpp:[0-9]+: in .three.k.@0 .* for k = 1, the place has length 3, but the value has length 2' %t one-sided-lengths
#include <kanor/kanor.hpp>

#include <array>
#include <atomic>
#include <cstdio>
#include <ctime>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

struct [[kanor::same_address_space]] Near {
  const int* number = nullptr;
};

}  // namespace

int main(int, char** argv) {
  const std::string how = argv[1];
  const int me = kanor::world.rank(), n = kanor::world.size();
  int a = me;
  if (how == "ends-later" && me == 1) usleep(100'000);
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);

  if (how == "address-space") {
    const Near near{&a};
    Near there;
    @communicate { there@i <<= near@(i + 1) % n where i in world }
  }
  if (how == "address-space-inside") {
    const std::vector<std::pair<int, Near>> nears(3, {me, Near{&a}});
    std::vector<std::pair<int, Near>> there;
    @communicate { there@i <<= nears@(i + 1) % n where i in world }
  }
  if (how == "ended" || how == "ends-later")
    if (me == 0) @communicate { a@0 <<= 5@1 }
  if (how == "shorter") {
    std::vector<int> v(5);
    std::vector<int>& w = v;
    @communicate { v@0 <<= std::vector<int>(3)@1; w[4]@0 <<= 1@0 }
  }
  if (how == "fold-lengths") {
    std::vector<int> v(static_cast<std::size_t>(me + 1)), sum;
    @communicate { sum@0 << + << v@i where i in world }
  }
  if (how == "waited-twice") {
    @communicate (async = p) { a@0 <<= 5@1 }
    kanor::pending& again = p;
    p.wait();
    again.wait();
  }
  if (how == "moved-from") {
    @communicate (async = p) { a@0 <<= 5@1 }
    const kanor::pending other = std::move(p);
    p.wait();
  }
  if (how == "wait-in-block") {
    @communicate (async = p) { a@0 <<= 5@1 }
    const auto value = [&p] {
      p.wait();
      return 5;
    };
    @communicate { a@i <<= value()@i where i in world }
  }
  if (how == "two-threads") {
    std::atomic<bool> is_inside = false;
    std::thread other([&] {
      is_inside.wait(false);
      int b = 0;
#line 7041
      @communicate { b@0 <<= 5@0 }
    });
    const auto value = [&] {
      is_inside = true;
      is_inside.notify_one();
      other.join();
      return 5;
    };
    @communicate { a@i <<= value()@i where i in world }
  }
  if (how.starts_with("section")) {
    std::vector<int> v(4);
    int two[2] = {}, rows[4][4] = {};
    if (how == "section-lengths") @communicate { two[k : k]@0 <<= v[0 : k + 1]@k where k in {1 ... 1} }
    if (how == "section-bound") @communicate { v@0 <<= v[k : 2 : 2 + k]@k where k in world, k < 2 }
    if (how == "section-count") @communicate { rows[:][2 : k - 1]@k <<= v[0 : 0]@k where k in world }
  }
  if (how == "section-of-shape") {
    std::vector<int> v(4);
    const auto shape = kanor::section(v, 2, 2);
    @communicate { shape[0 : i + 3][:]@i <<= v@i where i in {0 ... 0} }
  }
  if (how == "section-shape") {
    const int three[4] = {};
    @communicate { a@i <<= kanor::section(three, 2, 3)(1, 0)@i where i in world }
  }
  if (how == "one-sided-ended")
    if (me == 0) @communicate (knows = sender) { a@0 <<= 5@0 }
  if (how == "one-sided-lengths") {
    std::vector<std::array<int, 3>> three(2);
    const std::vector<int> two(2);
    @communicate (knows = sender) { three[k]@0 <<= two@me where let k = me == 1 ? 1 : 0, i in kanor::range(1, 2), me == i }
  }
  if (how == "abort") kanor::abort("out of " + std::string("text"));
  // What a block's ranks and sets are is found before its values are.
  for (int step = 0; step < 20 && (how.starts_with("rank-") || how.starts_with("set-")); ++step) {
    const auto last = [step](auto&& otherwise) {
      if (step == 19) otherwise();
      return 1;
    };
    const auto other_block = [&a] {
#line 7021
      @communicate { a@0 <<= 5@0 }
    };
    @communicate { a@i <<= 5@i where i in world }
    if (how == "rank-aborts")
#line 7001
      @communicate { a@i <<= 5@(i + last([] { kanor::abort("no such step"); })) % n where i in world }
    if (how == "set-throws")
#line 7011
      @communicate { a@i <<= 5@i where i in {0 ... n - last([] { throw std::runtime_error("no such set"); })} }
    if (how == "set-has-block")
#line 7031
      @communicate { a@i <<= 5@i where i in {0 ... n - last(other_block)} }
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
