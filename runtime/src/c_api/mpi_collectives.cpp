// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/mpi.h: collectives that move elements.
#include <kanor/mpi.h>

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "c_api/calls.hpp"
#include "c_api/collective_call.hpp"
#include "c_api/intercommunicator.hpp"
#include "collectives/collectives.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;
using collectives::Share;
using collectives::Value;

namespace {

/// A rank's shares in what all ranks exchange, from its own one on, so that not all are sent to the same rank
/// at a time.
template <class ShareOf>
Shares shares_of(const CollectiveCall& call, ShareOf share_of) {
  const collectives::Group& group = call.group;
  Shares shares = call.no_shares();
  for (int step = 0; step < group.size; ++step) shares.push_back(share_of((group.rank + step) % group.size));
  return shares;
}

/// The numbers and offsets of each rank's elements: from arrays, or `each` for all.
struct Counts {
  const int* counts = nullptr;   ///< null: `each`
  const int* offsets = nullptr;  ///< in elements; null: one behind the other
  int each = 0;

  int of(int rank) const { return counts ? counts[rank] : each; }
  /// The number of so many ranks' elements.
  std::size_t all(int ranks) const {
    std::size_t sum = 0;
    for (int rank = 0; rank < ranks; ++rank) sum += static_cast<std::size_t>(of(rank));
    return sum;
  }
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
    Shares given = call.no_shares(), wanted = call.no_shares();
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
    if (kind == Kind::gatherv)
      call.tell();
    else
      call.tell(is_root ? total_of(count_each, type_each) : total_of(count, type));
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
    Shares given = call.no_shares(), wanted = call.no_shares();
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
    if (kind == Kind::scatterv)
      call.tell();
    else
      call.tell(is_root ? total_of(count_each, type_each) : total_of(count, type));
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
    if (self.home.switches.check) [[unlikely]]
      call.tell({parts.all(call.group.size), type_each});
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
    call.tell(kind == Kind::all_to_all ? total_of(counts_in.each, type_in) : Total{});
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
      call.tell(total_of(count, type));
      Value value{const_cast<std::byte*>(mine.data()), mine.bytes(), value_alignment};
      Shares given = call.no_shares();
      const collectives::Algorithm algorithm = call.algorithm_of_broadcast(value.bytes);
      if (algorithm == collectives::Algorithm::direct) {
        for (int step = 1; step < group.size; ++step)
          given.push_back({(root + step) % group.size, value.data, value.bytes});
        call.exchange(given, {});
      } else {
        broadcast(group, root, value, algorithm);
      }
      return MPI_SUCCESS;
    }
    Arriving mine(data, count, type);
    call.tell(total_of(count, type));
    const collectives::Algorithm algorithm = call.algorithm_of_broadcast(mine.bytes());
    if (algorithm == collectives::Algorithm::direct) {
      const Share wanted{root, mine.data(), mine.bytes()};
      call.exchange({}, {&wanted, 1});
    } else {
      Value value{nullptr, mine.bytes(), value_alignment};
      const collectives::Holder arrived = broadcast(group, root, value, algorithm);
      if (value.bytes != mine.bytes()) group.fail_head(group, root, group.head, value.bytes);
      if (value.bytes > 0) std::memcpy(mine.data(), value.data, value.bytes);
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

KANOR_PROFILED(Bcast)
KANOR_PROFILED(Gather)
KANOR_PROFILED(Gatherv)
KANOR_PROFILED(Scatter)
KANOR_PROFILED(Scatterv)
KANOR_PROFILED(Allgather)
KANOR_PROFILED(Allgatherv)
KANOR_PROFILED(Alltoall)
KANOR_PROFILED(Alltoallv)
