// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>
#include <cstring>

#include "collectives/collectives.hpp"

namespace kanor::rt::collectives {
namespace {

/// The round number, less the level, of values that are handed on.
constexpr unsigned handed_on = 64;

/// A left half of `length` members from `begin` on, of which the first `partners` have got the right half's
/// value from their partners.
struct Half {
  int begin, length, partners;

  /// The member that hands the value on to member number `at` of the half, which has no partner.
  int giver(int at) const { return begin + at - reach(at); }
  /// Hands the value on from member number `at`, once it has it: in each step those who have it double.
  void hand_on(const Group& group, int at, const Value& value, unsigned round) const {
    for (int distance = at < partners ? partners : 2 * reach(at); at + distance < length; distance *= 2)
      group.send(begin + at + distance, value, round);
  }

 private:
  /// The largest partners * 2^t that is not above `at`.
  int reach(int at) const {
    return partners * static_cast<int>(std::bit_floor(static_cast<unsigned>(at / partners)));
  }
};

}  // namespace

void all_reduce(const Group& group, const Value& value, const Operation& operation) {
  unsigned level = 0;
  for (int distance = 1; distance < group.size; distance *= 2, ++level) {
    const int left = group.rank & ~(2 * distance - 1), right = left + distance;
    if (right >= group.size) continue;  // this block has no right half: its value is the left one's
    const int at = group.rank & (distance - 1);
    if (group.rank >= right) {
      group.send(left + at, value);
      const Buffer other = group.receive(left + at, value);
      std::byte* const earlier = Group::value_in(other, value);
      operation.apply(operation.state, earlier, value.data);
      std::memcpy(value.data, earlier, value.bytes);
      continue;
    }
    const Half half{left, distance, std::min(distance, group.size - right)};
    const bool has_partner = at < half.partners;
    if (has_partner) group.send(right + at, value);
    const Buffer other = has_partner ? group.receive(right + at, value)
                                     : group.receive(half.giver(at), value, handed_on + level);
    std::byte* const later = Group::value_in(other, value);
    half.hand_on(group, at, {later, value.bytes, value.alignment}, handed_on + level);
    operation.apply(operation.state, value.data, later);
  }
}

}  // namespace kanor::rt::collectives
