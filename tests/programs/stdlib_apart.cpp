// RUN: %kanorc -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Werror -c %s -o %t.o
// What a file of a larger program calls of the standard library gives no warning. In such a file kanorc knows no
// caller, so it has to prove that values are uniform without one.
#include <kanor/std/block_range.hpp>
#include <kanor/std/by_key.hpp>
#include <kanor/std/collectives.hpp>
#include <kanor/std/dealt.hpp>
#include <kanor/std/exchange_map.hpp>
#include <kanor/std/halo.hpp>
#include <kanor/std/histogram.hpp>
#include <kanor/std/merge.hpp>
#include <kanor/std/migrate.hpp>
#include <kanor/std/nth_element.hpp>
#include <kanor/std/pipeline.hpp>
#include <kanor/std/reorder.hpp>
#include <kanor/std/sort.hpp>
#include <kanor/std/transpose.hpp>
#include <kanor/std/unique.hpp>
#include <kanor/std/work_queue.hpp>

#include <functional>
#include <map>
#include <utility>
#include <vector>

long collectives(long mine, const kanor::team& members) {
  kanor::broadcast(mine, 0, members);
  std::vector<long> all = kanor::all_to_all(kanor::all_gather(mine, members), members);
  if (kanor::all_of(mine > 0, members) || kanor::any_of(mine > 1, members) || kanor::count(mine > 2, members) > 1)
    kanor::barrier(members);
  mine += kanor::scatter(kanor::gather(mine, 0, members), 0, members) + kanor::reduce(mine, std::plus<>(), 0, members);
  mine += kanor::inclusive_scan(mine, std::plus<>(), members) + kanor::exclusive_scan(mine, 0, std::plus<>(), members);
  while (kanor::all_sum(mine, members) < kanor::all_max(mine, members) - kanor::all_min(mine, members)) --mine;
  return kanor::min_loc(mine, std::less<>(), members).value + kanor::max_loc(mine, std::less<>(), members).rank +
         static_cast<long>(kanor::all_gather_vectors(kanor::gather_vectors(all, 0, members), members).size());
}

void distributed(std::vector<short>& values, const kanor::team& members) {
  kanor::sort(values, std::less<>(), members);
  int compared = 0;
  kanor::stable_sort(values, [compared](short a, short b) mutable { return ++compared != 0 && b < a; }, members);
  kanor::migrate(values, [](long value) { return value % 2; }, members);
  kanor::sparse_exchange(std::map<int, long>{{0, 1}}, members);
  kanor::transpose(values, 5, 7, members);
  kanor::transpose(values, {2, 3, 4}, {1, 2, 0}, members);
  values = kanor::merge(values, values, std::greater<>(), members);
}

long arrays([[kanor::uniform]] long rows, [[kanor::uniform]] long items, const kanor::grid<2>& square) {
  kanor::dealt<long, 2> matrix({rows, 7}, {kanor::dealing::cyclic(), {}}, square);
  const auto column = matrix.redistributed(kanor::dealing::cyclic(3)).section({{0, rows, 2}, {3, 4}});
  const kanor::dealt<short> vector(rows, {}, square.team());
  const auto last = kanor::pipeline(
      items, [](long item) { return item; }, [](long, long value) { return value + 1; }, square.team());
  return static_cast<long>(column.size() + vector.all().size() + last.size());
}

long sequences(std::vector<short>& values, [[kanor::uniform]] long by, const kanor::team& members) {
  kanor::rebalance(values, members);
  kanor::reverse(values, members);
  kanor::shift(values, by, 1, members);
  kanor::rotate(values, -by, members);
  kanor::unique(values, std::equal_to<>(), members);
  const long odd = kanor::partition(values, [](short value) { return value % 2 != 0; }, members);
  std::vector<std::pair<int, long>> pairs;
  for (short value : values) pairs.emplace_back(value, odd);
  kanor::group_by_key(pairs, std::hash<int>(), members);
  kanor::reduce_by_key(pairs, std::plus<>(), std::hash<int>(), members);
  pairs = kanor::merge_by_key(pairs, pairs, std::less<>(), members);
  return kanor::nth_element(values, odd, std::less<>(), members) +
         kanor::histogram(values, {0, 1, 2}, std::less<>(), members).front();
}

long tasks(const std::vector<short>& values, [[kanor::uniform]] int root, const kanor::team& members) {
  const auto results = kanor::work_queue(values, [](short task) { return task + 1L; }, root, members);
  return static_cast<long>(results.size() + kanor::work_queue(values, [](int task) { return task; }).size());
}

void irregular(kanor::exchange_map& map, std::vector<short>& own, std::vector<short>& ghosts) {
  map.gather(own, ghosts);
  map.scatter_add(own, ghosts);
}

void halos(std::vector<float>& field, const kanor::grid<2>& grid) {
  kanor::exchange_halo(field.data(), {8, 8}, 1, grid);
  kanor::exchange_halo({field.data(), field.data() + 64}, {8, 8}, 1, grid, kanor::stencil::star);
  kanor::pending_call started = kanor::start_halo({field.data()}, {8, 8}, 1, grid);
  started.wait();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
