// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_api/started.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ownership/region.hpp"

namespace kanor::rt::c_api {
namespace {

/// The beginning of a message.
struct Head {
  std::uint64_t call;  ///< as that of the messages of blocking collectives
  Region* region;      ///< with the bytes; a reference is the receiver's. Null: they follow the head
};
// What follows is aligned as the predefined datatypes are.
static_assert(sizeof(Head) == 16);

constexpr std::uint64_t most_tags = std::uint64_t{1} << 31;

}  // namespace

MemberPart::MemberPart(const collectives::Group& group, int from, const Wanted& wanted, Arriving into)
    : Receive(wanted), group_(group), from_(from), bytes_(into.bytes()), into_(std::move(into)) {}

MemberPart::MemberPart(const collectives::Group& group, int from, const Wanted& wanted, std::size_t bytes)
    : Receive(wanted), group_(group), from_(from), bytes_(bytes) {}

MemberPart::~MemberPart() {
  if (region_) let_go(*region_);
  if (is_posted_ && !done()) Matcher::of(group_.owner).cancel(*this);
}

void MemberPart::post() {
  Matcher::of(group_.owner).post(*this);
  is_posted_ = true;
}

void MemberPart::complete(Arrival&& arrival) {
  Head head{};
  std::memcpy(&head, arrival.payload, sizeof head);
  its_head_ = head.call;
  its_bytes_ = head.region ? head.region->bytes : arrival.bytes - sizeof head;
  data_ = head.region ? static_cast<const std::byte*>(head.region->object()) : arrival.payload + sizeof head;
  region_ = head.region;
  if (is_as_wanted() && !into_) {
    if (region_) return;
    if (arrival.memory) {
      // The sender need not wait until this rank no longer needs it.
      take_off_flight(group_.owner, arrival.memory);
      memory_ = std::move(arrival.memory);
    } else {
      memory_ = allocate_message(group_.owner, its_bytes_);
      if (its_bytes_ > 0) std::memcpy(memory_.data(), data_, its_bytes_);
      data_ = memory_.data();
    }
    return;
  }
  if (is_as_wanted()) {
    if (its_bytes_ > 0) std::memcpy(into_->data(), data_, its_bytes_);
    into_->settle();
  }
  if (region_) let_go(*std::exchange(region_, nullptr));
}

void MemberPart::check() const {
  if (!is_as_wanted()) group_.fail_head(group_, from_, its_head_, its_bytes_);
}

Parties::Parties(const CollectiveCall& call) : count_(call.group.size), own_(call.group.rank) {
  start_ = own_;
  if (!call.comm.sides) return;
  const Communicator& others = call.comm.peers();
  first_ = call.comm.sides->both.number_of(others.world(0));
  count_ = others.size();
  own_ = -1;
  start_ = call.comm.rank();
}

Started::Started(const CollectiveCall& call)
    : group_(call.group),
      comm_(call.comm),
      parties_(call),
      name_(call.name),
      channel_(inner_channels | call.comm.channel()),
      tag_(static_cast<int>(call.group.sequence % most_tags)) {}

Started::~Started() {
  if (copy_) let_go(*copy_);
}

Rooted Started::rooted(int root) const {
  if (comm_.sides) return {role_of(root, comm_), number_of_root(root, comm_)};
  return {rank() == root ? Role::root : Role::other_group, root};
}

void Started::send_message(int to, Buffer&& message) {
  const int there = group_.world_rank(to);
  const auto word = static_cast<std::uint32_t>(tag_);
  if (!stream_at_once_to(owner(), there, context_of(channel_, Form::content), word, std::move(message)))
    crowded_.push_back(there);
}

void Started::send(int to, const std::byte* data, std::size_t bytes) {
  const Head head{group_.head, nullptr};
  Buffer message = allocate_message(owner(), sizeof head + bytes);
  std::memcpy(message.data(), &head, sizeof head);
  if (bytes > 0) std::memcpy(message.data() + sizeof head, data, bytes);
  send_message(to, std::move(message));
}

void Started::send_all(int first, int end, const std::byte* data, std::size_t bytes) {
  const bool long_enough = bytes > most_copied_bytes && switches(owner()).sharing;
  // Each begins with the member after it, so that not all send to the same one at a time.
  for (int step = 1; step < size(); ++step) {
    const int to = (rank() + step) % size();
    if (to < first || to >= end) continue;
    if (!long_enough || !shares_memory(owner(), group_.world_rank(to))) {
      send(to, data, bytes);
      continue;
    }
    if (!copy_) {
      copy_ = &make_region(owner(), bytes);
      copy_->bytes = bytes;
      std::memcpy(copy_->object(), data, bytes);
    }
    share(*copy_);
    const Head head{group_.head, copy_};
    Buffer message = allocate_message(owner(), sizeof head);
    std::memcpy(message.data(), &head, sizeof head);
    message.count_extra(bytes);
    send_message(to, std::move(message));
  }
}

Wanted Started::from(int member) const { return {channel_, group_.world_rank(member), tag_}; }

void Started::post_last() {
  parts_.back().posted_by(name_, {});
  parts_.back().post();
}

void Started::receive(int from_member, Arriving into) {
  parts_.emplace_back(group_, from_member, from(from_member), std::move(into));
  post_last();
}

void Started::receive(int from_member, std::size_t bytes) {
  parts_.emplace_back(group_, from_member, from(from_member), bytes);
  post_last();
}

bool Started::is_done(Rank& rank) {
  if (settled_) return true;
  for (; next_ < parts_.size(); ++next_) {
    MemberPart& part = parts_[next_];
    if (!part.done()) Matcher::of(rank).progress(part.wanted().source, &part);
    if (!part.done()) return false;
  }
  settled_ = true;
  if (std::all_of(parts_.begin(), parts_.end(), [](const MemberPart& part) { return part.is_as_wanted(); }))
    settle();
  return true;
}

int Started::get_status(MPI_Status&) {
  const auto checked = [&] {
    check();
    return MPI_SUCCESS;
  };
  return answered(owner(), name_, {}, checked, Asks::handler);
}

void Started::check() const {
  for (const MemberPart& part : parts_) part.check();
}

CollectiveCall call_in(Rank& self, const char* name, Kind kind, std::optional<int> root, MPI_Comm comm) {
  // Scans follow the order of one group's ranks.
  const bool is_scan = kind == Kind::scan || kind == Kind::exclusive_scan;
  if (Communicator* const between = is_scan ? nullptr : intercommunicator(self, comm))
    return CollectiveCall(self, name, kind, root ? number_of_root(*root, *between) : 0, *between);
  return CollectiveCall(self, name, kind, root.value_or(0), comm);
}

MPI_Request request_of(const CollectiveCall& call, std::unique_ptr<Started> started) {
  if (started->is_done(call.group.owner) && started->crowded().empty()) {
    started->check();
    return completed;
  }
  const auto [request, handle] = Calls::of(call.group.owner).new_request(call.comm);
  request.pointer = nullptr;
  request.call = call.name;
  request.place = {};
  request.crowded = started->crowded();
  request.pending = std::move(started);
  return handle;
}

void wait_for(Started& started) {
  Rank& owner = started.owner();
  while (!started.is_done(owner)) Matcher::of(owner).wait(*started.awaited());
  for (const int receiver : started.crowded()) wait_for_room(owner, receiver);
  started.check();
}

}  // namespace kanor::rt::c_api
