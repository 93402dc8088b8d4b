// RUN: %kanorc %s -o %t 2> %t.warnings && test ! -s %t.warnings
// RUN: %run_everywhere --ranks 1,4 %t > %t.out
// RUN: %FileCheck %s < %t.out
// RUN: %kanorc -static %s -o %t.static 2> %t.err && %run_everywhere --modes threads,processes --ranks 4 %t.static > %t.static.out
// RUN: %FileCheck %s < %t.static.out
// RUN: %kanorc -DCHANGES %s -o %t.changes 2>&1 | %FileCheck %s --check-prefix=NOTE
// RUN: %not %kanorrun -n 2 --mode threads %t.changes 2>&1 | %FileCheck %s --check-prefix=THREADS
// RUN: %kanorrun -n 2 %t.changes 2>&1 | %FileCheck %s --check-prefix=AUTO
// NOTE: note: the ranks of '{{.*}}.changes' will be processes, not threads: '{{.*}}' uses 'setenv', and threads share the environment (and 1 more: '-v' lists them)
// THREADS: ranks cannot be threads: '{{.*}}' uses 'setenv'
// AUTO: kanor: running ranks as processes: '{{.*}}' uses 'setenv'
// The C library's hidden state is each rank's own: the values are those of a process of its own, in every mode. A
// block between two calls lets the other ranks make theirs.
// CHECK: ranks: 4
// CHECK-DAG: 0: rand 1804289383 846930886
// CHECK-DAG: 1: rand 1804289383 846930886
// CHECK-DAG: 2: rand 1505335290 1738766719
// CHECK-DAG: 3: strtok rank|3|of 4
// CHECK-DAG: 1: drand48 0.041630 0.454492 {{[0-9]+}}
// CHECK-DAG: 3: time 106 Mon Jan {{ ?}}2 11:06:40 2006
// CHECK-DAG: 3: hsearch 3
#include <kanor/kanor.hpp>

#include <search.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

namespace {

/// Everyone has come here.
void meet() {
  int all = 0;
  @communicate { all@i << + << 1@j where i, j in world }
}

const int first_of_all = std::rand();  // also where a rank's variables are made

}  // namespace

int main() {
  const int me = kanor::world.rank();
  const int n = kanor::world.size();
  int started = first_of_all;
  if (me > 1) {
    srand(static_cast<unsigned>(me));
    started = std::rand();
  }
  meet();
  std::printf("%d: rand %d %d\n", me, started, std::rand());

  char table[64];
  char* const before = initstate(static_cast<unsigned>(me + 10), table, sizeof table);
  const long other = random();
  meet();
  const long next = random();
  char* const mine = setstate(before);
  srandom(static_cast<unsigned>(me));
  std::printf("%d: random %ld %ld %d %ld\n", me, other, next, mine == table, random());

  srand48(me);
  const double part = drand48();
  meet();
  const double second = drand48();
  long third = lrand48();
  third += mrand48();
  std::printf("%d: drand48 %.6f %.6f %ld\n", me, part, second, third);
  unsigned short seed[3] = {1, 2, static_cast<unsigned short>(me)};
  const unsigned short was = seed48(seed)[2];
  unsigned short parameters[7] = {1, 2, 3, 4, static_cast<unsigned short>(me), 6, 7};
  const double own = erand48(seed);
  meet();
  long own_next = nrand48(seed);
  own_next -= jrand48(seed);
  lcong48(parameters);
  meet();
  std::printf("%d: seed48 %hu %.6f %ld %ld\n", me, was, own, own_next, lrand48());

  std::string words = "rank " + std::to_string(me) + " of-" + std::to_string(n);
  std::string joined = std::strtok(words.data(), " ");
  meet();
  for (int more = 0; more < 2; ++more) {
    joined += '|';
    joined += std::strtok(nullptr, " ");
    meet();
  }
  for (char& c : joined)
    if (c == '-') c = ' ';
  std::printf("%d: strtok %s\n", me, joined.c_str());

  const std::time_t when = 1'000'000'000 + me * 45'400'000L, later = 86'400L * me;
  const std::tm* const broken = std::gmtime(&when);
  meet();
  const int year = broken->tm_year;
  const char* const text = std::asctime(broken);
  meet();
  const std::string kept(text, std::strlen(text) - 1);
  const std::tm* const local = std::localtime(&later);
  meet();
  const bool same = local->tm_yday == me || local->tm_yday == me - 1 || me == 0;
  const char* const date = std::ctime(&later);
  const std::string day = date;
  meet();
  std::printf("%d: time %d %s %d %d\n", me, year, kept.c_str(), same, day == date);

  hcreate(10);
  static char key[] = "rank";
  hsearch({key, reinterpret_cast<void*>(static_cast<long>(me))}, ENTER);
  meet();
  const ENTRY* const found = hsearch({key, nullptr}, FIND);
  std::printf("%d: hsearch %ld\n", me, found ? reinterpret_cast<long>(found->data) : -1);
  hdestroy();
#ifdef CHANGES
  setenv("RANK", std::to_string(me).c_str(), 1);
  meet();
  if (std::getenv("RANK") != std::to_string(me)) return 1;
  return chdir("/");
#endif
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
