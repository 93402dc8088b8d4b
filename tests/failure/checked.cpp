// What checked mode finds, in every mode; nothing of it shows in an unchecked run.
// RUN: %kanorc %s -o %t
// RUN: env KANOR_CHECK=1 %run_everywhere --keep KANOR_CHECK --ranks 2,4 %t nothing
// RUN: %run_everywhere --ranks 4 --modes threads %t other-block
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank [0-3]: checked mode: rank (0 executes the block at .*checked.cpp:[0-9]+ where rank 1|1 executes the block at .*checked.cpp:[0-9]+ where rank 2) executes the block at .*checked.cpp:[0-9]+: all members' %t other-block
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank [0-3]: checked mode: rank (0 executes the block at .*checked.cpp:[0-9]+ where rank 1 has ended|1 has ended where rank 2 executes the block at .*checked.cpp:[0-9]+)' %t left-out
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank [0-3]: checked mode: rank (0 executes the block at .*checked.cpp:[0-9]+ where rank 1 calls kanor::team::split|1 calls kanor::team::split at .*checked.cpp:[0-9]+ where rank 2)' %t split
// RUN: %check_failure --set KANOR_CHECK=1 --message 'checked mode: rank 0 of the team .[01] of the world. executes the block at .*checked.cpp:[0-9]+ where rank 1 of the team .[23] of the world. executes the block at .*checked.cpp:[0-9]+' %t in-a-team
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank [0-3]: checked mode: .*checked.cpp:[0-9]+: in .a@i <<= b@j where .*, rank [0-3] and rank [0-3] do not agree on the bindings .*binding 4 is (missing on rank|i = 3, j = 0 .from rank 0 to rank 3. on rank)' %t bound
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank [0-3]: checked mode: .*checked.cpp:[0-9]+: in .a@i . shift <<= b@i.*binding 1 is i = 0 .from rank 0 to rank [01]. on rank [0-3], but i = 0 .from rank 0 to rank [01]. on rank [0-3]' %t rank
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 0: checked mode: .*checked.cpp:[0-9]+: in .v@0 <<= w@1., and .*checked.cpp:[0-9]+: in .element@0 <<= a@0., places overlap on this rank' %t element
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 0: checked mode: .*in .a@0 <<= i@i where i in world, i < 2. for i = 0, and .*in .a@0 <<= i@i where i in world, i < 2. for i = 1, places overlap' %t same-place
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 0: checked mode: .*in .nested@0 <<= nested@1., and .*in .inner@0 <<= a@0., places overlap' %t nested
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 0: checked mode: .*in .table@0 <<= table@1., and .*in .table.k.@0 <<= table.1.@1.*, places overlap' %t map
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 0: checked mode: .*in .either@0 <<= either@1., and .*in .held@0 <<= a@0., places overlap' %t variant
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 0: checked mode: .*in .jobs@0 <<= jobs@1., and .*in .job@0 <<= a@0., places overlap' %t queue
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 0: checked mode: .*in .bits.0 . j.@0 <<= true@1 .* for j = 1, and .* for j = 2, places overlap' %t bits
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 0: checked mode: .*in .v.j.@0 << . << me@i .* for i = 0, j = 0, and .*in .v.k.@0 <<= a@0.*, places overlap' %t reduction
// RUN: %check_failure --set KANOR_CHECK=1 --modes threads --message 'rank 0: checked mode: .*in .kanor::section.v, 1, 5..:..k : 1.@0 .*, and .*in .element@0 <<= a@0., places overlap' %t face
// RUN: %check_failure --set KANOR_CHECK=1 --modes threads --message 'rank 0: checked mode: .*in .v.list.@0 <<= w.0 : 3.@1., the place lists element 3 twice' %t listed-twice
// RUN: %check_failure --set KANOR_CHECK=1 --modes threads --message 'rank 0: checked mode: .*in .v.list.@0 <<= w.0 : 3.@1., and .*in .v.4.@0 <<= a@1., places overlap' %t listed
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 0: checked mode: .*in .a@0 <<= me@1., the place was written, or has moved, between the start of the exchange and its end' %t pending-place
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 0: checked mode: .*in .v@0 <<= w@1., the place was written, or has moved' %t pending-element
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 1: checked mode: .*in .a@0 <<= b@1., the value was written, or has moved, between the start of the exchange and its end' %t pending-value
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 1: checked mode: .*in .v@0 <<= w@1., the value was written, or has moved' %t pending-sequence
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 1: checked mode: .*in .v.0 : 2.@0 <<= w.1 : 2 : 2.@1., the value was written, or has moved' %t pending-section
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 1: checked mode: .*checked.cpp:([0-9]+): in .b2@0 <<= given@1., the value.s memory was given away by the block at .*checked.cpp:[0-9]+' %t given
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 1: checked mode: .*in .b2@i <<= std::move.given.@1 where i in world. for i = 0, the value.s memory was given away by the block at .*checked.cpp:[0-9]+' %t given-again
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 0: .*checked.cpp:[0-9]+: in .unsized.0.@0 <<= a@1.*there is no element 0: the array or container has no elements' %t unsized
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 0: .*checked.cpp:[0-9]+: in .holder->fixed.n . i.@0 <<= a@i .* for i = 3.*there is no element 7: the array or container has 5 elements, 0 to 4' --modes threads %t member
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 1: .*checked.cpp:[0-9]+: in .a@0 <<= v.k - 3.@1.*there is no element -3: the array or container has 5 elements' --modes threads %t negative
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 0: .*checked.cpp:[0-9]+: in .table2.i..i . 1.@0 <<= 1@1 .* for i = 1.*there is no element 2: the array or container has 2 elements' --modes threads %t inner
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 0: .*checked.cpp:[0-9]+: in .v.j.@0 <<= a@1 .* for j = 5.*there is no element 5: the array or container has 5 elements' --modes threads %t pushed
// RUN: %check_failure --set KANOR_CHECK=1 --modes threads --message 'rank 0: checked mode: .*checked.cpp:[0-9]+: in .a@0 <<= b@me. from rank 0, and .*checked.cpp:[0-9]+: in .a@0 <<= b@me. from rank 1, places overlap' %t pushed-by-all
// RUN: %check_failure --set KANOR_CHECK=1 --ranks 16 --modes threads,processes --message 'rank [0-9]+: .*there is no element 0' --message '[0-9]+ more ranks report the same error as rank [0-9]+' %t everywhere
#include <kanor/kanor.hpp>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>
#include <queue>
#include <string>
#include <variant>
#include <vector>

int main(int, char** argv) {
  const std::string how = argv[1];
  const int me = kanor::world.rank();
  int a = me, b = me;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);

  @communicate { a@i <<= b@0 where i in world }
  if (how == "other-block") {
    if (me == 1) @communicate { a@0 <<= b@0 }
    else @communicate { a@0 <<= b@0 }
  }
  if (how == "left-out" && me != 1) @communicate { a@0 <<= b@0 }
  if (how == "split") {
    if (me == 1) kanor::world.split(0, 0);
    else @communicate { a@0 <<= b@0 }
  }
  if (how == "in-a-team") {
    const kanor::team half = kanor::world.split(me % 2, 0);
    if (half.rank() == 0) @communicate (team = half) { a@0 <<= b@0 }
    else @communicate (team = half) { a@0 <<= b@0 }
  }
  const int last = how == "bound" && me == 2 ? 3 : 2;
  if (how == "bound") @communicate { a@i <<= b@j where j in {0 ... 0}, i in {0 ... last} }
  const int shift = how == "rank" && me == 3 ? 1 : 0;
  if (how == "rank") @communicate { a@i ^ shift <<= b@i where i in {0, 2} }

  std::vector<int> v(5), w(5, me);
  kanor::buffer<int> given(5, me), b2;
  std::vector<std::vector<int>> nested(2, w);
  std::map<int, std::string> table{{1, "x"}, {2, "y"}};
  std::vector<bool> bits(5);
  int k = 0;
  if (how == "nothing") {
    // What is given away may be read and given again in the same block, and afterwards if it is replaced.
    @communicate { b2@i <<= std::move(given)@1 where i in world; k@0 <<= given[2]@1 }
    if (me == 1) given = kanor::buffer<int>(3, 8);
    @communicate { b2@0 <<= std::move(given)@1 }
    @communicate { given@1 <<= b2@0 }
    @communicate { b2@2 % kanor::world.size() <<= given@1 }
    @communicate {
      v[j]@0 <<= w[j]@1 where j in {0 ... 4};
      a@0 << + << me@i where i in world;
      nested[0]@0 <<= w@0; nested[1]@0 <<= w@1;
      table[1]@0 <<= table[2]@1; table[2]@0 <<= table[1]@1;
      bits[j]@0 <<= true@1 where j in {0 ... 4}
    }
    @communicate (async = exchange) { v@i <<= w@0 where i in world; a@0 <<= me@1 }
    exchange.wait();
    b = 7;
    @communicate (async = other) { a@0 <<= std::max(b + 1, 9)@1; v[0 : 2]@0 <<= w[1 : 2 : 2]@1 }
    w[0] = w[2] = 8;
    other.wait();
    // Names end with their bindings, and where the sender knows they travel too.
    @communicate (async = named) { v[i]@0 <<= i@1 where i in {0 ... 2}; a@0 <<= list[0]@1 where let list = std::vector<int>(5, k) }
    @communicate (async = pushed, knows = sender) { table[i]@0 <<= s@1 where i in {1 ... 3}, let s = table[1] }
    w[3] = 9;
  }
  std::variant<std::string, std::vector<int>> either = w;
  std::queue<int> jobs({me, 5});
  int &held = std::get<1>(either)[2], &job = jobs.back();
  int &element = v[k], &inner = nested[1][k];  // other names, so that only the run shows what meets
  const int n = kanor::world.size();
  std::vector<int> unsized;
  if (me > 100) unsized.push_back(me);
  if (how == "unsized") @communicate { unsized[0]@0 <<= a@1 }
  if (how == "everywhere") @communicate { a@i << + << me@j where i, j in world }  // they go on together
  if (how == "everywhere") @communicate { unsized[0]@i <<= a@i where i in world }
  struct { int fixed[5] = {}; } held_array, *holder = &held_array;
  if (how == "member") @communicate { holder->fixed[n + i]@0 <<= a@i where i in world, i > 2 }
  if (how == "negative") @communicate { a@0 <<= v[k - 3]@1 }
  std::vector<std::vector<int>> table2(2, std::vector<int>(2));
  if (how == "inner") @communicate { table2[i][i + 1]@0 <<= 1@1 where i in {0 ... 1} }
  if (how == "pushed-by-all") @communicate (knows = sender) { a@0 <<= b@me }
  if (how == "pushed") @communicate (knows = sender) { v[j]@0 <<= a@1 where j in {5} }
  if (how == "element") @communicate { v@0 <<= w@1; element@0 <<= a@0 }
  if (how == "same-place") @communicate { a@0 <<= i@i where i in world, i < 2 }
  if (how == "nested") @communicate { nested@0 <<= nested@1; inner@0 <<= a@0 }
  if (how == "map") @communicate { table@0 <<= table@1; table[k]@0 <<= table[1]@1 where k in {2} }
  if (how == "variant") @communicate { either@0 <<= either@1; held@0 <<= a@0 }
  if (how == "queue") @communicate { jobs@0 <<= jobs@1; job@0 <<= a@0 }
  if (how == "bits") @communicate { bits[0 * j]@0 <<= true@1 where j in {1, 2} }
  if (how == "reduction") @communicate { v[j]@0 << + << me@i where i in world, j in {0 ... 2}; v[k]@0 <<= a@0 }
  if (how == "face") @communicate { kanor::section(v, 1, 5)[:][k : 1]@0 <<= w[1 : 1]@1; element@0 <<= a@0 }
  std::vector<int> list{3, 0, 3};
  if (how == "listed-twice") @communicate { v[list]@0 <<= w[0 : 3]@1 }
  list[0] = 4;
  if (how == "listed") @communicate { v[list]@0 <<= w[0 : 3]@1; v[4]@0 <<= a@1 }
  if (how == "pending-place") {
    @communicate (async = exchange) { a@0 <<= me@1 }
    if (me == 0) a = 7;
  }
  if (how == "pending-element") {
    @communicate (async = exchange) { v@0 <<= w@1 }
    if (me == 0) v[3] = 7;
    exchange.wait();
  }
  if (how == "pending-value") {
    @communicate (async = exchange) { a@0 <<= b@1 }
    if (me == 1) b = 7;
  }
  if (how == "pending-sequence") {
    @communicate (async = exchange) { v@0 <<= w@1 }
    if (me == 1) w[2] = 7;
    exchange.wait();
  }
  if (how == "pending-section") {
    @communicate (async = exchange) { v[0 : 2]@0 <<= w[1 : 2 : 2]@1 }
    if (me == 1) w[3] = 7;
    exchange.wait();
  }
  if (how.starts_with("given")) @communicate { b2@0 <<= std::move(given)@1 }
  if (how == "given") @communicate { b2@0 <<= given@1 }
  if (how == "given-again") @communicate { b2@i <<= std::move(given)@1 where i in world }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
