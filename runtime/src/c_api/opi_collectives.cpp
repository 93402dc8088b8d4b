// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/opi.h: what all ranks do together.
#include <kanor/opi.h>

#include <algorithm>
#include <vector>

#include "c_api/calls.hpp"
#include "collectives/owned.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;
using collectives::Passing;

namespace {

/// The channel of collectives, which no communicator has: tags there hold the calls' kinds.
constexpr std::uint32_t collective_channel = ~std::uint32_t{0} - 1;

enum Kind : int { scatter, gather, all_to_all, broadcast };

struct Call {
  Kind kind;
  const char* name;
  Place place;

  /// Begins a collective. Each has the rank's next number, so what is left of one that went wrong is not
  /// taken for the next one.
  Passing passing(Rank& self, MPI_Comm comm) const {
    if (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF)
      throw CallError{MPI_ERR_COMM, "OPI's collectives are for MPI_COMM_WORLD and MPI_COMM_SELF"};
    const bool alone = comm == MPI_COMM_SELF;
    const int number = alone ? 0 : static_cast<int>(Calls::of(self).collectives++ & 0xffffff);
    return {self, alone, collective_channel, number << 2 | kind, name, place};
  }
};

void check_root(const Passing& passing, int root) {
  if (root < 0 || root >= passing.ranks())
    throw CallError{MPI_ERR_RANK, "there is no root " + std::to_string(root) + " in a communicator of " +
                                      std::to_string(passing.ranks())};
}

void** pointers_in(void* array) {
  if (!array) throw CallError{MPI_ERR_ARG, "the array of pointers is NULL"};
  return static_cast<void**>(array);
}

/// The buffers of an array of pointers, each of the bytes that `bytes(i)` says, and all different.
template <class Bytes>
std::vector<Region*> owned_in(Rank& self, void* const* pointers, int count, Bytes bytes, const Call& call) {
  std::vector<Region*> buffers;
  for (int i = 0; i < count; ++i)
    buffers.push_back(
        &owned_by(self, pointers[i], bytes(static_cast<std::size_t>(i)), call.name, call.place));
  for (const Region* const buffer : buffers) check_not_lent(self, *buffer, call.name, call.place);
  std::vector<Region*> sorted = buffers;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    throw CallError{MPI_ERR_BUFFER, "the same buffer is given to two ranks"};
  return buffers;
}

void put(void** pointers, const std::vector<Region*>& buffers) {
  for (std::size_t i = 0; i < buffers.size(); ++i) pointers[i] = buffers[i] ? buffers[i]->object() : nullptr;
}

int pass_all(const Call& call, void* given, const int* given_counts, MPI_Datatype type, void* taken,
             const int* taken_counts, MPI_Comm comm) {
  Rank& self = caller();
  return guarded(self, call.name, call.place, [&] {
    Passing passing = call.passing(self, comm);
    void** const pointers = pointers_in(given);
    void** const into = pointers_in(taken);
    if (!given_counts || !taken_counts) throw CallError{MPI_ERR_ARG, "an array of counts is NULL"};
    std::vector<std::size_t> given_bytes, most_bytes;
    for (int i = 0; i < passing.ranks(); ++i) {
      given_bytes.push_back(block_bytes_of(given_counts[i], type));
      most_bytes.push_back(block_bytes_of(taken_counts[i], type));
    }
    const std::vector<Region*> buffers = owned_in(
        self, pointers, passing.ranks(), [&](std::size_t i) { return given_bytes[i]; }, call);
    put(pointers, std::vector<Region*>(buffers.size()));
    std::vector<Region*> arrived(buffers.size());
    passing.all_to_all(buffers, given_bytes, arrived, most_bytes);
    put(into, arrived);
    return MPI_SUCCESS;
  });
}

}  // namespace

int OPI_Scatter(void* given, int count, MPI_Datatype type, void* pointer, int root, MPI_Comm comm,
                const char* file, int line) {
  const Call call{scatter, "OPI_Scatter", {file, line}};
  Rank& self = caller();
  return guarded(self, call.name, call.place, [&] {
    Passing passing = call.passing(self, comm);
    check_root(passing, root);
    const std::size_t bytes = block_bytes_of(count, type);
    void*& own = pointer_at(pointer);
    std::vector<Region*> buffers;
    if (passing.number() == root) {
      void** const pointers = pointers_in(given);
      buffers = owned_in(
          self, pointers, passing.ranks(), [&](std::size_t) { return bytes; }, call);
      put(pointers, std::vector<Region*>(buffers.size()));
    }
    own = nullptr;
    own = passing.scatter(buffers, bytes, root).object();
    return MPI_SUCCESS;
  });
}

int OPI_Gather(void* pointer, int count, MPI_Datatype type, void* taken, int root, MPI_Comm comm,
               const char* file, int line) {
  const Call call{gather, "OPI_Gather", {file, line}};
  Rank& self = caller();
  return guarded(self, call.name, call.place, [&] {
    Passing passing = call.passing(self, comm);
    check_root(passing, root);
    const std::size_t bytes = block_bytes_of(count, type);
    void*& own = pointer_at(pointer);
    std::vector<Region*> into(passing.number() == root ? static_cast<std::size_t>(passing.ranks()) : 0);
    void** const pointers = into.empty() ? nullptr : pointers_in(taken);
    Region& buffer = owned_by(self, own, bytes, call.name, call.place);
    check_not_lent(self, buffer, call.name, call.place);
    own = nullptr;
    passing.gather(buffer, bytes, into, root);
    put(pointers, into);
    return MPI_SUCCESS;
  });
}

int OPI_Alltoall(void* given, int count, MPI_Datatype type, void* taken, MPI_Comm comm, const char* file,
                 int line) {
  const std::vector<int> counts(static_cast<std::size_t>(team_size(caller())), count);
  return pass_all({all_to_all, "OPI_Alltoall", {file, line}}, given, counts.data(), type, taken,
                  counts.data(), comm);
}

int OPI_Alltoallv(void* given, const int* given_counts, MPI_Datatype type, void* taken,
                  const int* taken_counts, MPI_Comm comm, const char* file, int line) {
  return pass_all({all_to_all, "OPI_Alltoallv", {file, line}}, given, given_counts, type, taken, taken_counts,
                  comm);
}

int OPI_Bcast(void* pointer, int count, MPI_Datatype type, int root, MPI_Comm comm, const char* file,
              int line) {
  const Call call{broadcast, "OPI_Bcast", {file, line}};
  Rank& self = caller();
  return guarded(self, call.name, call.place, [&] {
    Passing passing = call.passing(self, comm);
    check_root(passing, root);
    const std::size_t bytes = block_bytes_of(count, type);
    void*& elements = pointer_at(pointer);
    Region* const buffer =
        passing.number() == root ? &owned_by(self, elements, bytes, call.name, call.place) : nullptr;
    elements = nullptr;
    elements = passing.broadcast(buffer, bytes, root).object();
    return MPI_SUCCESS;
  });
}

int OPI_Own(void* pointer, const char* file, int line) {
  Rank& self = caller();
  return guarded(self, "OPI_Own", {file, line}, [&] {
    void*& elements = pointer_at(pointer);
    const Place place{file, line};
    elements = own(self, owned(self, elements, "OPI_Own", place), "OPI_Own", place).object();
    return MPI_SUCCESS;
  });
}
