// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/mpi/mpi_network.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "transport/mpi/leave.hpp"
#include "transport/mpi/library.hpp"
#include "transport/mpi/yield.hpp"

namespace kanor::rt::mpi {
namespace {

constexpr int message_tag = 1;
/// At most so many operations are looked at, and so many receives started, in one call of progress().
constexpr int looks = 32;
/// After so many calls of progress() that only took an arrival, one looks at everything.
constexpr unsigned most_hurries = 16;

/// For a process whose rank is gone: nobody reads what arrives, and memory no longer matters.
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

MpiNetwork::MpiNetwork(const Place& place) : place_(place) {
  MPI_Comm_rank(place_.communicator, &process_);
  MPI_Comm_size(place_.communicator, &processes_);
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

void MpiNetwork::broadcast_here(void* data, std::size_t bytes) {
  MPI_Request request;
  MPI_Ibcast(data, static_cast<int>(bytes), MPI_BYTE, 0, place_.machine, &request);
  wait_politely(request, [] { return false; });
}

void MpiNetwork::post(Message* message) {
  const Extent extent(sizeof(Envelope) + message->envelope.bytes);
  const int destination = message->envelope.destination / place_.ranks_per_process;
  const std::lock_guard guard(lock_);
  MPI_Request request;
  MPI_Isend(&message->envelope, extent.count(), extent.type(), destination, message_tag, place_.communicator,
            &request);
  sends_.requests.push_back(request);
  sends_.items.push_back(message);
}

bool MpiNetwork::progress(Arrivals& arrivals) {
  const std::unique_lock guard(lock_, std::try_to_lock);
  if (!guard.owns_lock() || closed_) return false;
  bool moved = start_receives(arrivals);
  // What has arrived is what ranks wait for; but what was sent must not wait for ever to be given back.
  if (moved && ++hurries_ % most_hurries != 0) return true;
  moved |= receives_.advance([&](const Receive& receive) { arrived(receive, arrivals); });
  if (!held_.empty()) deliver_held(arrivals);
  moved |= sends_.advance([&](Message* message) { arrivals.sent(message); });
  return moved;
}

bool MpiNetwork::start_receives(Arrivals& arrivals) {
  for (int started = 0; started < looks; ++started) {
    int found = 0;
    MPI_Message handle;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, message_tag, place_.communicator, &found, &handle, &status);
    if (!found) return started > 0;
    MPI_Count bytes = 0;
    MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
    const std::size_t payload_bytes = static_cast<std::size_t>(bytes) - sizeof(Envelope);
    Message* const message = arrivals.allocate(payload_bytes);
    const Receive receive{message, payload_bytes, matched_++};
    const Extent extent(static_cast<std::size_t>(bytes));
    MPI_Request request;
    MPI_Imrecv(&message->envelope, extent.count(), extent.type(), &handle, &request);
    // What was buffered, as short messages are, is there at once.
    int complete = 0;
    MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
    if (complete) {
      arrived(receive, arrivals);
      if (!leaving_) return true;
      continue;
    }
    receives_.requests.push_back(request);
    receives_.items.push_back(receive);
  }
  return true;
}

void MpiNetwork::arrived(const Receive& receive, Arrivals& arrivals) {
  const Envelope& envelope = receive.message->envelope;
  if (envelope.bytes != receive.bytes || envelope.destination / place_.ranks_per_process != process_) {
    std::fprintf(stderr, "kanor: a message over MPI from rank %d to rank %d has arrived damaged\n",
                 envelope.source, envelope.destination);
    abort_job(1);
  }
  if (envelope.context == end_context && !is_first(receive))
    held_.push_back(receive);
  else
    arrivals.deliver(receive.message);
}

bool MpiNetwork::is_first(const Receive& receive) const {
  return std::none_of(receives_.items.begin(), receives_.items.end(),
                      [&](const Receive& other) { return other.ordinal < receive.ordinal; });
}

void MpiNetwork::deliver_held(Arrivals& arrivals) {
  const auto ready =
      std::partition(held_.begin(), held_.end(), [&](const Receive& receive) { return !is_first(receive); });
  std::for_each(ready, held_.end(), [&](const Receive& receive) { arrivals.deliver(receive.message); });
  held_.erase(ready, held_.end());
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
