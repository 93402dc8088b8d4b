// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nonblocking collectives, between the call that begins one and its end.
#pragma once

#include <kanor/mpi.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "c_api/calls.hpp"
#include "c_api/collective_call.hpp"
#include "c_api/intercommunicator.hpp"
#include "c_api/request.hpp"

namespace kanor::rt::c_api {

/// What one member sends in a nonblocking collective: a receive.
class MemberPart final : public Receive {
 public:
  /// Elements that go to where `into` says.
  MemberPart(const collectives::Group& group, int from, const Wanted& wanted, Arriving into);
  /// Bytes that stay here.
  MemberPart(const collectives::Group& group, int from, const Wanted& wanted, std::size_t bytes);
  /// Nobody receives it if it has not come.
  ~MemberPart();

  void post();
  /// The bytes that stay here, once they have come.
  const std::byte* data() const { return data_; }
  /// Returns true if it has come from the same call, with as many bytes as are wanted.
  bool is_as_wanted() const { return its_head_ == group_.head && its_bytes_ == bytes_; }
  /// Throws CallError if it is not.
  void check() const;

 private:
  void complete(Arrival&& arrival) override;

  const collectives::Group& group_;
  const int from_;
  const std::size_t bytes_;
  std::optional<Arriving> into_;
  bool is_posted_ = false;
  // Of the message:
  std::uint64_t its_head_ = 0;
  std::size_t its_bytes_ = 0;
  const std::byte* data_ = nullptr;
  Buffer memory_;             ///< where the data lie, or
  Region* region_ = nullptr;  ///< where others read them too
};

/// The ranks that a rank exchanges blocks with in a collective, by the blocks' numbers: all members, or an
/// intercommunicator's other group. Their numbers in the collective's group follow each other.
class Parties {
 public:
  explicit Parties(const CollectiveCall& call);

  int count() const { return count_; }
  /// A block's rank in the group.
  int member(int block) const { return first_ + block; }
  int first() const { return first_; }
  int end() const { return first_ + count_; }
  /// Returns true if the rank is one of them: its block stays here.
  bool has_own() const { return own_ >= 0; }
  /// The number of its block.
  int own() const { return own_; }
  /// Calls use(block) for all blocks but its own, and not on all ranks for the same rank's first.
  template <class Use>
  void each_other(Use use) const {
    for (int step = 0; step < count_; ++step)
      if (const int block = (start_ + step) % count_; block != own_) use(block);
  }

 private:
  int first_ = 0, count_, own_, start_;
};

/// What a rank has to do with the root that it names, and the root's number in the group.
struct Rooted {
  Role role;
  int member;
};

/// A nonblocking collective, as one rank takes part in it; the other side of its request.
///
/// It has one round. When it begins, the rank sends to each member all that this one will need, and posts a
/// receive for all that it needs of each. Once these are done it remains to put them where they belong, or to
/// fold them, which concerns this rank alone. So a rank ends its part as soon as all that it needs from have
/// begun theirs, whatever they do then: they may compute, or wait in other calls, and nobody has to move the
/// collective on for others. Any number can be under way.
///
/// That is also its price: in a reduction that all get, each rank folds all of it. What several members get
/// is copied once if they share memory: they read one region.
///
/// Messages have a channel of their own for each communicator, whose tags are the numbers of its collectives.
/// Sends do not wait; whoever completes the request waits for room as MPI_Isend's does.
class Started : public Pending {
 public:
  /// The communicator stays as long as this.
  explicit Started(const CollectiveCall& call);
  ~Started() override;

  int rank() const { return group_.rank; }
  int size() const { return group_.size; }
  Rank& owner() const { return group_.owner; }
  const collectives::Group& group() const { return group_; }
  const Communicator& comm() const { return comm_; }
  const Parties& parties() const { return parties_; }
  Rooted rooted(int root) const;

  /// In checked mode: has the call compared with the others'.
  void tell(const Total& total = {}) const {
    if (owner().home.switches.check) [[unlikely]]
      tell_call(group_, comm_, name_, total);
  }

  /// Sends bytes, which are copied, to another member.
  void send(int to, const std::byte* data, std::size_t bytes);
  void send(int to, const Outgoing& elements) { send(to, elements.data(), elements.bytes()); }
  /// Sends the same bytes to the members from `first` on before `end`, less this one.
  void send_all(int first, int end, const std::byte* data, std::size_t bytes);
  /// Receives from another member.
  void receive(int from, Arriving into);
  void receive(int from, std::size_t bytes);

  /// The ranks to which more than KANOR_INFLIGHT bytes were in flight when this one sent.
  const std::vector<int>& crowded() const { return crowded_; }

  bool is_done(Rank& rank) final;
  bool must_end() const final { return true; }
  Receive* awaited() final { return &parts_[next_]; }
  int get_status(MPI_Status& status) final;
  /// Throws CallError if the collective, which is done, has failed.
  void check() const;

 protected:
  /// The parts received, in the order of the calls of receive().
  const std::deque<MemberPart>& parts() const { return parts_; }
  /// The copy that the members share; null where send_all() has made none.
  const std::byte* shared() const { return copy_ ? static_cast<const std::byte*>(copy_->object()) : nullptr; }

 private:
  /// Called once, when all parts are there, and as they should be.
  virtual void settle() {}
  void send_message(int to, Buffer&& message);
  Wanted from(int member) const;
  void post_last();

  collectives::Group group_;
  const Communicator& comm_;
  Parties parties_;
  const char* name_;
  std::uint32_t channel_;
  int tag_;
  std::deque<MemberPart> parts_;
  std::size_t next_ = 0;  ///< the parts before it are done
  bool settled_ = false;
  std::vector<int> crowded_;
  Region* copy_ = nullptr;
};

/// A call in a communicator of either kind; no root: it has none.
CollectiveCall call_in(Rank& self, const char* name, Kind kind, std::optional<int> root, MPI_Comm comm);
/// The request of a collective that has begun in `call`.
MPI_Request request_of(const CollectiveCall& call, std::unique_ptr<Started> started);
/// Waits for the end of a collective that a blocking call has begun.
void wait_for(Started& started);

}  // namespace kanor::rt::c_api
