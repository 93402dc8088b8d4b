// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ownership/passing.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "layout/spread.hpp"
#include "ownership/checked_buffers.hpp"
#include "ownership/lending.hpp"
#include "ownership/rendezvous.hpp"
#include "transport/rank_state.hpp"

namespace kanor::rt {
namespace {

std::uint64_t seal_of(const Region& region) {
  return reinterpret_cast<std::uintptr_t>(&region) ^ 0x6b616e6f72206f70u;
}

bool is_memory_of(const Rank& rank, const void* address) { return rank.home.local.segment().has(address); }

std::uint32_t holder_of(const Rank& rank) { return static_cast<std::uint32_t>(rank.number) + 1; }

/// The value of Region::holder if every rank that has the buffer in its SharedBuffers holds it.
constexpr std::uint32_t held_by_many = ~std::uint32_t{0};

/// The payload of a message of Form::shared.
struct SharedReference {
  Region* region;
  std::size_t bytes;
};

void mark_owned(Rank& rank, Region& buffer) {
  buffer.holder = holder_of(rank);
  buffer.seal = seal_of(buffer);
}

// Only what may be a region is looked at: any pointer may come. Where the rank does not own the memory,
// whoever does may write there at the same time. Whatever is read then, it is not this rank's number beside a
// seal: that number the rank has taken away itself, before anybody else could get the memory, and nobody else
// writes it. So the answer is right; but ThreadSanitizer, which would be right of any other use of such a
// pointer, must not hear of it.
[[gnu::no_sanitize("thread")]] Region* owned_or_null(Rank& rank, const void* elements) {
  if (rank.home.switches.check) [[unlikely]]
    return CheckedBuffers::of(rank).find(elements);
  if (reinterpret_cast<std::uintptr_t>(elements) % alignof(Region) != 0 || !is_memory_of(rank, elements))
    return nullptr;
  Region& buffer = Region::of(const_cast<void*>(elements));
  if (buffer.seal != seal_of(buffer)) return nullptr;
  if (buffer.holder == holder_of(rank)) return &buffer;
  return buffer.holder == held_by_many && SharedBuffers::of(rank).has(buffer) ? &buffer : nullptr;
}

/// Copies the elements, one behind the other.
void pack(std::byte* to, const Content& content) {
  if (content.bytes == 0) return;
  if (!content.layout) {
    std::memcpy(to, content.data, content.bytes);
    return;
  }
  const Spread from{static_cast<std::byte*>(const_cast<void*>(content.data)), content.layout.get()};
  copy({to, nullptr}, from, 0, content.bytes);
}

/// A few elements, one behind the other: where they lie, or a copy.
class Few {
 public:
  explicit Few(const Content& content) : data_(content.data) {
    if (content.layout) {
      pack(room_, content);
      data_ = room_;
    }
  }
  const void* data() const { return data_; }

 private:
  const void* data_;
  std::byte room_[most_copied_bytes];
};

/// A message with a copy.
Buffer copied(Rank& rank, const Content& content) {
  Buffer message = allocate_message(rank, content.bytes);
  pack(message.data(), content);
  return message;
}

/// The same with a note, and behind that so many bytes more.
Buffer copied_with_note(Rank& rank, const Content& content, const Place& place, std::size_t more_bytes = 0) {
  const NewNote note(place, content.described);
  Buffer message = allocate_message(rank, content.bytes + note.bytes() + more_bytes);
  pack(message.data(), content);
  note.put(message.data() + content.bytes);
  return message;
}

/// let_go() of a region of plain bytes, on its rank's own thread.
void let_go_of_bytes(Rank& rank, Region& buffer) {
  if (!is_sole(buffer)) return let_go(buffer);
  rank.pool.give_back(reinterpret_cast<Message*>(&buffer) - 1, &rank.pool);
}

/// In checked mode: closes the buffer's memory, or frees it if the buffer is none that a call made.
void lose(Rank& rank, Region& buffer, const Loss& loss) {
  CheckedBuffers& checked = CheckedBuffers::of(rank);
  if (checked.has(buffer)) return checked.lose(buffer, loss);
  let_go(buffer);
}

/// Notes that the rank has one reference less; the caller lets go of it.
void give_up(Rank& rank, Region& buffer) {
  if (buffer.holder != held_by_many) {
    buffer.holder = 0;
    return;
  }
  SharedBuffers& shared = SharedBuffers::of(rank);
  if (--shared.references(buffer) == 0) shared.forget(buffer);
}

/// Gives a buffer. With `waits` it waits for room; else it returns false where there is none.
bool give(Rank& rank, Region& buffer, std::size_t bytes, const Destination& to, const Place& place,
          const Described& elements, bool waits) {
  const auto send_it = [&] {
    const Content content{buffer.object(), bytes, nullptr, elements};
    if (!waits) return send_copy_at_once(rank, content, to, place);
    send_copy(rank, content, to, place);
    return true;
  };
  if (rank.home.switches.check) [[unlikely]] {
    const bool fits = send_it();
    lose(rank, buffer, {Loss::How::given, "", place, to.rank});
    return fits;
  }
  give_up(rank, buffer);
  if (bytes <= most_copied_bytes || !rank.home.switches.sharing || !is_sole(buffer)) {
    const bool fits = send_it();
    let_go_of_bytes(rank, buffer);
    return fits;
  }
  Buffer message = message_with(buffer);
  make_own(rank, message);
  message.shrink(sizeof(Region) + bytes);
  const std::uint64_t context = context_of(to.channel, Form::region);
  const auto word = static_cast<std::uint32_t>(to.tag);
  if (!waits) return stream_at_once_to(rank, to.rank, context, word, std::move(message));
  stream_to(rank, to.rank, context, word, std::move(message));
  return true;
}

}  // namespace

std::string text_of(const Place& place) {
  return place.line == 0 ? place.file : std::string(place.file) + ":" + std::to_string(place.line);
}

std::string text_of(const char* call, const Place& place) {
  return place.line == 0 ? call : std::string(call) + " at " + text_of(place);
}

SharedBuffers& SharedBuffers::of(Rank& rank) {
  std::unique_ptr<Attachment>& attached = attachment(rank, Attached::shared_buffers);
  if (!attached) attached = std::make_unique<SharedBuffers>();
  return static_cast<SharedBuffers&>(*attached);
}

bool is_read_by_others(Rank& rank, const Region& buffer) {
  if (rank.home.switches.check) return CheckedBuffers::of(rank).may_only_be_read(buffer);
  return buffer.holder == held_by_many && !is_sole(buffer);
}

void check_not_lent(Rank& rank, const Region& buffer, const char* what, const Place& place) {
  if (is_sole(buffer) || !Loans::of(rank).is_lent(buffer)) return;
  throw PassingError{PassingError::What::lent,
                     std::string(what) + " at " + text_of(place) + " on rank " + std::to_string(rank.number) +
                         ": elements of the buffer are lent (OPI_Lend) and were not returned yet"};
}

void fail_to_make(std::size_t bytes, const char* call, const Place& place) {
  fail((*call ? text_of(call, place) + ": " : std::string()) + "there is no memory for a buffer of " +
       std::to_string(bytes) + " bytes");
}

Region& allocate_owned(Rank& rank, std::size_t bytes, const char* call, const Place& place) {
  // With its headers it would be a small one.
  if (bytes > std::numeric_limits<std::size_t>::max() / 4) [[unlikely]]
    fail_to_make(bytes, call, place);
  if (rank.home.switches.check) [[unlikely]] {
    Region& buffer = CheckedBuffers::of(rank).make(bytes, CheckedBuffers::Kind::owned, call, place);
    mark_owned(rank, buffer);
    return buffer;
  }
  Message* const memory = rank.pool.reuse(sizeof(Region) + bytes);
  Region& buffer = memory ? *new (memory->payload()) Region : make_region(rank, bytes);
  buffer.bytes = bytes;
  mark_owned(rank, buffer);
  return buffer;
}

Region* allocate_owned_or_null(Rank& rank, std::size_t bytes, const char* call, const Place& place) {
  if (bytes > std::numeric_limits<std::size_t>::max() / 4) return nullptr;
  if (rank.home.switches.check) return &allocate_owned(rank, bytes, call, place);
  Message* const memory = message_memory_or_null(rank, sizeof(Region) + bytes);
  if (!memory) return nullptr;
  Region& buffer = *new (memory->payload()) Region;
  buffer.bytes = bytes;
  mark_owned(rank, buffer);
  return &buffer;
}

Region& owned(Rank& rank, const void* elements, const char* what, const Place& place) {
  if (Region* const buffer = owned_or_null(rank, elements)) return *buffer;
  std::string why = elements ? "it does not point to a buffer of OPI_Alloc or OPI_Take"
                             : "it is NULL, as after OPI_Give and OPI_Free";
  if (rank.home.switches.check) {
    if (const std::string known = CheckedBuffers::of(rank).what_is(elements); !known.empty()) why = known;
  } else if (is_memory_of(rank, elements)) {
    why =
        "it does not point to a buffer of this rank, or no longer does (KANOR_CHECK=1 reports what became of "
        "it)";
  }
  throw PassingError{PassingError::What::not_owned, std::string(what) + " of a pointer at " + text_of(place) +
                                                        " on rank " + std::to_string(rank_number(rank)) +
                                                        ": " + why};
}

void free_owned(Rank& rank, Region& buffer, const char* what, const Place& place) {
  if (rank.home.switches.check) [[unlikely]]
    return lose(rank, buffer, {Loss::How::freed, what, place});
  give_up(rank, buffer);
  let_go_of_bytes(rank, buffer);
}

void free_owned(Rank& rank, const void* elements, const char* what, const Place& place) {
  Region* const found = owned_or_null(rank, elements);
  if (found && is_sole(*found) && found->holder != held_by_many && !rank.home.switches.check) [[likely]] {
    found->holder = 0;
    return let_go_of_bytes(rank, *found);
  }
  Region& buffer = owned(rank, elements, what, place);
  check_not_lent(rank, buffer, what, place);
  free_owned(rank, buffer, what, place);
}

void give(Rank& rank, Region& buffer, std::size_t bytes, const Destination& to, const Place& place,
          const Described& elements) {
  give(rank, buffer, bytes, to, place, elements, true);
}

bool give_at_once(Rank& rank, Region& buffer, std::size_t bytes, const Destination& to, const Place& place,
                  const Described& elements) {
  return give(rank, buffer, bytes, to, place, elements, false);
}

void share(Rank& rank, Region& buffer, std::size_t bytes, const Destination& to, const Place& place) {
  if (rank.home.switches.check) [[unlikely]] {
    const CallSite here = current_call(rank);
    CheckedBuffers::of(rank).close_for_writing(buffer, here.call ? here.call : "", place);
    return send_copy(rank, {buffer.object(), bytes}, to, place, true);
  }
  if (bytes <= most_copied_bytes || !rank.home.switches.sharing || !shares_memory(rank, to.rank))
    return send_copy(rank, {buffer.object(), bytes}, to, place);
  if (buffer.holder != held_by_many) {
    buffer.holder = held_by_many;
    SharedBuffers::of(rank).references(buffer) = 1;
  }
  share(buffer);
  const SharedReference reference{&buffer, bytes};
  Buffer message = allocate_message(rank, sizeof reference);
  std::memcpy(message.data(), &reference, sizeof reference);
  message.count_extra(bytes);
  stream_to(rank, to.rank, context_of(to.channel, Form::shared), static_cast<std::uint32_t>(to.tag),
            std::move(message));
}

Region& own(Rank& rank, Region& buffer, const char* what, const Place& place) {
  if (rank.home.switches.check) [[unlikely]] {
    CheckedBuffers::of(rank).open_for_writing(buffer);
    return buffer;
  }
  if (is_sole(buffer)) {
    if (buffer.holder == held_by_many) SharedBuffers::of(rank).forget(buffer);
    buffer.holder = holder_of(rank);
    return buffer;
  }
  Region& copy = allocate_owned(rank, buffer.bytes, what, place);
  std::memcpy(copy.object(), buffer.object(), buffer.bytes);
  free_owned(rank, buffer, what, place);
  return copy;
}

Region& as_plain(Rank& rank, Region& buffer) {
  if (!rank.home.switches.check) {
    buffer.holder = 0;
    return buffer;
  }
  Region& plain = make_region(rank, buffer.bytes);
  plain.bytes = buffer.bytes;
  if (buffer.bytes > 0) std::memcpy(plain.object(), buffer.object(), buffer.bytes);
  CheckedBuffers::of(rank).unmake(buffer);
  return plain;
}

void send_copy(Rank& rank, const Content& content, const Destination& to, const Place& place, bool closed) {
  const std::uint32_t word = static_cast<std::uint32_t>(to.tag);
  const bool noted = rank.home.switches.check;
  if (content.bytes <= most_copied_bytes && !noted)
    return stream_few_to(rank, to.rank, context_of(to.channel, Form::content), word, Few(content).data(),
                         content.bytes);
  const Form form = !noted ? Form::content : closed ? Form::closed : Form::noted;
  stream_to(rank, to.rank, context_of(to.channel, form), word,
            noted ? copied_with_note(rank, content, place) : copied(rank, content));
}

bool send_copy_at_once(Rank& rank, const Content& content, const Destination& to, const Place& place) {
  const std::uint32_t word = static_cast<std::uint32_t>(to.tag);
  const bool noted = rank.home.switches.check;
  if (content.bytes <= most_copied_bytes && !noted)
    return stream_few_at_once_to(rank, to.rank, context_of(to.channel, Form::content), word,
                                 Few(content).data(), content.bytes);
  return stream_at_once_to(rank, to.rank, context_of(to.channel, noted ? Form::noted : Form::content), word,
                           noted ? copied_with_note(rank, content, place) : copied(rank, content));
}

void send_copy_answered(Rank& rank, const Content& content, const Destination& to, const Place& place,
                        AnswerNumber number) {
  Buffer message = copied_with_note(rank, content, place, sizeof number);
  std::memcpy(message.data() + message.bytes() - sizeof number, &number, sizeof number);
  // By the mailbox: the receiver answers whatever it waits for, so its sleep must end.
  stream_at_once_to(rank, to.rank, context_of(to.channel, Form::synchronous),
                    static_cast<std::uint32_t>(to.tag), std::move(message), true);
}

std::size_t content_bytes(Form form, const std::byte* payload, std::size_t bytes) {
  switch (form) {
    case Form::content:
      break;
    case Form::noted:
    case Form::closed:
    case Form::synchronous:
      return note_of(form, payload, bytes)->content_bytes();
    case Form::region:
      return bytes - sizeof(Region);
    case Form::shared: {
      SharedReference shared{};
      std::memcpy(&shared, payload, sizeof shared);
      return shared.bytes;
    }
    case Form::offered:
      return rendezvous_in(payload).bytes;
    case Form::delta:
      return delta_head_in(payload).bytes;
  }
  return bytes;
}

Range Incoming::part_of(const void* data, std::size_t bytes) const {
  const Reach own = reach_of(into_, most_bytes_, layout_.get());
  const auto* const first = static_cast<const std::byte*>(data);
  const std::byte *const begin = std::max(first, own.begin), *const end = std::min(first + bytes, own.end);
  if (begin >= end) return {};
  return {static_cast<std::size_t>(begin - own.begin), static_cast<std::size_t>(end - own.begin)};
}

std::vector<Range> Incoming::come_within(const Range& bytes) const {
  if (increments_) return increments_->here().within(bytes);
  const Range come{bytes.begin, std::min(bytes.end, done() ? received_.bytes : 0)};
  return come.begin < come.end ? std::vector{come} : std::vector<Range>();
}

bool Incoming::has_come(const void* data, std::size_t bytes) const {
  if (done() || !copies_) return true;
  const Range part = part_of(data, bytes);
  return part.bytes() == 0 || (increments_ && !layout_ && increments_->has(part));
}

void Incoming::release(const void* data, std::size_t bytes) {
  // What was written before is still an error.
  if (!done() || !check_ || !check_->open || check_->open->has_changed()) return;
  if (part_of(data, bytes).bytes() > 0) check_->open.reset();
}

void Incoming::begin_increments(const Arrival& arrival) {
  const DeltaHead head = delta_head_in(arrival.payload);
  received_ = {arrival.source, arrival.tag, 0};
  if (head.bytes > most_bytes_ || check_) look_closer(arrival);
  // What has come may be used and written before the rest is there.
  if (check_) check_->open.reset();
  if (!copies_ && head.bytes <= most_bytes_) allocate(head.bytes);
  increments_ = std::make_unique<Increments>(head.taken);
  go_on_with({increment_channel, arrival.source, head.tag});
}

void Incoming::take_increment(const Arrival& arrival) {
  const Spread to =
      region_ ? Spread{static_cast<std::byte*>(region_->object()), nullptr} : Spread{into_, layout_.get()};
  if (!increments_->take(rank_, arrival, to, copies_ || region_ ? most_bytes_ : 0)) return;
  received_.bytes = increments_->end();
  stop();
}

void Incoming::allocate(std::size_t bytes) {
  const CallSite call = posted().call ? posted() : current_call(rank_);
  region_ = &allocate_owned(rank_, bytes, call.call ? call.call : "", call.place);
}

void Incoming::complete(Arrival&& arrival) {
  if (increments_) [[unlikely]]
    return take_increment(arrival);
  if (arrival.form == Form::delta) [[unlikely]]
    return begin_increments(arrival);
  const std::byte* content = arrival.payload;
  const std::size_t bytes = content_bytes(arrival.form, content, arrival.bytes);
  SharedReference shared{};
  Rendezvous* offer = nullptr;
  switch (arrival.form) {
    case Form::offered:
      offer = &rendezvous_in(content);
      break;
    case Form::region:
      content += sizeof(Region);
      break;
    case Form::shared:
      std::memcpy(&shared, content, sizeof shared);
      content = static_cast<const std::byte*>(shared.region->object());
      break;
    default:  // the content comes first
      break;
  }
  received_ = {arrival.source, arrival.tag, bytes};
  const bool too_long = bytes > most_bytes_;
  if (too_long || check_) [[unlikely]]
    look_closer(arrival);
  const auto copy_to = [&](const Spread& to, std::size_t most) {
    if (offer)
      accept(rank_, *offer, arrival.source, to, most);
    else
      copy(to, {const_cast<std::byte*>(content), nullptr}, 0, std::min(bytes, most));
  };
  if (copies_) {
    copy_to({into_, layout_.get()}, most_bytes_);
    if (check_ && check_->open) [[unlikely]]
      check_->open->renew();
  } else if (too_long) {
    copy_to({}, 0);
  } else if (shared.region) {
    region_ = std::exchange(shared.region, nullptr);
    ++SharedBuffers::of(rank_).references(*region_);
  } else if (arrival.form == Form::region && rank_.home.switches.sharing) {
    region_ = &region_in(rank_, std::move(arrival.memory));
    mark_owned(rank_, *region_);
  } else {
    allocate(bytes);
    copy_to({static_cast<std::byte*>(region_->object()), nullptr}, bytes);
    if (arrival.form == Form::closed) {
      const CallSite call = posted().call ? posted() : current_call(rank_);
      CheckedBuffers::of(rank_).close_for_writing(*region_, call.call ? call.call : "", call.place);
    }
  }
  if (shared.region) let_go(*shared.region);
  // The memory of what was copied, or is too long, stays with this rank.
  if (arrival.memory && arrival.form == Form::region) make_own(rank_, arrival.memory);
}

void Incoming::look_closer(const Arrival& arrival) {
  if (check_ && check_->open) check_->was_written = check_->open->has_changed();
  const std::optional<ReadNote> note = note_of(arrival.form, arrival.payload, arrival.bytes);
  if (!note) return;
  sent_at_ = note->place();
  if (check_) check_->unlike = note->first_unlike(check_->elements, check_->any_kind);
}

void Incoming::check(const char* what, const Place& place, bool tagged) const {
  if (received_.bytes <= most_bytes_) return;
  std::string text = text_of(what, place) + " on rank " + std::to_string(rank_number(rank_)) +
                     " has room for " + std::to_string(most_bytes_) + " bytes, but rank " +
                     std::to_string(received_.source) + " sent " + std::to_string(received_.bytes) +
                     (tagged ? " with tag " + std::to_string(received_.tag) : std::string());
  text += text_of_sender(sent_at_);
  if (sent_at_.empty() && !switches(rank_).check)
    text += " (with KANOR_CHECK=1 the message says by which call)";
  throw PassingError{PassingError::What::too_long, std::move(text)};
}

}  // namespace kanor::rt
