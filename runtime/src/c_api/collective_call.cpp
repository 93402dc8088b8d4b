// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_api/collective_call.hpp"

#include <cctype>
#include <cstring>
#include <string>

namespace kanor::rt::c_api {
namespace {

/// The context of MPI's collectives, and no team's: those come from ranks and their splits, below it.
constexpr std::uint64_t calls_context = std::uint64_t{1} << 60;
/// The bit of those that MPI_Comm_create_group's members exchange.
constexpr std::uint64_t creating = std::uint64_t{1} << 40;

constexpr const char* names[] = {"MPI_Bcast",
                                 "MPI_Gather",
                                 "MPI_Gatherv",
                                 "MPI_Scatter",
                                 "MPI_Scatterv",
                                 "MPI_Allgather",
                                 "MPI_Allgatherv",
                                 "MPI_Alltoall",
                                 "MPI_Alltoallv",
                                 "MPI_Neighbor_allgather",
                                 "MPI_Neighbor_allgatherv",
                                 "MPI_Neighbor_alltoall",
                                 "MPI_Neighbor_alltoallv",
                                 "MPI_Neighbor_alltoallw",
                                 "MPI_Cart_create",
                                 "MPI_Cart_sub",
                                 "MPI_Graph_create",
                                 "MPI_Dist_graph_create",
                                 "MPI_Dist_graph_create_adjacent",
                                 "MPI_Intercomm_create",
                                 "MPI_Intercomm_merge",
                                 "MPI_Reduce",
                                 "MPI_Allreduce",
                                 "MPI_Scan",
                                 "MPI_Exscan",
                                 "MPI_Barrier",
                                 "MPI_Comm_dup",
                                 "MPI_Comm_idup",
                                 "MPI_Comm_split",
                                 "MPI_Comm_create",
                                 "MPI_Alltoallw",
                                 "MPI_Reduce_scatter",
                                 "MPI_Reduce_scatter_block",
                                 "MPI_Comm_disconnect"};

constexpr const char* operation_names[] = {
    "",        "MPI_MAX",  "MPI_MIN",  "MPI_SUM",    "MPI_PROD",   "MPI_LAND",    "MPI_BAND", "MPI_LOR",
    "MPI_BOR", "MPI_LXOR", "MPI_BXOR", "MPI_MAXLOC", "MPI_MINLOC", "MPI_REPLACE", "MPI_NO_OP"};

// A head's bits: the kind, the root, and, of a reduction, its operation, 255 if it is the program's, and the
// number of the elements' datatype. The last bit says that the call is a nonblocking one.
constexpr unsigned root_at = 8, operation_at = 40, type_at = 48, byte = 0xff;
constexpr std::uint64_t starting = std::uint64_t{1} << 62;

std::uint64_t head_of(Kind kind, int root) {
  return static_cast<std::uint64_t>(root) << root_at | static_cast<std::uint64_t>(kind);
}

std::string text_of_head(std::uint64_t head, bool with_operation) {
  const auto kind = static_cast<std::size_t>(head & byte);
  const bool has_root =
      kind <= static_cast<std::size_t>(Kind::scatterv) || kind == static_cast<std::size_t>(Kind::reduce);
  std::string text = kind < std::size(names) ? names[kind] : "something else";
  if (head & starting && kind < std::size(names)) {
    // MPI_Ibcast, of MPI_Bcast.
    constexpr std::size_t behind_prefix = 4;
    text[behind_prefix] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[behind_prefix])));
    text.insert(behind_prefix, "I");
  }
  if (has_root) text += " with root " + std::to_string(static_cast<std::uint32_t>(head >> root_at));
  if (const std::size_t operation = with_operation ? head >> operation_at & byte : 0)
    text += std::string(" by ") + (operation < std::size(operation_names) ? operation_names[operation]
                                                                          : "an operation of the program");
  return text;
}

[[noreturn]] void fail_unlike(const collectives::Group& group, int from, std::uint64_t its_head,
                              std::size_t its_bytes) {
  const std::uint64_t its_call = its_head & ~collectives::Group::lent_head;
  const std::uint64_t own_call = group.head & ~collectives::Group::lent_head;
  const std::string other = text_of_member(group, from);
  if (its_call != own_call) throw unlike_call(other, its_call, own_call);
  throw CallError{MPI_ERR_TRUNCATE, other + " takes part with " + std::to_string(its_bytes) +
                                        " bytes, which is not what this rank expects"};
}

}  // namespace

std::string text_of_member(const collectives::Group& group, int member) {
  const auto* const between = static_cast<const Communicator*>(group.state);
  if (!between) return "rank " + std::to_string(member);
  const int own = between->number_of(group.world_rank(member));
  if (own != MPI_UNDEFINED) return "rank " + std::to_string(own);
  const int remote = between->peers().number_of(group.world_rank(member));
  return "rank " + std::to_string(remote) + " of the remote group";
}

CallError unlike_call(const std::string& other, std::uint64_t its_head, std::uint64_t own_head) {
  const bool one_kind = (its_head & byte) == (own_head & byte);
  const std::string its_text = text_of_head(its_head, one_kind), own_text = text_of_head(own_head, one_kind);
  if (its_text == own_text)
    return {MPI_ERR_TYPE, other + " calls " + its_text + " with another datatype than this rank"};
  return {MPI_ERR_OTHER,
          other + " calls " + its_text + " where this rank calls " + own_text +
              ": all ranks must call the same collectives in the same order, with the same root"};
}

std::uint64_t same_bits_of_heads(const Communicator& comm) {
  // Of an intercommunicator's ranks, some have nothing to do with the root, and do not name it.
  return comm.sides ? byte | starting : ~collectives::Group::lent_head;
}

CollectiveCall::CollectiveCall(Rank& self, const char* its_name, Kind kind, int root, MPI_Comm handle)
    : name(its_name), comm(communicator(self, handle)), group{self} {
  if (comm.sides)
    throw CallError{MPI_ERR_COMM, "the communicator is an intercommunicator, which is not allowed here"};
  check_root(comm, root);
  set_members(comm);
  group.context = context_of(comm);
  group.head = head_of(kind, root);
  group.sequence = comm.collectives++;
}

CollectiveCall::CollectiveCall(Rank& self, const char* its_name, Kind kind, int root, Communicator& between)
    : name(its_name), comm(between), group{self} {
  set_members(comm.sides->both);
  group.state = &comm;
  group.context = context_of(comm);
  group.head = head_of(kind, root);
  group.sequence = comm.collectives++;
}

CollectiveCall::CollectiveCall(Rank& self, Communicator& members, int tag)
    : name("MPI_Comm_create_group"), comm(members), group{self} {
  set_members(members);
  group.context = (calls_context | creating) + comm.channel();
  group.head = head_of(Kind::create, 0);
  group.sequence = static_cast<std::uint64_t>(tag);
}

void CollectiveCall::set_members(const Communicator& members) {
  group.rank = members.rank();
  group.size = members.size();
  group.world_ranks = members.world_ranks();
  group.fail_head = &fail_unlike;
}

std::uint64_t CollectiveCall::context_of(const Communicator& comm) { return calls_context + comm.channel(); }

void CollectiveCall::reduces(MPI_Op op, MPI_Datatype type) {
  const unsigned number = number_of_predefined(op);
  const std::uint64_t operation = number != 0 && number < std::size(operation_names) ? number : byte;
  group.head |= operation << operation_at | static_cast<std::uint64_t>(number_of(type)) << type_at;
}

void CollectiveCall::starts() { group.head |= starting; }

collectives::Algorithm CollectiveCall::algorithm_of_broadcast(std::size_t bytes) const {
  // Between threads a root that waits while the others read its buffer is faster than a copy only where the
  // copy does not fit into caches.
  constexpr std::size_t least_shared_bytes = 8192, least_lent_bytes = std::size_t{4} << 20;
  constexpr int most_direct = 3;
  if (bytes >= least_lent_bytes && all_share_addresses(group.owner)) return collectives::Algorithm::direct;
  if (bytes >= least_shared_bytes && all_share_memory(group.owner))
    return has_own_core(group.owner) ? collectives::Algorithm::steps : collectives::Algorithm::star;
  return group.size <= most_direct ? collectives::Algorithm::direct : collectives::Algorithm::steps;
}

Outgoing::Outgoing(const void* data, int count, MPI_Datatype type)
    : data_(static_cast<const std::byte*>(data)), bytes_(bytes_of(count, type)) {
  const std::shared_ptr<const Layout> layout = layout_of(type);
  if (is_nowhere(data, bytes_, layout.get())) throw CallError{MPI_ERR_BUFFER, "the send buffer is NULL"};
  if (data == MPI_IN_PLACE) throw CallError{MPI_ERR_BUFFER, "MPI_IN_PLACE is not allowed here"};
  if (!layout || bytes_ == 0) return;
  if (const void* const block = only_block(data, count, layout.get())) {
    data_ = static_cast<const std::byte*>(block);
    return;
  }
  packed_.resize(bytes_);
  layout->pack(packed_.data(), data_, static_cast<std::size_t>(count));
}

Arriving::Arriving(void* data, int count, MPI_Datatype type)
    : data_(static_cast<std::byte*>(data)), bytes_(bytes_of(count, type)), layout_(layout_of(type)) {
  if (is_nowhere(data, bytes_, layout_.get())) throw CallError{MPI_ERR_BUFFER, "the receive buffer is NULL"};
  if (data == MPI_IN_PLACE) throw CallError{MPI_ERR_BUFFER, "MPI_IN_PLACE is not allowed here"};
  if (!layout_) return;
  if (const void* const block = only_block(data, count, layout_.get())) {
    data_ = static_cast<std::byte*>(const_cast<void*>(block));
    layout_ = nullptr;
    return;
  }
  packed_.resize(bytes_);
}

void Arriving::settle() {
  if (layout_ && bytes_ > 0) layout_->unpack(data_, packed_.data(), bytes_);
}

void Arriving::take(const Outgoing& own, const collectives::Group& group) {
  if (own.bytes() != bytes_) group.fail_head(group, group.rank, group.head, own.bytes());
  check_apart(own.data(), data(), bytes_);
  if (bytes_ > 0) std::memcpy(data(), own.data(), bytes_);
  settle();
}

void check_apart(const void* own, const void* result, std::size_t bytes) {
  if (own && own == result && bytes > 0)
    throw CallError{MPI_ERR_BUFFER, "the send and the receive buffer are the same (MPI_IN_PLACE means that)"};
}

}  // namespace kanor::rt::c_api
