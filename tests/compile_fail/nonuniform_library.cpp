// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output
// KIND: nonuniform
// Functions of the C++ library that kanorc does not know decide about blocks.
#include <kanor/kanor.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
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

// None of these.
static void known(int x) {
  std::ostringstream text;
  text << "text " << 3 << ' ' << 2.5;
  if (text.str().size() > 8) @communicate { x@0 <<= x@1 }
  [[kanor::uniform]] const bool is_free = std::mutex().try_lock();
  if (is_free) @communicate { x@0 <<= x@1 }
}

int main() {
  std::mutex mutex, other;
  std::latch latch(1);
  other_threads(1, mutex, other, latch);
  surroundings(1);
  known(1);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
