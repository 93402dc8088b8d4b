// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks in which all ranks send to all: what is long is read where it lies, instead of being copied into
// messages.
//
// A message holds the elements' address then, and the sender leaves the block when its readers have told it
// that they are done. It waits for nobody by that who would not come otherwise: it has a message of every
// member when it begins to wait, so all have begun to send; who has begun sends to all, waiting for nothing
// but room in flight, which receivers in this block make; and with a message from every member a reader goes
// on to its answer. Where a place of the block meets what is lent, or is assigned to by a function of the
// program, which may do anything, the elements are copied before they are sent.
#include <algorithm>
#include <cstring>

#include "exchange/blocks.hpp"
#include "exchange/execution.hpp"
#include "exchange/overlaps.hpp"
#include "kanor/abi/extent.hpp"

namespace kanor::rt {
namespace {

/// Bits in the word with a sequence's number of elements: an address follows in place of the elements, ...
constexpr std::uint64_t elsewhere = std::uint64_t{3} << 62;
/// ... of the sender's elements, ...
constexpr std::uint64_t lent = std::uint64_t{1} << 62;
/// ... or of a message with a copy of them, which becomes the receiver's.
constexpr std::uint64_t enclosed = std::uint64_t{2} << 62;

/// The round of the messages that say that loans have been read.
constexpr unsigned answers = 1;

void add_piece(void* context, const void* data, std::size_t bytes, std::size_t count,
               std::size_t stride_bytes) {
  static_cast<Overlaps*>(context)->add(0, data, bytes, count, stride_bytes);
}

}  // namespace

bool Execution::may_lend(plan::Collective kind) {
  const bool all_send_to_all = kind == plan::Collective::all_to_all || kind == plan::Collective::all_gather;
  return all_send_to_all && (current().where.flags & abi::lent_value) && !instance_.copies &&
         all_share_addresses(*owner_);
}

bool Execution::lend(int receiver, const void* elements, std::size_t count, std::size_t element_bytes,
                     std::size_t alignment) {
  const std::size_t bytes = count * element_bytes;
  if (capture_in_place(receiver, elements, bytes, element_bytes, alignment)) return true;
  if (!lending_.lends || alignment > most_alignment) return false;
  open(receiver);
  outbox_.current().lends = true;
  const std::uint64_t word = count | lent;
  outbox_.put_flat(&word, sizeof(word), alignof(std::uint64_t));
  lending_.loans.push_back(
      {outbox_.position_of_open(), outbox_.used(), static_cast<const std::byte*>(elements), bytes});
  outbox_.put_pointer(elements, 0);
  return true;
}

bool Execution::places_meet_loans() const {
  Overlaps overlaps;
  for (const Statement& statement : statements_) {
    for (std::size_t i = statement.first_update; i < statement.end_update; ++i) {
      if (!statement.how->extents || !statement.how->only_reads) return true;
      statement.how->extents(updates_[i].place, {&overlaps, &add_piece});
    }
  }
  for (const LentElements& loan : lending_.loans) overlaps.add(1, loan.elements, loan.bytes, 1, 0);
  return overlaps.find().has_value();
}

void Execution::copy_all_loans() {
  for (const LentElements& loan : lending_.loans) {
    Outgoing& out = outbox_.messages()[loan.outgoing];
    out.lends = false;
    Buffer copy = allocate_message(*owner_, loan.bytes);
    std::memcpy(copy.data(), loan.elements, loan.bytes);
    std::byte* const address = out.message.data() + loan.at;
    std::uint64_t word;
    std::memcpy(&word, address - sizeof(word), sizeof(word));
    word = (word & ~elsewhere) | enclosed;
    std::memcpy(address - sizeof(word), &word, sizeof(word));
    Message* const message = copy.take();
    std::memcpy(address, &message, sizeof(message));
    out.weight += loan.bytes;
  }
  lending_.loans.clear();
}

bool Execution::is_elsewhere(std::uint64_t word) { return (word & elsewhere) != 0; }

Arrived Execution::value_elsewhere(PeerMessage& in, std::uint64_t word, void* address) {
  Arrived value;
  value.count = word & ~elsewhere;
  if (word & lent) {
    in.lends = lending_.borrows = true;
    value.data = address;
  } else {
    value.data = lending_.enclosed.emplace_back(static_cast<Message*>(address)).data();
  }
  return value;
}

void Execution::make_own(abi::term& value, const abi::travelling& how) {
  const std::size_t bytes = value.count * how.bytes;
  Buffer& copy = lending_.enclosed.emplace_back(allocate_message(*owner_, bytes));
  value.data = std::memcpy(copy.data(), value.data, bytes);
}

void Execution::settle_all_loans() {
  const collectives::Group group = this->group();
  for (const PeerMessage& in : inbox_.all())
    if (in.lends && in.peer != rank()) group.send(in.peer, {}, answers);
  for (const Outgoing& out : outbox_.messages())
    if (out.lends && out.peer != rank()) group.receive(out.peer, {}, answers);
}

}  // namespace kanor::rt
