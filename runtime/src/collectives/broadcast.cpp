// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <bit>
#include <cstring>

#include "collectives/collectives.hpp"
#include "collectives/shared_message.hpp"

namespace kanor::rt::collectives {
namespace {

/// The length from which all read one message of the root's, where they share memory.
constexpr std::size_t least_shared_bytes = 8192;

/// The least members of which some hand the value on, where all share memory; fewer have it from the root.
constexpr int least_tree = 8;

/// The way of a value from the root. Members are numbered from the root on. In a tree, member n has the value
/// from n without its highest bit.
class Way {
 public:
  Way(const Group& group, int root)
      : size_(static_cast<unsigned>(group.size)),
        root_(static_cast<unsigned>(root)),
        self_(static_cast<unsigned>((group.rank - root + group.size) % group.size)),
        is_tree_(group.size >= least_tree || !all_share_memory(group.owner)) {}

  bool begins_here() const { return self_ == 0; }
  /// Elsewhere than at the root: who sends the value to this member.
  int before() const { return is_tree_ ? member(self_ - std::bit_floor(self_)) : static_cast<int>(root_); }
  /// Calls the function with each member that this one sends the value to.
  template <class Function>
  void each_next(const Function& function) const {
    if (!is_tree_ && self_ != 0) return;
    for (unsigned step = self_ == 0 ? 1 : 2 * std::bit_floor(self_); self_ + step < size_;
         step = is_tree_ ? 2 * step : step + 1)
      function(member(self_ + step));
  }

 private:
  int member(unsigned number) const { return static_cast<int>((number + root_) % size_); }

  unsigned size_, root_, self_;
  bool is_tree_;
};

/// The address of a shared message, as the value of a message.
Value address_of(Message*& message, std::size_t alignment) {
  return {reinterpret_cast<std::byte*>(&message), sizeof message, alignment};
}

}  // namespace

Holder::~Holder() {
  if (shared_ && readers_->fetch_sub(1, std::memory_order_acq_rel) == 1) const Buffer last(shared_);
}

Holder broadcast(const Group& group, int root, Value& value) {
  const Way way(group, root);
  Buffer arrived;
  Message* shared = nullptr;
  if (!way.begins_here()) {
    bool is_lent = false;
    arrived = group.receive_any(way.before(), value, &is_lent);
    if (is_lent) std::memcpy(&shared, value.data, sizeof shared);
  } else if (group.size > 1 && value.bytes >= least_shared_bytes && all_share_memory(group.owner)) {
    shared = new_shared_message(group.owner, value.bytes, group.size - 1).take();
    std::memcpy(SharedMessage::in(shared).value(), value.data, value.bytes);
  }
  if (!shared) {
    way.each_next([&](int next) { group.send(next, value); });
    return Holder(std::move(arrived));
  }
  SharedMessage& message = SharedMessage::in(shared);
  const Value address = address_of(shared, value.alignment);
  way.each_next([&](int next) { group.lending().send(next, address, 0, message.bytes); });
  if (way.begins_here()) return {};
  value.bytes = message.bytes;
  value.data = message.value();
  return Holder(shared, message.readers);
}

}  // namespace kanor::rt::collectives
