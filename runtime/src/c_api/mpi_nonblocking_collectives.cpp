// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/mpi.h: nonblocking collectives that move elements, and MPI_Alltoallw.
#include <kanor/mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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
  /// Elements of one datatype, of so many members.
  Total total(int members) const {
    std::size_t sum = 0;
    for (int member = 0; member < members; ++member) sum += total_of(count(member), type).count;
    return {sum, type};
  }
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

/// The body of a nonblocking call: `begin(started)` sends and posts. No root: there is none.
template <class Begin>
int start(const char* name, Kind kind, std::optional<int> root, MPI_Comm comm, MPI_Request* request,
          Begin begin) {
  Rank& self = caller();
  return handled(self, name, comm, [&] {
    request_at(request) = MPI_REQUEST_NULL;
    CollectiveCall call = call_in(self, name, kind, root, comm);
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
    const Parties& parties = started.parties();
    const auto [role, there] = started.rooted(root);
    if (kind == Kind::gatherv)
      started.tell();
    else
      started.tell(role == Role::root ? total_of(all.each, all.type) : total_of(count, type));
    if (role == Role::other_group) started.send(there, Outgoing(own, count, type));
    if (role != Role::root) return;
    check_arrays(all, kind);
    if (parties.has_own() && !is_in_place(own))
      all.in(parties.own()).take(Outgoing(own, count, type), started.group());
    for (int from = 0; from < parties.count(); ++from)
      if (from != parties.own()) started.receive(parties.member(from), all.in(from));
  });
}

int scatter(const char* name, Kind kind, const Everything& all, void* own, int count, MPI_Datatype type,
            int root, MPI_Comm comm, MPI_Request* request) {
  return start(name, kind, root, comm, request, [&](Started& started) {
    const Parties& parties = started.parties();
    const auto [role, there] = started.rooted(root);
    if (kind == Kind::scatterv)
      started.tell();
    else
      started.tell(role == Role::root ? total_of(all.each, all.type) : total_of(count, type));
    if (role == Role::other_group) started.receive(there, Arriving(own, count, type));
    if (role != Role::root) return;
    check_arrays(all, kind);
    parties.each_other([&](int to) { started.send(parties.member(to), all.out(to)); });
    if (parties.has_own() && !is_in_place(own))
      Arriving(own, count, type).take(all.out(parties.own()), started.group());
  });
}

int all_gather(const char* name, Kind kind, const void* own, int count, MPI_Datatype type,
               const Everything& all, MPI_Comm comm, MPI_Request* request) {
  return start(name, kind, {}, comm, request, [&](Started& started) {
    check_arrays(all, kind);
    const Parties& parties = started.parties();
    if (started.owner().home.switches.check) [[unlikely]]
      started.tell(all.total(parties.count()));
    const bool stays = parties.has_own() && is_in_place(own);
    const Outgoing mine = stays ? all.out(parties.own()) : Outgoing(own, count, type);
    if (parties.has_own() && !stays) all.in(parties.own()).take(mine, started.group());
    started.send_all(parties.first(), parties.end(), mine.data(), mine.bytes());
    for (int from = 0; from < parties.count(); ++from)
      if (from != parties.own()) started.receive(parties.member(from), all.in(from));
  });
}

void begin_all_to_all(Started& started, Kind kind, const Everything& out, const Everything& in) {
  check_arrays(in, kind);
  started.tell(kind == Kind::all_to_all ? total_of(in.each, in.type) : Total{});
  const Parties& parties = started.parties();
  const bool stays = parties.has_own() && is_in_place(out.data);
  if (!stays) check_arrays(out, kind);
  const Everything& from_here = stays ? in : out;
  if (parties.has_own() && !stays) in.in(parties.own()).take(out.out(parties.own()), started.group());
  // All has left before anything arrives: that may go where it was.
  parties.each_other([&](int to) { started.send(parties.member(to), from_here.out(to)); });
  parties.each_other([&](int from) { started.receive(parties.member(from), in.in(from)); });
}

int all_to_all(const char* name, Kind kind, const Everything& out, const Everything& in, MPI_Comm comm,
               MPI_Request* request) {
  return start(name, kind, {}, comm, request,
               [&](Started& started) { begin_all_to_all(started, kind, out, in); });
}

}  // namespace

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return start("MPI_Ibarrier", Kind::barrier, {}, comm, request, [](Started& started) {
    started.tell();
    const Parties& parties = started.parties();
    started.send_all(parties.first(), parties.end(), nullptr, 0);
    parties.each_other([&](int from) { started.receive(parties.member(from), std::size_t{0}); });
  });
}

int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  return start("MPI_Ibcast", Kind::broadcast, root, comm, request, [&](Started& started) {
    const Parties& parties = started.parties();
    const auto [role, there] = started.rooted(root);
    started.tell(total_of(count, type));
    if (role == Role::other_group) started.receive(there, Arriving(data, count, type));
    if (role != Role::root) return;
    const Outgoing mine(data, count, type);
    started.send_all(parties.first(), parties.end(), mine.data(), mine.bytes());
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
    const CollectiveCall call = call_in(self, "MPI_Alltoallw", Kind::all_to_allw, {}, comm);
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
