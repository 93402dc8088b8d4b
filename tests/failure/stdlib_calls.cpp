// Messages about blocks of the standard library name the call in the program.
// RUN: %kanorc -Wall -Wextra -Wno-kanor-nonuniform -Werror %s -o %t
// RUN: %check_failure --message 'rank [0-3]: kanor::broadcast at .*stdlib_calls.cpp:7001: in the library.s block at .*broadcast.hpp:[0-9]+.*, the sender.s rank is 9, but the team has 4 ranks: 0 to 3$' %t root
// RUN: %check_failure --modes threads,mpi --message 'std::out_of_range: kanor::migrate at .*stdlib_calls.cpp:7002: an item.s owner is rank 40, and the team has 4 members' %t owner
// RUN: %check_failure --message 'rank 2: kanor::all_reduce at .*stdlib_calls.cpp:7003: in the library.s block at .*, an exception left an expression of the block: int$' %t throws
// RUN: %check_failure --modes threads,mpi --message 'rank 1: enough \(last kanor::exclusive_scan at .*stdlib_calls.cpp:7004\)' %t last
// RUN: %check_failure --modes threads,mpi --message 'rank 3: enough \(last block at .*stdlib_calls.cpp:7005\)' %t own-block
// RUN: %check_failure --set KANOR_CHECK=1 --message 'checked mode: rank 1 executes kanor::barrier at .*stdlib_calls.cpp:7006 .the block at .*barrier.hpp:[0-9]+. where rank [02] executes kanor::all_sum at .*stdlib_calls.cpp:7007|checked mode: rank [02] executes kanor::all_sum at .*stdlib_calls.cpp:7007 .the block at .*all_reduce.hpp:[0-9]+. where rank 1 executes kanor::barrier at .*stdlib_calls.cpp:7006' %t unlike
// RUN: %check_failure --modes threads,processes --message 'rank 0: rank [1-3] is in kanor::all_sum at .*stdlib_calls.cpp:7220 while this rank is in kanor::rebalance at .*stdlib_calls.cpp:7221|rank [1-3]: rank 0 is in kanor::rebalance at .*stdlib_calls.cpp:7221 while this rank is in kanor::all_sum at .*stdlib_calls.cpp:7220' %t mixed
// RUN: %check_failure --set KANOR_CHECK=1 --message 'checked mode: kanor::reduce at .*stdlib_calls.cpp:7222: rank [0-3] and rank [0-3] give it different arguments .in its block at .*reduce.hpp:[0-9]+.: binding 1 is' %t roots
// RUN: %check_failure --set KANOR_CHECK=1 --message 'checked mode: kanor::all_sum at .*stdlib_calls.cpp:722[34]: rank [1-3] has values of type (long int|double), but rank [1-3] of type (long int|double) .in its block at .*all_reduce.hpp:[0-9]+.' %t types
// RUN: %check_failure --set KANOR_CHECK=1 --modes threads,processes --message 'rank [0-3]: checked mode: kanor::start_halo at .*stdlib_calls.cpp:7225: in the library.s block at .*halo.hpp:[0-9]+, the value was written, or has moved, between the start of the exchange and its end' %t sent-cells
// RUN: %check_failure --modes threads,processes --message 'rank 0: rank [1-3] (was in the block at line [0-9]+|is in kanor::broadcast at .*stdlib_calls.cpp:7230) while this rank is in kanor::rebalance at .*stdlib_calls.cpp:7231' %t left
// RUN: %check_failure --modes threads --message 'rank [0-3]: uncaught exception of type std::invalid_argument: kanor::dealing::cyclic at .*stdlib_calls.cpp:7232: a block has at least one index' %t cyclic
// RUN: %check_failure --modes threads --message 'rank [0-3]: uncaught exception of type std::invalid_argument: kanor::block_range at .*stdlib_calls.cpp:7233: 5 elements in 0 parts' %t no-parts
// RUN: %check_failure --modes threads --message 'rank [0-3]: uncaught exception of type std::invalid_argument: kanor::block_range at .*stdlib_calls.cpp:7234: -5 elements in 4 parts' %t minus-elements
// RUN: %check_failure --modes threads --message 'rank [0-3]: uncaught exception of type std::out_of_range: kanor::block_range at .*stdlib_calls.cpp:7235: there is no part 4 of 4' %t no-part
// RUN: %check_failure --modes threads --message 'rank [0-3]: uncaught exception of type std::out_of_range: kanor::dealt::index_of at .*stdlib_calls.cpp:7236: there is no element at position 2 of the 2 of rank [0-3]' %t no-position
// RUN: %check_failure --modes threads,processes --message 'rank [0-3]: uncaught exception of type std::length_error: kanor::dealt at .*stdlib_calls.cpp:7237: there is no memory for the 230584300921369395[0-9] elements of this rank' %t no-memory
// RUN: %check_failure --modes threads --message 'rank [0-3]: uncaught exception of type std::length_error: kanor::dealt at .*stdlib_calls.cpp:7238: no vector can have the 230584300921369395[0-9] elements of this rank' %t no-vector
// RUN: %check_failure --set KANOR_CHECK=1 --message 'checked mode: rank [0-3] executes kanor::work_queue at .*stdlib_calls.cpp:7239 .the making of pairs at .* for rank [0-3]. where rank [0-3] executes kanor::work_queue at .*stdlib_calls.cpp:7239 .the making of pairs at .* for rank [0-3].' %t managers
// RUN: %check_failure --modes threads --message 'rank 3: uncaught exception of type std::invalid_argument: kanor::scatter at .*stdlib_calls.cpp:7240: the vector has 1 element, and the team has 4 members' %t one-element
// RUN: %check_failure --modes threads,processes --set KANOR_CHECK=1 --set KANOR_HANG_SECONDS=1 --within 3 --message 'the job hangs' --message 'rank [01]: waits in kanor::rebalance at .*stdlib_calls.cpp:700[89] .of a team of 2 ranks' %t hang
// RUN: %check_failure --message 'rank [0-3]: kanor::exchange_halo at .*stdlib_calls.cpp:7101: in the library.s block at .*, but the value has length [0-9]+$' %t halo
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: kanor::exchange_halo at .*stdlib_calls.cpp:7102: in the library.s block at .*halo.hpp:[0-9]+' %t star
// RUN: %check_failure --message 'rank 2: uncaught exception of type std::invalid_argument: kanor::exchange_halo at .*stdlib_calls.cpp:7104: .*\b3\b.*\b2\b' %t narrow
// RUN: %check_failure --modes threads,mpi --message 'rank 1: uncaught exception of type std::invalid_argument: kanor::start_halo at .*stdlib_calls.cpp:7105: .*\b5\b.*\b3\b' %t narrow-start
// RUN: %check_failure --modes threads,mpi --message 'rank 0: uncaught exception of type std::invalid_argument: kanor::exchange_halo at .*stdlib_calls.cpp:7106: .*\b1\b.*\b1\b' %t wrapper
// RUN: %check_failure --modes threads,processes --message 'rank [0-3]: uncaught exception of type std::invalid_argument: kanor::transpose at .*stdlib_calls.cpp:7107: .*axis 1\b' %t axes
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: uncaught exception of type std::invalid_argument: kanor::transpose at .*stdlib_calls.cpp:7108: .*axis 3\b' %t axis-behind
// RUN: %check_failure --message 'rank 3: uncaught exception of type std::invalid_argument: kanor::transpose at .*stdlib_calls.cpp:7109: .*\b7\b.*\b2\b' %t rows
// RUN: %check_failure --modes threads,mpi --message 'rank 1: uncaught exception of type std::invalid_argument: kanor::transpose at .*stdlib_calls.cpp:7110: .*\b5\b.*\b12\b' %t values
// RUN: %check_failure --message 'rank 2: uncaught exception of type int.*kanor::merge at .*stdlib_calls.cpp:7111' %t order
// RUN: %check_failure --modes threads,processes --set KANOR_CHECK=1 --set KANOR_HANG_SECONDS=1 --within 3 --message 'the job hangs' --message 'rank 0: waits in kanor::exchange_halo at .*stdlib_calls.cpp:7114 .of a team of 2 ranks' --message 'rank 1: waits in kanor::merge at .*stdlib_calls.cpp:7115 .of a team of 2 ranks' %t hang-grid
// RUN: %check_failure --message 'rank [0-3]: .*kanor::start_halo at .*stdlib_calls.cpp:7103' %t start
// RUN: %check_failure --modes threads,mpi --message 'rank 2: uncaught exception of type std::range_error: no such key.*kanor::merge_by_key at .*stdlib_calls.cpp:7112' %t order-of-keys
// RUN: %check_failure --modes threads,mpi --message 'rank 1: enough \(last kanor::start_halo at .*stdlib_calls.cpp:7113\)' %t last-start
// RUN: %check_failure --modes threads --message 'rank [0-3]: .*kanor::transpose at .*stdlib_calls.cpp:7117: there is no array of 1099511627776 x 1099511627776 elements' %t countless
// RUN: %check_failure --modes threads --message 'rank [0-3]: .*kanor::transpose at .*stdlib_calls.cpp:7118: there is no array of 2 x -3 elements' %t negative
// RUN: %check_failure --modes threads --message 'rank [0-3]: .*kanor::transpose at .*stdlib_calls.cpp:7241: there is no array of -1 x 2 elements' %t negative-height
// RUN: %check_failure --modes threads,mpi --message 'rank 1: enough \(last block at .*stdlib_calls.cpp:7122\)' %t waited
// RUN: %check_failure --message 'rank [0-3]: uncaught exception of type std::out_of_range: kanor::dealt::section at .*stdlib_calls.cpp:7201: the slice from 5 to 11 .*\b10\b' %t slice
// RUN: %check_failure --modes threads --message 'rank [0-3]: uncaught exception of type std::out_of_range: kanor::dealt::at at .*stdlib_calls.cpp:7210: there is no element at 10\b' %t no-element
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: kanor::dealt::all at .*stdlib_calls.cpp:7211: in the library.s block at .*the place has length [0-9]+, but the value has length [0-9]+$' %t all
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: uncaught exception of type std::invalid_argument: kanor::dealt::redistributed at .*stdlib_calls.cpp:7202: .*team' %t other-team
// RUN: %check_failure --modes threads --message 'rank [0-3]: uncaught exception of type std::invalid_argument: kanor::dealt at .*stdlib_calls.cpp:7203: dimension 1 cannot have 1099511627776 indices' %t too-many
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: uncaught exception of type std::invalid_argument: kanor::pipeline at .*stdlib_calls.cpp:7204: .*-1 items' %t items
// RUN: %check_failure --message 'rank 2: uncaught exception of type int.*kanor::pipeline at .*stdlib_calls.cpp:7205' %t stage
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: uncaught exception of type std::out_of_range: kanor::work_queue at .*stdlib_calls.cpp:7206: the root is rank 4, and the team has 4 members' %t manager
// RUN: %check_failure --message 'rank [1-3]: uncaught exception of type std::range_error: no such task.*kanor::work_queue at .*stdlib_calls.cpp:7207' %t task
// RUN: %check_failure --modes threads,mpi --message 'rank 0: uncaught exception of type std::range_error: no such task.*kanor::work_queue at .*stdlib_calls.cpp:7208' %t last-task
// RUN: %check_failure --modes threads,processes --set KANOR_CHECK=1 --set KANOR_HANG_SECONDS=1 --within 3 --message 'the job hangs' --message 'rank 0: waits in kanor::work_queue at .*stdlib_calls.cpp:7209 .* for data from any rank' %t hang-task
#include <kanor/std/collectives.hpp>
#include <kanor/std/dealt.hpp>
#include <kanor/std/halo.hpp>
#include <kanor/std/merge.hpp>
#include <kanor/std/migrate.hpp>
#include <kanor/std/pipeline.hpp>
#include <kanor/std/reorder.hpp>
#include <kanor/std/transpose.hpp>
#include <kanor/std/work_queue.hpp>

#include <climits>
#include <cstdio>
#include <ctime>
#include <functional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

/// A program's own function names its caller's line.
void refresh(double* field, long cells, const kanor::grid<1>& ring,
             std::source_location where = std::source_location::current()) {
  kanor::exchange_halo(field, {cells}, 1, ring, kanor::stencil::star, where);
}

/// Halos, transposes and merges.
void grids(const std::string& how, const kanor::team& row, const kanor::team& column) {
  const int me = kanor::world.rank();
  const kanor::grid<2> square(kanor::world, {2, 2}, {true, false});
  const kanor::grid<1> ring(kanor::world, {4}, {true}), pair(row, {2});
  // One rank has more cells than its neighbours in a dimension in which all must have as many.
  const int uneven = me == 1 ? 5 : 4;
  std::vector<double> u(100), v(100);
  std::vector<int> numbers(me == 3 ? 7 : 2), sorted{me, me};
  const std::vector<std::pair<int, double>> pairs{{me, 0.5}};
  const auto less = [](int a, int b) { return kanor::world.rank() == 2 ? throw a : a < b; };
  const auto less_of_keys = [](int a, int b) {
    return kanor::world.rank() == 2 ? throw std::range_error("no such key") : a < b;
  };
#line 7101
  if (how == "halo") kanor::exchange_halo(u.data(), {uneven, 6}, 1, square);
  if (how == "star") kanor::exchange_halo({u.data(), v.data()}, {uneven, 6}, 1, square, kanor::stencil::star);
  if (how == "start") kanor::start_halo({u.data(), v.data()}, {uneven, 6}, 1, square).wait();
  if (how == "narrow") kanor::exchange_halo(u.data(), {4, me == 2 ? 3 : 4}, 2, square);
  if (how == "narrow-start") kanor::start_halo({u.data()}, {me == 1 ? 5 : 6}, 3, pair).wait();
  if (how == "wrapper") refresh(u.data(), me == 0 ? 1 : 9, ring);
  if (how == "axes") kanor::transpose(std::vector<int>(2), {4, 2}, {1, 1});
  if (how == "axis-behind") kanor::transpose(std::vector<int>(2), {4, 2, 1}, {0, 1, 3});
  if (how == "rows") kanor::transpose(numbers, 4, 2);
  if (how == "values") kanor::transpose(std::vector<int>(me == 1 ? 5 : 12), {4, 2, 3}, {2, 0, 1}, row);
  if (how == "order") kanor::merge(sorted, sorted, less);
  if (how == "order-of-keys") kanor::merge_by_key(pairs, pairs, less_of_keys);
  if (how == "last-start") kanor::start_halo({u.data()}, {9}, 2, ring).wait();
  if (how == "hang-grid" && me == 0) kanor::exchange_halo(u.data(), {8}, 1, pair);
  if (how == "hang-grid" && me == 1) kanor::merge(sorted, sorted, {}, column);
  if (how == "last-start" && me == 1) kanor::abort("enough");
  if (how == "countless") kanor::transpose(numbers, {1l << 40, 1l << 40}, {1, 0});
  if (how == "negative") kanor::transpose(numbers, {2, -3}, {1, 0});
  if (how != "waited") return;
  kanor::pending_call started = kanor::start_halo({v.data()}, {9}, 2, ring);
  started.wait();
  @communicate { u[0]@i <<= u[0]@0 where i in kanor::world }
}

/// Distributed arrays and pipelines.
void arrays(const std::string& how, const kanor::team& row) {
  using kanor::dealing;
  const kanor::dealt<int> ten(10);
  const auto first = [](long item) { return static_cast<int>(item); };
  const auto stage = [](long, int value) { return kanor::world.rank() == 2 && value == 3 ? throw value : value; };
  const std::vector<int> nine{0, 1, 2, 3, 4, 5, 6, 7, 8};
  const auto square = [](int task) { return task * task; };
  const auto failing = [](int task) { return task == 5 ? throw std::range_error("no such task") : task; };
  const auto waiting = [&row](int task) { return kanor::barrier(row), task; };  // which it must not
#line 7201
  if (how == "slice") ten.section({{5, 11}});
  if (how == "other-team") ten.redistributed({dealing()}, kanor::grid<1>(row, {2}));
  if (how == "too-many") kanor::dealt<int, 2>({1l << 40, 1l << 40});
  if (how == "items") kanor::pipeline(-1, first, stage);
  if (how == "stage") kanor::pipeline(9, first, stage);
  if (how == "manager") kanor::work_queue(nine, square, 4);
  if (how == "task") kanor::work_queue(nine, failing);
  if (how == "last-task") kanor::work_queue(nine, [&](int task) { return failing(task == 8 ? 5 : 0); });
  if (how == "hang-task") kanor::work_queue(nine, waiting);
  if (how == "no-element") ten.at(10);
  if (how == "all") kanor::dealt<int>(8 + 4 * kanor::world.rank()).all();
}

void write_sent_cells() {
  using kanor::world;
  const kanor::grid<1> ring(world, {world.size()}, {true});
  std::vector<double> cells(8, world.rank());
#line 7225
  kanor::pending_call ghosts = kanor::start_halo({cells.data()}, {8}, 1, ring);
  cells[1] = -1;
  ghosts.wait();
}

}  // namespace

int main(int, char** argv) {
  using kanor::world;
  const std::string how = argv[1];
  const int me = world.rank();
  const kanor::team row = world.split(me / 2, me), column = world.split(me % 2, me);
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);
  std::vector<int> numbers{me, 10 * me};
  int value = me;
  const auto throwing = [](int a, int b) { return world.rank() == 2 ? throw a : a + b; };
  grids(how, row, column);
  arrays(how, row);
  if (how == "waited" && me == 1) kanor::abort("enough");
#line 7001
  if (how == "root") kanor::broadcast(value, 9);
  if (how == "owner") kanor::migrate(numbers, [](int one) { return one == 10 ? 40 : 0; });
  if (how == "throws") kanor::all_reduce(me, throwing);
  if (how == "last") kanor::exclusive_scan(me, 0, std::plus<>());
  if (how == "own-block") kanor::barrier(), [&] { @communicate { value@i <<= value@0 where i in world } }();
  if (how == "unlike" && me == 1) kanor::barrier();
  if (how == "unlike") kanor::all_sum(me);
  if (how == "hang" && me == 0) kanor::rebalance(numbers, row);
  if (how == "hang" && me == 1) kanor::rebalance(numbers, column);
  if (how == "last" && me == 1) kanor::abort("enough");
  if (how == "own-block" && me == 3) kanor::abort("enough");
#line 7220
  if (how == "mixed" && me != 0) kanor::all_sum(value);
  if (how == "mixed" && me == 0) kanor::rebalance(numbers);
  if (how == "roots") kanor::reduce(me, std::plus<>(), me);
  if (how == "types" && me == 2) kanor::all_sum(2.5);
  if (how == "types" && me != 2) kanor::all_sum(25L);
  if (how == "sent-cells") write_sent_cells();
#line 7230
  if (how == "left" && me != 0) kanor::broadcast(numbers, 1);
  if (how == "left" && me == 0) kanor::rebalance(numbers);
  if (how == "cyclic") kanor::dealt<int>(8, kanor::dealing::cyclic(0));
  if (how == "no-parts") kanor::block_range(5, 0, 0);
  if (how == "minus-elements") kanor::block_range(-5, 0);
  if (how == "no-part") kanor::block_range(5, 4);
  if (how == "no-position") kanor::dealt<int>(8).index_of(2);
  if (how == "no-memory") kanor::dealt<char>(LONG_MAX);
  if (how == "no-vector") kanor::dealt<std::string>(LONG_MAX);
  if (how == "managers") kanor::work_queue(numbers, [](int task) { return task; }, me);
  if (how == "one-element") kanor::scatter(std::vector<int>(1), 3);
  if (how == "negative-height") kanor::transpose(numbers, -1, 2);
  // Those whose calls have gone well wait here for the others.
  @communicate { value@i <<= value@j where i, j in world, j == (i + 1) % world.size() }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
