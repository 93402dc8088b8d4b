// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank as the rooms above see it: who it is, its messages, its failure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "job/step.hpp"
#include "job/switches.hpp"
#include "memory/message.hpp"

namespace kanor::rt {

/// Everything of one rank. Made by the launch, never by users; belongs to the rank's own thread.
class PageOwner;
class Rank;

/// Message memory: one payload, owned. Move-only. When it is destroyed the memory goes back to the rank that
/// allocated it and, if it was received, stops counting as in flight. May be destroyed by any rank that
/// shares memory with the one that allocated it, but only on a rank's thread.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(Message* message) : message_(message) {}
  Buffer(Buffer&& other) noexcept : message_(std::exchange(other.message_, nullptr)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(message_, other.message_);
    return *this;
  }
  ~Buffer() {
    if (message_ && message_->owner != no_pool) release(message_);
  }

  explicit operator bool() const { return message_ != nullptr; }
  /// Start of the payload, aligned to 64 bytes; null if the Buffer holds nothing.
  std::byte* data() const { return message_ ? message_->payload() : nullptr; }
  std::size_t bytes() const { return message_ ? message_->envelope.bytes : 0; }
  /// Makes the payload shorter, before it is sent; `bytes` is at most bytes().
  void shrink(std::size_t bytes) { message_->envelope.bytes = bytes; }
  /// Before it is sent: the payload points to objects of so many bytes, which count as in flight with it.
  void count_extra(std::size_t bytes) { message_->extra_bytes = bytes; }
  std::size_t extra_bytes() const { return message_ ? message_->extra_bytes : 0; }
  Message* get() const { return message_; }
  /// Gives the message up to the caller.
  Message* take() { return std::exchange(message_, nullptr); }

 private:
  static void release(Message* message);
  Message* message_ = nullptr;
};

extern thread_local constinit Rank* rank_of_thread;  ///< the thread's own; null: that of the process, or none
/// The rank that all threads of this process belong to, or null.
Rank* process_rank();
[[noreturn]] void fail_outside(const char* what);

/// The calling thread's rank, or null outside a rank.
inline Rank* here_or_null() { return rank_of_thread ? rank_of_thread : process_rank(); }
/// The same. Outside a rank it ends the job with a message that begins with `what` was done.
inline Rank& here(const char* what = "a communication") {
  Rank* const rank = here_or_null();
  if (!rank) [[unlikely]]
    fail_outside(what);
  return *rank;
}

/// State that an upper layer keeps for a rank; destroyed with the rank.
class Attachment {
 public:
  virtual ~Attachment() = default;
};
/// The layer that an attachment belongs to, in the reverse of the order in which they are destroyed: what
/// another one uses comes before it.
enum class Attached : unsigned char {
  matcher,
  checked_buffers,
  shared_buffers,
  loans,
  paged_deltas,
  calls,
  sharing_counters,
  blocks
};
inline constexpr std::size_t attachments = 8;

int rank_number(const Rank& rank);  ///< 0 … team_size-1
int team_size(const Rank& rank);    ///< number of ranks of the job
const Switches& switches(const Rank& rank);
/// Returns true if a pointer of this rank is valid in `peer` too; true for the rank itself.
bool shares_addresses(const Rank& rank, int peer);
/// Returns true if `peer` can read message memory of this rank in place.
bool shares_memory(const Rank& rank, int peer);

/// Returns true if all ranks of the job see each other's message memory.
bool all_share_memory(const Rank& rank);
/// Returns true if a pointer of any rank of the job is valid in all others.
bool all_share_addresses(const Rank& rank);
/// Returns true if each rank of this machine has a core of its own.
bool has_own_core(const Rank& rank);

/// Message memory for a payload of `bytes` bytes (0 is allowed). Its content is undefined. Running out ends
/// the job with a message. Does not wait.
Buffer allocate_message(Rank& rank, std::size_t bytes);
/// The same memory, not yet a buffer's; null when the segment is used up.
Message* message_memory_or_null(Rank& rank, std::size_t bytes);

/// Sends a payload to rank `to` (which may be this rank). The message is found by (context, sequence, this
/// rank); use each combination once. Does not wait for the receiver, unless more than KANOR_INFLIGHT bytes of
/// this pair have been sent and not yet given back by the receiver; one message is always let through. A
/// ShortMessage can be used again at once.
void send(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence, Buffer&& payload);
/// The same with a copy of few bytes.
void send_few(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence, const void* payload,
              std::size_t bytes);

/// The same as send(), but never waits. Returns false if more than KANOR_INFLIGHT bytes of this pair are in
/// flight now. With `wakes` it ends the receiver's sleep, whatever that sleeps for.
bool send_at_once(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence, Buffer&& payload,
                  bool wakes = false);
/// Waits until no more than KANOR_INFLIGHT bytes are in flight to rank `to`, or that has ended.
void wait_for_room(Rank& rank, int to);

/// Counts a message, which rank `to` of this machine is to release without having received it, as in flight
/// to it. If that would be more than KANOR_INFLIGHT bytes, it counts nothing and returns false, unless
/// `anyway`; one message is always let through.
bool count_in_flight(Rank& rank, int to, const Buffer& message, bool anyway);
/// Takes that back: the message remains this rank's.
void uncount_in_flight(Rank& rank, int to, const Buffer& message);
/// Waits until so many bytes may be counted, or `done` returns true. It is called at once, and when rank `to`
/// has woken this one (transport/waiting.hpp). Ends the job if that rank has ended.
void wait_for_room(Rank& rank, int to, std::size_t bytes, const std::function<bool()>& done = nullptr);

/// Waits for the message (context, sequence) from rank `from` and takes it. Others that arrive meanwhile are
/// kept. A context with the bit any_source_context is taken from whoever has sent it; `from` is the rank
/// without which this one cannot go on. `room` may be an unused ShortMessage, in which a short payload is
/// then given out, or null; it must last as long as the Buffer.
Buffer receive(Rank& rank, int from, std::uint64_t context, std::uint64_t sequence, Message* room = nullptr);
/// Takes in what has arrived, and returns true if receive() would not wait for this message. Does not wait.
bool has_arrived(Rank& rank, int from, std::uint64_t context, std::uint64_t sequence);
/// The next message (context, sequence) of such a context that has arrived; empty if there is none. Does not
/// wait.
Buffer receive_arrived(Rank& rank, std::uint64_t context, std::uint64_t sequence);

/// Stops counting a received message as in flight, although its memory is still needed.
void take_off_flight(Rank& rank, const Buffer& received);

/// Makes a received message as if this rank had allocated it: it no longer counts as in flight, and its
/// memory returns to this rank's pool.
void make_own(Rank& rank, const Buffer& received);

/// Waits until `done` returns true, and no longer than the limit (-1: none). It is called at once, and after
/// each message that arrives.
void wait_for_arrivals(Rank& rank, const std::function<bool()>& done, std::int64_t limit_us = -1);

/// From now on several threads of the rank may make calls at the same time, and take turns.
void take_turns(Rank& rank);

/// Makes the rank also call `look` each time it finds that what it waits for is not there. `look` must not
/// wait, and may send only by send_at_once(). Null: calls nothing any longer.
void set_while_waiting(Rank& rank, std::function<void()> look);

/// Makes the rank ask this owner to open its pages before each block and call. Null: nobody any longer.
void set_before_calls(Rank& rank, PageOwner* owner);

/// Declares the messages (context, sequence) part of an exchange that this rank has started and will end
/// later. Whatever it waits for meanwhile, it stops counting them as in flight: otherwise two ranks that both
/// start more than KANOR_INFLIGHT bytes before they end any would wait for each other. Until
/// expect_no_more().
void expect(Rank& rank, std::uint64_t context, std::uint64_t sequence);
void expect_no_more(Rank& rank, std::uint64_t context, std::uint64_t sequence);

/// Notes for failure messages that the rank is in the block, or another step of its team, at file:line.
/// `file` must live as long as the program (a string literal); cheap enough for every block. Does not return
/// where the rank's main has ended with a status that ends the job.
void enter_block(Rank& rank, const char* file, int line, Step step = Step::block);
/// Notes that the block is done; it remains known as the last one.
void leave_block(Rank& rank);

/// Ends the whole job: prints `kanor: rank R: <message> (in the block at FILE:LINE)` to stderr as one line
/// and makes the job's exit status 1. From any thread.
[[noreturn]] void fail(std::string_view message);

std::size_t inflight_limit_bytes();  ///< KANOR_INFLIGHT
std::size_t inflight_peak_bytes(const Rank& rank,
                                int to);  ///< most bytes this rank ever had on the way to `to`

}  // namespace kanor::rt
