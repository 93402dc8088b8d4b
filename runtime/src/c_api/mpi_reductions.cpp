// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/mpi.h: blocking reductions.
#include <kanor/mpi.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "c_api/calls.hpp"
#include "c_api/collective_call.hpp"
#include "c_api/intercommunicator.hpp"
#include "c_api/operations.hpp"
#include "collectives/collectives.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;
using collectives::Share;
using collectives::Value;

namespace {

/// The least size of values that ranks which can read each other's memory reduce by reading there.
constexpr std::size_t least_shared_bytes = 8192;

void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes > 0 && to != from) std::memcpy(to, from, bytes);
}

/// A rank's contribution to a reduction, and the place of its result. Both are elements without gaps, or
/// copies without: settle() puts the result where it belongs.
struct Reduction {
  Reduction(CollectiveCall& its_call, const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
            bool gets_result)
      : call(its_call),
        operation(op, type),
        elements(static_cast<std::size_t>(count)),
        bytes(bytes_of(count, type)),
        in_place(is_in_place(own)),
        into(static_cast<std::byte*>(result)),
        from(static_cast<const std::byte*>(in_place ? result : own)),
        layout(layout_of(type)) {
    its_call.reduces(op, type);
    if (in_place && !gets_result)
      throw CallError{MPI_ERR_BUFFER, "MPI_IN_PLACE is only for ranks that get a result"};
    if (is_nowhere(from, bytes, layout.get()) || (gets_result && is_nowhere(into, bytes, layout.get())))
      throw CallError{MPI_ERR_BUFFER, "the send or the receive buffer is NULL"};
    if (gets_result) check_apart(own, result, bytes);
    call.tell(total_of(count, type));
    if (!layout) return;
    packed.resize(2 * bytes);
    layout->pack(packed.data(), from, elements);
    from = packed.data();
    target = std::exchange(into, packed.data() + bytes);
  }

  /// Called where the rank gets a result.
  void settle() const {
    if (layout) layout->unpack(target, into, bytes);
  }

  bool by_slices() const {
    return call.group.size > 1 && bytes >= least_shared_bytes && all_share_memory(call.group.owner);
  }
  /// The contribution, where all ranks may read it.
  Value readable() {
    std::byte* data = const_cast<std::byte*>(from);
    if (!all_share_addresses(call.group.owner)) {
      copy = allocate_message(call.group.owner, bytes);
      data = static_cast<std::byte*>(std::memcpy(copy.data(), from, bytes));
    }
    return {data, bytes, value_alignment};
  }

  const CollectiveCall& call;
  Operation operation;
  std::size_t elements, bytes;
  bool in_place;
  std::byte* into;
  const std::byte* from;
  std::shared_ptr<const Layout> layout;  ///< null: there are no gaps
  std::vector<std::byte> packed;
  std::byte* target = nullptr;  ///< where a result with gaps goes
  Buffer copy;
};

/// All values go to the root, which folds them.
void reduce_at_root(Reduction& all, int root) {
  const CollectiveCall& call = all.call;
  if (call.group.rank != root) {
    const Share mine{root, const_cast<std::byte*>(all.from), all.bytes};
    return call.exchange({&mine, 1}, {});
  }
  const Buffer room =
      allocate_message(call.group.owner, all.bytes * static_cast<std::size_t>(call.group.size));
  std::pmr::vector<const std::byte*> values(call.memory());
  values.reserve(static_cast<std::size_t>(call.group.size));
  Shares wanted = call.no_shares();
  for (int from = 0; from < call.group.size; ++from) {
    std::byte* const its = room.data() + static_cast<std::size_t>(from) * all.bytes;
    values.push_back(its);
    if (from == root)
      copy_bytes(its, all.from, all.bytes);
    else
      wanted.push_back({from, its, all.bytes});
  }
  call.exchange({}, wanted);
  collectives::fold_values(call.group.owner, values, all.bytes, all.into, all.operation.by_elements());
}

int scan(const char* name, Kind kind, const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
         MPI_Comm comm) {
  Rank& self = caller();
  return handled(self, name, comm, [&] {
    CollectiveCall call(self, name, kind, 0, comm);
    const bool inclusive = kind == Kind::scan;
    Reduction all(call, own, result, count, type, op, inclusive || call.group.rank > 0 || is_in_place(own));
    const Buffer room = allocate_message(self, all.bytes);
    copy_bytes(room.data(), all.from, all.bytes);
    if (call.group.size > 1)
      collectives::scan(call.group, inclusive ? collectives::Scan::inclusive : collectives::Scan::exclusive,
                        {room.data(), all.bytes, value_alignment}, all.operation.of(all.elements));
    if (inclusive || call.group.rank > 0) {
      copy_bytes(all.into, room.data(), all.bytes);
      all.settle();
    }
    return MPI_SUCCESS;
  });
}

}  // namespace

int MPI_Reduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  Rank& self = caller();
  return handled(self, "MPI_Reduce", comm, [&] {
    if (Communicator* const between = intercommunicator(self, comm))
      return reduce(self, {own, count, type}, result, op, root, *between);
    CollectiveCall call(self, "MPI_Reduce", Kind::reduce, root, comm);
    const bool is_root = call.group.rank == root;
    Reduction all(call, own, result, count, type, op, is_root);
    if (!all.by_slices()) {
      reduce_at_root(all, root);
      if (is_root) all.settle();
      return MPI_SUCCESS;
    }
    // The root's result goes where it is wanted, if others can write there and nobody reads there.
    const bool at_once = all_share_addresses(self) && !all.in_place;
    Buffer room;
    if (is_root && !at_once) room = allocate_message(self, all.bytes);
    collectives::reduce_slices(call.group, root, all.readable(), at_once ? all.into : room.data(),
                               all.operation.by_elements());
    if (room) copy_bytes(all.into, room.data(), all.bytes);
    if (is_root) all.settle();
    return MPI_SUCCESS;
  });
}

int MPI_Allreduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  Rank& self = caller();
  return handled(self, "MPI_Allreduce", comm, [&] {
    if (Communicator* const between = intercommunicator(self, comm))
      return all_reduce(self, {own, count, type}, result, op, *between);
    CollectiveCall call(self, "MPI_Allreduce", Kind::all_reduce, 0, comm);
    Reduction all(call, own, result, count, type, op, true);
    if (all.by_slices()) {
      Value value = all.readable();
      const collectives::Holder folded =
          collectives::all_reduce_slices(call.group, value, all.operation.by_elements());
      copy_bytes(all.into, value.data, all.bytes);
    } else {
      copy_bytes(all.into, all.from, all.bytes);
      if (call.group.size > 1)
        collectives::all_reduce(call.group, {all.into, all.bytes, value_alignment},
                                all.operation.of(all.elements));
    }
    all.settle();
    return MPI_SUCCESS;
  });
}

int MPI_Scan(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return scan("MPI_Scan", Kind::scan, own, result, count, type, op, comm);
}

int MPI_Exscan(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return scan("MPI_Exscan", Kind::exclusive_scan, own, result, count, type, op, comm);
}

KANOR_PROFILED(Reduce)
KANOR_PROFILED(Allreduce)
KANOR_PROFILED(Scan)
KANOR_PROFILED(Exscan)
