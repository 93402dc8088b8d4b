// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Receives that wait, found by channel and tag.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "match/receive.hpp"

namespace kanor::rt {

/// The receives for one source, or for any, in the order in which they were posted: linked, not owned. At
/// first they are in one list, which is searched for each message, as long as the receive is found near its
/// beginning. From the first time that it is not, and until all are done, there is a list for each channel
/// and tag, found by hashing, and one for any tag for each channel: the first receive that wants a message is
/// the earlier of the first of two lists (Flajslik, Dinan and Underwood, ISC 2016). So few receives take as
/// long as in a list, many that complete in their order as well, and many in another order no more for each
/// than some.
class Posted {
 public:
  /// The most receives that are searched before hashing: that takes about as long as hashing.
  static constexpr std::size_t most_looked_at = 24;

  explicit Posted(std::size_t most) : most_looked_at_(most) {}

  /// Adds the latest receive.
  void add(Receive& receive) {
    ++count_;
    append(by_tag_ ? list_of(receive.wanted()) : all_, receive);
  }
  void remove(Receive& receive) {
    --count_;
    if (by_tag_) [[unlikely]]
      return remove_hashed(receive);
    unlink(all_, receive);
  }
  /// The first receive that wants such a message, or null.
  Receive* first_for(std::uint32_t channel, int source, int tag) {
    if (by_tag_) [[unlikely]]
      return first_hashed(channel, tag);
    std::size_t looked_at = 0;
    Receive* at = all_.first;
    for (; at && !wants(at->wanted_, channel, source, tag); at = at->next_)
      if (++looked_at >= most_looked_at_) [[unlikely]] {
        begin_hashing();
        return first_hashed(channel, tag);
      }
    return at;
  }
  std::size_t count() const { return count_; }

  /// Calls `use` for each receive, in any order.
  template <class Use>
  void for_each(Use use) const {
    for (const Receive* at = all_.first; at; at = at->next_) use(*at);
    if (!by_tag_) return;
    for (const auto& [key, list] : *by_tag_)
      for (const Receive* at = list.first; at; at = at->next_) use(*at);
  }

 private:
  struct List {
    Receive *first = nullptr, *last = nullptr;
  };
  struct Mix {
    std::size_t operator()(std::uint64_t key) const { return (key ^ key >> 32) * 0x9e3779b97f4a7c15u >> 7; }
  };
  /// The key of a list. No message has any_tag, which stands for receives of any tag.
  static std::uint64_t key_of(std::uint32_t channel, int tag) {
    return std::uint64_t{channel} << 32 | static_cast<std::uint32_t>(tag);
  }

  static void append(List& list, Receive& receive) {
    receive.previous_ = list.last;
    (list.last ? list.last->next_ : list.first) = &receive;
    list.last = &receive;
  }
  static void unlink(List& list, Receive& receive) {
    (receive.previous_ ? receive.previous_->next_ : list.first) = receive.next_;
    (receive.next_ ? receive.next_->previous_ : list.last) = receive.previous_;
    receive.next_ = receive.previous_ = nullptr;
  }
  List& list_of(const Wanted& wanted) { return (*by_tag_)[key_of(wanted.channel, wanted.tag)]; }
  Receive* first_hashed(std::uint32_t channel, int tag) const;
  void begin_hashing();
  void remove_hashed(Receive& receive);

  std::size_t most_looked_at_;
  std::size_t count_ = 0;
  List all_;  ///< the receives, unless they are hashed
  std::unique_ptr<std::unordered_map<std::uint64_t, List, Mix>> by_tag_;  ///< null: they are not hashed
};

}  // namespace kanor::rt
