// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who gets which arrival: tags, sources and order, as MPI has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "job/switches.hpp"
#include "match/posted.hpp"
#include "match/receive.hpp"
#include "transport/matching.hpp"
#include "transport/rank_state.hpp"

namespace kanor::rt {

/// The receives and the unexpected messages of one rank. Belongs to its thread.
///
/// Messages of one source are looked at in the order in which it sent them, and each goes to the first
/// receive, in the order of posting, that wants it; if there is none it is kept, in the order of arrival. A
/// receive, when it is posted, takes the first of those kept that it wants. So two messages of one source
/// that a receive would both take are taken in the order in which they were sent (MPI 3.1, section 3.5:
/// non-overtaking).
///
/// Receives for one source are kept together (Posted), so an arrival meets only those and the ones for any
/// source. Of what is kept, a receive for one source and one tag finds its message by hashing; others look
/// through all of it.
///
/// Messages that nobody has asked for when the rank ends are left to the end of the job: the rank's memory is
/// no longer its own by then.
class Matcher final : public Attachment {
 public:
  explicit Matcher(Rank& rank);
  Matcher(const Matcher&) = delete;
  Matcher& operator=(const Matcher&) = delete;

  /// The matcher of the rank, which is the calling one.
  static Matcher& of(Rank& rank) {
    std::unique_ptr<Attachment>& attached = attachment(rank, Attached::matcher);
    if (!attached) [[unlikely]]
      attached = std::make_unique<Matcher>(rank);
    return static_cast<Matcher&>(*attached);
  }

  /// Completes the receive with a message that has been kept, or keeps the receive.
  void post(Receive& receive);
  /// Cancels a receive that no message has met: nobody waits for it any longer, another thread neither.
  void cancel(Receive& receive);

  /// Matches what has come from rank `source`, or any_source, until `until` is done (null: all of it). Does
  /// not wait.
  void progress(int source, const Receive* until);
  /// Waits until the receive, which has been posted, is done.
  void wait(Receive& receive);
  /// Waits until it is, or `is_enough` returns true, which is called whenever something may have come.
  template <class Enough>
  void wait_until(Receive& receive, Enough is_enough) {
    wait_until(
        receive, [](void* it) { return (*static_cast<Enough*>(it))(); }, &is_enough);
  }
  /// From now on, whenever the rank waits for anything, what has come for receives that it does not wait for
  /// is matched as well: a sender may wait for the answer, and others for that sender.
  void mind_others() {
    if (!minds_others_) begin_to_mind_others();
  }

  /// The message that a receive would take at once, which stays; null if there is none. Call progress()
  /// first.
  const Message* find_kept(const Wanted& wanted) const;
  /// Waits until there is one.
  const Message& wait_for_kept(const Wanted& wanted);
  /// Removes that message, which there is.
  Buffer take_out(const Wanted& wanted);
  /// Completes a receive, which has not been posted, with a message that take_out() has returned; or posts
  /// it, if it goes on.
  void complete(Receive& receive, Buffer&& taken);

  /// Called after progress() in vain, by a rank that polls and never waits: see transport's look_in_vain().
  /// If all who could send the message have ended, a thousand polls end the job: they would go on for ever.
  void rest(Receive& receive);

  /// Waits until `look` returns true. `look` is called whenever something may have come, and may call
  /// progress().
  template <class Look>
  void wait_for_any(Look look) {
    wait_for_streams(rank_, any_rank, look);
  }

  /// The number of messages that nobody has asked for yet.
  std::size_t kept() const { return kept_.size(); }
  /// The form of such a message.
  static Form form_of_kept(const Message& message) { return static_cast<Form>(message.position & 0xff); }
  /// Calls `use(number in the order of arrival, channel, source, tag, form, payload, bytes)` for each of
  /// these, in any order.
  template <class Use>
  void for_each_kept(Use use) {
    kept_.for_each([&](Message& message) {
      use(message.position >> 8, static_cast<std::uint32_t>(message.envelope.context),
          message.envelope.source, static_cast<int>(message.envelope.sequence), form_of_kept(message),
          message.payload(), message.envelope.bytes);
    });
  }
  /// Calls `use` for each receive that has been posted and is not done.
  template <class Use>
  void for_each_posted(Use use) const {
    for (const Posted& posted : posted_) posted.for_each(use);
  }

 private:
  Posted& posted_for(int source) { return posted_[static_cast<std::size_t>(source + 1)]; }
  /// Unlinks a receive.
  void remove(Receive& receive);
  /// Unlinks and returns the receive that gets the message; null if there is none.
  Receive* receiver_of(std::uint32_t channel, int source, int tag);
  void progress_from(int source, const Receive* until);
  void begin_to_mind_others();
  void progress_others();
  void wait_until(Receive& receive, bool (*is_enough)(void* what), void* what);
  /// Ends the receive, or not: it may go on.
  void finish(Receive& receive, Arrival&& arrival);
  /// The same with a message that was kept.
  void finish_with(Receive& receive, Buffer&& taken);
  void answer(int source, AnswerNumber number);
  Message* take_kept(const Wanted& wanted);

  Rank& rank_;
  std::vector<Posted> posted_;  ///< by source + 1
  std::uint64_t posts_ = 0;
  std::size_t open_ = 0;       ///< receives that are posted
  std::size_t awaited_ = 0;    ///< waits for these; several threads may wait for one
  bool minds_others_ = false;  ///< progress_others() is called while the rank waits
  Unexpected kept_;  ///< their sequence is the tag, their context the channel's; position: arrivals, and the
                     ///< form in its lowest byte
  std::uint64_t arrivals_ = 0;
  int turn_ = 0;  ///< the source that is looked at first
};

}  // namespace kanor::rt
