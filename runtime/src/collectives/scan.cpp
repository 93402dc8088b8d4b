// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>
#include <cstring>

#include "collectives/collectives.hpp"

namespace kanor::rt::collectives {
namespace {

/// This rank's part in handing on the value of the block of members end - 2^level + 1 ... end, which members
/// end + 1 ... end + 2^level need: member end + i gets it from end + (i without its highest bit), and hands
/// it on in its turn.
void hand_on(const Group& group, int end, int block, const Value& value) {
  const int at = group.rank - end;
  for (int bit = at == 0 ? 1 : 2 * static_cast<int>(std::bit_floor(static_cast<unsigned>(at)));
       at + bit <= block && end + at + bit < group.size; bit *= 2)
    group.send(end + at + bit, value);
}

}  // namespace

// The terms below member r fall into aligned blocks, one for each bit of r, the largest first:
//
//     r = 13 = 8 + 4 + 1:   [0 ... 7] [8 ... 11] [12] r
//
// and F of them is F(first) op (F(second) op (...)), to which an inclusive scan adds r's own value as the
// last. The block that ends at r itself takes those of the bits at the low end of r that are all 1 together.
void scan(const Group& group, Scan kind, const Value& value, const Operation& operation) {
  const unsigned rank = static_cast<unsigned>(group.rank);
  const int ones = std::countr_one(rank);
  // Replaces `later` by `earlier op later`, by way of a copy since both may be needed.
  const Buffer room = allocate_message(group.owner, value.bytes);
  const auto prepend = [&](const std::byte* earlier, std::byte* later) {
    std::memcpy(room.data(), earlier, value.bytes);
    operation.apply(operation.state, room.data(), later);
    std::memcpy(later, room.data(), value.bytes);
  };

  const bool is_last = group.rank + 1 == group.size;  // an exclusive scan has no use for its value

  // What ends at this member grows to its block, and then, for an inclusive scan, to its result.
  const Buffer own = allocate_message(group.owner, value.bytes);
  const Value ending{own.data(), value.bytes, value.alignment};
  std::memcpy(ending.data, value.data, value.bytes);
  if (ones == 0) hand_on(group, group.rank, 1, ending);

  int done = 0;                                              // bits of the rank, from the lowest on
  for (unsigned rest = rank; rest != 0; rest &= rest - 1) {  // the higher bits, and this one
    const int end = static_cast<int>(rest) - 1;
    const int at = group.rank - end;
    const int giver = group.rank - static_cast<int>(std::bit_floor(static_cast<unsigned>(at)));
    const Buffer message = group.receive(giver, value);
    std::byte* const earlier = Group::value_in(message, value);
    hand_on(group, end, 1 << std::countr_zero(rest), {earlier, value.bytes, value.alignment});
    if (kind == Scan::inclusive || (done < ones && !is_last)) prepend(earlier, ending.data);
    if (kind == Scan::exclusive) {
      if (done == 0)
        std::memcpy(value.data, earlier, value.bytes);
      else
        prepend(earlier, value.data);
    }
    if (++done == ones) hand_on(group, group.rank, 1 << ones, ending);
  }
  if (kind == Scan::inclusive) std::memcpy(value.data, ending.data, value.bytes);
}

}  // namespace kanor::rt::collectives
