// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ownership/lending.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "ownership/checked_buffers.hpp"

namespace kanor::rt {
namespace {

/// The beginning of the message that lends; the elements follow if they travel.
struct LoanHead {
  Region* region;  ///< null: the elements travel
  std::size_t offset_bytes;
  std::uint64_t signature;
  int number;
  PlaceNote lent_at;
};

/// A receive of the lender's message.
class Borrowing final : public Receive {
 public:
  using Receive::Receive;
  LoanHead head{};
  Received received;
  Buffer memory;  ///< holds the elements, if they travel

 private:
  void complete(Arrival&& arrival) override {
    std::memcpy(&head, arrival.payload, sizeof head);
    received = {arrival.source, arrival.tag, 0};
    // Only one without elements is short enough to lie in the ring.
    memory = std::move(arrival.memory);
  }
};

}  // namespace

Loan::Loan(Rank& rank, Region& buffer, std::size_t offset_bytes, Elements elements, const Destination& to,
           const Place& place)
    : Receive({return_channel, to.rank, Loans::of(rank).next_number()}),
      rank_(rank),
      buffer_(buffer),
      first_(static_cast<std::byte*>(buffer.object()) + offset_bytes),
      elements_(std::move(elements)) {
  posted_by("OPI_Lend", place);
  const bool checks = switches(rank).check;
  const bool travels = checks || !shares_memory(rank, to.rank) || !switches(rank).sharing;
  LoanHead head{travels ? nullptr : &buffer,
                offset_bytes,
                elements_.layout->signature(elements_.count),
                wanted().tag,
                {}};
  note_place(head.lent_at, place);
  // At least so long that it does not lie in a ring's cell, where nothing could be kept of it.
  const std::size_t bytes = travels ? elements_.bytes() : 0;
  Buffer message = allocate_message(rank, sizeof head + std::max(bytes, most_copied_bytes));
  std::memcpy(message.data(), &head, sizeof head);
  if (travels) elements_.layout->pack(message.data() + sizeof head, first_, elements_.count);
  if (checks) lent_.assign(message.data() + sizeof head, message.data() + sizeof head + bytes);
  rt::share(buffer_, travels ? 1 : 2);
  ++Loans::of(rank).made_of(buffer_);
  if (checks) Loans::of(rank).open(*this);
  Matcher::of(rank).post(*this);
  stream_to(rank, to.rank, context_of(to.channel | lending, Form::content),
            static_cast<std::uint32_t>(to.tag), std::move(message));
}

Loan::~Loan() {
  if (done()) return;
  if (switches(rank_).check) Loans::of(rank_).close(*this);
  Matcher::of(rank_).cancel(*this);
}

void Loan::complete(Arrival&& arrival) {
  if (switches(rank_).check) Loans::of(rank_).close(*this);
  if (!lent_.empty()) check_unchanged();
  if (arrival.bytes > 0) elements_.layout->unpack(first_, arrival.payload, arrival.bytes);
  Loans::of(rank_).ended(buffer_);
  let_go(buffer_);
}

void Loan::check_unchanged() const {
  std::vector<std::byte> now(lent_.size());
  elements_.layout->pack(now.data(), first_, elements_.count);
  if (now != lent_)
    fail("checked mode: elements that were lent by " + text_of(posted().call, posted().place) +
         " were written by this rank before they were returned");
}

Loans& Loans::of(Rank& rank) {
  std::unique_ptr<Attachment>& attached = attachment(rank, Attached::loans);
  if (!attached) attached = std::make_unique<Loans>();
  return static_cast<Loans&>(*attached);
}

void Loans::check_not_twice(Rank& rank, const Region& buffer, std::size_t offset_bytes,
                            const Elements& elements, const Place& place) const {
  for (const Loan* const loan : open_) {
    if (&loan->buffer_ != &buffer) continue;
    // Marks what that loan has lent, and looks for a mark among what this one would lend.
    std::vector<std::byte> marks(buffer.bytes), found(elements.bytes());
    const std::vector<std::byte> lent(loan->elements_.bytes(), std::byte{1});
    const auto* const first = reinterpret_cast<const std::byte*>(&buffer + 1);
    loan->elements_.layout->unpack(marks.data() + (loan->first_ - first), lent.data(), lent.size());
    elements.layout->pack(found.data(), marks.data() + offset_bytes, elements.count);
    if (std::find(found.begin(), found.end(), std::byte{1}) == found.end()) continue;
    throw PassingError{PassingError::What::lent, "OPI_Lend at " + text_of(place) + " on rank " +
                                                     std::to_string(rank_number(rank)) +
                                                     ": some of the elements are lent already, by " +
                                                     text_of(loan->posted().call, loan->posted().place) +
                                                     ", and were not returned yet"};
  }
}

void Loans::ended(const Region& buffer) {
  const auto found = made_.find(&buffer);
  if (--found->second == 0) made_.erase(found);
}

void* Loans::borrow(Rank& rank, const Wanted& wanted, const Elements& elements, const Place& place,
                    Received& received) {
  Borrowing borrowing({wanted.channel | lending, wanted.source, wanted.tag});
  Matcher& matcher = Matcher::of(rank);
  matcher.post(borrowing);
  if (!borrowing.done()) matcher.wait(borrowing);
  received = borrowing.received;
  received.bytes = elements.bytes();
  const LoanHead& head = borrowing.head;
  Borrowed loan{received.source, head.number, head.region};
  if (head.signature != elements.layout->signature(elements.count)) {
    // They are given back as they came, by a message without elements.
    send_back(rank, loan, place);
    throw PassingError{PassingError::What::other_layout,
                       "OPI_Borrow at " + text_of(place) + " on rank " + std::to_string(rank_number(rank)) +
                           " has another layout than the elements that rank " +
                           std::to_string(received.source) + " lent at " + head.lent_at};
  }
  void* first = nullptr;
  if (head.region) {
    first = static_cast<std::byte*>(head.region->object()) + head.offset_bytes;
  } else {
    loan.region = switches(rank).check
                      ? &CheckedBuffers::of(rank).make(elements.reach_bytes(), CheckedBuffers::Kind::borrowed,
                                                       "OPI_Borrow", place)
                      : &make_region(rank, elements.reach_bytes());
    loan.travelled = elements;
    first = loan.region->object();
    elements.layout->unpack(static_cast<std::byte*>(first), borrowing.memory.data() + sizeof head,
                            elements.bytes());
  }
  borrowed_.emplace(first, std::move(loan));
  return first;
}

void Loans::give_back(Rank& rank, void* first, const Place& place) {
  const auto found = borrowed_.find(first);
  if (found == borrowed_.end())
    throw PassingError{PassingError::What::not_owned,
                       "OPI_Return of a pointer at " + text_of(place) + " on rank " +
                           std::to_string(rank_number(rank)) +
                           ": OPI_Borrow has not returned it, or OPI_Return was already called"};
  const Borrowed loan = std::move(found->second);
  borrowed_.erase(found);
  send_back(rank, loan, place);
}

void Loans::send_back(Rank& rank, const Borrowed& loan, const Place& place) {
  const Destination lender{return_channel, loan.lender, loan.number};
  if (!loan.travelled.layout) {
    if (loan.region) let_go(*loan.region);
    return stream_few_to(rank, lender.rank, context_of(lender.channel, Form::content),
                         static_cast<std::uint32_t>(lender.tag), nullptr, 0);
  }
  Buffer message = allocate_message(rank, loan.travelled.bytes());
  loan.travelled.layout->pack(message.data(), static_cast<const std::byte*>(loan.region->object()),
                              loan.travelled.count);
  if (switches(rank).check)
    CheckedBuffers::of(rank).lose(*loan.region, {Loss::How::returned, "OPI_Return", place, loan.lender});
  else
    let_go(*loan.region);
  stream_to(rank, lender.rank, context_of(lender.channel, Form::content),
            static_cast<std::uint32_t>(lender.tag), std::move(message));
}

}  // namespace kanor::rt
