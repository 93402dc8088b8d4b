// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is asked for, what comes, and who waits for it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "match/call.hpp"
#include "transport/rank.hpp"
#include "transport/streams.hpp"

namespace kanor::rt {

inline constexpr int any_source = -1;
inline constexpr int any_tag = -1;

/// The envelope of a message that is asked for. Channels separate users of the same tags, as MPI's
/// communicators do.
struct Wanted {
  std::uint32_t channel = 0;
  int source = any_source;
  int tag = any_tag;
};

/// The bit of the runtime's own channels, whose tags say nothing to users.
inline constexpr std::uint32_t inner_channels = std::uint32_t{1} << 30;
/// The first of those that are no communicator's.
inline constexpr std::uint32_t first_inner_channel = 0xff000000;
constexpr bool is_inner(std::uint32_t channel) { return (channel & inner_channels) != 0; }
static_assert(is_inner(first_inner_channel));

/// The channel of answers to messages of Form::synchronous, whose tags are those messages' numbers.
inline constexpr std::uint32_t answer_channel = first_inner_channel + 1;

/// The form of a message's payload.
enum class Form : std::uint8_t {
  content,     ///< what was sent
  noted,       ///< the same; behind it a note (ownership/note.hpp)
  closed,      ///< the same, of a buffer that several ranks read
  region,      ///< a Region with the content, which becomes the receiver's
  shared,      ///< the address of a Region and the content's length: a reference becomes the receiver's
  offered,     ///< the address of a Rendezvous, where the sender has the content
  delta,       ///< a DeltaHead: the content comes in increments (ownership/increments.hpp)
  synchronous  ///< the same as noted; at the end the message's number: whoever receives it answers
};

/// The number at the end of a message of Form::synchronous.
using AnswerNumber = std::uint32_t;

/// The context of a message, in streams.
constexpr std::uint64_t context_of(std::uint32_t channel, Form form) {
  return in_stream(std::uint64_t{static_cast<std::uint8_t>(form)} << 32 | channel);
}

/// A message that a receive gets.
struct Arrival {
  int source = 0;
  int tag = 0;
  Form form = Form::content;
  const std::byte* payload = nullptr;
  std::size_t bytes = 0;
  Buffer memory{};  ///< holds the payload; empty if that is in the transport's memory, and gone afterwards
};

/// A receive that waits for its message. Stays where it is from Matcher::post() until it is done or
/// cancelled.
class Receive {
 public:
  explicit Receive(const Wanted& wanted) : wanted_(wanted) {}
  Receive(const Receive&) = delete;
  Receive& operator=(const Receive&) = delete;

  /// Notes, for messages, that another call than the one that waits for it has begun it.
  void posted_by(const char* call, const Place& place) { posted_ = {call, place}; }
  const CallSite& posted() const { return posted_; }

  const Wanted& wanted() const { return wanted_; }
  bool done() const { return done_; }
  /// Returns true if a message has met it: it is done, or goes on.
  bool has_begun() const { return done_ || goes_on_; }

 protected:
  ~Receive() = default;
  /// For complete(): the message was not all. The receive is not done, and wants `next` now.
  void go_on_with(const Wanted& next) {
    wanted_ = next;
    goes_on_ = true;
  }
  /// For complete() of a receive that goes on: this was the last.
  void stop() { goes_on_ = false; }

 private:
  friend class Matcher;
  friend class Posted;
  /// Called when the message is here. May post other receives; must neither send nor wait for what is not
  /// under way.
  virtual void complete(Arrival&& arrival) = 0;

  Wanted wanted_;
  bool done_ = false;
  bool goes_on_ = false;  ///< a message has come that others follow
  bool is_cancelled_ = false;
  int vain_looks_ = 0;  ///< polls after the end of all who could send it
  CallSite posted_;
  std::uint64_t number_ = 0;  ///< in the order of posting
  Receive *next_ = nullptr, *previous_ = nullptr;
};

/// The answer to a message of Form::synchronous: done once a receive has got that message.
class Answer final : public Receive {
 public:
  Answer(int from, int number) : Receive({answer_channel, from, number}) {}

 private:
  void complete(Arrival&&) override {}
};

/// Returns true if a receive for `wanted` takes such a message.
inline bool wants(const Wanted& wanted, std::uint32_t channel, int source, int tag) {
  return wanted.channel == channel && (wanted.source == any_source || wanted.source == source) &&
         (wanted.tag == any_tag || wanted.tag == tag);
}

}  // namespace kanor::rt
