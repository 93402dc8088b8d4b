// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lending some of a buffer's elements, and giving them back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "layout/pieces.hpp"
#include "ownership/passing.hpp"

namespace kanor::rt {

/// The bit of a channel that tells loans apart from what is given.
inline constexpr std::uint32_t lending = std::uint32_t{1} << 31;
/// The channel of elements that come back, whose tag is the loan's number.
inline constexpr std::uint32_t return_channel = first_inner_channel;

/// `count` elements of a layout.
struct Elements {
  std::shared_ptr<const Pieces> layout;
  std::size_t count = 0;

  std::size_t bytes() const { return count * layout->bytes(); }
  std::size_t reach_bytes() const { return layout->reach_bytes(count); }
};

/// A loan, as the lender sees it: done once the elements have been given back. While it is there the buffer's
/// memory stays. Friedley et al., PPoPP 2013, section 3.4: ownership of the elements that a datatype
/// describes, where both sides have one layout; where they share no memory the elements travel, there and
/// back.
class Loan final : public Receive {
 public:
  /// Lends the elements that begin `offset_bytes` behind the buffer's first byte. Waits as send() does.
  Loan(Rank& rank, Region& buffer, std::size_t offset_bytes, Elements elements, const Destination& to,
       const Place& place);
  ~Loan();

 private:
  void complete(Arrival&& arrival) override;
  /// Ends the job where the lender has written what it has lent.
  void check_unchanged() const;
  friend class Loans;

  Rank& rank_;
  Region& buffer_;
  std::byte* const first_;
  const Elements elements_;
  std::vector<std::byte> lent_;  ///< in checked mode: the elements as they were
};

/// The loans of a rank: those that it has made, and what it has borrowed.
class Loans final : public Attachment {
 public:
  static Loans& of(Rank& rank);

  /// The number of this rank's loans of a buffer. (A loan's own number, below, is used once in 2^31.)
  int& made_of(const Region& buffer) { return made_[&buffer]; }
  bool is_lent(const Region& buffer) const { return made_.contains(&buffer); }
  void ended(const Region& buffer);
  /// In checked mode throws PassingError::lent where an element is lent already.
  void check_not_twice(Rank& rank, const Region& buffer, std::size_t offset_bytes, const Elements& elements,
                       const Place& place) const;
  /// Note in checked mode that the loan has been made, and has ended.
  void open(const Loan& loan) { open_.push_back(&loan); }
  void close(const Loan& loan) { std::erase(open_, &loan); }
  int next_number() { return static_cast<int>(number_++ & 0x7fffffff); }

  /// Waits for elements that somebody lends, and returns the address of the first. Throws
  /// PassingError::other_layout if their layout is another; they are given back then.
  void* borrow(Rank& rank, const Wanted& wanted, const Elements& elements, const Place& place,
               Received& received);
  /// Gives back what borrow() has returned. Throws PassingError::not_owned. Waits as send() does.
  void give_back(Rank& rank, void* first, const Place& place);

 private:
  struct Borrowed {
    int lender = 0, number = 0;
    Region* region = nullptr;  ///< the lender's, or one with the elements that have travelled
    Elements travelled{};      ///< no layout: none have
  };
  static void send_back(Rank& rank, const Borrowed& loan, const Place& place);

  std::unordered_map<const Region*, int> made_;
  std::vector<const Loan*> open_;  ///< in checked mode
  std::unordered_multimap<const void*, Borrowed> borrowed_;
  std::uint32_t number_ = 0;
};

}  // namespace kanor::rt
