// RUN: %kanorc -O2 -Wall -Wextra -Werror %s -o %t && %run_everywhere %t
// RUN: env KANOR_DISABLE=sharing %run_everywhere --keep KANOR_DISABLE --ranks 2,5 %t
// RUN: env KANOR_DISABLE=inline %run_everywhere --keep KANOR_DISABLE --ranks 2,5 %t
// RUN: env KANOR_INFLIGHT=1000 %run_everywhere --keep KANOR_INFLIGHT --modes threads,processes,mpi --ranks 1,3 %t
// RUN: env KANOR_CHECK=1 %run_everywhere --keep KANOR_CHECK --ranks 1,5 %t
// kanor::give and kanor::take, beside blocks and beside kanor/opi.h: buffers that a block shared, moved or received
// are given, and what was taken goes into blocks; the same memory by both interfaces; what is thrown.
#include "check.hpp"

#include <kanor/error.hpp>
#include <kanor/opi.h>

#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

using kanor::any_rank;
using kanor::any_tag;
using kanor::buffer;
using kanor::give;
using kanor::giver;
using kanor::no_rank;
using kanor::take;
using kanor::world;

int me, n, next, previous;

template <class T = double>
buffer<T> values(int rank, std::size_t count) {
  buffer<T> made(count);
  std::iota(made.begin(), made.end(), static_cast<T>(1000 * rank));
  return made;
}

void every_size() {
  for (const std::size_t count : {0, 1, 11, 12, 128, 131072}) {
    buffer<double> b = values(me, count);
    give(std::move(b), next, 3);
    CHECK(b.empty() && b.data() == nullptr);
    giver from{-9, -9};
    const buffer<double> c = take<double>(any_rank, 3, &from);
    CHECK(c == values(previous, count));
    CHECK_EQ(c.size(), count);
    CHECK_EQ(from.rank * 10 + from.tag, previous * 10 + 3);
    CHECK_EQ(reinterpret_cast<std::uintptr_t>(c.data()) % 64, 0u);
  }
  // The default tag; what is made for the call; other types; by any tag.
  give(values(me, 20), next);
  CHECK(take<double>(previous) == values(previous, 20));
  give(values<int>(me, 21), next, 7);
  giver from;
  CHECK(take<int>(previous, any_tag, &from) == values<int>(previous, 21));
  CHECK_EQ(from.tag, 7);
  struct Pair {
    int first;
    double second;
  };
  buffer<Pair> pairs(30, Pair{me, 0.5 * me});
  give(std::move(pairs), next, 1);
  pairs = take<Pair>(previous, 1);
  CHECK_EQ(pairs[29].first + pairs[29].second, previous * 1.5);
  MPI_Barrier(MPI_COMM_WORLD);  // any_rank above must not find what follows
}

void order_and_nobody() {
  for (int i = 0; i < 5; ++i) give(values(i, 30 + static_cast<std::size_t>(i)), next, i % 2);
  for (const int i : {1, 3, 0, 2, 4}) CHECK(take<double>(previous, i % 2) == values(i, 30 + static_cast<std::size_t>(i)));
  buffer<double> b = values(1, 50);
  give(std::move(b), no_rank);
  CHECK(b.empty());
  giver from{5, 5};
  CHECK(take<double>(no_rank, 0, &from).empty());
  CHECK_EQ(from.rank, no_rank);
  for (const std::size_t count : {0, 1, 1000}) {
    give(values(me, count), me, 2);
    CHECK(take<double>(me, 2) == values(me, count));
  }
}

/// Memory that one interface gives and the other one takes.
void with_opi() {
  for (const int count : {0, 1, 11, 12, 5000}) {
    const auto bytes = static_cast<std::size_t>(count) * sizeof(double);
    double* numbers = nullptr;
    MPI_Status status;
    give(values(me, static_cast<std::size_t>(count)), next, 1);
    CHECK_EQ(OPI_Take(&numbers, count, MPI_DOUBLE, previous, 1, MPI_COMM_WORLD, &status), MPI_SUCCESS);
    int got = -1;
    MPI_Get_count(&status, MPI_DOUBLE, &got);
    CHECK_EQ(got, count);
    CHECK(numbers != nullptr);
    for (int i = 0; i < count; ++i)
      if (numbers[i] != 1000 * previous + i) CHECK_EQ(numbers[i], 1000.0 * previous + i);
    // Back, and on as a kanor::buffer.
    CHECK_EQ(OPI_Give(&numbers, count, MPI_DOUBLE, previous, 2, MPI_COMM_WORLD), MPI_SUCCESS);
    buffer<double> b = take<double>(next, 2);
    CHECK(b == values(me, static_cast<std::size_t>(count)));
    @communicate { b@(r + 1) % n <<= std::move(b)@r where r in world }
    CHECK(b == values(previous, static_cast<std::size_t>(count)));
    // Sent and received by copies.
    MPI_Send(b.data(), count, MPI_DOUBLE, next, 3, MPI_COMM_WORLD);
    buffer<double> c = take<double>(previous, 3);
    CHECK(c.size() == b.size());
    give(std::move(c), next, 4);
    std::vector<double> into(static_cast<std::size_t>(count) + 1, -1);
    CHECK_EQ(MPI_Recv(into.data(), count + 1, MPI_DOUBLE, previous, 4, MPI_COMM_WORLD, &status), MPI_SUCCESS);
    MPI_Get_count(&status, MPI_DOUBLE, &got);
    CHECK_EQ(got, count);
    if (count > 0) CHECK_EQ(into[0], 1000.0 * ((me + 3 * n - 3) % n));
    CHECK_EQ(into.back(), -1.0);
    // Requests take them too.
    MPI_Request request;
    OPI_Itake(&numbers, count, MPI_DOUBLE, previous, 5, MPI_COMM_WORLD, &request);
    give(values(me, static_cast<std::size_t>(count)), next, 5);
    CHECK_EQ(MPI_Wait(&request, &status), MPI_SUCCESS);
    CHECK_EQ(status.kanor_bytes, bytes);
    CHECK_EQ(OPI_Free(&numbers), MPI_SUCCESS);
  }
  // A part of a buffer is a whole one.
  long* numbers = nullptr;
  OPI_Alloc(&numbers, 8000);
  std::iota(numbers, numbers + 1000, 10L * me);
  OPI_Give(&numbers, 300, MPI_LONG, next, 6, MPI_COMM_WORLD);
  buffer<long> part = take<long>(previous, 6);
  CHECK_EQ(part.size(), 300u);
  CHECK_EQ(part.back(), 10L * previous + 299);
  part.resize(400);
  CHECK_EQ(part[299] + part[399], 10L * previous + 299);
}

/// Buffers come out of blocks and go into them.
void beside_blocks() {
  for (const std::size_t count : {5, 900, 20000}) {
    const buffer<double> mine = values(me, count), theirs = values(previous, count);
    buffer<double> a = mine.clone(), b, c;
    // A block copies it, and may do so by sharing it: the receiver's must stay what it is.
    @communicate { b@(r + 1) % n <<= a@r where r in world }
    a[0] = -1;
    give(std::move(a), next, 1);
    a = take<double>(previous, 1);
    CHECK_EQ(a[0], -1.0);
    CHECK(b == theirs);
    a[0] = 1000.0 * previous;
    CHECK(a == b);
    // One memory for all: each gives on what the block gave it, and writes to what it takes.
    if (me == 0) c = mine.clone();
    buffer<double> all;
    @communicate { all@r <<= std::move(c)@0 where r in world }
    give(std::move(all), next, 1);
    all = take<double>(previous, 1);
    for (double& value : all) value += me;
    CHECK_EQ(all[count - 1], static_cast<double>(count) - 1 + me);
    // What a block moved away is empty, and given as that.
    @communicate { c@(r + 1) % n <<= std::move(a)@r where r in world }
    give(std::move(a), next, 1);
    CHECK(take<double>(previous, 1).empty());
    // What a block brought by its owner's gift is given on, and what was taken goes into a block.
    give(std::move(c), previous, 1);
    c = take<double>(next, 1);
    CHECK(c == theirs);
    @communicate { b@r <<= std::move(c)@(r + 1) % n where r in world }
    CHECK(b == mine);
    CHECK(c.empty());
    // While other things are on the way.
    c = values(me, count);
    give(values(me, count), next, 8);
    @communicate (async = p) { c@(r + 1) % n <<= std::move(c)@r where r in world }
    give(std::move(b), next, 9);
    b = take<double>(previous, 9);
    p.wait();
    CHECK(b == theirs);
    CHECK(c == theirs);
    @communicate { a@r <<= std::move(c)@r where r in world }
    CHECK(take<double>(previous, 8) == a);
    // A reduction's result, and an element of what was taken.
    double element = 0;
    give(std::move(b), me, 2);
    b = take<double>(me, 2);
    @communicate { a@r << + << b@s where r, s in world; element@(r + 1) % n <<= b[count - 1]@r where r in world }
    give(std::move(a), next, 1);
    CHECK_EQ(take<double>(previous, 1)[0], 500.0 * n * (n - 1));
    CHECK_EQ(element, 1000.0 * ((me + 2 * n - 2) % n) + static_cast<double>(count) - 1);
  }
}

/// Memory goes round by turns, and none is lost: more than there is would be needed otherwise.
void many_rounds() {
  buffer<double> b = values(me, 1 << 17);
  for (int round = 0; round < 60; ++round) {
    if (round % 3 == 0) {
      give(std::move(b), next);
      b = take<double>(previous);
    } else if (round % 3 == 1) {
      @communicate { b@(r + 1) % n <<= std::move(b)@r where r in world }
    } else {
      void* memory = nullptr;
      give(std::move(b), next, 1);
      OPI_Take(&memory, 1 << 17, MPI_DOUBLE, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      OPI_Give(&memory, 1 << 17, MPI_DOUBLE, me, 2, MPI_COMM_WORLD);
      b = take<double>(me, 2);
    }
  }
  CHECK(b == values((me + 60 * n - 60) % n, 1 << 17));
}

template <class Call>
void throws(int line, Call call, std::initializer_list<std::string> words) {
  try {
    call();
    check::failed(__FILE__, line, "the call", "no exception", *words.begin());
  } catch (const kanor::ownership_error& error) {
    for (const std::string& word : words)
      if (std::string(error.what()).find(word) == std::string::npos) check::failed(__FILE__, line, "what()", error.what(), word);
  }
}
#define THROWS(call, ...) throws(__LINE__, [&] { call; }, {"ownership_blocks.cpp:" + std::to_string(__LINE__), __VA_ARGS__})

void mistakes() {
  buffer<double> b = values(me, 100);
  THROWS(give(std::move(b), n), "give", "no rank " + std::to_string(n));
  THROWS(give(std::move(b), -5), "give", "no rank -5");
  THROWS(give(std::move(b), any_rank), "give", "no rank -1");
  THROWS(give(std::move(b), me, any_tag), "give", "tag is -1");
  CHECK(b == values(me, 100));
  THROWS(b = take<double>(n), "take", "no rank " + std::to_string(n));
  THROWS(b = take<double>(me, -2), "take", "tag is -2");
  CHECK(b == values(me, 100));
  // No whole elements: gone.
  give(buffer<char>(15, 'x'), next, 1);
  give(buffer<char>(999, 'x'), next, 1);
  give(buffer<char>(16, 'x'), next, 1);
  THROWS(b = take<double>(previous, 1), "rank " + std::to_string(previous), "15 bytes", "tag 1", "8 bytes");
  THROWS(b = take<double>(previous, 1), "999 bytes");
  CHECK_EQ(take<double>(previous, 1).size(), 2u);
  // Promised to a block that is being executed.
  bool refused = false;
  const auto try_to_give = [&] {
    THROWS(give(std::move(b), me), "given to a block that has not ended");
    return true;
  };
  @communicate { b@(r + 1) % n <<= std::move(b)@r where r in world; refused@r <<= try_to_give()@r where r in world }
  CHECK(refused);
  CHECK(b == values(previous, 100));
  give(std::move(b), me);
  CHECK(take<double>(me) == values(previous, 100));
}

}  // namespace

int main() {
  me = world.rank();
  n = world.size();
  next = (me + 1) % n;
  previous = (me + n - 1) % n;
  every_size();
  order_and_nobody();
  with_opi();
  beside_blocks();
  many_rounds();
  mistakes();
  return check::finish("ownership_blocks");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
