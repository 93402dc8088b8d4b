// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/mpi.h: collectives that move elements, and reductions.
#include <kanor/mpi.h>

#include <cstdint>
#include <cstring>
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

/// The alignment of values in messages: that of the predefined datatypes.
constexpr std::size_t alignment = 16;

using Shares = std::pmr::vector<Share>;

/// An empty list with room for a share of each rank.
Shares no_shares(const CollectiveCall& call) {
  Shares shares(call.memory());
  shares.reserve(static_cast<std::size_t>(call.group.size));
  return shares;
}

/// A rank's shares in what all ranks exchange, from its own one on, so that not all are sent to the same rank
/// at a time.
template <class ShareOf>
Shares shares_of(const CollectiveCall& call, ShareOf share_of) {
  const collectives::Group& group = call.group;
  Shares shares = no_shares(call);
  for (int step = 0; step < group.size; ++step) shares.push_back(share_of((group.rank + step) % group.size));
  return shares;
}

/// The numbers and offsets of each rank's elements: from arrays, or `each` for all.
struct Counts {
  const int* counts = nullptr;   ///< null: `each`
  const int* offsets = nullptr;  ///< in elements; null: one behind the other
  int each = 0;

  int of(int rank) const { return counts ? counts[rank] : each; }
  std::ptrdiff_t offset(int rank) const {
    return offsets ? offsets[rank] : static_cast<std::ptrdiff_t>(rank) * each;
  }
};

Counts checked(const int* counts, const int* offsets) {
  if (!counts || !offsets) throw CallError{MPI_ERR_ARG, "an array of counts or offsets is NULL"};
  return {counts, offsets};
}

/// All ranks' elements, of which each rank's are packed if they have gaps.
class All {
 public:
  All(const void* data, const Counts& counts, MPI_Datatype type, const CollectiveCall& call)
      : data_(static_cast<const std::byte*>(data)),
        counts_(counts),
        type_(type),
        parts_(static_cast<std::size_t>(call.group.size), call.memory()) {}
  const std::byte* at(int rank) const {
    // With absolute addresses (MPI_BOTTOM) the first element is at none.
    if (!data_ && !layout_of(type_)) return nullptr;
    return reinterpret_cast<const std::byte*>(
        reinterpret_cast<std::uintptr_t>(data_) +
        static_cast<std::uintptr_t>(counts_.offset(rank) * extent_bytes_of(type_)));
  }
  /// A rank's share to be sent.
  Share given(int rank) {
    Outgoing& part = parts_[static_cast<std::size_t>(rank)].out.emplace(at(rank), counts_.of(rank), type_);
    return {rank, const_cast<std::byte*>(part.data()), part.bytes()};
  }
  /// A rank's share to be received, and then put where it belongs.
  Share wanted(int rank) {
    Arriving& part = parts_[static_cast<std::size_t>(rank)].in.emplace(const_cast<std::byte*>(at(rank)),
                                                                       counts_.of(rank), type_);
    return {rank, part.data(), part.bytes()};
  }
  void settle() {
    for (Part& part : parts_)
      if (part.in) part.in->settle();
  }

 private:
  struct Part {
    std::optional<Outgoing> out;
    std::optional<Arriving> in;
  };
  const std::byte* data_;
  Counts counts_;
  MPI_Datatype type_;
  std::pmr::vector<Part> parts_;
};

/// The blocks of an intercommunicator's other group.
BlockArray blocks_of(bool are_listed, const void* data, int each, const int* counts, const int* offsets,
                     MPI_Datatype type) {
  return are_listed ? BlockArray::listed(data, counts, offsets, type) : BlockArray::even(data, each, type);
}

bool is_in_place(const void* data) { return data == MPI_IN_PLACE; }

int gather(const char* name, Kind kind, const void* own, int count, MPI_Datatype type, void* all,
           const int* counts, const int* offsets, int count_each, MPI_Datatype type_each, int root,
           MPI_Comm comm) {
  Rank& self = caller();
  return handled(self, name, comm, [&] {
    if (Communicator* const between = intercommunicator(self, comm))
      return gather(self, name, kind, {own, count, type},
                    blocks_of(kind == Kind::gatherv, all, count_each, counts, offsets, type_each), root,
                    *between);
    const CollectiveCall call(self, name, kind, root, comm);
    const bool is_root = call.group.rank == root;
    Shares given = no_shares(call), wanted = no_shares(call);
    std::optional<Outgoing> mine;
    if (!(is_root && is_in_place(own))) {
      mine.emplace(own, count, type);
      given.push_back({root, const_cast<std::byte*>(mine->data()), mine->bytes()});
    }
    std::optional<All> everything;
    if (is_root) {
      const Counts parts =
          kind == Kind::gatherv ? checked(counts, offsets) : Counts{nullptr, nullptr, count_each};
      everything.emplace(all, parts, type_each, call);
      if (mine) check_apart(mine->data(), everything->at(root), mine->bytes());
      for (int from = 0; from < call.group.size; ++from)
        if (from != root || mine) wanted.push_back(everything->wanted(from));
    }
    call.exchange(given, wanted);
    if (everything) everything->settle();
    return MPI_SUCCESS;
  });
}

int scatter(const char* name, Kind kind, const void* all, const int* counts, const int* offsets,
            int count_each, MPI_Datatype type_each, void* own, int count, MPI_Datatype type, int root,
            MPI_Comm comm) {
  Rank& self = caller();
  return handled(self, name, comm, [&] {
    if (Communicator* const between = intercommunicator(self, comm))
      return scatter(self, name, kind,
                     blocks_of(kind == Kind::scatterv, all, count_each, counts, offsets, type_each),
                     {own, count, type}, root, *between);
    const CollectiveCall call(self, name, kind, root, comm);
    const bool is_root = call.group.rank == root;
    const bool stays = is_root && is_in_place(own);
    Shares given = no_shares(call), wanted = no_shares(call);
    std::optional<All> everything;
    if (is_root) {
      const Counts parts =
          kind == Kind::scatterv ? checked(counts, offsets) : Counts{nullptr, nullptr, count_each};
      everything.emplace(all, parts, type_each, call);
      for (int step = stays ? 1 : 0; step < call.group.size; ++step)
        given.push_back(everything->given((root + step) % call.group.size));
    }
    std::optional<Arriving> mine;
    if (!stays) {
      mine.emplace(own, count, type);
      wanted.push_back({root, mine->data(), mine->bytes()});
      if (is_root) check_apart(everything->at(root), mine->data(), mine->bytes());
    }
    call.exchange(given, wanted);
    if (mine) mine->settle();
    return MPI_SUCCESS;
  });
}

int all_gather(const char* name, Kind kind, const void* own, int count, MPI_Datatype type, void* all,
               const int* counts, const int* offsets, int count_each, MPI_Datatype type_each, MPI_Comm comm) {
  Rank& self = caller();
  return handled(self, name, comm, [&] {
    if (Communicator* const between = intercommunicator(self, comm))
      return all_gather(self, name, kind, {own, count, type},
                        blocks_of(kind == Kind::all_gatherv, all, count_each, counts, offsets, type_each),
                        *between);
    const CollectiveCall call(self, name, kind, 0, comm);
    const Counts parts =
        kind == Kind::all_gatherv ? checked(counts, offsets) : Counts{nullptr, nullptr, count_each};
    All everything(all, parts, type_each, call);
    const int me = call.group.rank;
    const bool stays = is_in_place(own);
    const Outgoing mine =
        stays ? Outgoing(everything.at(me), parts.of(me), type_each) : Outgoing(own, count, type);
    if (!stays) check_apart(mine.data(), everything.at(me), mine.bytes());
    const auto given = shares_of(call, [&](int to) {
      return Share{to, const_cast<std::byte*>(mine.data()), mine.bytes()};
    });
    const auto wanted = shares_of(call, [&](int from) { return everything.wanted(from); });
    // One's own is the first of both.
    const std::size_t first = stays ? 1 : 0;
    call.exchange(std::span(given).subspan(first), std::span(wanted).subspan(first));
    everything.settle();
    return MPI_SUCCESS;
  });
}

int all_to_all(const char* name, Kind kind, const void* out, Counts counts_out, MPI_Datatype type_out,
               void* in, Counts counts_in, MPI_Datatype type_in, MPI_Comm comm) {
  Rank& self = caller();
  return handled(self, name, comm, [&] {
    if (Communicator* const between = intercommunicator(self, comm)) {
      const bool listed = kind == Kind::all_to_allv;
      return all_to_all(
          self, name, kind,
          blocks_of(listed, out, counts_out.each, counts_out.counts, counts_out.offsets, type_out),
          blocks_of(listed, in, counts_in.each, counts_in.counts, counts_in.offsets, type_in), *between);
    }
    const CollectiveCall call(self, name, kind, 0, comm);
    if (kind == Kind::all_to_allv) checked(counts_in.counts, counts_in.offsets);
    All arriving(in, counts_in, type_in, call);
    const auto wanted = shares_of(call, [&](int from) { return arriving.wanted(from); });
    if (is_in_place(out)) {
      // Others read what is being overwritten: it is copied.
      std::vector<Buffer> copies;
      All before(in, counts_in, type_in, call);
      const auto given = shares_of(call, [&](int to) {
        Share share = before.given(to);
        const Buffer& copy = copies.emplace_back(allocate_message(self, share.bytes));
        if (share.bytes > 0) std::memcpy(copy.data(), share.data, share.bytes);
        share.data = copy.data();
        return share;
      });
      call.exchange(std::span(given).subspan(1), std::span(wanted).subspan(1));
    } else {
      if (kind == Kind::all_to_allv) checked(counts_out.counts, counts_out.offsets);
      All leaving(out, counts_out, type_out, call);
      const auto given = shares_of(call, [&](int to) { return leaving.given(to); });
      check_apart(given.front().data, wanted.front().data, given.front().bytes);
      call.exchange(given, wanted);
    }
    arriving.settle();
    return MPI_SUCCESS;
  });
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
    return {data, bytes, alignment};
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

void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes > 0 && to != from) std::memcpy(to, from, bytes);
}

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
  Shares wanted = no_shares(call);
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
                        {room.data(), all.bytes, alignment}, all.operation.of(all.elements));
    if (inclusive || call.group.rank > 0) {
      copy_bytes(all.into, room.data(), all.bytes);
      all.settle();
    }
    return MPI_SUCCESS;
  });
}

}  // namespace

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  Rank& self = caller();
  return handled(self, "MPI_Bcast", comm, [&] {
    if (Communicator* const between = intercommunicator(self, comm))
      return broadcast(self, {data, count, type}, root, *between);
    const CollectiveCall call(self, "MPI_Bcast", Kind::broadcast, root, comm);
    const collectives::Group& group = call.group;
    if (group.rank == root) {
      const Outgoing mine(data, count, type);
      Value value{const_cast<std::byte*>(mine.data()), mine.bytes(), alignment};
      Shares given = no_shares(call);
      switch (call.algorithm_of_broadcast(value.bytes)) {
        case collectives::Algorithm::shared:
          broadcast_shared(group, root, value);
          break;
        case collectives::Algorithm::steps:
          broadcast(group, root, value);
          break;
        default:
          for (int step = 1; step < group.size; ++step)
            given.push_back({(root + step) % group.size, value.data, value.bytes});
          call.exchange(given, {});
      }
      return MPI_SUCCESS;
    }
    Arriving mine(data, count, type);
    const collectives::Algorithm algorithm = call.algorithm_of_broadcast(mine.bytes());
    if (algorithm == collectives::Algorithm::direct) {
      const Share wanted{root, mine.data(), mine.bytes()};
      call.exchange({}, {&wanted, 1});
    } else {
      Value value{nullptr, mine.bytes(), alignment};
      const collectives::Holder arrived = algorithm == collectives::Algorithm::shared
                                              ? broadcast_shared(group, root, value)
                                              : broadcast(group, root, value);
      if (value.bytes != mine.bytes()) group.fail_head(group, root, group.head, value.bytes);
      copy_bytes(mine.data(), value.data, value.bytes);
    }
    mine.settle();
    return MPI_SUCCESS;
  });
}

int MPI_Gather(const void* own, int count, MPI_Datatype type, void* all, int count_each,
               MPI_Datatype type_each, int root, MPI_Comm comm) {
  return gather("MPI_Gather", Kind::gather, own, count, type, all, nullptr, nullptr, count_each, type_each,
                root, comm);
}

int MPI_Gatherv(const void* own, int count, MPI_Datatype type, void* all, const int counts[],
                const int offsets[], MPI_Datatype type_each, int root, MPI_Comm comm) {
  return gather("MPI_Gatherv", Kind::gatherv, own, count, type, all, counts, offsets, 0, type_each, root,
                comm);
}

int MPI_Scatter(const void* all, int count_each, MPI_Datatype type_each, void* own, int count,
                MPI_Datatype type, int root, MPI_Comm comm) {
  return scatter("MPI_Scatter", Kind::scatter, all, nullptr, nullptr, count_each, type_each, own, count, type,
                 root, comm);
}

int MPI_Scatterv(const void* all, const int counts[], const int offsets[], MPI_Datatype type_each, void* own,
                 int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return scatter("MPI_Scatterv", Kind::scatterv, all, counts, offsets, 0, type_each, own, count, type, root,
                 comm);
}

int MPI_Allgather(const void* own, int count, MPI_Datatype type, void* all, int count_each,
                  MPI_Datatype type_each, MPI_Comm comm) {
  return all_gather("MPI_Allgather", Kind::all_gather, own, count, type, all, nullptr, nullptr, count_each,
                    type_each, comm);
}

int MPI_Allgatherv(const void* own, int count, MPI_Datatype type, void* all, const int counts[],
                   const int offsets[], MPI_Datatype type_each, MPI_Comm comm) {
  return all_gather("MPI_Allgatherv", Kind::all_gatherv, own, count, type, all, counts, offsets, 0, type_each,
                    comm);
}

int MPI_Alltoall(const void* out, int count_out, MPI_Datatype type_out, void* in, int count_in,
                 MPI_Datatype type_in, MPI_Comm comm) {
  return all_to_all("MPI_Alltoall", Kind::all_to_all, out, {nullptr, nullptr, count_out}, type_out, in,
                    {nullptr, nullptr, count_in}, type_in, comm);
}

int MPI_Alltoallv(const void* out, const int counts_out[], const int offsets_out[], MPI_Datatype type_out,
                  void* in, const int counts_in[], const int offsets_in[], MPI_Datatype type_in,
                  MPI_Comm comm) {
  return all_to_all("MPI_Alltoallv", Kind::all_to_allv, out, {counts_out, offsets_out}, type_out, in,
                    {counts_in, offsets_in}, type_in, comm);
}

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
        collectives::all_reduce(call.group, {all.into, all.bytes, alignment}, all.operation.of(all.elements));
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

KANOR_PROFILED(Bcast)
KANOR_PROFILED(Gather)
KANOR_PROFILED(Gatherv)
KANOR_PROFILED(Scatter)
KANOR_PROFILED(Scatterv)
KANOR_PROFILED(Allgather)
KANOR_PROFILED(Allgatherv)
KANOR_PROFILED(Alltoall)
KANOR_PROFILED(Alltoallv)
KANOR_PROFILED(Reduce)
KANOR_PROFILED(Allreduce)
KANOR_PROFILED(Scan)
KANOR_PROFILED(Exscan)
