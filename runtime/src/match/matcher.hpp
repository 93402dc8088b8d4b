// Who gets which arrival: tags, sources and order, as MPI has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "match/call.hpp"
#include "transport/matching.hpp"
#include "transport/rank.hpp"
#include "transport/streams.hpp"

namespace kanor::rt {

inline constexpr int any_source = -1;
inline constexpr int any_tag = -1;

/// What is asked for: channels keep those apart who use the same tags (MPI's communicators).
struct Wanted {
  std::uint32_t channel = 0;
  int source = any_source;
  int tag = any_tag;
};

/// Channels from here on are the runtime's own: their tags say nothing to users.
inline constexpr std::uint32_t first_inner_channel = 0xff00;

/// What a message's payload is.
enum class Form : std::uint8_t {
  content,  ///< what was sent
  noted,    ///< the same; behind it the sender's place (PlaceNote)
  closed,   ///< the same, of a buffer that several ranks read
  region,   ///< a Region with the content, which becomes the receiver's
  shared    ///< the address of a Region and the content's length: a reference becomes the receiver's
};

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
  Buffer memory{};  ///< in which the payload lies; empty if that is the transport's, and gone afterwards
};

/// A receive that waits for its message. Stays where it is from Matcher::post() until it is done or
/// cancelled.
class Receive {
 public:
  explicit Receive(const Wanted& wanted) : wanted_(wanted) {}
  Receive(const Receive&) = delete;
  Receive& operator=(const Receive&) = delete;

  /// Another call than that which waits for it has begun it; for messages.
  void posted_by(const char* call, const Place& place) { posted_ = {call, place}; }
  const CallSite& posted() const { return posted_; }

  const Wanted& wanted() const { return wanted_; }
  bool done() const { return done_; }

 protected:
  ~Receive() = default;

 private:
  friend class Matcher;
  /// The message is here. Must neither wait, send, nor post.
  virtual void complete(Arrival&& arrival) = 0;

  Wanted wanted_;
  bool done_ = false;
  int vain_looks_ = 0;  ///< after the end of all who could send it
  CallSite posted_;
  std::uint64_t number_ = 0;  ///< in the order of posting
  Receive *next_ = nullptr, *previous_ = nullptr;
};

/// The receives and the unexpected messages of one rank. Belongs to its thread.
///
/// Messages of one source are looked at in the order in which it sent them, and each goes to the first
/// receive, in the order of posting, that wants it; if there is none it is kept, in the order of arrival. A
/// receive, when it is posted, takes the first of those kept that it wants. So two messages of one source
/// that a receive would both take are taken in the order in which they were sent (MPI 3.1, section 3.5:
/// non-overtaking).
///
/// Receives for one source are in a list of that source, so an arrival meets only those and the ones for any
/// source. Of what is kept, a receive for one source and one tag finds its message by hashing; others look
/// through all of it.
///
/// What nobody has asked for when the rank ends is left to the end of the job: the rank is gone by then, as
/// far as its memory is concerned.
class Matcher final : public Attachment {
 public:
  explicit Matcher(Rank& rank) : rank_(rank), posted_(static_cast<std::size_t>(team_size(rank)) + 1) {}
  Matcher(const Matcher&) = delete;
  Matcher& operator=(const Matcher&) = delete;

  /// The calling rank's.
  static Matcher& of(Rank& rank);

  /// Completes the receive with a message that has been kept, or keeps the receive.
  void post(Receive& receive);
  /// Takes a receive back that is not done.
  void cancel(Receive& receive);

  /// Looks at what has come from rank `source`, or any_source, until `until` is done (null: at all of it).
  /// Does not wait.
  void progress(int source, const Receive* until);
  /// The same until the receive, which has been posted, is done; waits.
  void wait(Receive& receive);

  /// After progress() in vain, of a rank that will look again, and never wait. See transport's
  /// look_in_vain(). Who looks a thousand times although all have ended who could send it looks for ever:
  /// that ends the job.
  void rest(Receive& receive);

  /// Waits until `look` answers true, which is asked whenever something may have come. It may call
  /// progress().
  template <class Look>
  void wait_for_any(Look look) {
    wait_for_streams(rank_, any_rank, look);
  }

  /// Messages that nobody has asked for yet.
  std::size_t kept() const { return kept_.size(); }

 private:
  struct List {
    Receive *first = nullptr, *last = nullptr;
  };
  List& list_of(int source) { return posted_[static_cast<std::size_t>(source + 1)]; }
  void unlink(Receive& receive);
  /// The receive that gets the message, no longer linked; null if there is none.
  Receive* receiver_of(std::uint32_t channel, int source, int tag);
  void progress_from(int source, const Receive* until);
  void finish(Receive& receive, Arrival&& arrival);
  Message* take_kept(const Wanted& wanted);

  Rank& rank_;
  std::vector<List> posted_;  ///< by source + 1
  std::uint64_t posts_ = 0;
  Unexpected kept_;  ///< their sequence is the tag, their context the channel's; position: arrivals, and the
                     ///< form in its lowest byte
  std::uint64_t arrivals_ = 0;
  int turn_ = 0;  ///< the source that is looked at first
};

}  // namespace kanor::rt
