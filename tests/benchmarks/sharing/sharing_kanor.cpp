// Large exchanges of whole variables, with and without writes around them: the Kanor side of sharing.py. The
// cases are those of Jiao et al. (HiPC 2011): 1, nobody writes; 2a, a rank writes when the others have done
// with the value; 2b, at once; 3, both sides write and still need the value.
#include <kanor/kanor.hpp>

#include <cstdlib>
#include <vector>

#include "timing.hpp"

using kanor::world;

namespace {

[[kanor::shared]] Arrival arrivals[most_ranks];

/// Nobody goes on before all have come.
void meet() {
  long here = 1, all = 0;
  @communicate { all@r << + << here@s where r, s in world }
  if (all != world.size()) std::abort();
}

void report(long seen, const Turns& turns) {
  long all = 0;
  @communicate { all@r << + << seen@s where r, s in world }
  if (world.rank() == 0) print_batches(all, turns.times());
}

void broadcast_1(const Request& request) {
  std::vector<long> A(request.count, world.rank() + 1), B;
  long seen = 0;
  Turns turns(request, meet);
  while (turns.next()) {
    @communicate { B@r <<= A@0 where r in world }
    seen += sum(B.data(), B.size());
  }
  report(seen, turns);
}

void broadcast_2a(const Request& request) {
  std::vector<long> A(request.count, world.rank() + 1), B;
  long seen = 0;
  Turns turns(request, meet);
  while (turns.next()) {
    @communicate { B@r <<= A@0 where r in world }
    seen += sum(B.data(), B.size());
    meet(arrivals, world.rank(), world.size(), turns.now() + 1);
    A[turns.now() % request.count] += 1;
  }
  report(seen, turns);
}

void broadcast_2b(const Request& request) {
  std::vector<long> A(request.count, world.rank() + 1), B;
  long seen = 0;
  Turns turns(request, meet);
  while (turns.next()) {
    @communicate { B@r <<= A@0 where r in world }
    A[turns.now() % request.count] += 1;
    seen += sum(B.data(), B.size());
  }
  report(seen, turns);
}

void broadcast_3(const Request& request) {
  std::vector<long> A(request.count, world.rank() + 1), B;
  long seen = 0;
  Turns turns(request, meet);
  while (turns.next()) {
    @communicate { B@r <<= A@0 where r in world }
    A[turns.now() % request.count] += 1;
    B[turns.now() % request.count] += 2;
    seen += sum(B.data(), B.size()) + sum(A.data(), A.size());
  }
  report(seen, turns);
}

void shift_1(const Request& request) {
  std::vector<long> A(request.count, world.rank() + 1);
  long seen = 0;
  Turns turns(request, meet);
  while (turns.next()) {
    @communicate { A@(r + 1) % world.size() <<= A@r where r in world }
    seen += sum(A.data(), A.size());
  }
  report(seen, turns);
}

void shift_2a(const Request& request) {
  std::vector<long> A(request.count, world.rank() + 1);
  long seen = 0;
  Turns turns(request, meet);
  while (turns.next()) {
    @communicate { A@(r + 1) % world.size() <<= A@r where r in world }
    seen += sum(A.data(), A.size());
    A[turns.now() % request.count] += 1;
  }
  report(seen, turns);
}

void shift_2b(const Request& request) {
  std::vector<long> A(request.count, world.rank() + 1), B;
  long seen = 0;
  Turns turns(request, meet);
  while (turns.next()) {
    @communicate { B@(r + 1) % world.size() <<= A@r where r in world }
    A[turns.now() % request.count] += 1;
    seen += sum(B.data(), B.size());
  }
  report(seen, turns);
}

void shift_3(const Request& request) {
  std::vector<long> A(request.count, world.rank() + 1), B;
  long seen = 0;
  Turns turns(request, meet);
  while (turns.next()) {
    @communicate { B@(r + 1) % world.size() <<= A@r where r in world }
    A[turns.now() % request.count] += 1;
    B[turns.now() % request.count] += 2;
    seen += sum(B.data(), B.size()) + sum(A.data(), A.size());
  }
  report(seen, turns);
}

using Rows = std::vector<std::vector<long>>;

/// As many numbers of each rank as other operations have, in a row for each of all.
Rows rows_of(const Request& request) {
  const std::size_t ranks = static_cast<std::size_t>(world.size());
  return Rows(ranks, std::vector<long>(request.count / ranks, world.rank() + 1));
}

long sum_of(const Rows& rows) {
  long total = 0;
  for (const auto& row : rows) total += sum(row.data(), row.size());
  return total;
}

void all_to_all_1(const Request& request) {
  Rows A = rows_of(request);
  long seen = 0;
  Turns turns(request, meet);
  while (turns.next()) {
    @communicate { A[s]@r <<= A[r]@s where r, s in world }
    seen += sum_of(A);
  }
  report(seen, turns);
}

void all_to_all_2a(const Request& request) {
  Rows A = rows_of(request);
  long seen = 0;
  Turns turns(request, meet);
  while (turns.next()) {
    @communicate { A[s]@r <<= A[r]@s where r, s in world }
    seen += sum_of(A);
    A[0][turns.now() % A[0].size()] += 1;
  }
  report(seen, turns);
}

void all_to_all_2b(const Request& request) {
  Rows A = rows_of(request), B = A;
  long seen = 0;
  Turns turns(request, meet);
  while (turns.next()) {
    @communicate { B[s]@r <<= A[r]@s where r, s in world }
    A[0][turns.now() % A[0].size()] += 1;
    seen += sum_of(B);
  }
  report(seen, turns);
}

void all_to_all_3(const Request& request) {
  Rows A = rows_of(request), B = A;
  long seen = 0;
  Turns turns(request, meet);
  while (turns.next()) {
    @communicate { B[s]@r <<= A[r]@s where r, s in world }
    A[0][turns.now() % A[0].size()] += 1;
    B[0][turns.now() % B[0].size()] += 2;
    seen += sum_of(B) + sum_of(A);
  }
  report(seen, turns);
}

void reduce_1(const Request& request) {
  std::vector<long> A(request.count, world.rank() + 1), B(request.count);
  long seen = 0;
  Turns turns(request, meet);
  while (turns.next()) {
    @communicate { B@0 << + << A@s where s in world }
    if (world.rank() == 0) seen += sum(B.data(), B.size());
  }
  report(seen, turns);
}

void reduce_2b(const Request& request) {
  std::vector<long> A(request.count, world.rank() + 1), B(request.count);
  long seen = 0;
  Turns turns(request, meet);
  while (turns.next()) {
    @communicate { B@0 << + << A@s where s in world }
    A[turns.now() % request.count] += 1;
    if (world.rank() == 0) seen += sum(B.data(), B.size());
  }
  report(seen, turns);
}

}  // namespace

int main(int argc, char** argv) {
  const Request request = read_request(argc, argv);
  const std::string which = request.operation + " " + request.kind;
  if (which == "broadcast 1") broadcast_1(request);
  else if (which == "broadcast 2a") broadcast_2a(request);
  else if (which == "broadcast 2b") broadcast_2b(request);
  else if (which == "broadcast 3") broadcast_3(request);
  else if (which == "shift 1") shift_1(request);
  else if (which == "shift 2a") shift_2a(request);
  else if (which == "shift 2b") shift_2b(request);
  else if (which == "shift 3") shift_3(request);
  else if (which == "all-to-all 1") all_to_all_1(request);
  else if (which == "all-to-all 2a") all_to_all_2a(request);
  else if (which == "all-to-all 2b") all_to_all_2b(request);
  else if (which == "all-to-all 3") all_to_all_3(request);
  else if (which == "reduce 1") reduce_1(request);
  else if (which == "reduce 2b") reduce_2b(request);
  else return 2;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
