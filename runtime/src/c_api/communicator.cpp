// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Communicators of kanor/mpi.h.
#include "c_api/communicator.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "c_api/calls.hpp"
#include "c_api/collective_call.hpp"
#include "c_api/intercommunicator.hpp"
#include "c_api/new_communicator.hpp"

namespace kanor::rt::c_api {

Communicator::Communicator(std::uint32_t channel, Members members, int self)
    : channel_(channel), members_(std::move(members)), size_(static_cast<int>(members_->size())) {
  int expected = 0;
  in_order_ =
      std::all_of(members_->begin(), members_->end(), [&](int member) { return member == expected++; });
  if (!in_order_)
    for (int number = 0; number < size_; ++number) numbers_.emplace(world(number), number);
  rank_ = number_of(self);
}

void Communicator::come_to(std::uint32_t channel) {
  channel_ = channel;
  if (sides) sides = std::make_shared<const Sides>(channel, members_, sides->remote.members(), world(rank_));
}

Communicator& made_communicator(Calls& calls, MPI_Comm comm) {
  if (calls.environment.is_closed) [[unlikely]]
    throw CallError{MPI_ERR_OTHER, "this rank has called MPI_Finalize before"};
  Communicator* const made = calls.communicators.find(comm);
  if (!made)
    throw CallError{MPI_ERR_COMM, comm == MPI_COMM_NULL ? "the communicator is MPI_COMM_NULL"
                                                        : "there is no such communicator, or it was freed"};
  return *made;
}

namespace {

MPI_Comm add(Rank& self, const Communicator& parent, std::uint32_t channel, Members members) {
  auto made = std::make_unique<Communicator>(channel, std::move(members), rank_number(self));
  made->error_handler = parent.error_handler;
  return Calls::of(self).communicators.add(std::move(made));
}

MPI_Comm split(Rank& self, const char* name, int color, int key, MPI_Comm comm) {
  if (Communicator* const between = intercommunicator(self, comm))
    return split(self, name, color, key, *between);
  const CollectiveCall call(self, name, Kind::split, 0, comm);
  std::uint32_t channel = 0;
  const std::vector<Part> parts = agreed(call, color, key, channel);
  if (color == MPI_UNDEFINED) return MPI_COMM_NULL;
  std::vector<int> same;  // numbers in `comm`
  for (int member = 0; member < call.group.size; ++member)
    if (parts[static_cast<std::size_t>(member)].color == color) same.push_back(member);
  std::stable_sort(same.begin(), same.end(), [&](int a, int b) {
    return parts[static_cast<std::size_t>(a)].key < parts[static_cast<std::size_t>(b)].key;
  });
  for (int& member : same) member = call.comm.world(member);
  return add(self, call.comm, channel, std::make_shared<const std::vector<int>>(std::move(same)));
}

MPI_Comm with_same_members(Rank& self, const char* name, MPI_Comm comm) {
  if (Communicator* const between = intercommunicator(self, comm)) return duplicate(self, name, *between);
  const CollectiveCall call(self, name, Kind::duplicate, 0, comm);
  std::uint32_t channel = 0;
  agreed(call, 0, 0, channel);
  return alike(self, call.comm, channel);
}

/// The communicator with the handle at this address, which the program has made.
Communicator& to_be_freed(Rank& self, const MPI_Comm* comm) {
  if (result_at(comm) == MPI_COMM_WORLD || *comm == MPI_COMM_SELF)
    throw CallError{MPI_ERR_COMM, "the communicator is predefined"};
  return communicator(self, *comm);
}

void free(Rank& self, Communicator& freed, MPI_Comm* comm) {
  freed.attributes.remove_all(*comm);
  Calls::of(self).free_communicator(*comm);
  *comm = MPI_COMM_NULL;
}

MPI_Comm duplicate(Rank& self, const char* name, MPI_Comm comm) {
  const MPI_Comm made = with_same_members(self, name, comm);
  copy_attributes(self, comm, made);
  return made;
}

}  // namespace

std::vector<Part> agreed(const CollectiveCall& call, int color, int key, std::uint32_t& channel) {
  call.tell();
  const std::uint32_t given = call.group.rank == 0 ? give_channel(call.group.owner) : 0;
  std::vector<Part> parts = gathered(call, Part{given, color, key});
  channel = parts.front().channel;
  return parts;
}

std::uint32_t give_channel(Rank& self) {
  constexpr std::uint32_t first = 2;  // behind those of MPI_COMM_WORLD and MPI_COMM_SELF
  std::uint32_t& given = Calls::of(self).given_channels;
  // The ranks' channels follow each other in turn.
  const auto ranks = static_cast<std::uint64_t>(team_size(self));
  const std::uint64_t channel = first + given * ranks + static_cast<std::uint64_t>(rank_number(self));
  if (channel >= unknown_channel) throw CallError{MPI_ERR_INTERN, "the job has made too many communicators"};
  ++given;
  return static_cast<std::uint32_t>(channel);
}

MPI_Comm new_communicator(Rank& self, const Communicator& parent, std::uint32_t channel, Members members) {
  return add(self, parent, channel, std::move(members));
}

MPI_Comm alike(Rank& self, const Communicator& original, std::uint32_t channel) {
  const MPI_Comm made = add(self, original, channel, original.members());
  Communicator& copy = communicator(self, made);
  copy.topology = original.topology;
  if (original.sides)
    copy.sides = std::make_shared<const Sides>(channel, original.members(), original.sides->remote.members(),
                                               rank_number(self));
  return made;
}

}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_Comm_rank(MPI_Comm comm, int* rank) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_rank", comm, [&] {
    result_at(rank) = communicator(self, comm).rank();
    return MPI_SUCCESS;
  });
}

int MPI_Comm_size(MPI_Comm comm, int* size) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_size", comm, [&] {
    result_at(size) = communicator(self, comm).size();
    return MPI_SUCCESS;
  });
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_dup", comm, [&] {
    result_at(made) = MPI_COMM_NULL;
    *made = duplicate(self, "MPI_Comm_dup", comm);
    return MPI_SUCCESS;
  });
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info hints, MPI_Comm* made) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_dup_with_info", comm, [&] {
    result_at(made) = MPI_COMM_NULL;
    check_hints(self, hints);
    *made = duplicate(self, "MPI_Comm_dup_with_info", comm);
    return MPI_SUCCESS;
  });
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_split", comm, [&] {
    result_at(made) = MPI_COMM_NULL;
    if (color < 0 && color != MPI_UNDEFINED)
      throw CallError{MPI_ERR_ARG, "the color is " + std::to_string(color)};
    *made = split(self, "MPI_Comm_split", color, key, comm);
    return MPI_SUCCESS;
  });
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info, MPI_Comm* made) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_split_type", comm, [&] {
    result_at(made) = MPI_COMM_NULL;
    if (type != MPI_COMM_TYPE_SHARED && type != MPI_UNDEFINED)
      throw CallError{MPI_ERR_ARG, "the type is neither MPI_COMM_TYPE_SHARED nor MPI_UNDEFINED"};
    const Communicator* const between = intercommunicator(self, comm);
    const Communicator& all = between ? between->sides->both : communicator(self, comm);
    // The first member that shares memory stands for all that do.
    int first = 0;
    while (first < all.rank() && !shares_memory(self, all.world(first))) ++first;
    *made = split(self, "MPI_Comm_split_type", type == MPI_UNDEFINED ? type : first, key, comm);
    return MPI_SUCCESS;
  });
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group handle, MPI_Comm* made) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_create", comm, [&] {
    result_at(made) = MPI_COMM_NULL;
    const Group members = group(self, handle);
    const Communicator& all = communicator(self, comm);
    for (const int member : *members.members)
      if (all.number_of(member) == MPI_UNDEFINED)
        throw CallError{MPI_ERR_GROUP, "rank " + std::to_string(member) +
                                           " of MPI_COMM_WORLD is in the group, and not in the communicator"};
    if (Communicator* const between = intercommunicator(self, comm)) {
      *made = create(self, members, *between);
      return MPI_SUCCESS;
    }
    const CollectiveCall call(self, "MPI_Comm_create", Kind::create, 0, comm);
    std::uint32_t channel = 0;
    agreed(call, 0, 0, channel);
    if (members.rank != MPI_UNDEFINED) *made = add(self, call.comm, channel, members.members);
    return MPI_SUCCESS;
  });
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group handle, int tag, MPI_Comm* made) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_create_group", comm, [&] {
    result_at(made) = MPI_COMM_NULL;
    const Group members = group(self, handle);
    const Communicator& parent = communicator(self, comm);
    if (tag < 0) throw CallError{MPI_ERR_TAG, "the tag is " + std::to_string(tag)};
    if (members.rank == MPI_UNDEFINED) return MPI_SUCCESS;
    // Others of `comm` do not call it: the members meet by themselves.
    Communicator alone(parent.channel(), members.members, rank_number(self));
    const CollectiveCall call(self, alone, tag);
    std::uint32_t channel = 0;
    agreed(call, 0, 0, channel);
    *made = add(self, parent, channel, members.members);
    return MPI_SUCCESS;
  });
}

int MPI_Comm_free(MPI_Comm* comm) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_free", comm ? *comm : MPI_COMM_NULL, [&] {
    free(self, to_be_freed(self, comm), comm);
    return MPI_SUCCESS;
  });
}

int MPI_Comm_disconnect(MPI_Comm* comm) {
  Rank& self = caller();
  constexpr const char* name = "MPI_Comm_disconnect";
  return handled(self, name, comm ? *comm : MPI_COMM_NULL, [&] {
    Communicator& freed = to_be_freed(self, comm);
    const auto meet = [](const CollectiveCall& call) {
      call.tell();
      call.group.meet(0);
    };
    if (Communicator* const between = intercommunicator(self, *comm))
      meet(CollectiveCall(self, name, Kind::disconnect, 0, *between));
    else if (freed.size() > 1)
      meet(CollectiveCall(self, name, Kind::disconnect, 0, *comm));
    free(self, freed, comm);
    return MPI_SUCCESS;
  });
}

int MPI_Comm_compare(MPI_Comm a, MPI_Comm b, int* result) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_compare", a, [&] {
    const int members = compare(communicator(self, a), communicator(self, b));
    result_at(result) = a == b ? MPI_IDENT : members == MPI_IDENT ? MPI_CONGRUENT : members;
    return MPI_SUCCESS;
  });
}

int MPI_Comm_group(MPI_Comm comm, MPI_Group* made) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_group", comm, [&] {
    result_at(made) = new_group(self, communicator(self, comm).members());
    return MPI_SUCCESS;
  });
}

int MPI_Comm_set_name(MPI_Comm comm, const char* name) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_set_name", comm, [&] {
    if (!name) throw CallError{MPI_ERR_ARG, "the name is NULL"};
    communicator(self, comm).name.assign(name, ::strnlen(name, MPI_MAX_OBJECT_NAME - 1));
    return MPI_SUCCESS;
  });
}

int MPI_Comm_get_name(MPI_Comm comm, char* name, int* length) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_get_name", comm, [&] {
    const std::string& known = communicator(self, comm).name;
    std::memcpy(&result_at(name), known.c_str(), known.size() + 1);
    result_at(length) = static_cast<int>(known.size());
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Comm_rank)
KANOR_PROFILED(Comm_size)
KANOR_PROFILED(Comm_dup)
KANOR_PROFILED(Comm_dup_with_info)
KANOR_PROFILED(Comm_split)
KANOR_PROFILED(Comm_split_type)
KANOR_PROFILED(Comm_create)
KANOR_PROFILED(Comm_create_group)
KANOR_PROFILED(Comm_free)
KANOR_PROFILED(Comm_disconnect)
KANOR_PROFILED(Comm_compare)
KANOR_PROFILED(Comm_group)
KANOR_PROFILED(Comm_set_name)
KANOR_PROFILED(Comm_get_name)
