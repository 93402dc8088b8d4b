// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitioned messages (MPI 4.0, chapter 4).
//
// A part is a message of its own, as MPI_Isend's are. When a send is made, it numbers its parts, and tells
// the receive of the same tag that is made as many-eth: what the parts' tags are, how many there are, and how
// long. A receive that has been started posts receives for all of them as soon as it knows. Parts that come
// before are kept as other unexpected messages are.
#include "c_api/partitioned.hpp"

#include <kanor/mpi.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <deque>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "c_api/completion.hpp"
#include "c_api/sends.hpp"
#include "transport/rank_state.hpp"

namespace kanor::rt::c_api {
namespace {

/// The channel of all parts. Their tags tell the parts of one sender from each other.
constexpr std::uint32_t part_channel = first_inner_channel + 2;

/// What a send tells its receive. Its tag is the message's, made negative, in the channel of the
/// communicator's nonblocking collectives, whose tags are not.
struct Division {
  std::uint64_t bytes;  ///< of each part
  std::int32_t first_tag;
  std::int32_t parts;
};

int tag_of_division(int tag) { return -2 - tag; }
static_assert(-2 - (INT_MAX - 1) == INT_MIN && any_tag == -1);

void check_tag(int tag) {
  if (tag < 0 || tag == INT_MAX)
    throw CallError{MPI_ERR_TAG, "the tag of a partitioned message is " + std::to_string(tag)};
}

int checked_count(int partitions, MPI_Count count) {
  if (partitions < 0)
    throw CallError{MPI_ERR_ARG, "the number of partitions is " + std::to_string(partitions)};
  if (count < 0 || count > INT_MAX)
    throw CallError{MPI_ERR_COUNT, "the count of a partition is " + std::to_string(count)};
  return static_cast<int>(count);
}

void check_part(int part, int parts) {
  if (part >= 0 && part < parts) return;
  throw CallError{MPI_ERR_ARG, "there is no partition " + std::to_string(part) + ": the request has " +
                                   std::to_string(parts)};
}

class PartitionedSend final : public Partitioned {
 public:
  /// `first`: the first part; the next ones begin `distance` bytes further on each.
  PartitionedSend(Rank& self, const Content& first, std::ptrdiff_t distance, int parts,
                  const std::optional<Destination>& to)
      : first_(first), distance_(distance), parts_(parts), first_tag_(new_tags(self, parts)), to_(to) {
    if (!to) return;
    const Division division{first.bytes, first_tag_, parts};
    const Content content{&division, sizeof division};
    send_copy_at_once(self, content, {inner_channels | to->channel, to->rank, tag_of_division(to->tag)},
                      {"MPI_Psend_init", 0});
  }

  void start(Rank&, Request& request) override {
    is_ready_.assign(static_cast<std::size_t>(parts_), false);
    missing_ = parts_;
    if (to_) request.pending = std::make_unique<Marking>(*this);
  }

  int parts() const { return parts_; }
  bool is_ready(int part) const { return is_ready_[static_cast<std::size_t>(part)]; }

  void send(Rank& self, Request& request, int part) {
    is_ready_[static_cast<std::size_t>(part)] = true;
    --missing_;
    if (!to_) return;
    Content content = first_;
    content.data = static_cast<const std::byte*>(first_.data) + part * distance_;
    begin_send(self, request, SendMode::standard, content, {part_channel, to_->rank, first_tag_ + part});
    if (missing_ == 0) self.mailbox.wake();  // another thread may wait for this
  }

 private:
  /// Is done when all parts have been sent.
  class Marking final : public Pending {
   public:
    explicit Marking(const PartitionedSend& send) : send_(send) {}
    bool is_done(Rank&) override { return send_.missing_ == 0; }
    int get_status(MPI_Status&) override { return MPI_SUCCESS; }
    bool must_end() const override { return true; }
    std::string why_not_ending(const Rank& self) const override {
      if (send_.missing_ == 0 || self.waits.turns) return {};
      return "it waits for a send of which MPI_Pready has not named " + std::to_string(send_.missing_) +
             " of the " + std::to_string(send_.parts_) + " partitions";
    }

   private:
    const PartitionedSend& send_;
  };

  const Content first_;
  const std::ptrdiff_t distance_;
  const int parts_, first_tag_;
  const std::optional<Destination> to_;
  std::vector<bool> is_ready_;
  int missing_ = 0;
};

class PartitionedReceive final : public Partitioned, private Receive {
 public:
  /// As PartitionedSend().
  PartitionedReceive(Rank& self, const Content& first, std::ptrdiff_t distance, int parts, const Wanted& from)
      : Receive({inner_channels | from.channel, from.source, tag_of_division(from.tag)}),
        self_(self),
        first_(first),
        distance_(distance),
        parts_(parts),
        message_{from.source, from.tag, static_cast<std::size_t>(parts) * first.bytes} {
    begin(self, *this);
  }
  ~PartitionedReceive() override {
    end();
    if (!done()) Matcher::of(self_).cancel(*this);
  }

  void start(Rank&, Request& request) override {
    is_started_ = true;
    if (done()) post_parts();
    request.pending = std::make_unique<Arrivals>(*this, *request.comm);
  }

  int parts() const { return parts_; }
  /// Returns true if the part of this side has arrived, after a look at what has come.
  bool has_arrived(int part) {
    look(nullptr);
    if (!done() || !fits()) return false;
    return blocks_[static_cast<std::size_t>(part) / parts_in_block()].missing == 0;
  }

 private:
  /// Parts of both sides that together have the same bytes: those of all, if need be.
  struct Block {
    std::byte* place;
    std::vector<std::byte> packed;  ///< what has come, if the elements have gaps
    std::size_t missing;            ///< parts of the sender's
    std::byte* data() { return packed.empty() ? place : packed.data(); }
  };

  class Arrivals final : public Pending {
   public:
    Arrivals(PartitionedReceive& receive, const Communicator& comm) : receive_(receive), comm_(comm) {}
    ~Arrivals() override { receive_.end(); }
    bool is_done(Rank&) override { return receive_.look(nullptr); }
    Receive* awaited() override { return receive_.awaited(); }
    int get_status(MPI_Status& status) override {
      const auto checked = [&] {
        receive_.check();
        return MPI_SUCCESS;
      };
      const int error = answered(receive_.self_, "MPI_Precv_init", {}, checked, Asks::handler);
      set_status(&status, comm_, receive_.message_, error);
      return error;
    }
    bool must_end() const override { return true; }

   private:
    PartitionedReceive& receive_;
    const Communicator& comm_;
  };

  void complete(Arrival&& arrival) override {
    std::memcpy(&division_, arrival.payload, sizeof division_);
    if (is_started_) post_parts();
  }

  std::uint64_t bytes_in_all() const { return division_.bytes * static_cast<std::uint64_t>(division_.parts); }
  bool fits() const { return bytes_in_all() == message_.bytes; }
  void check() const {
    if (!fits())
      throw CallError{MPI_ERR_TRUNCATE, "the partitions of the send with tag " +
                                            std::to_string(message_.tag) + " have " +
                                            std::to_string(bytes_in_all()) +
                                            " bytes in all, and those of this "
                                            "receive " +
                                            std::to_string(message_.bytes)};
  }

  std::size_t parts_in_block() const {
    if (message_.bytes == 0) return static_cast<std::size_t>(std::max(parts_, 1));
    return std::lcm<std::uint64_t>(first_.bytes, division_.bytes) / first_.bytes;
  }

  void post_parts() {
    if (!fits()) return;
    const std::size_t here = parts_in_block();
    const std::size_t blocks = message_.bytes == 0 ? 1 : static_cast<std::size_t>(parts_) / here;
    const std::size_t there = static_cast<std::size_t>(division_.parts) / blocks;
    for (std::size_t i = 0; i < blocks; ++i) {
      auto* const first = static_cast<std::byte*>(const_cast<void*>(first_.data));
      std::byte* const place = first + static_cast<std::ptrdiff_t>(i * here) * distance_;
      blocks_.push_back({place, std::vector<std::byte>(first_.layout ? here * first_.bytes : 0), there});
    }
    for (std::size_t i = 0; i < there * blocks; ++i) {
      std::byte* const into = blocks_[i / there].data() + i % there * division_.bytes;
      const Wanted wanted{part_channel, message_.source, division_.first_tag + static_cast<int>(i)};
      Incoming& part = incoming_.emplace_back(self_, wanted, division_.bytes, into);
      part.posted_by("MPI_Start", {});
      begin(self_, part);
    }
    unseen_.resize(incoming_.size());
    std::iota(unseen_.begin(), unseen_.end(), std::size_t{0});
  }

  /// Takes what has come; returns true if that is all.
  bool look(const Receive* until) {
    Matcher::of(self_).progress(message_.source, until);
    if (!done()) return false;
    std::erase_if(unseen_, [&](std::size_t number) {
      if (!incoming_[number].done()) return false;
      Block& block = blocks_[number / (incoming_.size() / blocks_.size())];
      if (--block.missing == 0 && !block.packed.empty())
        first_.layout->unpack(block.place, block.packed.data(), block.packed.size());
      return true;
    });
    return unseen_.empty();
  }

  Receive* awaited() {
    if (!done()) return this;
    return unseen_.empty() ? nullptr : &incoming_[unseen_.front()];
  }

  void end() {
    for (const std::size_t number : unseen_)
      if (!incoming_[number].done()) Matcher::of(self_).cancel(incoming_[number]);
    unseen_.clear();
    incoming_.clear();
    blocks_.clear();
    is_started_ = false;
  }

  Rank& self_;
  const Content first_;            ///< this side's first part
  const std::ptrdiff_t distance_;  ///< from one part to the next, in bytes
  const int parts_;
  const Received message_;
  Division division_{};
  bool is_started_ = false;
  std::vector<Block> blocks_;
  std::deque<Incoming> incoming_;    ///< the sender's parts
  std::vector<std::size_t> unseen_;  ///< those that have not come yet
};

/// The request's side, which must be of this kind.
template <class Side>
Side& side_of(const Request& request, const char* made_by) {
  Partitioned* const any = request.recipe ? request.recipe->partitioned.get() : nullptr;
  auto* const side = dynamic_cast<Side*>(any);
  if (!side) throw CallError{MPI_ERR_REQUEST, std::string("the request is not one of ") + made_by};
  return *side;
}

/// The body of the functions that name parts, which `name(check or send)` calls for each.
template <class Each>
int ready(const char* call, MPI_Request handle, Each each) {
  return completing(call, [&](Completion& completion) {
    if (needs_no_waiting(handle)) throw CallError{MPI_ERR_REQUEST, "there is no such request"};
    Request& request = completion.at(handle);
    auto& send = side_of<PartitionedSend>(request, "MPI_Psend_init");
    if (!request.is_active) throw CallError{MPI_ERR_REQUEST, "the request has not been started"};
    each([&](int part) {
      check_part(part, send.parts());
      if (send.is_ready(part))
        throw CallError{MPI_ERR_ARG, "partition " + std::to_string(part) + " has been named before"};
      send.send(caller(), request, part);
    });
    return MPI_SUCCESS;
  });
}

}  // namespace
}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_Psend_init(const void* data, int partitions, MPI_Count count, MPI_Datatype type, int rank, int tag,
                   MPI_Comm comm, MPI_Info, MPI_Request* request) {
  Rank& self = caller();
  return handled(self, "MPI_Psend_init", comm, [&] {
    request_at(request) = MPI_REQUEST_NULL;
    Communicator& members = communicator(self, comm);
    const int each = checked_count(partitions, count);
    check_tag(tag);
    Recipe recipe;
    recipe.content = content_of(self, data, each, type, "send");
    recipe.to = destination(members, rank, tag);
    recipe.partitioned = std::make_unique<PartitionedSend>(self, recipe.content, each * extent_bytes_of(type),
                                                           partitions, recipe.to);
    *request = prepared(self, members, std::move(recipe));
    return MPI_SUCCESS;
  });
}

int MPI_Precv_init(void* data, int partitions, MPI_Count count, MPI_Datatype type, int rank, int tag,
                   MPI_Comm comm, MPI_Info, MPI_Request* request) {
  Rank& self = caller();
  return handled(self, "MPI_Precv_init", comm, [&] {
    request_at(request) = MPI_REQUEST_NULL;
    Communicator& members = communicator(self, comm);
    const int each = checked_count(partitions, count);
    check_tag(tag);
    if (rank == MPI_ANY_SOURCE)
      throw CallError{MPI_ERR_RANK, "a partitioned receive names its rank: MPI_ANY_SOURCE is not allowed"};
    Recipe recipe;
    recipe.receives = true;
    recipe.content = content_of(self, data, each, type, "receive");
    recipe.from = wanted(members, rank, tag);
    if (recipe.from)
      recipe.partitioned = std::make_unique<PartitionedReceive>(
          self, recipe.content, each * extent_bytes_of(type), partitions, *recipe.from);
    *request = prepared(self, members, std::move(recipe));
    return MPI_SUCCESS;
  });
}

int MPI_Pready(int partition, MPI_Request request) {
  return ready("MPI_Pready", request, [&](auto name) { name(partition); });
}

int MPI_Pready_range(int first, int last, MPI_Request request) {
  return ready("MPI_Pready_range", request, [&](auto name) {
    for (int part = first; part <= last; ++part) name(part);
  });
}

int MPI_Pready_list(int count, const int partitions[], MPI_Request request) {
  return ready("MPI_Pready_list", request, [&](auto name) {
    if (count < 0) throw CallError{MPI_ERR_COUNT, "the count is " + std::to_string(count)};
    if (count > 0 && !partitions) throw CallError{MPI_ERR_ARG, "the array of partitions is NULL"};
    std::for_each(partitions, partitions + count, name);
  });
}

int MPI_Parrived(MPI_Request handle, int partition, int* flag) {
  return completing("MPI_Parrived", [&](Completion& completion) {
    if (!flag) throw CallError{MPI_ERR_ARG, "the address of the flag is NULL"};
    if (needs_no_waiting(handle)) throw CallError{MPI_ERR_REQUEST, "there is no such request"};
    const Request& request = completion.at(handle);
    *flag = 1;
    if (request.recipe && request.recipe->receives && !request.recipe->from) return MPI_SUCCESS;
    auto& receive = side_of<PartitionedReceive>(request, "MPI_Precv_init");
    check_part(partition, receive.parts());
    if (!request.is_active || receive.has_arrived(partition)) return MPI_SUCCESS;
    *flag = 0;
    completion.rest(handle);
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Psend_init)
KANOR_PROFILED(Precv_init)
KANOR_PROFILED(Pready)
KANOR_PROFILED(Pready_range)
KANOR_PROFILED(Pready_list)
KANOR_PROFILED(Parrived)
