// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a block keeps for each member that it exchanges something with.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "exchange/peer_index.hpp"

namespace kanor::rt {

/// Items in the order in which they were added, at most one for each member of the team: `Item::peer`. While
/// there are few, they are found by looking at each, which is faster than hashing. Reused from block to
/// block, so that it allocates nothing once it has grown.
template <class Item>
class PeerList {
 public:
  /// The member's item; null if there is none. Valid until another item is added.
  Item* find(int peer) {
    if (recent_ < items_.size() && items_[recent_].peer == peer) return &items_[recent_];
    const std::size_t found = position_of(peer);
    if (found == items_.size()) return nullptr;
    recent_ = found;
    return &items_[found];
  }

  /// Adds an item for a member that has none.
  Item& add(int peer) {
    recent_ = items_.size();
    Item& added = items_.emplace_back();
    added.peer = peer;
    if (items_.size() > most_searched) hash();
    return added;
  }

  /// All items. If their order is changed, none may be looked for until clear().
  std::span<Item> all() { return items_; }
  std::span<const Item> all() const { return items_; }
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  std::size_t position_of(const Item& item) const { return static_cast<std::size_t>(&item - items_.data()); }

  void clear() {
    if (items_.empty()) return;
    if (items_.size() > most_searched) index_.clear();
    items_.clear();
  }

 private:
  static constexpr std::size_t most_searched = 8;

  /// The position of the member's item; the number of items if there is none.
  std::size_t position_of(int peer) const {
    const std::size_t count = items_.size();
    if (count > most_searched) return index_.find(peer, count);
    std::size_t at = 0;
    while (at < count && items_[at].peer != peer) ++at;
    return at;
  }

  /// Notes the last item in the index; the items before it too, if it is the first that is too many.
  void hash() {
    const std::size_t count = items_.size();
    for (std::size_t at = count == most_searched + 1 ? 0 : count - 1; at < count; ++at)
      index_.add(items_[at].peer, at);
  }

  std::vector<Item> items_;
  std::size_t recent_ = 0;  ///< position of the item that was found or added last
  PeerIndex index_;         ///< positions in items_, once there are many
};

}  // namespace kanor::rt
