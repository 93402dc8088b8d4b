#include "c_api/collective_call.hpp"

#include <string>

namespace kanor::rt::c_api {
namespace {

/// No team's: those come from ranks and their splits, below it.
constexpr std::uint64_t calls_context = std::uint64_t{1} << 60;

constexpr const char* names[] = {"MPI_Bcast",     "MPI_Gather",    "MPI_Gatherv",    "MPI_Scatter",
                                 "MPI_Scatterv",  "MPI_Allgather", "MPI_Allgatherv", "MPI_Alltoall",
                                 "MPI_Alltoallv", "MPI_Reduce",    "MPI_Allreduce",  "MPI_Scan",
                                 "MPI_Exscan"};

std::uint64_t head_of(Kind kind, int root) {
  return static_cast<std::uint64_t>(root) << 8 | static_cast<std::uint64_t>(kind);
}

std::string text_of_head(std::uint64_t head) {
  const auto kind = static_cast<std::size_t>(head & 0xff);
  const bool has_root =
      kind <= static_cast<std::size_t>(Kind::scatterv) || kind == static_cast<std::size_t>(Kind::reduce);
  return std::string(kind < std::size(names) ? names[kind] : "something else") +
         (has_root ? " with root " + std::to_string((head & ~collectives::Group::lent_head) >> 8) : "");
}

[[noreturn]] void fail_unlike(const collectives::Group& group, int from, std::uint64_t its_head,
                              std::size_t its_bytes) {
  const std::uint64_t its_call = its_head & ~collectives::Group::lent_head;
  const std::uint64_t own_call = group.head & ~collectives::Group::lent_head;
  const std::string other = "rank " + std::to_string(from);
  if (its_call != own_call)
    throw CallError{MPI_ERR_OTHER, other + " calls " + text_of_head(its_call) + " where this rank calls " +
                                       text_of_head(own_call) +
                                       ": all ranks call the same collectives in the same order, with the "
                                       "same root"};
  throw CallError{MPI_ERR_TRUNCATE, other + " takes part with " + std::to_string(its_bytes) +
                                        " bytes, which is not what this rank expects of it"};
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

collectives::Way CollectiveCall::way_of_broadcast(std::size_t bytes) const {
  constexpr std::size_t least_lent_bytes = 8192, least_shared_bytes = 16384;
  constexpr int most_direct = 3;
  if (bytes >= least_lent_bytes && all_share_addresses(group.owner)) return collectives::Way::direct;
  if (bytes >= least_shared_bytes && all_share_memory(group.owner)) return collectives::Way::shared;
  return group.size <= most_direct ? collectives::Way::direct : collectives::Way::steps;
}

Outgoing::Outgoing(const void* data, int count, MPI_Datatype type)
    : data_(static_cast<const std::byte*>(data)), bytes_(bytes_of(count, type)) {
  if (!data && bytes_ > 0) throw CallError{MPI_ERR_BUFFER, "what is contributed is NULL"};
  if (data == MPI_IN_PLACE) throw CallError{MPI_ERR_BUFFER, "MPI_IN_PLACE does not stand here"};
  const std::shared_ptr<const Pieces> layout = layout_of(type);
  if (!layout || bytes_ == 0) return;
  packed_.resize(bytes_);
  layout->pack(packed_.data(), data_, static_cast<std::size_t>(count));
}

Arriving::Arriving(void* data, int count, MPI_Datatype type)
    : data_(static_cast<std::byte*>(data)), bytes_(bytes_of(count, type)), layout_(layout_of(type)) {
  if (!data && bytes_ > 0) throw CallError{MPI_ERR_BUFFER, "where elements are to go is NULL"};
  if (data == MPI_IN_PLACE) throw CallError{MPI_ERR_BUFFER, "MPI_IN_PLACE does not stand here"};
  if (layout_) packed_.resize(bytes_);
}

void Arriving::settle() {
  if (layout_ && bytes_ > 0) layout_->unpack(data_, packed_.data(), bytes_);
}

}  // namespace kanor::rt::c_api
