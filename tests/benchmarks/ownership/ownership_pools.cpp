// Who keeps a freed buffer for the next one ("Ownership Passing", figure 5): threads by hand that get and
// free buffers of a size, all at once, each its own ("kept") or that which its partner handed over
// ("handed_over").
#include <immintrin.h>

#include "threads.hpp"

namespace {

struct alignas(64) Block {
  Block* next = nullptr;
  int sender = 0;  ///< who allocated it
  long content = 0;
};

Block* block_of(long* content) {
  return reinterpret_cast<Block*>(reinterpret_cast<char*>(content) - offsetof(Block, content));
}

class Lock {
 public:
  void lock() {
    while (taken_.test_and_set(std::memory_order_acquire))
      while (taken_.test(std::memory_order_relaxed)) _mm_pause();
  }
  void unlock() { taken_.clear(std::memory_order_release); }

 private:
  std::atomic_flag taken_;
};

struct NoLock {
  void lock() {}
  void unlock() {}
};

template <class Mutex>
class alignas(128) List {
 public:
  long* take(int rank) {
    Block* found = nullptr;
    {
      const std::lock_guard guard(mutex_);
      found = first_;
      if (found) first_ = found->next;
    }
    if (!found) found = new Block;
    found->sender = rank;
    return &found->content;
  }
  void put(long* content) {
    Block* const block = block_of(content);
    const std::lock_guard guard(mutex_);
    block->next = first_;
    first_ = block;
  }

 private:
  Mutex mutex_;
  Block* first_ = nullptr;
};

struct Heap {
  [[gnu::noinline]] long* allocate(int) { return static_cast<long*>(std::malloc(sizeof(long))); }
  [[gnu::noinline]] void release(int, long* content) { std::free(content); }
};

/// One pool for all.
struct Node {
  [[gnu::noinline]] long* allocate(int rank) { return list.take(rank); }
  [[gnu::noinline]] void release(int, long* content) { list.put(content); }
  List<Lock> list;
};

/// A buffer returns to who allocated it.
struct Senders {
  [[gnu::noinline]] long* allocate(int rank) { return lists[rank].take(rank); }
  [[gnu::noinline]] void release(int, long* content) { lists[block_of(content)->sender].put(content); }
  List<Lock> lists[most_ranks];
};

/// A buffer stays with who freed it: nobody else comes to the list.
struct Receivers {
  [[gnu::noinline]] long* allocate(int rank) { return lists[rank].take(rank); }
  [[gnu::noinline]] void release(int rank, long* content) { lists[rank].put(content); }
  List<NoLock> lists[most_ranks];
};

template <class Pool>
Report measure(const Request& request, int rank) {
  static Pool pool;
  const bool hands_over = request.operation == "handed_over";
  Line* const own = lines[rank];
  const Line* const partners = lines[partner_of(rank)];
  Report report;
  long number = 0;
  Turns turns(request, meet);
  while (turns.next()) {
    for (int i = 0; i < thousand; ++i, ++number) {
      long* content = pool.allocate(rank);
      touch(content, i + rank);
      if (hands_over) {
        own[number % 2].publish(number, content);
        content = partners[number % 2].take(number);
      }
      report.seen += (rank + 1) * *content;
      pool.release(rank, content);
    }
  }
  report.times = turns.times();
  return report;
}

Report work(const Request& request, int rank) {
  if (request.operation != "kept" && request.operation != "handed_over") return {};
  if (request.kind == "heap") return measure<Heap>(request, rank);
  if (request.kind == "node") return measure<Node>(request, rank);
  if (request.kind == "sender") return measure<Senders>(request, rank);
  if (request.kind == "receiver") return measure<Receivers>(request, rank);
  return {};
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, work); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
