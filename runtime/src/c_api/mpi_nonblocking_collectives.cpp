// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/mpi.h: nonblocking collectives that move elements, and MPI_Alltoallw.
#include <kanor/mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "c_api/calls.hpp"
#include "c_api/collective_call.hpp"
#include "c_api/started.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;

namespace {

/// Elements of all members, as a call describes them.
struct Everything {
  const void* data;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int each = 0;                         ///< elements of each member
  const int* counts = nullptr;          ///< of each member; null: `each`
  const int* offsets = nullptr;         ///< in elements, with `types` in bytes; null: one behind the other
  const MPI_Datatype* types = nullptr;  ///< of each member; null: `type`

  int count(int member) const { return counts ? counts[member] : each; }
  MPI_Datatype type_of(int member) const { return types ? types[member] : type; }
  std::byte* at(int member) const {
    // What is nowhere remains so, for Outgoing and Arriving to find; datatypes of absolute addresses may
    // begin at 0 (MPI_BOTTOM).
    if (data == MPI_IN_PLACE || (!data && !layout_of(type_of(member))))
      return static_cast<std::byte*>(const_cast<void*>(data));
    const std::ptrdiff_t number = offsets ? offsets[member] : static_cast<std::ptrdiff_t>(member) * each;
    const std::ptrdiff_t unit = types ? 1 : static_cast<std::ptrdiff_t>(extent_bytes_of(type));
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(data) +
                                        static_cast<std::uintptr_t>(number * unit));
  }
  Outgoing out(int member) const { return {at(member), count(member), type_of(member)}; }
  Arriving in(int member) const { return {at(member), count(member), type_of(member)}; }
};

Everything same(const void* data, int each, MPI_Datatype type) {
  return {.data = data, .type = type, .each = each};
}

/// What the calls whose names end in v describe.
Everything varying(const void* data, const int* counts, const int* offsets, MPI_Datatype type) {
  return {.data = data, .type = type, .counts = counts, .offsets = offsets};
}

void check_arrays(const Everything& all, Kind kind) {
  const bool has_arrays = kind == Kind::gatherv || kind == Kind::scatterv || kind == Kind::all_gatherv ||
                          kind == Kind::all_to_allv || kind == Kind::all_to_allw;
  if (has_arrays && (!all.counts || !all.offsets || (kind == Kind::all_to_allw && !all.types)))
    throw CallError{MPI_ERR_ARG, "an array of counts, offsets or datatypes is NULL"};
}

bool is_in_place(const void* data) { return data == MPI_IN_PLACE; }

/// The body of a nonblocking call: `begin(call, started)` sends and posts.
template <class Begin>
int start(const char* name, Kind kind, int root, MPI_Comm comm, MPI_Request* request, Begin begin) {
  Rank& self = caller();
  return handled(self, name, comm, [&] {
    request_at(request) = MPI_REQUEST_NULL;
    CollectiveCall call(self, name, kind, root, comm);
    call.starts();
    auto started = std::make_unique<Started>(call);
    begin(*started);
    *request = request_of(call, std::move(started));
    return MPI_SUCCESS;
  });
}

int gather(const char* name, Kind kind, const void* own, int count, MPI_Datatype type, const Everything& all,
           int root, MPI_Comm comm, MPI_Request* request) {
  return start(name, kind, root, comm, request, [&](Started& started) {
    const int rank = started.rank();
    if (rank != root) return started.send(root, Outgoing(own, count, type));
    check_arrays(all, kind);
    if (!is_in_place(own)) all.in(rank).take(Outgoing(own, count, type), started.group());
    for (int from = 0; from < started.size(); ++from)
      if (from != rank) started.receive(from, all.in(from));
  });
}

int scatter(const char* name, Kind kind, const Everything& all, void* own, int count, MPI_Datatype type,
            int root, MPI_Comm comm, MPI_Request* request) {
  return start(name, kind, root, comm, request, [&](Started& started) {
    const int rank = started.rank();
    if (rank != root) return started.receive(root, Arriving(own, count, type));
    check_arrays(all, kind);
    for (int step = 1; step < started.size(); ++step) {
      const int to = (rank + step) % started.size();
      started.send(to, all.out(to));
    }
    if (!is_in_place(own)) Arriving(own, count, type).take(all.out(rank), started.group());
  });
}

int all_gather(const char* name, Kind kind, const void* own, int count, MPI_Datatype type,
               const Everything& all, MPI_Comm comm, MPI_Request* request) {
  return start(name, kind, 0, comm, request, [&](Started& started) {
    check_arrays(all, kind);
    const int rank = started.rank();
    const bool stays = is_in_place(own);
    const Outgoing mine = stays ? all.out(rank) : Outgoing(own, count, type);
    if (!stays) all.in(rank).take(mine, started.group());
    started.send_all(0, started.size() - 1, mine.data(), mine.bytes());
    for (int from = 0; from < started.size(); ++from)
      if (from != rank) started.receive(from, all.in(from));
  });
}

void begin_all_to_all(Started& started, Kind kind, const Everything& out, const Everything& in) {
  check_arrays(in, kind);
  const bool stays = is_in_place(out.data);
  if (!stays) check_arrays(out, kind);
  const Everything& from_here = stays ? in : out;
  const int rank = started.rank();
  if (!stays) in.in(rank).take(out.out(rank), started.group());
  // All has left before anything arrives: that may go where it was.
  for (int step = 1; step < started.size(); ++step) {
    const int to = (rank + step) % started.size();
    started.send(to, from_here.out(to));
  }
  for (int step = 1; step < started.size(); ++step) {
    const int from = (rank - step + started.size()) % started.size();
    started.receive(from, in.in(from));
  }
}

int all_to_all(const char* name, Kind kind, const Everything& out, const Everything& in, MPI_Comm comm,
               MPI_Request* request) {
  return start(name, kind, 0, comm, request,
               [&](Started& started) { begin_all_to_all(started, kind, out, in); });
}

}  // namespace

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return start("MPI_Ibarrier", Kind::barrier, 0, comm, request, [](Started& started) {
    started.send_all(0, started.size() - 1, nullptr, 0);
    for (int from = 0; from < started.size(); ++from)
      if (from != started.rank()) started.receive(from, std::size_t{0});
  });
}

int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  return start("MPI_Ibcast", Kind::broadcast, root, comm, request, [&](Started& started) {
    if (started.rank() != root) return started.receive(root, Arriving(data, count, type));
    const Outgoing mine(data, count, type);
    started.send_all(0, started.size() - 1, mine.data(), mine.bytes());
  });
}

int MPI_Igather(const void* own, int count, MPI_Datatype type, void* all, int count_each,
                MPI_Datatype type_each, int root, MPI_Comm comm, MPI_Request* request) {
  return gather("MPI_Igather", Kind::gather, own, count, type, same(all, count_each, type_each), root, comm,
                request);
}

int MPI_Igatherv(const void* own, int count, MPI_Datatype type, void* all, const int counts[],
                 const int offsets[], MPI_Datatype type_each, int root, MPI_Comm comm, MPI_Request* request) {
  return gather("MPI_Igatherv", Kind::gatherv, own, count, type, varying(all, counts, offsets, type_each),
                root, comm, request);
}

int MPI_Iscatter(const void* all, int count_each, MPI_Datatype type_each, void* own, int count,
                 MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  return scatter("MPI_Iscatter", Kind::scatter, same(all, count_each, type_each), own, count, type, root,
                 comm, request);
}

int MPI_Iscatterv(const void* all, const int counts[], const int offsets[], MPI_Datatype type_each, void* own,
                  int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  return scatter("MPI_Iscatterv", Kind::scatterv, varying(all, counts, offsets, type_each), own, count, type,
                 root, comm, request);
}

int MPI_Iallgather(const void* own, int count, MPI_Datatype type, void* all, int count_each,
                   MPI_Datatype type_each, MPI_Comm comm, MPI_Request* request) {
  return all_gather("MPI_Iallgather", Kind::all_gather, own, count, type, same(all, count_each, type_each),
                    comm, request);
}

int MPI_Iallgatherv(const void* own, int count, MPI_Datatype type, void* all, const int counts[],
                    const int offsets[], MPI_Datatype type_each, MPI_Comm comm, MPI_Request* request) {
  return all_gather("MPI_Iallgatherv", Kind::all_gatherv, own, count, type,
                    varying(all, counts, offsets, type_each), comm, request);
}

int MPI_Ialltoall(const void* out, int count_out, MPI_Datatype type_out, void* in, int count_in,
                  MPI_Datatype type_in, MPI_Comm comm, MPI_Request* request) {
  return all_to_all("MPI_Ialltoall", Kind::all_to_all, same(out, count_out, type_out),
                    same(in, count_in, type_in), comm, request);
}

int MPI_Ialltoallv(const void* out, const int counts_out[], const int offsets_out[], MPI_Datatype type_out,
                   void* in, const int counts_in[], const int offsets_in[], MPI_Datatype type_in,
                   MPI_Comm comm, MPI_Request* request) {
  return all_to_all("MPI_Ialltoallv", Kind::all_to_allv, varying(out, counts_out, offsets_out, type_out),
                    varying(in, counts_in, offsets_in, type_in), comm, request);
}

int MPI_Ialltoallw(const void* out, const int counts_out[], const int offsets_out[],
                   const MPI_Datatype types_out[], void* in, const int counts_in[], const int offsets_in[],
                   const MPI_Datatype types_in[], MPI_Comm comm, MPI_Request* request) {
  return all_to_all("MPI_Ialltoallw", Kind::all_to_allw,
                    {.data = out, .counts = counts_out, .offsets = offsets_out, .types = types_out},
                    {.data = in, .counts = counts_in, .offsets = offsets_in, .types = types_in}, comm,
                    request);
}

int MPI_Alltoallw(const void* out, const int counts_out[], const int offsets_out[],
                  const MPI_Datatype types_out[], void* in, const int counts_in[], const int offsets_in[],
                  const MPI_Datatype types_in[], MPI_Comm comm) {
  Rank& self = caller();
  return handled(self, "MPI_Alltoallw", comm, [&] {
    const CollectiveCall call(self, "MPI_Alltoallw", Kind::all_to_allw, 0, comm);
    Started started(call);
    begin_all_to_all(started, Kind::all_to_allw,
                     {.data = out, .counts = counts_out, .offsets = offsets_out, .types = types_out},
                     {.data = in, .counts = counts_in, .offsets = offsets_in, .types = types_in});
    wait_for(started);
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Ibarrier)
KANOR_PROFILED(Ibcast)
KANOR_PROFILED(Igather)
KANOR_PROFILED(Igatherv)
KANOR_PROFILED(Iscatter)
KANOR_PROFILED(Iscatterv)
KANOR_PROFILED(Iallgather)
KANOR_PROFILED(Iallgatherv)
KANOR_PROFILED(Ialltoall)
KANOR_PROFILED(Ialltoallv)
KANOR_PROFILED(Ialltoallw)
KANOR_PROFILED(Alltoallw)
