// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls each function of the standard library with vectors of so many elements, twice, and prints what each
// rank has sent, for check_costs.py:
//
//     stdlib_costs COUNT
//
//     gather 2 D=1 N=0 f=1 n=0 s=24: 1 1 24
//
// The function and the rank; the names in the formulas of docs/stdlib.md; and the blocks, messages and bytes.
//
// KANOR_STATS counts none of these. So the program is linked with --wrap for the functions of the runtime by
// which ranks enter blocks and send the messages of blocks. If these get other names, it does not link.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <kanor/kanor.hpp>
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
#include <map>
#include <utility>
#include <vector>

#include "transport/rank.hpp"

// kanor::rt::enter_block, send and send_few. check_costs.py takes the names from here.
#define ENTER_BLOCK "_ZN5kanor2rt11enter_blockERNS0_4RankEPKciNS0_4StepE"
#define SEND "_ZN5kanor2rt4sendERNS0_4RankEimmONS0_6BufferE"
#define SEND_FEW "_ZN5kanor2rt8send_fewERNS0_4RankEimmPKvm"

namespace kanor::rt {
namespace {

thread_local long blocks, messages, bytes;

/// Counts a message without its head, which says of which block it is.
void count(std::uint64_t context, std::size_t content_bytes) {
  ++messages;
  bytes += static_cast<long>(content_bytes) - (context & any_source_context ? 16 : 8);
}

}  // namespace

void really_enter_block(Rank& rank, const char* file, int line, Step step) asm("__real_" ENTER_BLOCK);
void really_send(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence,
                 Buffer&& payload) asm("__real_" SEND);
void really_send_few(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence, const void* payload,
                     std::size_t payload_bytes) asm("__real_" SEND_FEW);

void enter_block_and_count(Rank& rank, const char* file, int line, Step step) asm("__wrap_" ENTER_BLOCK);
void send_and_count(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence,
                    Buffer&& payload) asm("__wrap_" SEND);
void send_few_and_count(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence,
                        const void* payload, std::size_t payload_bytes) asm("__wrap_" SEND_FEW);

void enter_block_and_count(Rank& rank, const char* file, int line, Step step) {
  ++blocks;
  really_enter_block(rank, file, line, step);
}

void send_and_count(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence, Buffer&& payload) {
  count(context, payload.bytes());
  really_send(rank, to, context, sequence, std::move(payload));
}

void send_few_and_count(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence,
                        const void* payload, std::size_t payload_bytes) {
  count(context, payload_bytes);
  really_send_few(rank, to, context, sequence, payload, payload_bytes);
}

}  // namespace kanor::rt

namespace {

using kanor::rt::blocks, kanor::rt::bytes, kanor::rt::messages;

struct element {
  long key = 0;
  long rest[2] = {};

  friend element operator+(const element& a, const element& b) { return {a.key + b.key, {}}; }
  friend bool operator<(const element& a, const element& b) { return a.key < b.key; }
  friend bool operator==(const element& a, const element& b) { return a.key == b.key; }
};

struct hash_of_key {
  std::size_t operator()(const element& one) const { return static_cast<std::size_t>(one.key); }
};

/// What the names in the formulas stand for in a call.
struct names {
  long n = 0;                ///< elements
  long s = sizeof(element);  ///< bytes of an element
  long N = 0;                ///< elements of all ranks
  long D = 1;                ///< dimensions of a field
  long f = 1;                ///< fields
};

/// Calls a function twice: a rank may execute a repeated block in another way.
template <class Call>
void measure(const char* function, const names& given, Call call) {
  for (int time = 0; time < 2; ++time) {
    blocks = messages = bytes = 0;
    call();
    std::printf("%s %d D=%ld N=%ld f=%ld n=%ld s=%ld: %ld %ld %ld\n", function, kanor::world.rank(), given.D,
                given.N, given.f, given.n, given.s, blocks, messages, bytes);
  }
}

const int me = kanor::world.rank(), size = kanor::world.size();

std::vector<element> elements(long count, long first = 0, long step = 1, long modulus = 1'000'000) {
  std::vector<element> made(static_cast<std::size_t>(count));
  for (long k = 0; k < count; ++k) made[static_cast<std::size_t>(k)].key = (first + k * step) % modulus;
  return made;
}

void call_collectives(long count) {
  const element one{me, {}};
  const std::vector<element> several = elements(count), each = elements(size);
  const std::vector<long> numbers(static_cast<std::size_t>(count), me);
  const std::vector<std::vector<long>> numbers_for_each(each.size(), numbers);
  const long vector_bytes = 8 + 8 * count;  // with its length
  const std::plus<> add;

  measure("broadcast", {}, [&, value = one]() mutable { kanor::broadcast(value, 0); });
  measure("broadcast", {.s = vector_bytes}, [&, value = numbers]() mutable { kanor::broadcast(value, 0); });
  measure("scatter", {}, [&] { kanor::scatter(each, size - 1); });
  measure("gather", {}, [&] { kanor::gather(one, 0); });
  measure("gather_vectors", {.n = count}, [&] { kanor::gather_vectors(several, size - 1); });
  measure("all_gather", {}, [&] { kanor::all_gather(one); });
  measure("all_gather", {.s = vector_bytes}, [&] { kanor::all_gather(numbers); });
  measure("all_gather_vectors", {.n = count}, [&] { kanor::all_gather_vectors(several); });
  measure("all_to_all", {}, [&] { kanor::all_to_all(each); });
  measure("all_to_all", {.s = vector_bytes}, [&] { kanor::all_to_all(numbers_for_each); });
  measure("reduce", {}, [&] { kanor::reduce(one, add, 0); });
  measure("reduce", {.s = vector_bytes}, [&] { kanor::reduce(numbers, add, 0); });
  measure("all_reduce", {}, [&] { kanor::all_reduce(one, add); });
  measure("all_reduce", {.s = vector_bytes}, [&] { kanor::all_reduce(numbers, add); });
  measure("all_sum", {}, [&] { kanor::all_sum(one); });
  measure("all_min", {}, [&] { kanor::all_min(one); });
  measure("all_max", {}, [&] { kanor::all_max(one); });
  measure("inclusive_scan", {}, [&] { kanor::inclusive_scan(one, add); });
  measure("exclusive_scan", {}, [&] { kanor::exclusive_scan(one, element{}, add); });
  measure("min_loc", {}, [&] { kanor::min_loc(one); });
  measure("max_loc", {}, [&] { kanor::max_loc(one); });
  measure("all_of", {.s = 1}, [&] { kanor::all_of(true); });
  measure("any_of", {.s = 1}, [&] { kanor::any_of(true); });
  measure("none_of", {.s = 1}, [&] { kanor::none_of(true); });
  measure("count", {.s = sizeof(int)}, [&] { kanor::count(true); });
  measure("barrier", {.s = 1}, [&] { kanor::barrier(); });
}

/// Each with a copy, because afterwards the elements are elsewhere.
void call_reorder_functions(long count, const std::vector<element>& values) {
  const names given{.n = static_cast<long>(values.size())};
  const auto measure_copy = [&](const char* function, auto call) {
    measure(function, given, [&] {
      std::vector<element> copy = values;
      call(copy);
    });
  };
  measure_copy("rebalance", [](auto& copy) { kanor::rebalance(copy); });
  measure_copy("reverse", [](auto& copy) { kanor::reverse(copy); });
  measure_copy("shift", [count](auto& copy) { kanor::shift(copy, count); });
  measure_copy("rotate", [count](auto& copy) { kanor::rotate(copy, count + 1); });
  measure_copy("partition", [](auto& copy) {
    kanor::partition(copy, [](const element& one) { return one.key % 2 == 0; });
  });
}

void call_sequence_functions(long count) {
  const long all = count * size;
  const std::vector<element> mixed = elements(count, 31 * me, 7919, 3 * all);
  const std::vector<element> sorted = elements(count, count * me);
  const std::vector<element> reversed = elements(count, count * (size - me), 1);
  const names given{.n = count, .N = all};

  for (const std::vector<element>* const values : {&mixed, &sorted, &reversed}) {
    measure("sort", given, [copy = *values]() mutable { kanor::sort(copy); });
    measure("stable_sort", given, [copy = *values]() mutable { kanor::stable_sort(copy); });
    measure("nth_element", given, [&] { kanor::nth_element(*values, all / 2); });
    measure("unique", given, [copy = *values]() mutable { kanor::unique(copy); });
  }
  std::vector<std::pair<element, long>> pairs;
  for (const element& one : sorted) pairs.emplace_back(one, 0);
  measure("merge", {.n = 2 * count, .N = 2 * all}, [&] { kanor::merge(sorted, sorted); });
  measure("merge_by_key", {.n = 2 * count, .s = sizeof(pairs[0]), .N = 2 * all},
          [&] { kanor::merge_by_key(pairs, pairs); });

  // All on the last rank; and ranks that have nothing of what they are to have.
  call_reorder_functions(count, elements(me + 1 == size ? count : 0));
  call_reorder_functions(count, elements(me == 0 ? 2 * count : me + 1 == size ? 0 : count));
  call_reorder_functions(count, mixed);
  const std::vector<element> edges = elements(6, 0, all / 2 + 1);
  measure("histogram", {.n = 5}, [&] { kanor::histogram(mixed, edges); });

  // One key for each rank, and keys that all are on other ranks.
  std::vector<std::pair<element, long>> of_each, of_others;
  for (int rank = 0; rank < size; ++rank) of_each.push_back({{rank, {}}, 1});
  for (int k = 0; k < count; ++k) of_others.push_back({{me + 1 + k % std::max(size - 1, 1), {}}, 1});
  for (auto& [key, value] : of_others) key.key %= size;
  for (const auto* const values : {&of_each, &of_others}) {
    const names its{.n = static_cast<long>(values->size()), .s = sizeof(values->front())};
    measure("group_by_key", its, [&] { kanor::group_by_key(*values, hash_of_key()); });
    measure("reduce_by_key", its, [&] { kanor::reduce_by_key(*values, std::plus<>(), hash_of_key()); });
  }
}

void call_grid_functions(long count) {
  using enum kanor::stencil;
  const kanor::grid<1> ring(kanor::world, {size}, {true});
  std::vector<element> u(static_cast<std::size_t>(count + 2)), v = u;
  measure("exchange_halo", {.n = 2}, [&] { kanor::exchange_halo(u.data(), {count + 2}, 1, ring); });
  measure("exchange_halo", {.n = 4, .f = 2}, [&] {
    kanor::exchange_halo({u.data(), v.data()}, {count + 2}, 1, ring);
  });

  const int columns = size % 2 == 0 ? 2 : 1;
  const kanor::grid<2> torus(kanor::world, {size / columns, columns}, {true, true});
  std::vector<element> a(static_cast<std::size_t>(5 * (count + 2))), b = a;
  const long faces = 2 * (3 + count), corners = 4;
  const auto start = [&](kanor::stencil reach) {
    auto exchange = kanor::start_halo({a.data(), b.data()}, {count + 2, 5}, 1, torus, reach);
    const long until_wait = blocks;
    exchange.wait();
    blocks = until_wait;  // the end of an exchange is no block
  };
  measure("exchange_halo", {.n = faces + corners, .D = 2}, [&] {
    kanor::exchange_halo(a.data(), {count + 2, 5}, 1, torus);
  });
  measure("exchange_halo", {.n = faces, .D = 2}, [&] {
    kanor::exchange_halo(a.data(), {count + 2, 5}, 1, torus, star);
  });
  measure("start_halo", {.n = 2 * (faces + corners), .D = 2, .f = 2}, [&] { start(box); });
  measure("start_halo", {.n = 2 * faces, .D = 2, .f = 2}, [&] { start(star); });

  const long height = 2 * size, rows = kanor::block_range(height, me).size();
  const std::vector<element> matrix = elements(rows * count), array = elements(rows * count * 3);
  measure("transpose", {.n = rows * count}, [&] { kanor::transpose(matrix, height, count); });
  measure("transpose", {.n = rows * count * 3}, [&] {
    kanor::transpose(array, {height, count, 3}, {2, 0, 1});
  });
  measure("transpose", {.n = rows * count * 3}, [&] {
    kanor::transpose(array, {height, count, 3}, {0, 2, 1});
  });
}

void call_with_dealt_arrays(long count) {
  using kanor::dealing;
  measure("dealt", {}, [&] { const kanor::dealt<element> none(count); });
  // Evenly, then in turn: with as many elements as ranks squared, a rank gets one from each.
  const kanor::dealt<element> squared(1L * size * size), rows(1L * count * size);
  measure("a.redistributed", {.n = size}, [&] { squared.redistributed(dealing::cyclic()); });
  measure("a.redistributed", {.n = count}, [&] { rows.redistributed(dealing()); });
  measure("a.all", {.n = count * (size - 1)}, [&] { rows.all(); });
  const kanor::dealt<element, 2> matrix({size, count});
  measure("a.all", {.n = count * (size - 1), .D = 2}, [&] { matrix.all(); });
  measure("a.section", {.n = size - 1, .D = 2}, [&] { matrix.section({{0, size}, {0, 1}}); });
  measure("a.section", {.n = 1}, [&] { rows.section({{count * ((me + 1) % size), count * ((me + 1) % size) + 1}}); });
}

void call_pipelines(long count) {
  const auto first = [](long item) { return element{item, {}}; };
  const auto stage = [](long, element one) { return one; };
  measure("pipeline", {.n = count}, [&] { kanor::pipeline(count, first, stage); });
}

/// The root sends most.
void call_work_queues(long count) {
  const std::vector<element> tasks = elements(me == 0 ? count : 0);
  measure("work_queue", {.n = count}, [&] {
    long computed = 0;
    kanor::work_queue(tasks, [&](const element& task) { return ++computed, task; });
    // Waits and ends of exchanges are no blocks.
    blocks -= me == 0 ? 2 * (count - computed) : computed;
  });
}

void call_irregular_exchanges(long count) {
  const element one{me, {}};
  std::vector<element> own = elements(count), ghosts;
  // Each rank needs all elements of all others; or one of the next rank.
  std::vector<long> all, next{count * ((me + 1) % size)};
  for (long k = 0; k < count * size; ++k)
    if (k / count != me) all.push_back(k);
  for (const std::vector<long>* const needed : {&all, &next}) {
    const names its{.n = static_cast<long>(needed->size())};
    measure("exchange_map", its, [&] { const kanor::exchange_map map(count, *needed); });
    const kanor::exchange_map map(count, *needed);
    measure("map.gather", its, [&] { map.gather(own, ghosts); });
    measure("map.scatter", its, [&] { map.scatter(own, ghosts, std::plus<>()); });
    measure("map.scatter_add", its, [&] { map.scatter_add(own, ghosts); });
  }

  measure("migrate", {.n = count}, [&] {
    auto items = own;
    int to = me;
    kanor::migrate(items, [&](const element&) {
      if (++to % size == me) ++to;
      return to % size;
    });
  });
  measure("migrate", {.n = 0}, [&] {
    auto items = own;
    kanor::migrate(items, [](const element&) { return me; });
  });
  std::map<int, element> outgoing;
  for (int rank = 0; rank < size; ++rank)
    if (rank != me) outgoing[rank] = one;
  measure("sparse_exchange", {.n = size - 1}, [&] { kanor::sparse_exchange(outgoing); });
  measure("sparse_exchange", {.n = 1}, [&] {
    kanor::sparse_exchange(std::map<int, element>{{(me + 1) % size, one}});
  });
}

/// Elements that are shorter than the alignment of what travels beside them.
void call_with_short_elements(long count) {
  const kanor::grid<1> ring(kanor::world, {size}, {true});
  std::vector<int> u(static_cast<std::size_t>(count + 2)), v = u;
  for (std::size_t k = 0; k < u.size(); ++k)
    u[k] = static_cast<int>(31 * me + 7919 * static_cast<long>(k)) % 99;
  const names given{.n = count + 2, .s = sizeof(int), .N = (count + 2) * size};
  measure("min_loc", given, [&] { kanor::min_loc(me); });
  measure("sort", given, [copy = u]() mutable { kanor::sort(copy); });
  measure("nth_element", given, [&] { kanor::nth_element(u, given.N / 2); });
  measure("partition", given, [&] {
    std::vector<int> copy = u;
    kanor::partition(copy, [](int one) { return one % 2 == 0; });
  });
  measure("exchange_halo", {.n = 4, .s = sizeof(int), .f = 2}, [&] {
    kanor::exchange_halo({u.data(), v.data()}, {count + 2}, 1, ring);
  });
}

}  // namespace

int main(int, char** arguments) {
  const long count = std::atol(arguments[1]);
  call_collectives(count);
  call_sequence_functions(count);
  call_grid_functions(count);
  call_with_dealt_arrays(count);
  call_pipelines(count);
  call_work_queues(count);
  call_irregular_exchanges(count);
  call_with_short_elements(count);
}
