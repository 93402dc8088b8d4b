// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a team does together faster than with one message from each sender to each receiver.
#pragma once

#include <atomic>
#include <span>
#include <utility>

#include "collectives/choice.hpp"
#include "collectives/group.hpp"

namespace kanor::rt::collectives {

// Every member calls the same operation, with values of the same length where it has one. No member waits for
// one that has nothing to tell it: each waits for those alone whose values its own result depends on. So a
// sender that gets nothing does not wait, and each operation here hands on only what the one that hands it on
// needs itself. (That is why there is no reduction to one rank by a tree: its inner members would have to
// wait.)

/// Keeps the memory of a received value for as long as it lives. The value must not be written: others may
/// read it.
class Holder {
 public:
  Holder() = default;
  explicit Holder(Buffer message) : message_(std::move(message)) {}
  Holder(Message* message, std::atomic<int>& readers) : shared_(message), readers_(&readers) {}
  Holder(Holder&& other) noexcept
      : message_(std::move(other.message_)),
        shared_(std::exchange(other.shared_, nullptr)),
        readers_(other.readers_) {}
  /// The last reader of a message that several share gives it back.
  ~Holder();

 private:
  Buffer message_;
  Message* shared_ = nullptr;
  std::atomic<int>* readers_ = nullptr;
};

/// Gives every member the root's `value`. Elsewhere `value.data` and `value.bytes` become what has arrived,
/// in what is returned; the length need not be known there, the alignment must. P - 1 messages: a binomial
/// tree of ceil(log2 P) steps, or with Algorithm::star all from the root. Where all members share memory, all
/// read one copy of a long value, whose address the messages carry; it counts as in flight to each of them.
Holder broadcast(const Group& group, int root, Value& value, Algorithm algorithm = Algorithm::steps);

/// Replaces every member's `value` by the reduction of all members' values, in the order of their numbers and
/// with the bracketing that the language fixes: F of m terms is F(first 2^k) op F(the rest), 2^k the largest
/// power of two below m. Recursive doubling over aligned halves: log2 P steps where P is a power of two.
/// Where it is not, the members of a full half that have no partner in the short one get its value handed on,
/// in at most as many steps again.
void all_reduce(const Group& group, const Value& value, const Operation& operation);

/// As all_reduce(), for sequences of many elements where all members share memory. The memory that `value`
/// refers to is only read, by all members, and no longer when this returns; `value` then refers to the
/// result, which all read in what is returned. Each member folds a slice of all members' values.
Holder all_reduce_slices(const Group& group, Value& value, const ElementOperation& operation);

/// As all_reduce_slices(), where only member `root` wants the result: in its `result`, which all members must
/// be able to write, and which is none of the values. The others' `result` does not matter.
void reduce_slices(const Group& group, int root, const Value& value, std::byte* result,
                   const ElementOperation& operation);

/// Folds several values of `bytes` bytes each, in this rank's memory, into `result`, which is none of them.
void fold_values(Rank& rank, std::span<const std::byte* const> values, std::size_t bytes, std::byte* result,
                 const ElementOperation& operation);

/// Bytes that a member has for another one, or wants of it.
struct Share {
  int member;
  std::byte* data;
  std::size_t bytes;
};

/// An all-to-all exchange: every member sends the shares `given` and receives the shares `wanted`. Sender and
/// receiver agree on the number of bytes; at most one share goes from each to each, in a round of its own.
/// Nothing that is received may lie in what is given. Long shares are read where they lie, between members
/// that share addresses: so this waits until the receivers of such shares have called it, too, which no block
/// may do (blocks end although others have not begun).
void exchange(const Group& group, std::span<const Share> given, std::span<const Share> wanted);

enum class Scan { inclusive, exclusive };

/// Replaces `value` by the reduction, bracketed in the same way, of the values of all members up to this one
/// (inclusive) or below it (exclusive; member 0 keeps its value, and the last one's is not looked at). Waits
/// for lower members only: a Fenwick tree, each member's block of values handed on to those above it that
/// need it. At most 2 log2 P steps.
void scan(const Group& group, Scan kind, const Value& value, const Operation& operation);

/// Gives every member all values: `all` has room for `size` values of `own.bytes` bytes, one after another.
/// ceil(log2 P) steps that double what each member has (Bruck et al., "Efficient Algorithms for All-to-All
/// Communications in Multiport Message-Passing Systems", 1997).
void all_gather(const Group& group, const Value& own, std::byte* all);

}  // namespace kanor::rt::collectives
