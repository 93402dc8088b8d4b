// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output
// KIND: nonuniform
// Functions of the C++ library that kanorc does not know, or that go by addresses, decide about blocks.
#include <kanor/kanor.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <latch>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <numeric>
#include <semaphore>
#include <set>
#include <sstream>
#include <stop_token>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <vector>

using kanor::world;

int rounds = 0;  // which other files may change, if they are called

struct Node {
  int weight = 0;
};
/// Specialises a template of the library; its body is elsewhere.
template <>
struct std::hash<Node> {
  std::size_t operator()(const Node& node) const;
};

static void other_threads(int x, std::mutex& mutex, std::mutex& other, std::latch& latch) {
  if (mutex.try_lock()) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:25: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-2]]:7: note: the result of 'mutex.try_lock()' may differ between ranks
  if (std::try_lock(mutex, other) < 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:40: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-2]]:7: note: the result of 'std::try_lock(mutex, other)' may differ between ranks
  if (latch.try_wait()) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:25: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-2]]:7: note: the result of 'latch.try_wait()' may differ between ranks
  std::counting_semaphore<4> free(4);
  if (free.try_acquire()) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:27: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-2]]:7: note: the result of 'free.try_acquire()' may differ between ranks
  static std::atomic_flag taken;
  if (!taken.test_and_set()) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:30: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-2]]:8: note: the result of 'taken.test_and_set()' may differ between ranks
  std::stop_source stop;
  if (stop.stop_requested()) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:30: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-2]]:7: note: the result of 'stop.stop_requested()' may differ between ranks
}

static void surroundings(int x) {
  std::ofstream out("output");
  if (!out) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:13: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-3]]:17: note: the result of 'out("output")' may differ between ranks
  if (std::uncaught_exceptions() > 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:39: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-2]]:7: note: the result of 'std::uncaught_exceptions()' may differ between ranks
  if (std::ios_base::xalloc() > 3) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:36: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-2]]:7: note: the result of 'std::ios_base::xalloc()' may differ between ranks
  if (std::pmr::get_default_resource() == std::pmr::new_delete_resource()) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:76: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-2]]:7: note: the result of 'std::pmr::get_default_resource()' may differ between ranks
  if (std::type_index(typeid(x)).hash_code() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:56: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-2]]:7: note: the result of 'std::type_index(typeid(x)).hash_code()' may differ between ranks
  if (std::hash<Node>()(Node()) % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:43: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-2]]:7: note: the result of 'std::hash<Node>()(Node())' may differ between ranks
}

static void addresses(int x, const std::shared_ptr<Node>& first, const std::shared_ptr<Node>& second) {
  char bytes[64] = {};
  void* place = bytes;
  std::size_t room = sizeof bytes;
  std::align(32, 4, place, room);
  if (room > 40) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:18: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-3]]:3: note: the result of 'std::align(32, 4, place, room)' may differ between ranks
  if (first < second) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:23: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-2]]:7: note: 'first < second' is an address, which differs between ranks
  if (first.owner_before(second)) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:35: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-2]]:7: note: 'first.owner_before(second)' is an address, which differs between ranks
  if (std::hash<std::shared_ptr<Node>>()(first) % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:59: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-2]]:7: note: 'std::hash<std::shared_ptr<Node>>()(first)' is an address, which differs between ranks
  if (std::less<>()(first.get(), second.get())) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:49: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-2]]:7: note: 'std::less<>()(first.get(), second.get())' is an address, which differs between ranks
  if (std::max(first.get(), second.get())->weight > 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:56: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-2]]:7: note: 'std::max(first.get(), second.get())' is an address, which differs between ranks
  if (std::bit_cast<std::uintptr_t>(first.get()) % 128 == 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:62: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-2]]:7: note: 'std::bit_cast<std::uintptr_t>(first.get())' is an address, which differs between ranks
  std::set<std::pair<int, const Node*>> ordered{{1, first.get()}, {1, second.get()}};
  if (ordered.begin()->second->weight > 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:44: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-2]]:7: note: 'ordered.begin()' is an address, which differs between ranks
  std::vector<const Node*> nodes{first.get(), second.get()};
  std::ranges::sort(nodes);
  if (nodes[0]->weight > 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:29: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-3]]:3: note: 'std::ranges::sort(nodes)' is an address, which differs between ranks
  std::ostringstream text;
  text << static_cast<const void*>(first.get());
  if (text.str().size() > 8) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:30: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-3]]:3: note: 'text << static_cast<const void*>(first.get())' is an address, which differs between ranks
}

struct Task {
  Task(int limit, std::function<int()> run) : limit(limit), run(std::move(run)) {}
  int limit;
  std::function<int()> run;
};
int half(int number);
[[kanor::uniform]] int third(int number);

/// An algorithm gives what the functions give that it calls.
static void algorithms(int x) {
  const int me = world.rank();
  std::vector<int> all{1, 2, 3}, halves(3), thirds(3), own(3);
  std::transform(all.begin(), all.end(), halves.begin(), half);
  if (halves[0] > 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:22: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-3]]:3: note: the result of 'std::transform(all.begin(), all.end(), halves.begin(), half)' may differ between ranks
  std::transform(all.begin(), all.end(), thirds.begin(), third);
  if (thirds[0] > 0) @communicate { x@0 <<= x@1 }
  std::generate(own.begin(), own.end(), [&] { return me; });
  if (own[0] > 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-1]]:19: warning: some ranks may not reach this block: control flow depends on the rank [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_library.cpp:[[@LINE-3]]:54: note: 'lambda()' returns 'me' here
}

// None of these.
static void known(int x, std::mutex& mutex, const std::shared_ptr<Node>& first,
                  const std::shared_ptr<Node>& second) {
  if (first == second || first.get() != nullptr) @communicate { x@0 <<= x@1 }
  if (std::bit_cast<std::uint64_t>(1.0) > 3) @communicate { x@0 <<= x@1 }
  std::set<std::pair<int, std::string>> ordered{{1, "a"}, {2, "b"}};
  if (ordered.begin()->first > 0) @communicate { x@0 <<= x@1 }
  std::vector<Node*> nodes{first.get(), second.get()};
  std::ranges::sort(nodes, {}, &Node::weight);
  std::sort(nodes.begin(), nodes.end(), [](const Node* a, const Node* b) { return a->weight < b->weight; });
  if (nodes[0]->weight > 0) @communicate { x@0 <<= x@1 }
  std::ostringstream text;
  text << "text " << 3 << ' ' << 2.5;
  if (text.str().size() > 8) @communicate { x@0 <<= x@1 }
  std::map<std::string, std::function<int()>> kept;
  int limit = 3;
  kept.emplace("own", [] { return world.rank(); });
  const auto made = std::make_unique<Task>(limit, [] { return world.rank(); });
  const std::string bar = std::to_string(world.rank()) + std::string(limit, '#');
  if (kept.size() == 1 && limit == 3) @communicate { x@0 <<= x@1 }
  std::vector<int> from{1, 2, 3}, to(3);
  std::transform(from.begin(), from.end(), to.begin(), [](int one) { return one + world.rank(); });
  if (from[0] == 1 && std::less<>()(from[0], limit)) @communicate { x@0 <<= x@1 }
  rounds = world.size();
  std::ios_base::sync_with_stdio(false);
  std::ofstream("output") << 3;
  std::atomic<int> count{0};
  ++count;
  const std::unique_lock lock(mutex);
  const auto start = std::chrono::steady_clock::now();
  std::cout << std::fixed << (std::chrono::steady_clock::now() - start).count() << std::endl;
  if (rounds > 1) @communicate { x@0 <<= x@1 }
  [[kanor::uniform]] const bool is_free = std::mutex().try_lock();
  if (is_free) @communicate { x@0 <<= x@1 }
}

int main() {
  std::mutex mutex, other;
  std::latch latch(1);
  const auto first = std::make_shared<Node>(), second = std::make_shared<Node>();
  other_threads(1, mutex, other, latch);
  surroundings(1);
  addresses(1, first, second);
  algorithms(1);
  known(1, mutex, first, second);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
