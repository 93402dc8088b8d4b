// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/abi/pipelined_messages.h: MPI's messages that kanorc has pipelined with loops.
//
// Whether that pays depends on how long the loop takes, and on whether the other side takes, or sends,
// elements while the loop runs. Earlier executions tell both. A loop that is executed as it is tells how long
// it takes, too; whether elements would have travelled is found out by trying again from time to time.
#include <kanor/abi/pipelined_messages.h>
#include <kanor/mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "c_api/calls.hpp"
#include "c_api/delta_calls.hpp"
#include "c_api/sends.hpp"
#include "ownership/pace.hpp"
#include "platform/clock.hpp"
#include "transport/rank_state.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;

/// One message of a rank, from the call's beginning to its end.
class kanor_delta {
 public:
  struct Arguments {
    void* data;
    int count;
    MPI_Datatype type;
    int rank, tag;
    MPI_Comm comm;
    MPI_Status* status;
  };

  kanor_delta(const CallSite& call, std::size_t element_bytes, const Arguments& arguments)
      : call_(call), arguments_(arguments), element_bytes_(element_bytes) {
    if (arguments.count > 0) bytes_ = static_cast<std::size_t>(arguments.count) * even_bytes(arguments.type);
    const InTurn turn(self_);
    is_pipelined_ = bytes_ >= least_pipelined_bytes && self_.home.switches.delta && pays();
    ++(is_pipelined_ ? self_.deltas.pipelined : self_.deltas.at_once);
  }

  void begin_to_send() {
    const auto& [data, count, type, rank, tag, comm, status] = arguments_;
    if (is_pipelined_)
      has_failed_ = begin_delta_send(call_, data, count, type, rank, tag, comm, &request_) != MPI_SUCCESS;
    begun_ns_ = monotonic_ns();
    strip_.begin(begun_ns_);
  }
  std::uint64_t strip(std::uint64_t left) const {
    return is_pipelined_ ? std::min(left, static_cast<std::uint64_t>(strip_.length())) : left;
  }
  void computed(long long elements) {
    if (!is_pipelined_ || has_failed_) return;
    strip_.look();
    const auto final_elements = static_cast<std::size_t>(std::max(elements, 0LL));
    name(final_elements <= bytes_ / element_bytes_ ? final_elements * element_bytes_ : bytes_);
  }
  void end_sending() {
    learn();
    const auto& [data, count, type, rank, tag, comm, status] = arguments_;
    if (!is_pipelined_) {
      MPI_Send(data, count, type, rank, tag, comm);
      return;
    }
    if (has_failed_) return;
    name(bytes_);
    wait_for_delta(call_, &request_, MPI_STATUS_IGNORE);
  }

  void begin_to_receive() {
    const auto& [data, count, type, rank, tag, comm, status] = arguments_;
    if (is_pipelined_)
      handled(self_, call_.call, call_.place, comm, [&] {
        Communicator& members = communicator(self_, comm);
        const Content content = content_of(self_, data, count, type, "receive");
        request_ = begin_receive(self_, members, wanted(members, rank, tag), content, call_.call);
        return MPI_SUCCESS;
      });
    else
      MPI_Recv(data, count, type, rank, tag, comm, status);
    begun_ns_ = monotonic_ns();
  }
  std::uint64_t arrived(std::uint64_t left, long long counter, long long factor, long long rest,
                        long long least) {
    if (!is_pipelined_ || left == 0) return left;
    const long long needed = std::max({factor * counter + rest, least, 0LL});
    const std::int64_t before = monotonic_ns();
    const std::size_t here = wait_for_beginning(
        call_, request_, std::min(static_cast<std::size_t>(needed) * element_bytes_, bytes_));
    begun_ns_ += monotonic_ns() - before;  // that was not the loop's
    if (here == all_bytes) return left;
    // The last iteration of whose elements all are there.
    const auto elements = static_cast<long long>(here / element_bytes_);
    const long long last = elements < rest ? counter : (elements - rest) / factor;
    return std::min(left, static_cast<std::uint64_t>(std::max(last - counter, 0LL)) + 1);
  }
  void end_receiving() {
    learn();
    if (is_pipelined_) wait_for_delta(call_, &request_, arguments_.status);
  }

 private:
  /// A message of fewer bytes, or beside a shorter loop, has travelled before dividing the loop has paid.
  static constexpr std::size_t least_pipelined_bytes = 8192;
  static constexpr std::int64_t least_loop_ns = 8000;

  LoopRecord& record() const {
    const InTurn turn(self_);
    return Calls::of(self_).messages.loops[{call_.place.file, call_.place.line}];
  }
  bool pays() {
    constexpr unsigned most_in_vain = 1, executions_between_tries = 16;
    const bool is_long = loop_.ns == 0 || loop_.ns >= least_loop_ns;
    return is_long && (loop_.in_vain <= most_in_vain || loop_.executions % executions_between_tries == 0);
  }
  /// The loop is over.
  void learn() {
    const InTurn turn(self_);
    loop_.strip = strip_;
    loop_.ns = std::max<std::int64_t>(monotonic_ns() - begun_ns_, 1);
    ++loop_.executions;
    if (is_pipelined_) loop_.in_vain = travels_meanwhile(request_) ? 0 : loop_.in_vain + 1;
  }
  /// Names the bytes up to there, in addition.
  void name(std::size_t end) {
    if (end <= named_) return;
    name_delta_data(call_, static_cast<const std::byte*>(arguments_.data) + named_, end - named_);
    named_ = end;
  }

  Rank& self_ = caller();
  const CallSite call_;
  const Arguments arguments_;
  const std::size_t element_bytes_;
  LoopRecord& loop_ = record();
  std::size_t bytes_ = 0;
  bool is_pipelined_ = false;
  bool has_failed_ = false;  ///< the send, and the error has been reported
  MPI_Request request_ = MPI_REQUEST_NULL;
  std::size_t named_ = 0;  ///< bytes of a send that are final
  StripLength strip_ = loop_.strip;
  std::int64_t begun_ns_ = 0;
};

kanor_delta* kanor_delta_send(const char* file, int line, std::size_t element_bytes, const void* data,
                              int count, int type, int rank, int tag, int comm) {
  auto* const made = new kanor_delta({"MPI_Send", {file, line}}, element_bytes,
                                     {const_cast<void*>(data), count, type, rank, tag, comm, nullptr});
  made->begin_to_send();
  return made;
}

unsigned long long kanor_delta_strip(const kanor_delta* message, unsigned long long left) {
  return message ? message->strip(left) : left;
}

void kanor_delta_computed(kanor_delta* message, long long elements) {
  if (message) message->computed(elements);
}

void kanor_delta_sent(kanor_delta* message) {
  if (message) message->end_sending();
  delete message;
}

kanor_delta* kanor_delta_recv(const char* file, int line, std::size_t element_bytes, void* data, int count,
                              int type, int rank, int tag, int comm, MPI_Status* status) {
  auto* const made = new kanor_delta({"MPI_Recv", {file, line}}, element_bytes,
                                     {data, count, type, rank, tag, comm, status});
  made->begin_to_receive();
  return made;
}

unsigned long long kanor_delta_arrived(kanor_delta* message, unsigned long long left, long long counter,
                                       long long factor, long long rest, long long least) {
  return message ? message->arrived(left, counter, factor, rest, least) : left;
}

void kanor_delta_received(kanor_delta* message) {
  if (message) message->end_receiving();
  delete message;
}
