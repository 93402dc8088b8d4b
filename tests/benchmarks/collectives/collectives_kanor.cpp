// The collectives of collectives.py as blocks, in three spellings each: plain numbers, whole vectors (and
// vectors of vectors), which kanorc can share between ranks, and sections of vectors, which are copied.
#include <kanor/kanor.hpp>

#include <utility>

#include "timing.hpp"

using kanor::world;

namespace {

using Vector = std::vector<double>;
using Rows = std::vector<Vector>;

/// Nobody goes on before all have come.
void meet() {
  char here = 1, all = 0;
  @communicate { all@r << & << here@s where r, s in world }
  if (!all) std::abort();
}

double most(double mine) {
  double all = 0;
  @communicate { all@r << max << mine@s where r, s in world }
  return all;
}

void report(const Turns& turns) {
  const double mine = turns.checksum() * (world.rank() + 1);
  double all = 0;
  @communicate { all@0 << + << mine@s where s in world }
  if (world.rank() == 0) print_batches(all, turns.times());
}

Vector first_numbers(std::size_t count) {
  Vector numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = first_number(world.rank(), i);
  return numbers;
}

/// So many rows for each rank, one behind the other in number.
Rows first_rows(std::size_t count) {
  Rows rows(world.size(), Vector(count));
  std::size_t place = 0;
  for (Vector& row : rows)
    for (double& number : row) number = first_number(world.rank(), place++);
  return rows;
}

void barrier(const Request& request) {
  Turns turns(request, meet, most);
  while (turns.next()) meet();
  report(turns);
}

namespace numbers {

void broadcast(const Request& request) {
  double a = first_number(world.rank(), 0);
  Turns turns(request, meet, most);
  while (turns.next()) {
    if (world.rank() == 0) turns.change(&a, 1);
    @communicate { a@r <<= a@0 where r in world }
    if (world.rank() != 0) turns.saw(&a, 1);
  }
  report(turns);
}

void reduce(const Request& request) {
  double a = first_number(world.rank(), 0), b = 0;
  Turns turns(request, meet, most);
  while (turns.next()) {
    turns.change(&a, 1);
    @communicate { b@0 << + << a@s where s in world }
    if (world.rank() == 0) turns.saw(&b, 1);
  }
  report(turns);
}

void all_reduce(const Request& request) {
  double a = first_number(world.rank(), 0), b = 0;
  Turns turns(request, meet, most);
  while (turns.next()) {
    turns.change(&a, 1);
    @communicate { b@r << + << a@s where r, s in world }
    turns.saw(&b, 1);
  }
  report(turns);
}

void gather(const Request& request) {
  double a = first_number(world.rank(), 0);
  Vector all(world.size());
  Turns turns(request, meet, most);
  while (turns.next()) {
    turns.change(&a, 1);
    @communicate { all[s]@0 <<= a@s where s in world }
    if (world.rank() == 0) turns.saw(all.data(), all.size());
  }
  report(turns);
}

void scatter(const Request& request) {
  double b = 0;
  Vector all = first_numbers(world.size());
  Turns turns(request, meet, most);
  while (turns.next()) {
    if (world.rank() == 0) turns.change(all.data(), all.size(), world.size());
    @communicate { b@r <<= all[r]@0 where r in world }
    turns.saw(&b, 1);
  }
  report(turns);
}

void all_gather(const Request& request) {
  double a = first_number(world.rank(), 0);
  Vector all(world.size());
  Turns turns(request, meet, most);
  while (turns.next()) {
    turns.change(&a, 1);
    @communicate { all[s]@r <<= a@s where r, s in world }
    turns.saw(all.data(), all.size());
  }
  report(turns);
}

void all_to_all(const Request& request) {
  Vector out = first_numbers(world.size()), in(world.size());
  Turns turns(request, meet, most);
  while (turns.next()) {
    turns.change(out.data(), out.size(), world.size());
    @communicate { in[s]@r <<= out[r]@s where r, s in world }
    turns.saw(in.data(), in.size());
  }
  report(turns);
}

void scan(const Request& request) {
  double a = first_number(world.rank(), 0), b = 0;
  Turns turns(request, meet, most);
  while (turns.next()) {
    turns.change(&a, 1);
    @communicate { b@r << + << a@s where r, s in world, s <= r }
    turns.saw(&b, 1);
  }
  report(turns);
}

}  // namespace numbers

namespace vectors {

void broadcast(const Request& request) {
  Vector A = first_numbers(request.count);
  Turns turns(request, meet, most);
  while (turns.next()) {
    if (world.rank() == 0) turns.change(A.data(), A.size());
    @communicate { A@r <<= A@0 where r in world }
    if (world.rank() != 0) turns.saw(A.data(), A.size());
  }
  report(turns);
}

void reduce(const Request& request) {
  Vector A = first_numbers(request.count), B(request.count);
  Turns turns(request, meet, most);
  while (turns.next()) {
    turns.change(A.data(), A.size());
    @communicate { B@0 << + << A@s where s in world }
    if (world.rank() == 0) turns.saw(B.data(), B.size());
  }
  report(turns);
}

void all_reduce(const Request& request) {
  Vector A = first_numbers(request.count), B(request.count);
  Turns turns(request, meet, most);
  while (turns.next()) {
    turns.change(A.data(), A.size());
    @communicate { B@r << + << A@s where r, s in world }
    turns.saw(B.data(), B.size());
  }
  report(turns);
}

void gather(const Request& request) {
  Vector A = first_numbers(request.count);
  Rows all(world.size());
  Turns turns(request, meet, most);
  while (turns.next()) {
    turns.change(A.data(), A.size());
    @communicate { all[s]@0 <<= A@s where s in world }
    if (world.rank() == 0)
      for (const Vector& row : all) turns.saw(row.data(), row.size());
  }
  report(turns);
}

void scatter(const Request& request) {
  Rows all = first_rows(world.rank() == 0 ? request.count : 0);
  Vector B;
  Turns turns(request, meet, most);
  while (turns.next()) {
    if (world.rank() == 0)
      for (Vector& row : all) turns.change(row.data(), row.size());
    @communicate { B@r <<= all[r]@0 where r in world }
    turns.saw(B.data(), B.size());
  }
  report(turns);
}

void all_gather(const Request& request) {
  Vector A = first_numbers(request.count);
  Rows all(world.size());
  Turns turns(request, meet, most);
  while (turns.next()) {
    turns.change(A.data(), A.size());
    @communicate { all[s]@r <<= A@s where r, s in world }
    for (const Vector& row : all) turns.saw(row.data(), row.size());
  }
  report(turns);
}

void all_to_all(const Request& request) {
  Rows out = first_rows(share(request, world.size())), in(world.size());
  Turns turns(request, meet, most);
  while (turns.next()) {
    for (Vector& row : out) turns.change(row.data(), row.size());
    @communicate { in[s]@r <<= out[r]@s where r, s in world }
    for (const Vector& row : in) turns.saw(row.data(), row.size());
  }
  report(turns);
}

void scan(const Request& request) {
  Vector A = first_numbers(request.count), B(request.count);
  Turns turns(request, meet, most);
  while (turns.next()) {
    turns.change(A.data(), A.size());
    @communicate { B@r << + << A@s where r, s in world, s <= r }
    turns.saw(B.data(), B.size());
  }
  report(turns);
}

}  // namespace vectors

namespace sections {

void broadcast(const Request& request) {
  Vector A = first_numbers(request.count);
  Turns turns(request, meet, most);
  while (turns.next()) {
    if (world.rank() == 0) turns.change(A.data(), A.size());
    @communicate { A[:]@r <<= A[:]@0 where r in world }
    if (world.rank() != 0) turns.saw(A.data(), A.size());
  }
  report(turns);
}

void reduce(const Request& request) {
  Vector A = first_numbers(request.count), B(request.count);
  Turns turns(request, meet, most);
  while (turns.next()) {
    turns.change(A.data(), A.size());
    @communicate { B[:]@0 << + << A[:]@s where s in world }
    if (world.rank() == 0) turns.saw(B.data(), B.size());
  }
  report(turns);
}

void all_reduce(const Request& request) {
  Vector A = first_numbers(request.count), B(request.count);
  Turns turns(request, meet, most);
  while (turns.next()) {
    turns.change(A.data(), A.size());
    @communicate { B[:]@r << + << A[:]@s where r, s in world }
    turns.saw(B.data(), B.size());
  }
  report(turns);
}

void gather(const Request& request) {
  const std::size_t n = request.count;
  Vector A = first_numbers(n), all(world.rank() == 0 ? n * world.size() : 0);
  Turns turns(request, meet, most);
  while (turns.next()) {
    turns.change(A.data(), A.size());
    @communicate { all[s * n : n]@0 <<= A[:]@s where s in world }
    if (world.rank() == 0) turns.saw(all.data(), all.size());
  }
  report(turns);
}

void scatter(const Request& request) {
  const std::size_t n = request.count;
  Vector all = first_numbers(world.rank() == 0 ? n * world.size() : 0), B(n);
  Turns turns(request, meet, most);
  while (turns.next()) {
    if (world.rank() == 0) turns.change(all.data(), all.size(), world.size());
    @communicate { B[:]@r <<= all[r * n : n]@0 where r in world }
    turns.saw(B.data(), B.size());
  }
  report(turns);
}

void all_gather(const Request& request) {
  const std::size_t n = request.count;
  Vector A = first_numbers(n), all(n * world.size());
  Turns turns(request, meet, most);
  while (turns.next()) {
    turns.change(A.data(), A.size());
    @communicate { all[s * n : n]@r <<= A[:]@s where r, s in world }
    turns.saw(all.data(), all.size());
  }
  report(turns);
}

void all_to_all(const Request& request) {
  const std::size_t n = share(request, world.size());
  Vector out = first_numbers(n * world.size()), in(out.size());
  Turns turns(request, meet, most);
  while (turns.next()) {
    turns.change(out.data(), out.size(), world.size());
    @communicate { in[s * n : n]@r <<= out[r * n : n]@s where r, s in world }
    turns.saw(in.data(), in.size());
  }
  report(turns);
}

void scan(const Request& request) {
  Vector A = first_numbers(request.count), B(request.count);
  Turns turns(request, meet, most);
  while (turns.next()) {
    turns.change(A.data(), A.size());
    @communicate { B[:]@r << + << A[:]@s where r, s in world, s <= r }
    turns.saw(B.data(), B.size());
  }
  report(turns);
}

}  // namespace sections

}  // namespace

int main(int argc, char** argv) {
  const Request request = read_request(argc, argv);
  struct Operation {
    const char* name;
    void (*numbers)(const Request&);
    void (*vectors)(const Request&);
    void (*sections)(const Request&);
  };
  const Operation operations[] = {
      {"broadcast", numbers::broadcast, vectors::broadcast, sections::broadcast},
      {"reduce", numbers::reduce, vectors::reduce, sections::reduce},
      {"all_reduce", numbers::all_reduce, vectors::all_reduce, sections::all_reduce},
      {"gather", numbers::gather, vectors::gather, sections::gather},
      {"scatter", numbers::scatter, vectors::scatter, sections::scatter},
      {"all_gather", numbers::all_gather, vectors::all_gather, sections::all_gather},
      {"all_to_all", numbers::all_to_all, vectors::all_to_all, sections::all_to_all},
      {"scan", numbers::scan, vectors::scan, sections::scan},
      {"barrier", barrier, nullptr, nullptr},
  };
  for (const Operation& one : operations) {
    if (request.operation != one.name) continue;
    const auto run = request.spelling == "vectors" ? one.vectors : request.spelling == "sections" ? one.sections : one.numbers;
    if (!run) break;
    run(request);
    return 0;
  }
  return unknown(request);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
