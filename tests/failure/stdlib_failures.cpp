// What goes wrong in calls of the standard library.
// RUN: %kanorc %s -o %t
// RUN: %check_failure --message 'rank 1: uncaught exception of type std::invalid_argument: .*kanor::scatter(?=.*\b77\b)(?=.*\b4\b)' %t scatter-more
// RUN: %check_failure --modes threads,mpi --message 'rank 1: uncaught exception of type std::invalid_argument: .*kanor::scatter(?=.*\b0\b)(?=.*\b4\b)' %t scatter-nothing
// RUN: %check_failure --modes threads,mpi --message 'rank [01]: uncaught exception of type std::invalid_argument: .*kanor::scatter(?=.*\b55\b)(?=.*\b2\b)' %t scatter-half
// RUN: %check_failure --message 'rank 2: uncaught exception of type std::invalid_argument: .*kanor::all_to_all(?=.*\b77\b)(?=.*\b4\b)' %t all-to-all-more
// RUN: %check_failure --modes threads,mpi --message 'rank 2: uncaught exception of type std::invalid_argument: .*kanor::all_to_all(?=.*\b3\b)(?=.*\b4\b)' %t all-to-all-fewer
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: uncaught exception of type std::invalid_argument: .*kanor::all_to_all(?=.*\b0\b)(?=.*\b4\b)' %t all-to-all-nothing
// RUN: %check_failure --message 'rank 2: uncaught exception of type std::out_of_range: no such item' %t sort-throws
// RUN: %check_failure --modes threads,mpi --message 'rank 2: uncaught exception of type std::out_of_range: no such item' %t stable-sort-throws
// RUN: %check_failure --message 'rank 2: uncaught exception of type std::out_of_range: no such item' %t sort-throws-late
// RUN: %check_failure --message 'rank 2: uncaught exception of type std::out_of_range: no such item' %t stable-sort-throws-late
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: uncaught exception of type std::out_of_range: no such item' %t all-throw
// RUN: %check_failure --modes threads,mpi --message 'rank 2: uncaught exception of type std::out_of_range: no such item' %t half-throws
// RUN: %check_failure --message 'rank [0-3]: uncaught exception of type std::invalid_argument: .*kanor::nth_element(?=.*\b41\b)(?=.*\b40\b)' %t nth-elements
// RUN: %check_failure --message 'rank [0-3]: uncaught exception of type std::invalid_argument: .*kanor::shift(?=.*\b7\b)(?=.*-6\b)' %t shifts
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: uncaught exception of type std::invalid_argument: .*kanor::rotate(?=.*\b7\b)(?=.*\b6\b)' %t rotations
#include <kanor/std/all_to_all.hpp>
#include <kanor/std/nth_element.hpp>
#include <kanor/std/reorder.hpp>
#include <kanor/std/scatter.hpp>
#include <kanor/std/sort.hpp>

#include <cstdio>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using kanor::team;
using kanor::world;

struct Item {
  int key = 0, rank = 0;
};

/// Throws on a rank that has the state for it: at once, or where elements of two ranks meet.
struct Throwing {
  bool at_once, late;
  bool operator()(const Item& a, const Item& b) const {
    if (at_once || (late && a.rank != b.rank)) throw std::out_of_range("no such item");
    return a.key < b.key;
  }
};

std::vector<std::string> words(std::size_t count) { return std::vector<std::string>(count, "word"); }

void scatter(const std::string& how, int me, const team& half) {
  if (how == "scatter-more") kanor::scatter(words(me == 1 ? 77 : 4), 1);
  if (how == "scatter-nothing") kanor::scatter(std::vector<int>(), 1);
  if (how == "scatter-half") kanor::scatter(words(half.rank() == 0 ? 55 : 2), 0, half);
}

void all_to_all(const std::string& how, int me) {
  if (how == "all-to-all-more") kanor::all_to_all(words(me == 2 ? 77 : 4));
  if (how == "all-to-all-fewer") kanor::all_to_all(std::vector<bool>(me == 2 ? 3 : 4));
  if (how == "all-to-all-nothing") kanor::all_to_all(std::vector<int>());
}

void sort(const std::string& how, int me, const team& half) {
  std::vector<Item> items;
  for (int k = 0; k < 300; ++k) items.push_back({k * 101 % 307, me});
  const bool is_late = how.ends_with("late");
  const Throwing less{(me == 2 && !is_late) || how == "all-throw", me == 2 && is_late};
  if (how == "sort-throws" || how == "sort-throws-late" || how == "all-throw") kanor::sort(items, less);
  if (how == "stable-sort-throws" || how == "stable-sort-throws-late") kanor::stable_sort(items, less);
  if (how == "half-throws") kanor::sort(items, less, half);
  std::vector<int> few(me, me);
  if (how == "shifts") kanor::shift(few, me == 2 ? 7 : -6);
  if (how == "rotations") kanor::rotate(few, me == 0 ? 7 : 6);
  if (how == "nth-elements") kanor::nth_element(std::vector<int>(me == 1 ? 0 : 100), me == 3 ? 41 : 40);
}

}  // namespace

int main(int, char** argv) {
  const std::string how = argv[1];
  const int me = world.rank();
  const team half = world.split(me % 2, 0);
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);
  scatter(how, me, half);
  all_to_all(how, me);
  sort(how, me, half);
  // Those whose calls have gone well wait here for the others.
  int token = 0;
  @communicate { token@i << + << 1@j where i, j in world }
  std::fprintf(stderr, "rank %d survived\n", me);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
