// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/delta.h.
//
// A delta send's head goes when it begins, so that it is matched in its turn. Increments follow
// (ownership/increments.hpp), at their own pace (ownership/pace.hpp).
#include <kanor/delta.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "c_api/completion.hpp"
#include "c_api/delta_calls.hpp"
#include "c_api/paged_deltas.hpp"
#include "c_api/receives.hpp"
#include "c_api/sends.hpp"
#include "ownership/open_buffer.hpp"
#include "ownership/pace.hpp"

namespace kanor::rt::c_api {
namespace {

std::string text_of(const Range& range) {
  return "bytes " + std::to_string(range.begin) + " to " + std::to_string(range.end - 1);
}

/// The sender's side of one message.
class DeltaSend final : public Pending {
 public:
  /// Tells the receiver of it; nobody if there is none.
  DeltaSend(Rank& self, Request& request, const Content& content, const std::optional<Destination>& to,
            const Place& begun)
      : self_(self),
        request_(request),
        content_(content),
        begun_(begun),
        pace_(self.home.switches, Calls::of(self).messages.cost_of_delta_ns) {
    if (to) pace_.spend([&] { message_.emplace(self, content, *to, new_tags(self, 1), begun); });
    if (PagedDeltas* const deltas = to ? PagedDeltas::of(self) : nullptr)
      pages_ = deltas->watch(content, begun, [this](const Range& written) {
        const Range merged = add(written, begun_);
        if (!message_->is_behind()) send_now(merged);
      });
  }

  bool has(const void* data, std::size_t bytes) const {
    return reach_of(content_.data, content_.bytes, content_.layout.get()).has(data, bytes);
  }

  /// These bytes, which it has, are final.
  void name(const void* data, std::size_t bytes, const Place& place) {
    if (content_.layout) return;
    is_named_ = true;
    if (bytes == 0) return;
    const auto begin = static_cast<std::size_t>(static_cast<const std::byte*>(data) - first());
    const Range range{std::max(begin, sent_by_pages()), begin + bytes};
    if (pages_) pages_->stop();
    if (range.begin >= range.end) return;
    check_new(range);
    named_.add(range);
    const Range merged = add(range, place);
    if (message_ && pace_.is_time(merged.bytes(), *message_)) send_now(merged);
  }

  /// Sends what has been named: others may need it to send what this rank waits for.
  void flush() {
    if (waiting_.is_empty()) return;
    for (const Range& range : std::exchange(waiting_, {}).all()) send(range, false);
  }

  /// Sends the rest.
  void end(const Place& place) {
    if (pages_) pages_->stop();
    if (PagedDeltas* const deltas = is_named_ ? nullptr : PagedDeltas::of(self_))
      deltas->note_computed(
          begun_, std::max<std::int64_t>(0, monotonic_ns() - begun_ns_ - (pages_ ? pages_->taken_ns() : 0)));
    const Range rest{sent_by_pages(), content_.bytes};
    if (!is_named_) {
      guard(rest, place);
      if (rest.bytes() > 0) waiting_.add(rest);
    }
    Range last;
    for (const Range& range : std::exchange(waiting_, {}).all())
      if (const Range before = std::exchange(last, range); before.bytes() > 0) send(before, false);
    send(last, true);
    has_ended_ = true;
    std::erase(Calls::of(self_).messages.deltas, this);
    self_.mailbox.wake();  // another thread may wait for this
  }
  bool has_ended() const { return has_ended_; }
  bool is_being_taken() const { return message_ && message_->is_being_taken(); }

  bool is_done(Rank&) override { return has_ended_; }
  int get_status(MPI_Status&) override {
    const auto check = [&] {
      if (pages_) pages_->check_first_bytes();
      check_unchanged();
      return MPI_SUCCESS;
    };
    return answered(self_, request_.call, begun_, check, Asks::handler);
  }
  bool must_end() const override { return true; }
  std::string why_not_ending(const Rank& self) const override {
    if (has_ended_ || self.waits.turns) return {};
    return "it waits for the delta send that was begun at " + kanor::rt::text_of(begun_) +
           ", which has not ended: call Delta_send_end before, or Delta_wait instead";
  }

 private:
  /// In checked mode: bytes that were named, which nobody may write any more.
  struct Guarded {
    OpenBuffer bytes;
    Place named;
  };

  std::size_t sent_by_pages() const { return pages_ ? pages_->sent_bytes() : 0; }

  /// Adds bytes that are final to those that wait, and returns the range that they are in then.
  Range add(const Range& range, const Place& place) {
    guard(range, place);
    return waiting_.add(range);
  }

  /// Sends one of the ranges that wait.
  void send_now(const Range& range) {
    waiting_.remove(range);
    pace_.spend([&] { send(range, false); });
  }

  const std::byte* first() const { return static_cast<const std::byte*>(content_.data); }

  void guard(const Range& range, const Place& place) {
    if (!self_.home.switches.check || range.bytes() == 0) return;
    guarded_.emplace(range.begin, Guarded{{first() + range.begin, range.bytes(), content_.layout}, place});
  }

  void check_new(const Range& range) const {
    const auto again = named_.first_of(range);
    if (!again) return;
    std::string before = " (with KANOR_CHECK=1 the message says where they were named before)";
    if (!guarded_.empty())
      before = ", which were named at " +
               kanor::rt::text_of(std::prev(guarded_.upper_bound(again->begin))->second.named);
    throw CallError{MPI_ERR_BUFFER, text_of(*again) + " of the delta send that was begun at " +
                                        kanor::rt::text_of(begun_) + " are named again" + before +
                                        ": elements are final when they are named"};
  }

  void check_unchanged() const {
    for (const auto& [begin, guarded] : guarded_)
      if (guarded.bytes.has_changed())
        throw CallError{MPI_ERR_BUFFER, text_of({begin, begin + guarded.bytes.bytes()}) +
                                            " were written before Delta_wait, after they were named at " +
                                            kanor::rt::text_of(guarded.named)};
  }

  void send(const Range& range, bool is_last) {
    if (!message_) return;
    message_->send(range, is_last, request_.offers);
    if (!message_->has_fitted() && request_.crowded.empty()) request_.crowded.push_back(message_->receiver());
  }

  Rank& self_;
  Request& request_;
  const Content content_;
  const Place begun_;
  const std::int64_t begun_ns_ = monotonic_ns();
  std::optional<DeltaMessage> message_;  ///< nothing: to nobody
  bool is_named_ = false, has_ended_ = false;
  Ranges named_, waiting_;                  ///< what has been named, and what of it was not sent yet
  std::map<std::size_t, Guarded> guarded_;  ///< by their beginnings
  Pace pace_;
  std::shared_ptr<WrittenPages> pages_;  ///< null: none are watched
};

/// In checked mode: from now on the program may write where receives have put these bytes.
void release(Rank& self, const void* data, std::size_t bytes) {
  Calls::of(self).requests.for_each([&](Request& request) {
    if (!request.is_cancelled && request.incoming) request.incoming->release(data, bytes);
  });
}

/// The delta send of a request; null if it is another one's.
DeltaSend* delta_send(Request& request) { return dynamic_cast<DeltaSend*>(request.pending.get()); }

/// From now on, when the rank waits, what its delta sends have named is sent.
void flush_while_waiting(Rank& self) {
  set_while_waiting(self, [&calls = Calls::of(self)] {
    for (Pending* const send : calls.messages.deltas) static_cast<DeltaSend*>(send)->flush();
  });
}

}  // namespace

bool has_other_requests(Rank& self) {
  bool found = false;
  Calls::of(self).requests.for_each(
      [&](Request& request) { found = found || (request.is_active && !delta_send(request)); });
  return found;
}

Incoming* incomplete_receive(Rank& self, const void* data, std::size_t bytes) {
  Incoming* found = nullptr;
  Calls::of(self).requests.for_each([&](Request& request) {
    if (request.is_cancelled || !request.incoming) return;
    if (!request.incoming->has_come(data, bytes)) found = &*request.incoming;
  });
  return found;
}

int begin_delta_send(const CallSite& call, const void* data, int count, MPI_Datatype type, int rank, int tag,
                     MPI_Comm comm, MPI_Request* request) {
  Rank& self = caller();
  return handled<Deltas::go_on>(self, call.call, call.place, comm, [&] {
    request_at(request) = MPI_REQUEST_NULL;
    Communicator& members = communicator(self, comm);
    const Content content = content_of(self, data, count, type, "send");
    const std::optional<Destination> to = destination(members, rank, tag);
    const auto [made, handle] = Calls::of(self).new_request(members);
    made.pointer = nullptr;
    made.call = call.call;
    made.place = call.place;
    made.pending = std::make_unique<DeltaSend>(self, made, content, to, call.place);
    Messages& messages = Calls::of(self).messages;
    if (!std::exchange(messages.flushes_deltas, true)) flush_while_waiting(self);
    messages.deltas.push_back(made.pending.get());
    *request = handle;
    return MPI_SUCCESS;
  });
}

int name_delta_data(const CallSite& call, const void* data, std::size_t bytes) {
  Rank& self = caller();
  return handled<Deltas::go_on>(self, call.call, call.place, MPI_COMM_WORLD, [&] {
    bool is_known = false;
    for (Pending* const open : Calls::of(self).messages.deltas) {
      auto& send = static_cast<DeltaSend&>(*open);
      if (!send.has(data, bytes)) continue;
      is_known = true;
      send.name(data, bytes, call.place);
    }
    if (!is_known)
      throw CallError{MPI_ERR_BUFFER, "no delta send that has begun, and has not ended, has these " +
                                          std::to_string(bytes) + " bytes"};
    return MPI_SUCCESS;
  });
}

int wait_for_delta(const CallSite& call, MPI_Request* request, MPI_Status* status) {
  return completing(call.call, call.place, [&](Completion& completion) {
    DeltaSend* const send =
        needs_no_waiting(request_at(request)) ? nullptr : delta_send(completion.at(*request));
    if (send && !send->has_ended()) send->end(call.place);
    return completion.wait(*request, status);
  });
}

bool travels_meanwhile(MPI_Request request) {
  constexpr std::uint64_t parts = 2;
  Request* const open = needs_no_waiting(request) ? nullptr : Calls::of(caller()).requests.find(request);
  if (!open) return false;
  if (open->incoming) return open->incoming->increments() >= parts;
  const DeltaSend* const send = delta_send(*open);
  return send && send->is_being_taken();
}

std::size_t wait_for_beginning(const CallSite& call, MPI_Request request, std::size_t bytes) {
  std::size_t here = all_bytes;
  Rank& self = caller();
  handled<Deltas::go_on>(self, call.call, call.place, MPI_COMM_WORLD, [&] {
    Request* const open = needs_no_waiting(request) ? nullptr : Calls::of(self).requests.find(request);
    if (!open || !open->incoming) return MPI_SUCCESS;
    Incoming& receive = *open->incoming;
    if (!receive.has_come(receive.into(), bytes))
      Matcher::of(self).wait_until(receive, [&] { return receive.has_come(receive.into(), bytes); });
    if (!receive.done()) {
      const std::vector<Range> come = receive.come_within({0, receive.most_bytes()});
      here = come.empty() || come.front().begin > 0 ? 0 : come.front().end;
    }
    if (self.home.switches.check) release(self, receive.into(), std::min(here, receive.most_bytes()));
    return MPI_SUCCESS;
  });
  return here;
}

}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int Delta_send_begin(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
                     MPI_Request* request, const char* file, int line) {
  return begin_delta_send({"Delta_send_begin", {file, line}}, data, count, type, rank, tag, comm, request);
}

int Delta_send_data(const void* data, size_t bytes, const char* file, int line) {
  return name_delta_data({"Delta_send_data", {file, line}}, data, bytes);
}

int Delta_send_end(MPI_Request* request, const char* file, int line) {
  return completing<Deltas::go_on>("Delta_send_end", Place{file, line}, [&](Completion& completion) {
    DeltaSend* const send =
        needs_no_waiting(request_at(request)) ? nullptr : delta_send(completion.at(*request));
    if (!send) throw CallError{MPI_ERR_REQUEST, "the request is not that of Delta_send_begin"};
    if (!send->has_ended()) send->end({file, line});
    return MPI_SUCCESS;
  });
}

int Delta_wait(MPI_Request* request, MPI_Status* status, const char* file, int line) {
  return wait_for_delta({"Delta_wait", {file, line}}, request, status);
}

int Delta_recv(void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Status* status,
               const char* file, int line) {
  Rank& self = caller();
  const Place place{file, line};
  return handled<Deltas::go_on>(self, "Delta_recv", place, comm, [&] {
    const Communicator& members = communicator(self, comm);
    const Content content = content_of(self, data, count, type, "receive");
    const std::optional<Wanted> what = wanted(members, rank, tag);
    // A status would have to be set, and an error to be returned, after the call.
    const bool tells_later = !status && members.error_handler.handle() == MPI_ERRORS_ARE_FATAL;
    PagedDeltas* const deltas = what && tells_later ? PagedDeltas::of(self) : nullptr;
    if (deltas) return deltas->receive(comm, *what, content, place);
    before_call(self);
    return receive_into(self, {"Delta_recv", place}, members, what, content, status);
  });
}

int Delta_wait_data(const void* data, size_t bytes, const char* file, int line) {
  Rank& self = caller();
  return handled<Deltas::go_on>(self, "Delta_wait_data", Place{file, line}, MPI_COMM_WORLD, [&] {
    if (!data && bytes > 0) throw CallError{MPI_ERR_BUFFER, "the address of the bytes is NULL"};
    if (PagedDeltas* const deltas = PagedDeltas::of(self)) deltas->need(data, bytes);
    while (Incoming* const receive = incomplete_receive(self, data, bytes)) {
      const auto has_come = [&] { return receive->has_come(data, bytes); };
      Matcher::of(self).wait_until(*receive, has_come);
    }
    if (self.home.switches.check) release(self, data, bytes);
    return MPI_SUCCESS;
  });
}
