// What goes wrong in kanor::sparse_exchange, migrate, and exchange_map.
// RUN: %kanorc %s -o %t
// RUN: %check_failure --message 'rank 1: uncaught exception of type std::out_of_range: .*kanor::migrate.*\b4\b.*\b4\b' %t migrate-behind
// RUN: %check_failure --message 'rank 1: uncaught exception of type std::out_of_range: .*kanor::migrate(?=.*\b2\b)(?=.*-7\b)' %t migrate-half
// RUN: %check_failure --message 'rank 2: uncaught exception of type std::out_of_range: .*kanor::exchange_map.*\b12\b.*\b12\b' %t needed-behind
// RUN: %check_failure --message 'rank 2: uncaught exception of type std::out_of_range: .*kanor::exchange_map(?=.*-5\b)(?=.*\b6\b)' %t needed-half
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: uncaught exception of type std::out_of_range: .*kanor::exchange_map' %t needed-of-none
// RUN: %check_failure --message 'rank 3: uncaught exception of type std::invalid_argument: .*kanor::exchange_map(?=.*\b77\b)(?=.*\b3\b)' %t gather-more
// RUN: %check_failure --modes threads,mpi --message 'rank 3: uncaught exception of type std::invalid_argument: kanor::exchange_map::scatter_add at .*stdlib_irregular_failures.cpp(?=.*\b77\b)(?=.*\b3\b)' %t scatter-own
// RUN: %check_failure --modes threads,mpi --message 'rank 3: uncaught exception of type std::invalid_argument: kanor::exchange_map::scatter_add at .*stdlib_irregular_failures.cpp(?=.*\b77\b)(?=.*\b2\b)' %t scatter-ghosts
// RUN: %check_failure --message 'rank 1: kanor::sparse_exchange at .*stdlib_irregular_failures.cpp:[0-9]+: in the library.s block at .*migrate.hpp:[0-9]+ .*, the receiver.s rank is 44, but the team has 4 ranks: 0 to 3' %t sparse-behind
#include <kanor/std/exchange_map.hpp>
#include <kanor/std/migrate.hpp>

#include <cstdio>
#include <ctime>
#include <map>
#include <string>
#include <vector>

namespace {

using kanor::team;
using kanor::world;

/// One rank's items want to go where no rank is.
void migrate(const std::string& how, int me, const team& half) {
  std::vector<std::string> items{"first", "second", "third"};
  if (how == "migrate-behind")
    kanor::migrate(items, [me](const std::string& item) { return item == "second" && me == 1 ? 4 : 0; });
  if (how == "migrate-half") kanor::migrate(items, [me](const std::string&) { return me == 1 ? -7 : 0; }, half);
  if (how == "sparse-behind") kanor::sparse_exchange(std::map<int, std::string>{{me == 1 ? 44 : 0, "word"}});
}

/// Each rank owns three of the elements.
void needed(const std::string& how, int me, const team& half) {
  if (how == "needed-behind") kanor::exchange_map(3, {11, me == 2 ? 12 : 0});
  if (how == "needed-half") kanor::exchange_map(3, {me == 2 ? -5 : 5}, half);
  if (how == "needed-of-none") kanor::exchange_map(0, {0});
}

void sizes(const std::string& how, int me) {
  const kanor::exchange_map map(3, {0, 4});
  std::vector<double> wrong(77), own(3), ghosts(2);
  if (how == "gather-more") map.gather(me == 3 ? wrong : own, ghosts);
  if (how == "scatter-own") map.scatter_add(me == 3 ? wrong : own, ghosts);
  if (how == "scatter-ghosts") map.scatter_add(own, me == 3 ? wrong : ghosts);
}

}  // namespace

int main(int, char** argv) {
  const std::string how = argv[1];
  const int me = world.rank();
  const team half = world.split(me % 2, 0);
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);
  migrate(how, me, half);
  needed(how, me, half);
  sizes(how, me);
  // Those whose calls have gone well wait here for the others.
  int token = 0;
  @communicate { token@i << + << 1@j where i, j in world }
  std::fprintf(stderr, "rank %d survived\n", me);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
