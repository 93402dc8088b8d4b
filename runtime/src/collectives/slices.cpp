// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "collectives/collectives.hpp"
#include "collectives/shared_message.hpp"

namespace kanor::rt::collectives {
namespace {

/// The addresses that each member tells the others.
struct Published {
  std::byte* value;
  std::size_t bytes;
  void* result;  ///< where the result goes, if this member has room for it
};

constexpr unsigned published = 0, done = 64;

/// The largest team whose members tell each other in one step.
constexpr int most_that_tell_all = 16;

std::vector<Published> publish(const Group& group, Published own) {
  std::vector<Published> all(static_cast<std::size_t>(group.size));
  const Value mine{reinterpret_cast<std::byte*>(&own), sizeof(own), alignof(Published)};
  if (group.size > most_that_tell_all) {
    all_gather(group, mine, reinterpret_cast<std::byte*>(all.data()));
    return all;
  }
  for (int step = 1; step < group.size; ++step) group.send((group.rank + step) % group.size, mine, published);
  for (int from = 0; from < group.size; ++from) {
    Published& its = all[static_cast<std::size_t>(from)];
    its = own;
    if (from == group.rank) continue;
    const Buffer message = group.receive(from, mine, published);
    std::memcpy(&its, Group::value_in(message, mine), sizeof(its));
  }
  return all;
}

/// The length of a piece, unless an element is longer.
constexpr std::size_t most_piece_bytes = 8192;

/// The largest number of values whose fold has no right half that is a fold itself.
constexpr std::size_t most_without_room = 3;

/// Folds several values piece by piece, so that intermediate results stay in caches.
class Folding {
 public:
  Folding(Rank& rank, std::span<const std::byte* const> values, const ElementOperation& operation)
      : values_(values), operation_(operation) {
    const auto levels = static_cast<std::size_t>(std::bit_width(values.size()));
    if (values.size() > most_without_room) rooms_ = allocate_message(rank, levels * piece_bytes());
  }

  /// Computes the bytes from `begin` to `end` of the result, which has its own memory.
  void fold(std::byte* result, std::size_t begin, std::size_t end) {
    for (offset_ = begin; offset_ < end; offset_ += bytes_) {
      bytes_ = std::min(piece_bytes(), end - offset_);
      const std::byte* const folded = fold_values(0, values_.size(), result + offset_, 0);
      if (folded != result + offset_) std::memcpy(result + offset_, folded, bytes_);
    }
  }

 private:
  std::size_t piece_bytes() const {
    return std::max<std::size_t>(1, most_piece_bytes / operation_.element_bytes) * operation_.element_bytes;
  }

  /// Returns F(first 2^k) op F(the rest), 2^k the largest power of two below their number. A right half that
  /// is a fold itself needs room of its own, one for each level.
  const std::byte* fold_values(std::size_t begin, std::size_t end, std::byte* into, std::size_t level) {
    if (end - begin == 1) return values_[begin] + offset_;
    const std::size_t middle = begin + std::bit_floor(end - begin - 1);
    const std::byte* const left = fold_values(begin, middle, into, level);
    std::byte* const room = end - middle > 1 ? rooms_.data() + level * piece_bytes() : nullptr;
    const std::byte* const right = fold_values(middle, end, room, level + 1);
    operation_.apply(operation_.state, into, left, right, bytes_ / operation_.element_bytes);
    return into;
  }

  std::span<const std::byte* const> values_;
  const ElementOperation& operation_;
  Buffer rooms_;
  std::size_t offset_ = 0, bytes_ = 0;
};

/// Folds this member's slice of all members' values into its part of the room that `result_in` finds in what
/// they have published. All slices are done when this returns.
template <class ResultIn>
void fold_slices(const Group& group, const Published& own, const ElementOperation& operation,
                 ResultIn result_in) {
  const std::vector<Published> all = publish(group, own);
  for (int from = 0; from < group.size; ++from)
    if (const Published& its = all[static_cast<std::size_t>(from)]; its.bytes != own.bytes)
      group.fail_head(group, from, group.head, its.bytes);

  // Slices begin at cache lines, where elements do: two members do not write to one.
  const std::size_t line = std::max<std::size_t>(1, 64 / operation.element_bytes);
  const std::size_t count = own.bytes / operation.element_bytes;
  const std::size_t lines = (count + line - 1) / line;
  const auto begin = [&](int member) {
    const std::size_t first = lines * static_cast<std::size_t>(member) / static_cast<std::size_t>(group.size);
    return std::min(count, first * line) * operation.element_bytes;
  };
  std::vector<const std::byte*> values;
  for (const Published& its : all) values.push_back(its.value);
  Folding(group.owner, values, operation).fold(result_in(all), begin(group.rank), begin(group.rank + 1));
  group.meet(done);
}

}  // namespace

void fold_values(Rank& rank, std::span<const std::byte* const> values, std::size_t bytes, std::byte* result,
                 const ElementOperation& operation) {
  Folding(rank, values, operation).fold(result, 0, bytes);
}

Holder all_reduce_slices(const Group& group, Value& value, const ElementOperation& operation) {
  Published own{value.data, value.bytes, nullptr};
  if (group.rank == 0) own.result = new_shared_message(group.owner, value.bytes, group.size).take();
  Message* message = nullptr;
  fold_slices(group, own, operation, [&](const std::vector<Published>& all) {
    message = static_cast<Message*>(all.front().result);
    return SharedMessage::in(message).value();
  });
  SharedMessage& shared = SharedMessage::in(message);
  value.data = shared.value();
  return Holder(message, shared.readers);
}

void reduce_slices(const Group& group, int root, const Value& value, std::byte* result,
                   const ElementOperation& operation) {
  fold_slices(group, {value.data, value.bytes, result}, operation, [&](const std::vector<Published>& all) {
    return static_cast<std::byte*>(all[static_cast<std::size_t>(root)].result);
  });
}

}  // namespace kanor::rt::collectives
