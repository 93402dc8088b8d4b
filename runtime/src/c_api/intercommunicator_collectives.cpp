// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives of intercommunicators: each group gets its result from the other one's contributions.
#include <optional>
#include <vector>

#include "c_api/intercommunicator.hpp"
#include "c_api/operations.hpp"
#include "collectives/collectives.hpp"

namespace kanor::rt::c_api {
namespace {

/// The number among all ranks of a rank of the other group.
int number_of_remote(const Communicator& between, int rank) {
  return between.sides->both.number_of(between.peers().world(rank));
}

template <class Use>
void for_each_remote(const Communicator& between, Use use) {
  for (int step = 0; step < between.peers().size(); ++step) {
    // Not all begin with the same one.
    const int rank = (between.rank() + step) % between.peers().size();
    use(rank, number_of_remote(between, rank));
  }
}

void give_each(Transfers& transfers, const Communicator& between, const BlockArray& blocks) {
  for_each_remote(between, [&](int rank, int number) { transfers.give(number, blocks[rank]); });
}
void want_each(Transfers& transfers, const Communicator& between, const BlockArray& blocks) {
  for_each_remote(between, [&](int rank, int number) { transfers.want(number, blocks[rank]); });
}
/// Gives each the same.
void give_all(Transfers& transfers, const Communicator& between, const Outgoing& own) {
  for_each_remote(between, [&](int, int number) {
    transfers.give({number, const_cast<std::byte*>(own.data()), own.bytes()});
  });
}

/// The contributions to a reduction of the other group's ranks.
class Contributions {
 public:
  Contributions(CollectiveCall& call, const Block& like, MPI_Op op, void* result)
      : call_(call),
        operation_(op, like.type),
        bytes_(bytes_of(like.count, like.type)),
        result_(static_cast<std::byte*>(result)) {
    call.reduces(op, like.type);
  }

  void want(Transfers& transfers) {
    if (bytes_ > 0 && !result_) throw CallError{MPI_ERR_BUFFER, "the receive buffer is NULL"};
    const auto count = static_cast<std::size_t>(call_.comm.peers().size());
    room_ = allocate_message(call_.group.owner, bytes_ * count);
    values_.resize(count);
    for_each_remote(call_.comm, [&](int rank, int number) {
      std::byte* const its = room_.data() + static_cast<std::size_t>(rank) * bytes_;
      values_[static_cast<std::size_t>(rank)] = its;
      transfers.want({number, its, bytes_});
    });
  }
  /// Puts the result where it belongs.
  void fold() {
    if (bytes_ > 0)
      collectives::fold_values(call_.group.owner, values_, bytes_, result_, operation_.by_elements());
  }

 private:
  const CollectiveCall& call_;
  Operation operation_;
  std::size_t bytes_;
  std::byte* result_;
  Buffer room_;
  std::vector<const std::byte*> values_;
};

}  // namespace

Role role_of(int root, const Communicator& between) {
  if (root == MPI_ROOT) return Role::root;
  if (root == MPI_PROC_NULL) return Role::none;
  check_root(between.peers(), root);
  return Role::other_group;
}

int number_of_root(int root, const Communicator& between) {
  switch (role_of(root, between)) {
    case Role::root:
      return between.sides->both.rank();
    case Role::other_group:
      return number_of_remote(between, root);
    case Role::none:
      break;
  }
  return 0;
}

int barrier(Rank& self, Communicator& between) {
  const CollectiveCall call(self, "MPI_Barrier", Kind::barrier, 0, between);
  call.tell();
  call.group.meet(0);
  return MPI_SUCCESS;
}

int broadcast(Rank& self, const Block& block, int root, Communicator& between) {
  const int number = number_of_root(root, between);
  const CollectiveCall call(self, "MPI_Bcast", Kind::broadcast, number, between);
  call.tell();
  Transfers transfers(call);
  const Role role = role_of(root, between);
  if (role == Role::other_group) transfers.want(number, block);
  std::optional<Outgoing> own;
  if (role == Role::root) give_all(transfers, between, own.emplace(block.data, block.count, block.type));
  transfers.exchange();
  return MPI_SUCCESS;
}

int gather(Rank& self, const char* name, Kind kind, const Block& own, const BlockArray& all, int root,
           Communicator& between) {
  const int number = number_of_root(root, between);
  const CollectiveCall call(self, name, kind, number, between);
  call.tell();
  Transfers transfers(call);
  const Role role = role_of(root, between);
  if (role == Role::other_group) transfers.give(number, own);
  if (role == Role::root) want_each(transfers, between, all);
  transfers.exchange();
  return MPI_SUCCESS;
}

int scatter(Rank& self, const char* name, Kind kind, const BlockArray& all, const Block& own, int root,
            Communicator& between) {
  const int number = number_of_root(root, between);
  const CollectiveCall call(self, name, kind, number, between);
  call.tell();
  Transfers transfers(call);
  const Role role = role_of(root, between);
  if (role == Role::other_group) transfers.want(number, own);
  if (role == Role::root) give_each(transfers, between, all);
  transfers.exchange();
  return MPI_SUCCESS;
}

int all_gather(Rank& self, const char* name, Kind kind, const Block& own, const BlockArray& all,
               Communicator& between) {
  const CollectiveCall call(self, name, kind, 0, between);
  call.tell();
  Transfers transfers(call);
  const Outgoing mine(own.data, own.count, own.type);
  give_all(transfers, between, mine);
  want_each(transfers, between, all);
  transfers.exchange();
  return MPI_SUCCESS;
}

int all_to_all(Rank& self, const char* name, Kind kind, const BlockArray& out, const BlockArray& in,
               Communicator& between) {
  const CollectiveCall call(self, name, kind, 0, between);
  call.tell();
  Transfers transfers(call);
  give_each(transfers, between, out);
  want_each(transfers, between, in);
  transfers.exchange();
  return MPI_SUCCESS;
}

int reduce(Rank& self, const Block& own, void* result, MPI_Op op, int root, Communicator& between) {
  const int number = number_of_root(root, between);
  CollectiveCall call(self, "MPI_Reduce", Kind::reduce, number, between);
  call.tell();
  Transfers transfers(call);
  switch (role_of(root, between)) {
    case Role::root: {
      Contributions theirs(call, own, op, result);
      theirs.want(transfers);
      transfers.exchange();
      theirs.fold();
      break;
    }
    case Role::other_group:
      call.reduces(op, own.type);
      transfers.give(number, own);
      transfers.exchange();
      break;
    case Role::none:
      break;
  }
  return MPI_SUCCESS;
}

int all_reduce(Rank& self, const Block& own, void* result, MPI_Op op, Communicator& between) {
  CollectiveCall call(self, "MPI_Allreduce", Kind::all_reduce, 0, between);
  Contributions theirs(call, own, op, result);
  call.tell();
  Transfers transfers(call);
  const Outgoing mine(own.data, own.count, own.type);
  give_all(transfers, between, mine);
  theirs.want(transfers);
  transfers.exchange();
  theirs.fold();
  return MPI_SUCCESS;
}

}  // namespace kanor::rt::c_api
