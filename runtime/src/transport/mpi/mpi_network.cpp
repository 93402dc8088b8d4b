// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/mpi/mpi_network.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "platform/clock.hpp"
#include "transport/mpi/leave.hpp"
#include "transport/mpi/library.hpp"
#include "transport/mpi/yield.hpp"

namespace kanor::rt::mpi {
namespace {

constexpr int short_tag = 1, long_tag = 2;
/// The most operations looked at, and receives started, in one call of progress().
constexpr int looks = 32;
/// The number of short messages that may come between two looks before MPI has to put them aside.
constexpr std::size_t slot_count = 16;
/// The nanoseconds between looks for long messages, which take long: three looks for short ones.
constexpr std::int64_t long_look_ns = 1000;
/// The most nanoseconds for which a receive is followed by looks at sends.
constexpr std::int64_t completing_ns = 500'000;
/// After so many of those one looks at the slots behind the next one, too.
constexpr unsigned long_looks_a_look_out_of_turn = 64;
/// After so many calls of progress() that only took an arrival, one looks at everything.
constexpr unsigned most_hurries = 16;

/// Discards arrivals, for a process whose rank is gone: nobody reads them, and memory no longer matters.
class Discard final : public Arrivals {
 public:
  Message* allocate(std::size_t bytes) override {
    const std::size_t whole_lines = (sizeof(Message) + bytes + 63) / 64 * 64;
    void* const memory = std::aligned_alloc(64, whole_lines);
    if (!memory) leave_by_abort(1);
    return new (memory) Message;
  }
  void deliver(Message* message) override { std::free(message); }
  void sent(Message*) override {}
};

}  // namespace

MpiNetwork::MpiNetwork(const Place& place)
    : place_(place), slots_(slot_count), slot_requests_(slot_count, MPI_REQUEST_NULL) {
  MPI_Comm_rank(place_.communicator, &process_);
  MPI_Comm_size(place_.communicator, &processes_);
  const std::size_t ranks =
      static_cast<std::size_t>(processes_) * static_cast<std::size_t>(place_.ranks_per_process);
  posted_.resize(ranks);
  came_.resize(ranks);
  for (std::size_t slot = 0; slot < slot_count; ++slot) fill(slot);
}

template <class Item>
template <class Complete>
bool MpiNetwork::Pending<Item>::advance(Complete complete) {
  if (requests.empty()) return false;
  if (next >= requests.size()) next = 0;
  const int count = static_cast<int>(std::min<std::size_t>(looks, requests.size() - next));
  int indices[looks];
  int completed = 0;
  MPI_Testsome(count, &requests[next], &completed, indices, MPI_STATUSES_IGNORE);
  // From the back, so that an item which moves into a gap is no completed one.
  std::sort(indices, indices + completed, [](int a, int b) { return a > b; });
  for (int i = 0; i < completed; ++i) {
    const std::size_t at = next + static_cast<std::size_t>(indices[i]);
    const Item item = items[at];
    requests[at] = requests.back();
    items[at] = items.back();
    requests.pop_back();
    items.pop_back();
    complete(item);
  }
  next += static_cast<std::size_t>(count - completed);
  return completed > 0;
}

bool MpiNetwork::all_here(bool mine) {
  const int word = mine ? 1 : 0;
  int all = 0;
  MPI_Request request;
  MPI_Iallreduce(&word, &all, 1, MPI_INT, MPI_MIN, place_.machine, &request);
  wait_politely(request, [] { return false; });
  return all != 0;
}

void MpiNetwork::broadcast_over(MPI_Comm communicator, void* data, std::size_t bytes) {
  MPI_Request request;
  MPI_Ibcast(data, static_cast<int>(bytes), MPI_BYTE, 0, communicator, &request);
  wait_politely(request, [] { return false; });
}

void MpiNetwork::broadcast_here(void* data, std::size_t bytes) {
  broadcast_over(place_.machine, data, bytes);
}

void MpiNetwork::broadcast(void* data, std::size_t bytes) {
  broadcast_over(place_.communicator, data, bytes);
}

void MpiNetwork::post(Message* message) {
  const Envelope& envelope = message->envelope;
  const Extent extent(sizeof(Envelope) + envelope.bytes);
  const int tag = envelope.bytes <= Slot::most_bytes ? short_tag : long_tag;
  const int destination = process_of(envelope.destination);
  const std::lock_guard guard(lock_);
  std::uint64_t& posted = this->posted(envelope.source, destination);
  if (envelope.context == end_context) std::memcpy(message->payload(), &posted, sizeof posted);
  if (is_before_end(envelope.context)) ++posted;
  MPI_Request request;
  MPI_Isend(&envelope, extent.count(), extent.type(), destination, tag, place_.communicator, &request);
  sends_.requests.push_back(request);
  sends_.items.push_back(message);
}

bool MpiNetwork::progress(Arrivals& arrivals) {
  const std::unique_lock guard(lock_, std::try_to_lock);
  if (!guard.owns_lock() || closed_) return false;
  bool moved = empty_slots(arrivals) || look_for_others(arrivals);
  // What has arrived is what ranks wait for; but what was sent must not wait for ever to be given back.
  if (moved && ++hurries_ % most_hurries != 0) return true;
  std::optional<Received> received;
  moved |= receives_.advance([&](const Receive& receive) {
    received = {process_of(receive.message->envelope.source), receive.began_ns};
    arrived(receive, arrivals);
  });
  if (!held_.empty()) deliver_held(arrivals);
  moved |= advance_sends(arrivals);
  if (received && place_.ranks_per_process == 1) moved |= complete_sends(arrivals, *received);
  return moved;
}

bool MpiNetwork::advance_sends(Arrivals& arrivals) {
  return sends_.advance([&](Message* message) { arrivals.sent(message); });
}

/// Goes on sending to a process from which a long message has come. The only rank of this process leaves now
/// to use it, and while it does so nobody looks after MPI. But where two ranks exchange long messages, the
/// other one still waits for a part of its own. It has to answer, which it does if it waits: so this lasts
/// no longer than the receive that has ended.
bool MpiNetwork::complete_sends(Arrivals& arrivals, const Received& received) {
  const auto is_sending = [&] {
    return std::any_of(sends_.items.begin(), sends_.items.end(), [&](const Message* message) {
      return process_of(message->envelope.destination) == received.process;
    });
  };
  std::int64_t now_ns = monotonic_ns();
  bool moved = false;
  for (const std::int64_t end_ns = now_ns + std::min(now_ns - received.began_ns, completing_ns);
       is_sending() && now_ns < end_ns; now_ns = monotonic_ns())
    moved |= advance_sends(arrivals);
  return moved;
}

void MpiNetwork::fill(std::size_t slot) {
  MPI_Irecv(&slots_[slot].envelope, Slot::bytes, MPI_BYTE, MPI_ANY_SOURCE, short_tag, place_.communicator,
            &slot_requests_[slot]);
  filled_.push_back(slot);
}

/// Delivers a copy of what has come into the slot.
void MpiNetwork::empty(std::size_t slot, const MPI_Status& status, Arrivals& arrivals) {
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  const std::size_t payload_bytes = static_cast<std::size_t>(bytes) - sizeof(Envelope);
  Message* const message = arrivals.allocate(payload_bytes);
  std::memcpy(&message->envelope, &slots_[slot].envelope, static_cast<std::size_t>(bytes));
  arrived({message, payload_bytes, 0}, arrivals);
}

bool MpiNetwork::empty_slots(Arrivals& arrivals) {
  // After the last one's message: its rank is not to wait for MPI to start a receive.
  if (const auto slot = std::exchange(emptied_, std::nullopt)) fill(*slot);
  for (int emptied = 0; emptied < looks; ++emptied) {
    const std::size_t slot = filled_.front();
    int complete = 0;
    MPI_Status status;
    MPI_Test(&slot_requests_[slot], &complete, &status);
    if (!complete) return emptied > 0;
    filled_.pop_front();
    empty(slot, status, arrivals);
    if (!leaving_) {
      emptied_ = slot;
      return true;
    }
    fill(slot);
  }
  return true;
}

bool MpiNetwork::empty_slots_out_of_turn(Arrivals& arrivals) {
  MPI_Status statuses[slot_count];
  int indices[slot_count];
  int complete = 0;
  MPI_Testsome(static_cast<int>(slot_count), slot_requests_.data(), &complete, indices, statuses);
  for (int i = 0; i < complete; ++i) {
    const auto slot = static_cast<std::size_t>(indices[i]);
    std::erase(filled_, slot);
    empty(slot, statuses[i], arrivals);
    fill(slot);
  }
  return complete > 0;
}

bool MpiNetwork::look_for_others(Arrivals& arrivals) {
  const std::int64_t now_ns = monotonic_ns();
  if (now_ns < next_look_ns_) return false;
  next_look_ns_ = now_ns + long_look_ns;
  const bool emptied =
      ++looks_for_others_ % long_looks_a_look_out_of_turn == 0 && empty_slots_out_of_turn(arrivals);
  return start_receives(arrivals) || emptied;
}

bool MpiNetwork::start_receives(Arrivals& arrivals) {
  for (int started = 0; started < looks; ++started) {
    int found = 0;
    MPI_Message handle;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, long_tag, place_.communicator, &found, &handle, &status);
    if (!found) return started > 0;
    MPI_Count bytes = 0;
    MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
    const std::size_t payload_bytes = static_cast<std::size_t>(bytes) - sizeof(Envelope);
    Message* const message = arrivals.allocate(payload_bytes);
    const Extent extent(static_cast<std::size_t>(bytes));
    MPI_Request request;
    MPI_Imrecv(&message->envelope, extent.count(), extent.type(), &handle, &request);
    receives_.requests.push_back(request);
    receives_.items.push_back({message, payload_bytes, monotonic_ns()});
  }
  return true;
}

void MpiNetwork::arrived(const Receive& receive, Arrivals& arrivals) {
  Message* const message = receive.message;
  const Envelope& envelope = message->envelope;
  if (envelope.bytes != receive.bytes || process_of(envelope.destination) != process_) {
    std::fprintf(stderr, "kanor: a message over MPI from rank %d to rank %d has arrived damaged\n",
                 envelope.source, envelope.destination);
    abort_job(1);
  }
  if (is_before_end(envelope.context)) ++came_[static_cast<std::size_t>(envelope.source)];
  if (envelope.context == end_context && !is_next(*message)) return held_.push_back(message);
  arrivals.deliver(message);
}

bool MpiNetwork::is_next(Message& end) const {
  std::uint64_t posted_before = 0;
  std::memcpy(&posted_before, end.payload(), sizeof posted_before);
  return came_[static_cast<std::size_t>(end.envelope.source)] >= posted_before;
}

void MpiNetwork::deliver_held(Arrivals& arrivals) {
  const auto next =
      std::partition(held_.begin(), held_.end(), [&](Message* message) { return !is_next(*message); });
  const std::vector<Message*> delivered(next, held_.end());
  held_.erase(next, held_.end());
  for (Message* const message : delivered) arrivals.deliver(message);
}

bool MpiNetwork::idle() {
  const std::lock_guard guard(lock_);
  return sends_.requests.empty() && receives_.requests.empty();
}

void MpiNetwork::finish(Arrivals& arrivals) {
  leaving_ = true;
  const YieldingWaits yielding(place_.yield);
  const auto settle = [&] {
    for (int rounds = 0; !idle(); ++rounds) {
      if (progress(arrivals))
        rounds = 0;
      else
        pause_politely(rounds);
    }
  };
  settle();
  // All that this process has sent is on its way; what it must still receive (late credits) comes until
  // everyone is here.
  const auto carry_on = [&] { return progress(arrivals); };
  if (place_.leave_through_launcher) return leave_through_launcher(carry_on);
  MPI_Request everyone;
  MPI_Ibarrier(place_.communicator, &everyone);
  wait_politely(everyone, carry_on);
  while (progress(arrivals)) {
  }          // nothing that has come may be left behind
  settle();  // answers to late questions
  {
    // Another thread may still look for messages, if an exit has brought us here.
    const std::lock_guard guard(lock_);
    closed_ = true;
    for (MPI_Request& receive : slot_requests_) {
      MPI_Cancel(&receive);
      MPI_Wait(&receive, MPI_STATUS_IGNORE);
    }
  }
  PMPI_Finalize();
}

void MpiNetwork::abort_job(int status) {
  leaving_ = true;
  leave_by_abort(status);
}

void MpiNetwork::leave_at_exit(int status) {
  if (::getpid() != own_process_ || leaving_.exchange(true)) return;
  if (status != 0) leave_by_abort(status);
  if (place_.ranks_per_process > 1) {
    std::fprintf(stderr,
                 "kanor: a library has called exit(0) on a rank that shares its process with others\n");
    leave_by_abort(1);
  }
  Discard discard;
  finish(discard);
}

}  // namespace kanor::rt::mpi
