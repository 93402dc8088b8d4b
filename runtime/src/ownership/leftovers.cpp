// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ownership/leftovers.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "ownership/checked_buffers.hpp"
#include "ownership/lending.hpp"
#include "ownership/passing.hpp"
#include "platform/text.hpp"

namespace kanor::rt {
namespace {

/// The most messages that nobody has received of which each gets a line.
constexpr std::size_t most_messages = 10;

/// Things that one call has left.
struct Left {
  std::size_t count = 0, bytes = 0;
};
using ByCall = std::map<std::string, Left>;

std::string number_of(const Left& left, const char* one, const char* several) {
  return std::to_string(left.count) + " " + (left.count == 1 ? one : several);
}
std::string times(const Left& left) {
  return left.count == 1 ? std::string() : ", " + std::to_string(left.count) + " times";
}

void add_buffers(Rank& rank, std::vector<std::string>& lines) {
  ByCall owned, borrowed;
  CheckedBuffers::of(rank).for_each(
      [&](CheckedBuffers::Kind kind, const char* call, const Place& place, std::size_t bytes) {
        Left& left = (kind == CheckedBuffers::Kind::owned ? owned : borrowed)[text_of(call, place)];
        ++left.count;
        left.bytes += bytes;
      });
  for (const auto& [call, left] : owned)
    lines.push_back(number_of(left, "buffer", "buffers") + " (" + std::to_string(left.bytes) + " bytes) of " +
                    call + (left.count == 1 ? " was" : " were") + " neither freed nor given away");
  for (const auto& [call, left] : borrowed)
    lines.push_back("elements borrowed by " + call + " were not returned" + times(left));
}

void add_posted(Rank& rank, std::vector<std::string>& lines) {
  ByCall receives, loans;
  Matcher::of(rank).for_each_posted([&](const Receive& receive) {
    if (!receive.posted().call) return;
    const bool is_loan = receive.wanted().channel == return_channel;
    ++(is_loan ? loans : receives)[text_of(receive.posted().call, receive.posted().place)].count;
  });
  for (const auto& [call, left] : receives)
    lines.push_back(number_of(left, "request", "requests") + " of " + call +
                    (left.count == 1 ? " has" : " have") + " not completed: no whole message has arrived");
  for (const auto& [call, left] : loans)
    lines.push_back("elements lent by " + call + " were not returned" + times(left));
}

/// The place where a message was sent, as noted in the message; empty if it has none.
std::string sent_at(Form form, const std::byte* payload, std::size_t bytes) {
  const std::optional<ReadNote> note = note_of(form, payload, bytes);
  return note ? text_of_sender(note->place()) : std::string();
}

void add_kept(Rank& rank, std::vector<std::string>& lines) {
  std::map<std::uint64_t, std::string> in_order;
  Matcher::of(rank).for_each_kept([&](std::uint64_t number, std::uint32_t channel, int source, int tag,
                                      Form form, const std::byte* payload, std::size_t bytes) {
    if (is_inner(channel)) return;
    const std::string from = "that rank " + std::to_string(source), with = " with tag " + std::to_string(tag);
    std::string text;
    if (channel & lending) {
      text = "elements " + from + " lent" + with + " were not borrowed";
    } else {
      const std::string at = sent_at(form, payload, bytes);
      // Only MPI's calls have no place.
      const bool is_mpi = at.starts_with(" by ");
      text = std::to_string(content_bytes(form, payload, bytes)) + " bytes " + from +
             (is_mpi ? " sent" : " sent or gave") + at + with +
             (is_mpi ? " were not received" : " were neither received nor taken");
    }
    in_order.emplace(number, std::move(text));
  });
  std::size_t told = 0;
  for (auto& [number, text] : in_order)
    if (++told <= most_messages) lines.push_back(std::move(text));
  if (told > most_messages)
    lines.push_back(std::to_string(told - most_messages) + " more messages were neither received nor taken");
}

}  // namespace

std::vector<std::string> leftovers(Rank& rank) {
  std::vector<std::string> lines;
  Matcher::of(rank).progress(any_source, nullptr);
  add_kept(rank, lines);
  add_posted(rank, lines);
  add_buffers(rank, lines);
  return lines;
}

void print_leftovers(Rank& rank) {
  for (const std::string& text : leftovers(rank))
    Line()
        .text("kanor: rank ")
        .number(rank_number(rank))
        .text(": checked mode: warning: ")
        .text(text)
        .write_to(STDERR_FILENO);
}

}  // namespace kanor::rt
