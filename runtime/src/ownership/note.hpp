// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What travels behind a message's content in checked mode: where it was sent, and what its elements are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/signature.hpp"
#include "match/receive.hpp"

namespace kanor::rt {

/// A place that travels with a message: the end of "file:line" that fits, without the folders.
using PlaceNote = char[32];
void note_place(PlaceNote& note, const Place& place);
/// How messages speak of a place that has travelled: " at file:line", or " by" a call's name; empty if there
/// is none.
std::string text_of_sender(std::string_view place);

/// What a call says of the elements that it sends or receives. Told in checked mode only.
struct Described {
  std::shared_ptr<const Signature> element{};  ///< of each; null: nothing is said
  std::size_t count = 0;
};

/// The end of a message's note. Before it are the runs of basic elements of one element, and before those the
/// message's content.
struct NoteEnd {
  PlaceNote place = {};
  std::uint64_t runs_bytes = 0;  ///< 0: nothing is said of the elements
  std::uint64_t count = 0;       ///< of the elements
};

/// The note of a message that is being made.
class NewNote {
 public:
  NewNote(const Place& place, const Described& elements);
  std::size_t bytes() const { return runs_.size() + sizeof end_; }
  void put(std::byte* to) const;

 private:
  std::vector<std::byte> runs_;
  NoteEnd end_;
};

/// A basic element that is received as another kind than it was sent as.
struct UnlikeElement {
  std::size_t number = 0;  ///< counted from 0
  unsigned char sent = 0, received = 0;
};

/// The note of a message that has come, where it lies.
class ReadNote {
 public:
  /// The message's first `bytes` bytes end with the note.
  ReadNote(const std::byte* message, std::size_t bytes);

  const char* place() const { return end_.place; }
  std::size_t content_bytes() const { return content_bytes_; }
  /// The first basic element that is not received as what it was sent as; nothing if there is none, or one
  /// side says nothing. The receiver may have room for more. A kind `any` is all others: behind it nothing is
  /// compared, since it may have another length (MPI 3.1, section 3.3.1).
  std::optional<UnlikeElement> first_unlike(const Described& received, unsigned char any) const;

 private:
  NoteEnd end_;
  std::size_t content_bytes_;
  const std::byte* runs_;
};

/// The note of a message; nothing if such messages have none.
std::optional<ReadNote> note_of(Form form, const std::byte* payload, std::size_t bytes);

}  // namespace kanor::rt
