// What the programs of ownership.py have in common: the loops of both operations, and what they do with the
// data. The command line is that of sharing/timing.hpp: OPERATION CASE BATCHES ITERATIONS BYTES.
#pragma once

#include <emmintrin.h>
#include <sys/mman.h>

#include <cstring>
#include <fstream>
#include <new>

#include "../sharing/timing.hpp"

/// What a sender writes where a message is new: for each turn something else. Its own function as sum() is.
[[gnu::noinline, gnu::aligned(64)]] inline void fill(long* numbers, std::size_t count, long first) {
  for (std::size_t i = 0; i < count; ++i) numbers[i] = first + static_cast<long>(i);
}

/// Packing and unpacking.
[[gnu::noinline, gnu::aligned(64)]] inline void copy(long* to, const long* from, std::size_t count) {
  std::memcpy(to, from, count * sizeof *to);
}

/// Packing past the caches: from where they do not hold both ranks' arrays and buffers.
inline void stream(long* to, const long* from, std::size_t count) {
  constexpr std::size_t line = 8, ahead = 64;
  for (std::size_t i = 0; i + line <= count; i += line) {
    __builtin_prefetch(from + i + ahead);
    for (std::size_t part = i; part < i + line; part += 2)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + part),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + part)));
  }
  for (std::size_t i = count / line * line; i < count; ++i) to[i] = from[i];
  _mm_sfence();
}

/// In bytes.
inline std::size_t third_level_cache() {
  static const std::size_t bytes = [] {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
    std::size_t kilobytes = 0;
    return file >> kilobytes ? kilobytes << 10 : std::size_t{32} << 20;
  }();
  return bytes;
}

/// Packing, as is fastest for a buffer that somebody else reads.
inline void pack(long* to, const long* from, std::size_t count) {
  (4 * count * sizeof *to > third_level_cache() ? stream : copy)(to, from, count);
}

/// Step 1 of opbench: looks at every number of the application's array, and changes it.
[[gnu::noinline, gnu::aligned(64)]] inline long compute(long* application, std::size_t count, long by) {
  long total = 0;
  for (std::size_t i = 0; i < count; ++i) total += application[i] += by;
  return total;
}

/// Numbers that begin a cache line, all 0.
class Numbers {
 public:
  explicit Numbers(std::size_t count) : data_(new (alignment) long[count]()) {}
  Numbers(const Numbers&) = delete;
  ~Numbers() { operator delete[](data_, alignment); }
  long* data() const { return data_; }

 private:
  static constexpr std::align_val_t alignment{64};
  long* const data_;
};

/// The same for messages of the programs by hand: in huge pages where they fill them and the system has them,
/// as Kanor's buffers are.
class HugeNumbers {
 public:
  explicit HugeNumbers(std::size_t count)
      : data_(static_cast<long*>(operator new[](count * sizeof(long), page))) {
    constexpr std::size_t page_bytes = static_cast<std::size_t>(page);
    madvise(data_, count * sizeof(long) / page_bytes * page_bytes, MADV_HUGEPAGE);
    std::memset(data_, 0, count * sizeof(long));
  }
  HugeNumbers(const HugeNumbers&) = delete;
  ~HugeNumbers() { operator delete[](data_, page); }
  long* data() const { return data_; }

 private:
  static constexpr std::align_val_t page{2 << 20};
  long* const data_;
};

/// The other rank of a pair.
inline int partner_of(int rank) { return rank ^ 1; }

/// What a rank has to report: what it has read, and microseconds of a message or a step in each batch.
struct Report {
  long seen = 0;
  std::vector<double> times;
};

/// A message for each turn, there and back; the receiver reads all of it before it answers.
///
///     "passed": what was received is sent back, and the sender writes one number of it.
///     "fresh": the sender writes all of the message, and the receiver has done with it when it has read it.
///
/// A side has
///     long* first()              where rank 0 of the pair writes what is passed, before it begins
///     long* begin()              what this rank holds, or, if messages are fresh, a buffer to write
///     void send(long turn)       what begin() answered
///     const long* take(long turn)
///     void done()                with what take() answered, if messages are fresh
template <class Side>
Report one_way(const Request& request, int rank, Side& side, void (*meet)()) {
  Report report;
  const std::size_t count = request.count;
  const bool passes = request.kind == "passed";
  if (passes && rank % 2 == 0) fill(side.first(), count, 1);
  Turns turns(request, meet);
  while (turns.next()) {
    const int turn = turns.now();
    if (turn % 2 == rank % 2) {
      long* const numbers = side.begin();
      if (passes)
        numbers[static_cast<std::size_t>(turn) % count] += rank + 1;
      else
        fill(numbers, count, turn + rank);
      side.send(turn);
    } else {
      report.seen += (rank + 1) * sum(side.take(turn), count);
      if (!passes) side.done();
    }
  }
  report.times = turns.times();
  return report;
}

constexpr int neighbours = 4;

/// OPBench of "Ownership Passing" (Friedley et al., PPoPP 2013, section 5.1): an iteration computes once,
/// then steps four times. `step(application, number)` packs, exchanges and unpacks. What it takes is timed,
/// and starts together: computing is no part of it.
template <class Step>
Report opbench(const Request& request, int rank, void (*meet)(), Step step) {
  using Clock = std::chrono::steady_clock;
  Report report;
  const std::size_t count = request.count;
  const Numbers application(count);
  fill(application.data(), count, 1000 * rank);
  long number = 0;
  for (int batch = 0; batch <= request.batches; ++batch) {
    Clock::duration took{0};
    for (int i = 0; i < request.iterations; ++i) {
      report.seen += (rank + 1) * compute(application.data(), count, rank + 1);
      meet();
      const auto began = Clock::now();
      for (int neighbour = 0; neighbour < neighbours; ++neighbour, ++number) {
        // One number changes in each step, so that old content is noticed.
        long& changed = application.data()[static_cast<std::size_t>(number) % count];
        changed += rank + 1;
        step(application.data(), number);
        report.seen += (rank + 1) * changed;
      }
      took += Clock::now() - began;
    }
    const double steps = static_cast<double>(request.iterations) * neighbours;
    if (batch > 0) report.times.push_back(std::chrono::duration<double, std::micro>(took).count() / steps);
  }
  report.seen += (rank + 1) * compute(application.data(), count, 0);
  return report;
}

/// Of two ranks: what both have read, and the times of the later one.
inline void merge(Report& into, const Report& other) {
  into.seen += other.seen;
  for (std::size_t i = 0; i < into.times.size(); ++i)
    if (into.times[i] < other.times[i]) into.times[i] = other.times[i];
}

/// In a turn of what takes nanoseconds: its microseconds are then nanoseconds of one.
constexpr int thousand = 1000;

/// Writes the beginning of a new buffer, and nothing is known of the buffer then.
inline void touch(long*& buffer, long value) {
  *buffer = value;
  asm volatile("" : "+r"(buffer) : : "memory");
}

inline int unknown(const Request& request) {
  std::fprintf(stderr, "no operation '%s %s'\n", request.operation.c_str(), request.kind.c_str());
  return 2;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
