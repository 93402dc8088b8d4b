// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Notes behind messages: what was put in is read again, and the first basic element that differs is found.
#include "ownership/note.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <vector>

namespace kanor::rt {
namespace {

constexpr unsigned char any = 9;

Described described(const Signature& element, std::size_t count) {
  return {std::make_shared<const Signature>(element), count};
}

/// A message of so many bytes with a note, and behind that `more_bytes`.
std::vector<std::byte> message_with(std::size_t content_bytes, const Place& place, const Described& elements,
                                    std::size_t more_bytes = 0) {
  const NewNote note(place, elements);
  std::vector<std::byte> message(content_bytes + note.bytes() + more_bytes, std::byte{0xab});
  note.put(message.data() + content_bytes);
  return message;
}

std::optional<UnlikeElement> first_unlike(const Described& sent, const Described& received) {
  const std::vector<std::byte> message = message_with(5, {"a.c", 3}, sent);
  const ReadNote note(message.data(), message.size());
  EXPECT_EQ(note.content_bytes(), 5u);
  return note.first_unlike(received, any);
}

/// The kinds of all basic elements, one by one.
std::vector<unsigned char> kinds_of(const Described& elements) {
  std::vector<unsigned char> kinds;
  const auto add = [&](unsigned char kind, std::size_t, std::size_t count) {
    kinds.insert(kinds.end(), count, kind);
  };
  for (std::size_t i = 0; i < elements.count; ++i) elements.element->for_each(add);
  return kinds;
}

TEST(Note, SaysWhereAMessageWasSentAndHowLongItsContentIs) {
  const Described ints = described(Signature::basic(1, 4), 1000);
  for (const std::size_t bytes : {0, 1, 4000})
    for (const Described& elements : {Described{}, ints}) {
      std::vector<std::byte> message = message_with(bytes, {"/folder/a.c", 12}, elements);
      for (const Form form : {Form::noted, Form::closed}) {
        const std::optional<ReadNote> note = note_of(form, message.data(), message.size());
        ASSERT_TRUE(note);
        EXPECT_STREQ(note->place(), "a.c:12");
        EXPECT_EQ(note->content_bytes(), bytes);
      }
      // The number that answers name stands behind it.
      message = message_with(bytes, {"MPI_Ssend", 0}, elements, sizeof(AnswerNumber));
      const std::optional<ReadNote> note = note_of(Form::synchronous, message.data(), message.size());
      ASSERT_TRUE(note);
      EXPECT_STREQ(note->place(), "MPI_Ssend");
      EXPECT_EQ(note->content_bytes(), bytes);
    }
  for (const Form form : {Form::content, Form::region, Form::shared, Form::offered})
    EXPECT_FALSE(note_of(form, nullptr, 0));
}

TEST(Note, IsSpokenOfWithItsPlace) {
  EXPECT_EQ(text_of_sender("a.c:12"), " at a.c:12");
  EXPECT_EQ(text_of_sender("MPI_Send"), " by MPI_Send");
  EXPECT_EQ(text_of_sender(""), "");
}

TEST(Note, FindsTheFirstElementOfAnotherKind) {
  const Signature one = Signature::basic(1, 4), two = Signature::basic(2, 8);
  Signature both = Signature::basic(1, 4, 2);
  both.append(two);
  EXPECT_FALSE(first_unlike(described(one, 300), described(one, 300)));
  EXPECT_FALSE(first_unlike(described(both, 2), described(both, 2)));
  // The same elements, described otherwise; and fewer than there is room for.
  EXPECT_FALSE(first_unlike(described(one.repeated(100), 3), described(one, 300)));
  EXPECT_FALSE(first_unlike(described(both.repeated(5), 1), described(both, 5)));
  EXPECT_FALSE(first_unlike(described(both, 5), described(both.repeated(7), 1)));
  EXPECT_FALSE(first_unlike(described(one, 2), described(both, 1)));
  EXPECT_FALSE(first_unlike(described(one, 0), described(two, 5)));
  EXPECT_FALSE(first_unlike(described(one, 5), described(two, 0)));
  EXPECT_FALSE(first_unlike(described(Signature(), 5), described(two, 3)));
  EXPECT_FALSE(first_unlike(described(two, 3), described(Signature(), 5)));
  const auto expect = [](const std::optional<UnlikeElement>& found, std::size_t number, int sent,
                         int received) {
    ASSERT_TRUE(found);
    EXPECT_EQ(found->number, number);
    EXPECT_EQ(int{found->sent}, sent);
    EXPECT_EQ(int{found->received}, received);
  };
  expect(first_unlike(described(one, 300), described(two, 300)), 0, 1, 2);
  expect(first_unlike(described(one, 300), described(both, 100)), 2, 1, 2);
  expect(first_unlike(described(both, 100), described(one, 300)), 2, 2, 1);
  expect(first_unlike(described(both, 2), described(one.repeated(2), 3)), 2, 2, 1);
}

TEST(Note, ComparesNothingWithWhatIsNotSaid) {
  const Described ints = described(Signature::basic(1, 4), 3);
  EXPECT_FALSE(first_unlike({}, ints));
  EXPECT_FALSE(first_unlike(ints, {}));
}

// What was packed stands for anything, and for any number of basic elements.
TEST(Note, ComparesNothingBehindWhatMayBeAnything) {
  const Signature one = Signature::basic(1, 4), two = Signature::basic(2, 8);
  Signature mixed = one;
  mixed.append(Signature::basic(any, 1, 3));
  mixed.append(two);
  EXPECT_FALSE(first_unlike(described(Signature::basic(any, 1), 12), described(one, 3)));
  EXPECT_FALSE(first_unlike(described(one, 3), described(Signature::basic(any, 1), 12)));
  EXPECT_FALSE(first_unlike(described(mixed, 1), described(one, 9)));
  EXPECT_TRUE(first_unlike(described(mixed, 1), described(two, 9)));
}

// Against the basic elements one by one.
TEST(Note, FindsTheFirstElementOfAnyTwoDescriptions) {
  std::mt19937 random(1);
  const auto below = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
  const auto made = [&] {
    Signature element;
    for (unsigned i = 0, parts = 1 + below(3); i < parts; ++i) {
      Signature part = Signature::basic(static_cast<unsigned char>(1 + below(2)), 4, 1 + below(200));
      if (below(2)) part.append(Signature::basic(1, 4, 1 + below(3)));
      element.append(part.repeated(1 + below(3)));
    }
    return described(element, below(4));
  };
  int unlike = 0, like = 0;
  for (int round = 0; round < 3000; ++round) {
    const Described sent = made(), received = below(3) ? made() : sent;
    const std::vector<unsigned char> out = kinds_of(sent), in = kinds_of(received);
    const auto end = out.begin() + static_cast<std::ptrdiff_t>(std::min(out.size(), in.size()));
    const auto differ = std::mismatch(out.begin(), end, in.begin());
    const std::optional<UnlikeElement> found = first_unlike(sent, received);
    ASSERT_EQ(found.has_value(), differ.first != end);
    (found ? unlike : like) += 1;
    if (!found) continue;
    EXPECT_EQ(found->number, static_cast<std::size_t>(differ.first - out.begin()));
    EXPECT_EQ(found->sent, *differ.first);
    EXPECT_EQ(found->received, *differ.second);
  }
  EXPECT_GT(unlike, 100);
  EXPECT_GT(like, 100);
}

}  // namespace
}  // namespace kanor::rt
