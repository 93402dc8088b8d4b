// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intercommunicators of kanor/mpi.h.
#include "c_api/intercommunicator.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "c_api/collective_call.hpp"
#include "c_api/new_communicator.hpp"
#include "collectives/collectives.hpp"

namespace kanor::rt::c_api {
namespace {

Members one_behind_the_other(const std::vector<int>& first, const std::vector<int>& second) {
  std::vector<int> all = first;
  all.insert(all.end(), second.begin(), second.end());
  return std::make_shared<const std::vector<int>>(std::move(all));
}

Members all_of(const Members& own, const Members& others) {
  return own->front() < others->front() ? one_behind_the_other(*own, *others)
                                        : one_behind_the_other(*others, *own);
}

MPI_Comm add(Rank& self, const Communicator& parent, std::uint32_t channel, Members own, Members others) {
  const auto sides = std::make_shared<const Sides>(channel, own, others, rank_number(self));
  const MPI_Comm made = new_communicator(self, parent, channel, std::move(own));
  communicator(self, made).sides = sides;
  return made;
}

/// The members with this color, in the order of their keys, of those that `part_of` finds the parts of.
template <class PartOf>
Members with_color(const Communicator& members, int color, PartOf part_of) {
  std::vector<int> same;
  for (int member = 0; member < members.size(); ++member)
    if (part_of(members.world(member)).color == color) same.push_back(members.world(member));
  std::stable_sort(same.begin(), same.end(), [&](int a, int b) { return part_of(a).key < part_of(b).key; });
  return std::make_shared<const std::vector<int>>(std::move(same));
}

MPI_Comm split(const CollectiveCall& call, int color, int key) {
  const Communicator& between = call.comm;
  const Communicator& both = between.sides->both;
  std::uint32_t channel = 0;
  const std::vector<Part> parts = agreed(call, color, key, channel);
  if (color == MPI_UNDEFINED) return MPI_COMM_NULL;
  const auto part_of = [&](int world_rank) -> const Part& {
    return parts[static_cast<std::size_t>(both.number_of(world_rank))];
  };
  Members own = with_color(between, color, part_of);
  Members others = with_color(between.sides->remote, color, part_of);
  if (others->empty()) return MPI_COMM_NULL;
  return add(call.group.owner, between, channel, std::move(own), std::move(others));
}

/// What one group has for the other when they make an intercommunicator.
struct Introduction {
  std::uint32_t channel = 0;  ///< that the leader has given
  std::vector<int> members;

  std::vector<int> packed() const {
    std::vector<int> all = members;
    all.push_back(static_cast<int>(channel));
    return all;
  }
  static Introduction unpacked(const std::byte* data, std::size_t bytes) {
    Introduction made;
    made.members.resize(bytes / sizeof(int));
    std::memcpy(made.members.data(), data, bytes);
    made.channel = static_cast<std::uint32_t>(made.members.back());
    made.members.pop_back();
    return made;
  }
};

collectives::Value value_of(std::vector<int>& numbers) {
  return {reinterpret_cast<std::byte*>(numbers.data()), numbers.size() * sizeof(int), alignof(int)};
}

/// The bits of the contexts of what leaders tell each other and their groups.
constexpr std::uint64_t introducing = std::uint64_t{1} << 41, telling = std::uint64_t{1} << 42;

/// The leaders of two groups that meet in a communicator, as one of them sees them.
struct Leaders {
  collectives::Group group;
  int ranks[2];

  Leaders(const CollectiveCall& call, const Communicator& peer, int other, int tag)
      : group(call.group), ranks{rank_number(call.group.owner), other} {
    group.rank = 0;
    group.size = 2;
    group.world_ranks = ranks;
    // The leaders' numbers in their groups may differ.
    group.head = static_cast<std::uint64_t>(Kind::intercomm_create);
    group.context = CollectiveCall::context_of(peer) | introducing;
    group.sequence = static_cast<std::uint64_t>(tag);
  }
  Leaders(const Leaders&) = delete;
  Leaders& operator=(const Leaders&) = delete;

  std::vector<int> exchange(std::vector<int> own) const {
    group.send(1, value_of(own));
    collectives::Value value{nullptr, 0, alignof(int)};
    const Buffer message = group.receive_any(1, value);
    std::vector<int> others(value.bytes / sizeof(int));
    std::memcpy(others.data(), value.data, value.bytes);
    return others;
  }
  /// Waits until the other one has got what this one has sent: the next such messages may be alike.
  void part() const {
    constexpr unsigned parting = 1;
    group.send(1, {}, parting);
    group.receive(1, {}, parting);
  }
};

/// The other group's introduction, which the leader finds out and tells all of its group, with the greater
/// one of the leaders' channels.
Introduction meet(const CollectiveCall& call, const Introduction& own, int leader, MPI_Comm peer,
                  int remote_leader, int tag) {
  Rank& self = call.group.owner;
  std::vector<int> theirs;
  if (call.comm.rank() == leader) {
    const Communicator& meeting = communicator(self, peer);
    const std::optional<Destination> there = destination(meeting, remote_leader, tag);
    if (!there) throw CallError{MPI_ERR_RANK, "the remote leader is MPI_PROC_NULL"};
    const Leaders leaders(call, meeting, there->rank, tag);
    theirs = leaders.exchange(own.packed());
    theirs.back() = std::max(theirs.back(), static_cast<int>(own.channel));
    leaders.part();
  }
  collectives::Group group = call.group;
  group.context |= telling;
  collectives::Value value = value_of(theirs);
  const collectives::Holder told =
      group.size > 1 ? collectives::broadcast(group, leader, value) : collectives::Holder();
  return Introduction::unpacked(value.data, value.bytes);
}

MPI_Comm create(Rank& self, MPI_Comm comm, int leader, MPI_Comm peer, int remote_leader, int tag) {
  const CollectiveCall call(self, "MPI_Intercomm_create", Kind::intercomm_create, leader, comm);
  call.tell();
  const Introduction own{call.comm.rank() == leader ? give_channel(self) : 0, *call.comm.members()};
  const Introduction other = meet(call, own, leader, peer, remote_leader, tag);
  for (const int member : other.members)
    if (call.comm.number_of(member) != MPI_UNDEFINED)
      throw CallError{MPI_ERR_COMM,
                      "rank " + std::to_string(member) + " of MPI_COMM_WORLD is in both groups"};
  return add(self, call.comm, other.channel, call.comm.members(),
             std::make_shared<const std::vector<int>>(other.members));
}

/// The members of a merged communicator: both groups, first the one whose members pass false.
Members merged(const CollectiveCall& call, const std::vector<Part>& parts) {
  const Sides& sides = *call.comm.sides;
  const auto is_high = [&](const Communicator& group) {
    const int first = sides.both.number_of(group.world(0));
    for (int member = 0; member < group.size(); ++member)
      if (const int number = sides.both.number_of(group.world(member));
          parts[static_cast<std::size_t>(number)].color != parts[static_cast<std::size_t>(first)].color)
        throw CallError{MPI_ERR_ARG, "ranks of one group pass different values of `high`"};
    return parts[static_cast<std::size_t>(first)].color != 0;
  };
  const bool own = is_high(call.comm), others = is_high(sides.remote);
  if (own == others) return sides.both.members();
  return own ? one_behind_the_other(*sides.remote.members(), *call.comm.members())
             : one_behind_the_other(*call.comm.members(), *sides.remote.members());
}

Communicator& checked(Rank& self, MPI_Comm comm) {
  Communicator* const between = intercommunicator(self, comm);
  if (!between) throw CallError{MPI_ERR_COMM, "the communicator is not an intercommunicator"};
  return *between;
}

}  // namespace

Sides::Sides(std::uint32_t channel, const Members& own, const Members& others, int self)
    : remote(channel, others, self), both(channel, all_of(own, others), self) {}

MPI_Comm duplicate(Rank& self, const char* name, Communicator& between) {
  const CollectiveCall call(self, name, Kind::duplicate, 0, between);
  std::uint32_t channel = 0;
  agreed(call, 0, 0, channel);
  return alike(self, between, channel);
}

MPI_Comm split(Rank& self, const char* name, int color, int key, Communicator& between) {
  return split(CollectiveCall(self, name, Kind::split, 0, between), color, key);
}

MPI_Comm create(Rank& self, const Group& members, Communicator& between) {
  const CollectiveCall call(self, "MPI_Comm_create", Kind::create, 0, between);
  return split(call, members.rank == MPI_UNDEFINED ? MPI_UNDEFINED : 0, members.rank);
}

int compare(const Communicator& a, const Communicator& b) {
  if (!a.sides && !b.sides) return compare(*a.members(), *b.members());
  if (!a.sides || !b.sides) return MPI_UNEQUAL;
  return std::max(compare(*a.members(), *b.members()), compare(*a.peers().members(), *b.peers().members()));
}

}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_Intercomm_create(MPI_Comm comm, int leader, MPI_Comm peer, int remote_leader, int tag,
                         MPI_Comm* made) {
  Rank& self = caller();
  return handled(self, "MPI_Intercomm_create", comm, [&] {
    result_at(made) = MPI_COMM_NULL;
    *made = create(self, comm, leader, peer, remote_leader, tag);
    return MPI_SUCCESS;
  });
}

int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm* made) {
  Rank& self = caller();
  return handled(self, "MPI_Intercomm_merge", comm, [&] {
    result_at(made) = MPI_COMM_NULL;
    const CollectiveCall call(self, "MPI_Intercomm_merge", Kind::intercomm_merge, 0, checked(self, comm));
    std::uint32_t channel = 0;
    const std::vector<Part> parts = agreed(call, high != 0, 0, channel);
    *made = new_communicator(self, call.comm, channel, merged(call, parts));
    return MPI_SUCCESS;
  });
}

int MPI_Comm_test_inter(MPI_Comm comm, int* flag) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_test_inter", comm, [&] {
    result_at(flag) = intercommunicator(self, comm) != nullptr;
    return MPI_SUCCESS;
  });
}

int MPI_Comm_remote_size(MPI_Comm comm, int* size) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_remote_size", comm, [&] {
    result_at(size) = checked(self, comm).peers().size();
    return MPI_SUCCESS;
  });
}

int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group* group) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_remote_group", comm, [&] {
    result_at(group) = new_group(self, checked(self, comm).peers().members());
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Intercomm_create)
KANOR_PROFILED(Intercomm_merge)
KANOR_PROFILED(Comm_test_inter)
KANOR_PROFILED(Comm_remote_size)
KANOR_PROFILED(Comm_remote_group)
