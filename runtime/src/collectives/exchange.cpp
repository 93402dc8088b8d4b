// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstring>

#include "collectives/collectives.hpp"

namespace kanor::rt::collectives {
namespace {

/// The length from which a share is read where it lies: copying fewer bytes twice is faster than an answer.
constexpr std::size_t least_lent_bytes = 8192;

constexpr unsigned shares = 0, answers = 1;

/// The address of a share that is read where it lies, sent by lending().
struct Lent {
  std::byte* data;
  std::size_t bytes;
};

/// Returns true if the share is read where it lies; the same on both sides.
bool is_lent(const Group& group, const Share& share) {
  return share.bytes >= least_lent_bytes && shares_addresses(group.owner, group.world_rank(share.member));
}

void copy(const Share& to, const std::byte* from) {
  if (to.bytes > 0) std::memcpy(to.data, from, to.bytes);
}

}  // namespace

void exchange(const Group& group, std::span<const Share> given, std::span<const Share> wanted) {
  const Group lending = group.lending();
  const Share* own = nullptr;
  for (const Share& share : given) {
    if (share.member == group.rank) {
      own = &share;
    } else if (is_lent(group, share)) {
      Lent lent{share.data, share.bytes};
      lending.send(share.member, {reinterpret_cast<std::byte*>(&lent), sizeof(lent), alignof(Lent)}, shares);
    } else {
      group.send(share.member, {share.data, share.bytes}, shares);
    }
  }
  for (const Share& share : wanted) {
    if (share.member == group.rank) {
      if (own->bytes != share.bytes) group.fail_head(group, group.rank, group.head, own->bytes);
      copy(share, own->data);
    } else if (is_lent(group, share)) {
      Lent lent{};
      const Value like{nullptr, sizeof(lent), alignof(Lent)};
      const Buffer message = lending.receive(share.member, like, shares);
      std::memcpy(&lent, Group::value_in(message, like), sizeof(lent));
      if (lent.bytes != share.bytes) group.fail_head(group, share.member, group.head, lent.bytes);
      copy(share, lent.data);
      group.send(share.member, {}, answers);
    } else {
      const Value like{nullptr, share.bytes};
      const Buffer message = group.receive(share.member, like, shares);
      copy(share, Group::value_in(message, like));
    }
  }
  for (const Share& share : given)
    if (share.member != group.rank && is_lent(group, share)) group.receive(share.member, {}, answers);
}

}  // namespace kanor::rt::collectives
