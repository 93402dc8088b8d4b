// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What MPI's collectives have in common: who takes part, and elements that may have gaps.
#pragma once

#include <kanor/mpi.h>

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "c_api/call_records.hpp"
#include "c_api/calls.hpp"
#include "collectives/choice.hpp"
#include "collectives/collectives.hpp"

namespace kanor::rt::c_api {

enum class Kind : unsigned char {
  broadcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  all_gather,
  all_gatherv,
  all_to_all,
  all_to_allv,
  neighbor_all_gather,
  neighbor_all_gatherv,
  neighbor_all_to_all,
  neighbor_all_to_allv,
  neighbor_all_to_allw,
  cart_create,
  cart_sub,
  graph_create,
  dist_graph_create,
  dist_graph_create_adjacent,
  intercomm_create,
  intercomm_merge,
  reduce,
  all_reduce,
  scan,
  exclusive_scan,
  barrier,
  duplicate,
  duplicate_later,
  split,
  create,
  all_to_allw,
  reduce_scatter,
  reduce_scatter_block,
  disconnect
};

/// The alignment of values in messages: that of the predefined datatypes.
inline constexpr std::size_t value_alignment = 16;

using Shares = std::pmr::vector<collectives::Share>;

/// One rank's call of a collective. Where ranks make different calls, one of them throws CallError.
struct CollectiveCall {
  /// `root` is 0 where there is none. Throws where the communicator is an intercommunicator.
  CollectiveCall(Rank& self, const char* name, Kind kind, int root, MPI_Comm comm);
  /// All ranks of an intercommunicator; `root` is a number in Sides::both.
  CollectiveCall(Rank& self, const char* name, Kind kind, int root, Communicator& between);
  /// The members of a communicator that there is not yet: none but those of MPI_Comm_create_group.
  CollectiveCall(Rank& self, Communicator& members, int tag);
  CollectiveCall(const CollectiveCall&) = delete;
  CollectiveCall& operator=(const CollectiveCall&) = delete;

  /// Makes it a reduction by this operation of such elements: ranks that have others are told.
  void reduces(MPI_Op op, MPI_Datatype type);
  /// Makes it a nonblocking one: ranks that make the blocking call are told.
  void starts();
  /// In checked mode: has it compared with the others' calls. After the two above.
  void tell(const Total& total = {}) const {
    if (group.owner.home.switches.check) [[unlikely]]
      tell_call(group, comm, name, total);
  }

  void exchange(std::span<const collectives::Share> given, std::span<const collectives::Share> wanted) const {
    collectives::exchange(group, given, wanted);
  }
  /// The algorithm of a broadcast, the same for all ranks.
  collectives::Algorithm algorithm_of_broadcast(std::size_t bytes) const;

  /// The context of the messages of a communicator's collectives. The bits from 40 to 59 are free.
  static std::uint64_t context_of(const Communicator& comm);

  /// Memory for what is kept as long as the call lasts: where ranks are few it needs no heap.
  std::pmr::memory_resource* memory() const { return &memory_; }
  /// An empty list with room for a share of each rank.
  Shares no_shares() const {
    Shares shares(memory());
    shares.reserve(static_cast<std::size_t>(group.size));
    return shares;
  }

  const char* name;
  Communicator& comm;
  collectives::Group group;

 private:
  void set_members(const Communicator& members);

  std::byte room_[2048];
  mutable std::pmr::monotonic_buffer_resource memory_{room_, sizeof room_};
};

/// How messages speak of a member: "rank 2"; in an intercommunicator the number is that in its own group.
std::string text_of_member(const collectives::Group& group, int member);
/// The error of a rank whose call's messages have another head than those of `other`, a member.
CallError unlike_call(const std::string& other, std::uint64_t its_head, std::uint64_t own_head);
/// The bits of the head that are the same on all ranks that take part.
std::uint64_t same_bits_of_heads(const Communicator& comm);

/// A rank's contributed elements, one behind the other: where they lie, or a copy without gaps.
class Outgoing {
 public:
  Outgoing(const void* data, int count, MPI_Datatype type);
  const std::byte* data() const { return packed_.empty() ? data_ : packed_.data(); }
  std::size_t bytes() const { return bytes_; }

 private:
  const std::byte* data_;
  std::size_t bytes_;
  std::vector<std::byte> packed_;
};

/// The same for elements that a rank gets: settle() puts them where they belong.
class Arriving {
 public:
  Arriving(void* data, int count, MPI_Datatype type);
  std::byte* data() { return layout_ ? packed_.data() : data_; }
  std::size_t bytes() const { return bytes_; }
  void settle();
  /// Puts elements of this rank where they belong, which `call` says are so many.
  void take(const Outgoing& own, const collectives::Group& group);

 private:
  std::byte* data_;
  std::size_t bytes_;
  std::shared_ptr<const Layout> layout_;  ///< null: there are no gaps
  std::vector<std::byte> packed_;
};

inline bool is_in_place(const void* data) { return data == MPI_IN_PLACE; }

/// Throws CallError if a contribution of so many bytes lies where the result goes.
void check_apart(const void* own, const void* result, std::size_t bytes);

}  // namespace kanor::rt::c_api
