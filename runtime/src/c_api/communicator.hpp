// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Communicators: ranks of the job with numbers of their own, whose messages nobody else gets.
#pragma once

#include <kanor/mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "c_api/attributes.hpp"
#include "c_api/error_handlers.hpp"
#include "transport/rank.hpp"

namespace kanor::rt::c_api {

/// Ranks of the job, in an order. Shared by the groups and communicators that have them.
using Members = std::shared_ptr<const std::vector<int>>;

struct Neighbourhood;
struct Sides;

/// A communicator, as one of its members has it. Belongs to that rank.
class Communicator {
 public:
  /// `channel`: the same on all members, and no other communicator's that has two of them.
  Communicator(std::uint32_t channel, Members members, int self);

  std::uint32_t channel() const { return channel_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  const Members& members() const { return members_; }
  /// A member's number in the job.
  int world(int member) const { return in_order_ ? member : (*members_)[static_cast<std::size_t>(member)]; }
  /// The number of a rank of the job; MPI_UNDEFINED if it is no member.
  int number_of(int world_rank) const {
    if (in_order_) return world_rank < size_ ? world_rank : MPI_UNDEFINED;
    const auto found = numbers_.find(world_rank);
    return found == numbers_.end() ? MPI_UNDEFINED : found->second;
  }
  /// The ranks that messages name: the members, or those of an intercommunicator's other group.
  const Communicator& peers() const;

  /// Gives it its channel, which was not known when it was made: it had another one, and no messages.
  void come_to(std::uint32_t channel);

  /// The members' numbers in the job; null where each has the same number there.
  const int* world_ranks() const { return in_order_ ? nullptr : members_->data(); }

  ChosenHandler error_handler;
  Attributes attributes;
  std::string name;
  std::uint64_t collectives = 0;                  ///< in which this rank has taken part
  int uses = 1;                                   ///< its handle's, and those of operations that have begun
  std::shared_ptr<const Neighbourhood> topology;  ///< null: it has none
  std::shared_ptr<const Sides> sides;             ///< null: it is no intercommunicator

 private:
  std::uint32_t channel_;
  Members members_;
  bool in_order_;  ///< each member has the same number in the job
  int rank_, size_;
  std::unordered_map<int, int> numbers_;  ///< unless they are in order
};

/// The ranks of an intercommunicator, whose own members are the caller's group.
struct Sides {
  /// The groups have no common rank.
  Sides(std::uint32_t channel, const Members& own, const Members& others, int self);

  Communicator remote;  ///< the other group
  Communicator both;    ///< all: first the group whose first rank has the lower number in the job
};

inline const Communicator& Communicator::peers() const { return sides ? sides->remote : *this; }

/// A group of ranks.
struct Group {
  Members members;
  int rank = MPI_UNDEFINED;  ///< the calling rank's number in it
};

/// The group with this handle. Throws CallError where there is none.
const Group& group(Rank& rank, MPI_Group handle);
/// The handle of a new group of these members.
MPI_Group new_group(Rank& rank, Members members);
/// MPI_IDENT, MPI_SIMILAR (in another order) or MPI_UNEQUAL.
int compare(const std::vector<int>& a, const std::vector<int>& b);

}  // namespace kanor::rt::c_api
