// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_api/collective_call.hpp"

#include <string>

namespace kanor::rt::c_api {
namespace {

/// The context of MPI's collectives, and no team's: those come from ranks and their splits, below it.
constexpr std::uint64_t calls_context = std::uint64_t{1} << 60;

constexpr const char* names[] = {"MPI_Bcast",     "MPI_Gather",    "MPI_Gatherv",    "MPI_Scatter",
                                 "MPI_Scatterv",  "MPI_Allgather", "MPI_Allgatherv", "MPI_Alltoall",
                                 "MPI_Alltoallv", "MPI_Reduce",    "MPI_Allreduce",  "MPI_Scan",
                                 "MPI_Exscan"};

constexpr const char* operation_names[] = {"",         "MPI_MAX",  "MPI_MIN",  "MPI_SUM",
                                           "MPI_PROD", "MPI_LAND", "MPI_BAND", "MPI_LOR",
                                           "MPI_BOR",  "MPI_LXOR", "MPI_BXOR"};

// A head's bits: the kind, the root, and, of a reduction, its operation, 255 if it is the program's, and the
// number of the elements' datatype.
constexpr unsigned root_at = 8, operation_at = 40, type_at = 48, byte = 0xff;

std::uint64_t head_of(Kind kind, int root) {
  return static_cast<std::uint64_t>(root) << root_at | static_cast<std::uint64_t>(kind);
}

std::string text_of_head(std::uint64_t head, bool with_operation) {
  const auto kind = static_cast<std::size_t>(head & byte);
  const bool has_root =
      kind <= static_cast<std::size_t>(Kind::scatterv) || kind == static_cast<std::size_t>(Kind::reduce);
  std::string text = kind < std::size(names) ? names[kind] : "something else";
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
  const std::string other = "rank " + std::to_string(from);
  if (its_call != own_call) {
    const bool one_kind = (its_call & byte) == (own_call & byte);
    const std::string its_text = text_of_head(its_call, one_kind),
                      own_text = text_of_head(own_call, one_kind);
    if (its_text == own_text)
      throw CallError{MPI_ERR_TYPE, other + " calls " + its_text + " with another datatype than this rank"};
    throw CallError{MPI_ERR_OTHER,
                    other + " calls " + its_text + " where this rank calls " + own_text +
                        ": all ranks must call the same collectives in the same order, with the same root"};
  }
  throw CallError{MPI_ERR_TRUNCATE, other + " takes part with " + std::to_string(its_bytes) +
                                        " bytes, which is not what this rank expects"};
}

}  // namespace

CollectiveCall::CollectiveCall(Rank& self, const char* its_name, Kind kind, int root, MPI_Comm comm)
    : name(its_name), group{self} {
  const Members team = members(self, comm);
  if (root < 0 || root >= team.size)
    throw CallError{MPI_ERR_ROOT, "there is no root " + std::to_string(root) + " in a communicator of " +
                                      std::to_string(team.size)};
  group.rank = team.rank;
  group.size = team.size;
  group.context = calls_context;
  group.head = head_of(kind, root);
  group.fail_head = &fail_unlike;
  // Alone a rank sends nothing.
  if (!team.self) group.sequence = Calls::of(self).exchanges++;
}

void CollectiveCall::reduces(MPI_Op op, MPI_Datatype type) {
  const auto number = reinterpret_cast<std::uintptr_t>(op);
  const std::uint64_t operation = number < std::size(operation_names) ? number : byte;
  group.head |= operation << operation_at | static_cast<std::uint64_t>(number_of(type)) << type_at;
}

collectives::Algorithm CollectiveCall::algorithm_of_broadcast(std::size_t bytes) const {
  constexpr std::size_t least_lent_bytes = 8192, least_shared_bytes = 16384;
  constexpr int most_direct = 3;
  if (bytes >= least_lent_bytes && all_share_addresses(group.owner)) return collectives::Algorithm::direct;
  if (bytes >= least_shared_bytes && all_share_memory(group.owner)) return collectives::Algorithm::shared;
  return group.size <= most_direct ? collectives::Algorithm::direct : collectives::Algorithm::steps;
}

Outgoing::Outgoing(const void* data, int count, MPI_Datatype type)
    : data_(static_cast<const std::byte*>(data)), bytes_(bytes_of(count, type)) {
  if (!data && bytes_ > 0) throw CallError{MPI_ERR_BUFFER, "the send buffer is NULL"};
  if (data == MPI_IN_PLACE) throw CallError{MPI_ERR_BUFFER, "MPI_IN_PLACE is not allowed here"};
  const std::shared_ptr<const Pieces> layout = layout_of(type);
  if (!layout || bytes_ == 0) return;
  packed_.resize(bytes_);
  layout->pack(packed_.data(), data_, static_cast<std::size_t>(count));
}

Arriving::Arriving(void* data, int count, MPI_Datatype type)
    : data_(static_cast<std::byte*>(data)), bytes_(bytes_of(count, type)), layout_(layout_of(type)) {
  if (!data && bytes_ > 0) throw CallError{MPI_ERR_BUFFER, "the receive buffer is NULL"};
  if (data == MPI_IN_PLACE) throw CallError{MPI_ERR_BUFFER, "MPI_IN_PLACE is not allowed here"};
  if (layout_) packed_.resize(bytes_);
}

void Arriving::settle() {
  if (layout_ && bytes_ > 0) layout_->unpack(data_, packed_.data(), bytes_);
}

}  // namespace kanor::rt::c_api
