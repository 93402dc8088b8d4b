// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passing ownership from rank to rank: give and take; and sending copies, found by the same tags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "layout/layout.hpp"
#include "match/matcher.hpp"
#include "ownership/increments.hpp"
#include "ownership/note.hpp"
#include "ownership/open_buffer.hpp"
#include "ownership/region.hpp"

namespace kanor::rt {

/// The text of a call, and of its place if that is known.
std::string text_of(const char* call, const Place& place);

std::string text_of(const Place& place);

/// The error of a call; thrown. The call has then done nothing, except that a message that was too long is
/// gone.
struct PassingError {
  enum class What { not_owned, lent, too_long, unlike, other_layout };
  What what;
  std::string text;
};

/// The receiver of a message, and its channel and tag.
struct Destination {
  std::uint32_t channel = 0;
  int rank = 0;
  int tag = 0;
};

/// The status of a received message, as MPI_Status.
struct Received {
  int source = any_source;
  int tag = any_tag;
  std::size_t bytes = 0;
};

/// The most bytes of content that travel in the ring's cells, even from a buffer: the content's cache lines
/// instead of those of the buffer's address, its headers and the content. At 256 bytes that takes less time,
/// with both ranks' copies.
inline constexpr std::size_t most_copied_bytes = ShortMessage::most_bytes;

/// Makes a buffer of this rank, whose elements are at object(), for `call` at `place`. In checked mode it
/// lies on pages of its own (checked_buffers.hpp).
Region& allocate_owned(Rank& rank, std::size_t bytes, const char* call = "", const Place& place = {});
/// The same; null where there is no memory for it. In checked mode that ends the program.
Region* allocate_owned_or_null(Rank& rank, std::size_t bytes, const char* call, const Place& place);
/// Ends the job: there is no memory for a buffer of so many bytes.
[[noreturn]] void fail_to_make(std::size_t bytes, const char* call, const Place& place);
/// The buffer with these elements. Throws PassingError::not_owned, in words that begin with `what`, if this
/// rank owns no such buffer.
Region& owned(Rank& rank, const void* elements, const char* what, const Place& place);
/// Returns true if ranks other than this one may read the buffer: it has been shared. In checked mode until
/// own().
bool is_read_by_others(Rank& rank, const Region& buffer);
/// Throws PassingError::lent where the rank lends elements of the buffer (lending.hpp).
void check_not_lent(Rank& rank, const Region& buffer, const char* what, const Place& place);
/// Ends the rank's ownership.
void free_owned(Rank& rank, Region& buffer, const char* what, const Place& place);
/// Ends the ownership of the buffer with these elements; throws what owned() and check_not_lent() do.
void free_owned(Rank& rank, const void* elements, const char* what, const Place& place);

/// Gives a region of plain bytes, and with it its first `bytes` bytes, which the call describes; the caller's
/// one reference goes with it. If others have some, a copy is given. Waits as send() does.
void give(Rank& rank, Region& buffer, std::size_t bytes, const Destination& to, const Place& place,
          const Described& elements = {});
/// The same without waiting. Returns what send_copy_at_once() does.
bool give_at_once(Rank& rank, Region& buffer, std::size_t bytes, const Destination& to, const Place& place,
                  const Described& elements = {});
/// Lets another rank read the first `bytes` bytes of a buffer too: it gets a reference, or a copy where it
/// does not share memory, and the caller keeps its own. Nobody writes there until own() has been called.
/// Waits as send() does.
void share(Rank& rank, Region& buffer, std::size_t bytes, const Destination& to, const Place& place);
/// Returns the buffer, or a copy if others still read it, as a buffer that the caller alone has.
Region& own(Rank& rank, Region& buffer, const char* what, const Place& place);
/// Turns a buffer into one that owned() no longer finds: a region of plain bytes, to which the caller has the
/// one reference.
Region& as_plain(Rank& rank, Region& buffer);
/// Elements to send or to receive: the address of the first one, their bytes, their layout (null: one block),
/// and in checked mode their description.
struct Content {
  const void* data = nullptr;
  std::size_t bytes = 0;
  std::shared_ptr<const Layout> layout{};
  Described described{};
};

/// Sends a copy; in checked mode with a note, and whether it is `closed`: of a buffer that nobody writes.
/// Waits as send() does.
void send_copy(Rank& rank, const Content& content, const Destination& to, const Place& place,
               bool closed = false);
/// The same without waiting. Returns false if more than KANOR_INFLIGHT bytes are in flight now: see
/// wait_for_room().
bool send_copy_at_once(Rank& rank, const Content& content, const Destination& to, const Place& place);
/// Sends a copy without waiting; whoever receives it answers with this number (Answer).
void send_copy_answered(Rank& rank, const Content& content, const Destination& to, const Place& place,
                        AnswerNumber number);
/// Bytes of what was sent, in a payload of this form and length.
std::size_t content_bytes(Form form, const std::byte* payload, std::size_t bytes);

/// What checked mode is told of a receive, and finds out when the message has come.
struct ReceiveCheck {
  Described elements{};
  unsigned char any_kind = 0;  ///< see ReadNote::first_unlike()
  std::optional<UnlikeElement> unlike{};
  std::optional<OpenBuffer> open{};  ///< where it goes, until the program may write there
  bool was_written = false;          ///< before it came
};

/// A receive of a message that was given or sent, whichever it was: as a region, or copied to where the
/// caller wants it.
class Incoming final : public Receive {
 public:
  /// Takes a region of at most `most_bytes` bytes.
  Incoming(Rank& rank, const Wanted& wanted, std::size_t most_bytes)
      : Receive(wanted), rank_(rank), most_bytes_(most_bytes) {}
  /// Copies at most `most_bytes` bytes to `into`, to the places of `layout` unless it is null.
  Incoming(Rank& rank, const Wanted& wanted, std::size_t most_bytes, void* into,
           std::shared_ptr<const Layout> layout = nullptr)
      : Receive(wanted),
        rank_(rank),
        most_bytes_(most_bytes),
        into_(static_cast<std::byte*>(into)),
        layout_(std::move(layout)),
        copies_(true) {}

  /// In checked mode: compares the elements that come with these. Before it is posted.
  void expect(const Described& elements, unsigned char any_kind) {
    check_ = std::make_unique<ReceiveCheck>();
    check_->elements = elements;
    check_->any_kind = any_kind;
  }
  /// After expect(): also looks whether anybody writes where the elements go.
  void guard() { check_->open.emplace(into_, most_bytes_, layout_); }
  /// Null: expect() was not called.
  ReceiveCheck* checked() const { return check_.get(); }

  std::size_t most_bytes() const { return most_bytes_; }
  /// Where it copies to; null: it takes a region.
  const std::byte* into() const { return into_; }
  const Received& received() const { return received_; }
  /// The region taken, once it is done; its one reference is the caller's.
  Region* region() const { return region_; }
  /// The other rank's place as a note has it, known if the message was too long or expect() was called; empty
  /// if unknown.
  const std::string& sent_at() const { return sent_at_; }
  /// Returns true if of these bytes those that it puts there have come, or none will come any more.
  bool has_come(const void* data, std::size_t bytes) const;
  /// The increments in which it has come so far; 0: an ordinary message has none.
  std::uint64_t increments() const { return increments_ ? increments_->count() : 0; }
  /// Of these bytes of the memory that it copies to, which has no layout, those that have come.
  std::vector<Range> come_within(const Range& bytes) const;
  /// The end of the last byte that has come.
  std::size_t come_bytes() const { return done() ? received_.bytes : increments_ ? increments_->end() : 0; }
  /// After guard(), if it is done: from now on anybody may write these bytes, and with them all.
  void release(const void* data, std::size_t bytes);
  /// Throws PassingError::too_long if the message was too long. `tagged`: its tag is the caller's.
  void check(const char* what, const Place& place, bool tagged = true) const;

 private:
  void complete(Arrival&& arrival) override;
  void begin_increments(const Arrival& arrival);
  void take_increment(const Arrival& arrival);
  void allocate(std::size_t bytes);
  /// Where of the memory that it copies to these bytes are.
  Range part_of(const void* data, std::size_t bytes) const;
  void look_closer(const Arrival& arrival);

  Rank& rank_;
  std::size_t most_bytes_;
  std::byte* into_ = nullptr;
  std::shared_ptr<const Layout> layout_;
  bool copies_ = false;
  Received received_;
  Region* region_ = nullptr;
  std::string sent_at_;
  std::unique_ptr<ReceiveCheck> check_;
  std::unique_ptr<Increments> increments_;  ///< null: the message has none
};

/// Posts the receive and waits until it is done.
inline void receive(Rank& rank, Incoming& incoming) {
  Matcher& matcher = Matcher::of(rank);
  matcher.post(incoming);
  if (!incoming.done()) matcher.wait(incoming);
}

/// The buffers that a rank reads and that others may read too: Region::holder can name only one rank.
class SharedBuffers final : public Attachment {
 public:
  static SharedBuffers& of(Rank& rank);
  /// The number of references that the rank has.
  int& references(const Region& buffer) { return references_[&buffer]; }
  bool has(const Region& buffer) const { return references_.contains(&buffer); }
  void forget(const Region& buffer) { references_.erase(&buffer); }

 private:
  std::unordered_map<const Region*, int> references_;
};

}  // namespace kanor::rt
