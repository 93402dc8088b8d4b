// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ownership/note.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ownership/passing.hpp"

namespace kanor::rt {
namespace {

// A run is the kind, and the number of basic elements in digits of 7 bits, of which all but the last have
// another bit: in most messages it is shorter than the elements.
constexpr std::size_t digit = 0x7f, more = 0x80;
constexpr unsigned digit_bits = 7;

void put_run(std::vector<std::byte>& runs, unsigned char kind, std::size_t count) {
  runs.push_back(static_cast<std::byte>(kind));
  for (; count > digit; count >>= digit_bits) runs.push_back(static_cast<std::byte>((count & digit) | more));
  runs.push_back(static_cast<std::byte>(count));
}

/// The runs of several elements that have the same ones.
class Runs {
 public:
  Runs(const std::byte* first, std::size_t bytes, std::size_t elements)
      : first_(first), end_(first + bytes), at_(end_), elements_(bytes > 0 ? elements + 1 : 1) {}

  unsigned char kind = 0;
  std::size_t left = 0;  ///< of the run, whose number the caller counts down

  /// Goes to the next run. Returns false if there is none.
  bool next() {
    if (at_ == end_) {
      if (elements_ <= 1) return false;
      --elements_;
      at_ = first_;
    }
    const bool is_first = at_ == first_;
    kind = std::to_integer<unsigned char>(*at_++);
    left = 0;
    for (std::size_t part = more, bit = 0; part & more; bit += digit_bits) {
      part = std::to_integer<std::size_t>(*at_++);
      left |= (part & digit) << bit;
    }
    // The only one: those of all elements are one run.
    if (is_first && at_ == end_) left *= std::exchange(elements_, 1);
    return true;
  }

 private:
  const std::byte *first_, *end_, *at_;
  std::size_t elements_;  ///< the one that has been begun, at first none, and those behind it
};

}  // namespace

void note_place(PlaceNote& note, const Place& place) {
  std::string text = text_of(place);
  text.erase(0, text.rfind('/') + 1);
  if (text.size() >= sizeof note) text.erase(0, text.size() - sizeof note + 1);
  std::memcpy(note, text.c_str(), text.size() + 1);
}

std::string text_of_sender(std::string_view place) {
  if (place.empty()) return {};
  return (place.find(':') == std::string_view::npos ? " by " : " at ") + std::string(place);
}

NewNote::NewNote(const Place& place, const Described& elements) {
  note_place(end_.place, place);
  if (!elements.element) return;
  const auto add = [&](unsigned char kind, std::size_t, std::size_t count) { put_run(runs_, kind, count); };
  elements.element->for_each(add);
  end_.runs_bytes = runs_.size();
  end_.count = elements.count;
}

void NewNote::put(std::byte* to) const {
  if (!runs_.empty()) std::memcpy(to, runs_.data(), runs_.size());
  std::memcpy(to + runs_.size(), &end_, sizeof end_);
}

ReadNote::ReadNote(const std::byte* message, std::size_t bytes) {
  std::memcpy(&end_, message + bytes - sizeof end_, sizeof end_);
  content_bytes_ = bytes - sizeof end_ - end_.runs_bytes;
  runs_ = message + content_bytes_;
}

std::optional<UnlikeElement> ReadNote::first_unlike(const Described& received, unsigned char any) const {
  if (!received.element) return std::nullopt;
  std::optional<UnlikeElement> found;
  Runs sent(runs_, end_.runs_bytes, end_.count);
  std::size_t number = 0;
  bool is_over = !sent.next();
  const auto compare = [&](unsigned char kind, std::size_t, std::size_t count) {
    while (!is_over && count > 0) {
      const bool is_any = kind == any || sent.kind == any;
      if (!is_any && kind != sent.kind) found = UnlikeElement{number, sent.kind, kind};
      const std::size_t both = std::min(count, sent.left);
      number += both;
      count -= both;
      sent.left -= both;
      is_over = is_any || found || (sent.left == 0 && !sent.next());
    }
  };
  received.element->repeated(received.count).for_each(compare);
  return found;
}

std::optional<ReadNote> note_of(Form form, const std::byte* payload, std::size_t bytes) {
  if (form == Form::noted || form == Form::closed) return ReadNote(payload, bytes);
  if (form == Form::delta && bytes > sizeof(DeltaHead)) return ReadNote(payload, bytes);
  if (form == Form::synchronous) return ReadNote(payload, bytes - sizeof(AnswerNumber));
  return std::nullopt;
}

}  // namespace kanor::rt
