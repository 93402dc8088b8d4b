// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks whose one statement exchanges whole variables in regions, executed once more.
//
// Such a block is all bookkeeping: an address for each receiver. Its first execution with some leaves goes
// the usual way and notes with whom the rank exchanged a value; nothing but the leaves and the rank's number
// decides that, so later executions send to those and receive from that one, and neither ask for bindings nor
// keep an account of places. The messages are the same, so each rank repeats the block or not as it can.
#include <algorithm>
#include <cstring>
#include <string>

#include "exchange/blocks.hpp"
#include "exchange/execution.hpp"
#include "exchange/team_record.hpp"
#include "kanor/abi/region_block.hpp"

namespace kanor::rt {
namespace {

/// The beginning of a message whose one value is in a region: all of it or, if there is no object, followed
/// by the value as it travels without.
struct RegionMessage {
  MessageHead head;
  void* object;
};

/// The position of a value's bytes in a message, behind the words that precede them.
struct PlainValue {
  explicit PlainValue(const abi::travelling& plain, std::size_t count)
      : is_sequence(plain.how == abi::layout::sequence),
        begin(aligned(sizeof(RegionMessage) + (is_sequence ? sizeof(std::uint64_t) : 0), plain.alignment)),
        bytes(plain.bytes * (is_sequence ? count : 1)) {}

  bool is_sequence;
  std::size_t begin, bytes;
};

}  // namespace

void Execution::note() {
  plan::Plan* const plan = current().plan;
  // What is kept for a collective operation is in no message yet. The plan may also be another block's, whose
  // values are of a type that this one's are not.
  end_statement();
  if (!plan || plan->needs_everything() || updates_.size() > 1 || collective_.captured) return;
  plan::Plan::Exchange found;
  for (const Outgoing& out : outbox_.messages()) {
    if (out.values != 1) return;
    found.receivers.push_back(out.peer);
  }
  if (!updates_.empty()) found.sender = updates_[0].sender;
  plan->note(std::move(found));
}

void Execution::take_value(const abi::region_exchange& block, int sender, Buffer message) {
  begin(block.statement, nullptr);
  add(&block.place, sender, block.receives, nullptr, 0);
  end_statement();
  take_message(sender, std::move(message));
  complete();
}

void Execution::take_message(int sender, Buffer message) {
  if (sender != rank()) check_head(sender, message);
  add_incoming(sender, std::move(message));
}

/// One repeated execution of a block whose one value is in a region.
class Repetition {
 public:
  Repetition(Blocks& blocks, const abi::region_exchange& block)
      : blocks_(blocks),
        owner_(blocks.owner()),
        block_(block),
        team_(state_of(blocks, block.how.team, "the block", block.where)),
        value_(const_cast<abi::region_handle&>(block.value)),
        plain_(*block.receives.value.plain) {}

  /// Executes the block; returns false, and does nothing, if it cannot be repeated.
  bool run() {
    const plan::Plan::Exchange* const known = find();
    if (!known) return false;
    enter_block(owner_, block_.where.file, block_.where.line);
    send(known->receivers);
    if (known->sender == team_.rank)
      take_own();
    else if (known->sender >= 0 && !take(known->sender))
      return true;
    ++team_.sequence;
    leave_block(owner_);
    return true;
  }

 private:
  /// The exchange that the rank's plan has noted, if it can be repeated here; else null.
  const plan::Plan::Exchange* find() {
    std::string error;
    const plan::Plan* const plan =
        blocks_.planner().find(block_.statement.form, {block_.leaves.begin(), block_.leaves.size()},
                               team_.rank, team_.size, true, error);
    if (!plan || !plan->exchange()) return nullptr;
    const plan::Plan::Exchange& known = *plan->exchange();
    return known.receivers.empty() || value_.object_ ? &known : nullptr;
  }

  void send(const std::vector<int>& receivers) {
    if (receivers.empty()) return;
    object_ = value_.object_;
    const auto others = std::ranges::count_if(receivers, [&](int one) { return one != team_.rank; });
    const bool is_for_all = others < std::ssize(receivers) && others > 0;
    // What a variable gives to itself and to others, all of them share.
    gives_ = block_.gives && !(is_for_all && &block_.place == &value_);
    copies_ = !gives_ && switches(owner_).learning &&
              value_.prefers_copy(block_.value_bytes, team_.sequence, static_cast<std::size_t>(others));
    for (const int receiver : receivers)
      if (gives_ || (!copies_ && receiver != team_.rank)) value_.refer(gives_);
    if (gives_) value_.let_go();
    for (const int receiver : receivers) {
      if (receiver == team_.rank) continue;
      Buffer message = copies_ ? with_copy() : with_reference();
      rt::send(owner_, team_.world_rank(receiver), team_.context, team_.sequence, std::move(message));
    }
  }

  RegionMessage content() const {
    return {{static_cast<std::uint32_t>(block_.where.line), 1}, copies_ ? nullptr : object_};
  }

  Buffer with_reference() {
    Buffer message(room_.clear());
    const RegionMessage all = content();
    std::memcpy(message.data(), &all, sizeof all);
    message.shrink(sizeof all);
    message.count_extra(block_.value_bytes);
    return message;
  }

  Buffer with_copy() {
    const abi::term value = block_.receives.value.in_region(object_);
    const PlainValue where(plain_, value.count);
    Buffer message = allocate_message(owner_, where.begin + where.bytes);
    std::memset(message.data(), 0, where.begin);
    const RegionMessage first = content();
    std::memcpy(message.data(), &first, sizeof first);
    const std::uint64_t count = value.count;
    if (where.is_sequence) std::memcpy(message.data() + sizeof first, &count, sizeof count);
    if (where.bytes > 0) std::memcpy(message.data() + where.begin, value.data, where.bytes);
    return message;
  }

  /// Takes the value that the rank has sent to itself.
  void take_own() {
    if (gives_)
      block_.place.adopt(object_);
    else if (!copies_)
      block_.place.borrow(value_);
    else if (&block_.place != &value_)
      block_.receives.assign(&block_.place, block_.receives.value.in_region(object_));
  }

  /// Receives the value. Returns false if the message was none of a block like this one, which has then been
  /// ended otherwise.
  bool take(int sender) {
    Buffer message = receive(owner_, team_.world_rank(sender), team_.context, team_.sequence, room_.clear());
    RegionMessage first{};
    if (message.bytes() >= sizeof first) std::memcpy(&first, message.data(), sizeof first);
    const abi::term copy = first.object ? abi::term{} : value_in(message);
    const bool is_expected =
        first.head.line == static_cast<std::uint32_t>(block_.where.line) && first.head.values == 1;
    if (!is_expected || (!first.object && !copy.data)) {
      blocks_.enter(block_.where, block_.how.team).take_value(block_, sender, std::move(message));
      return false;
    }
    first.object ? block_.place.adopt(first.object) : block_.receives.assign(&block_.place, copy);
    return true;
  }

  /// The value in a message with a copy; without data if the message is too short.
  abi::term value_in(const Buffer& message) const {
    abi::term value{nullptr, 1};
    std::uint64_t count = 0;
    if (plain_.how == abi::layout::sequence) {
      if (message.bytes() < sizeof(RegionMessage) + sizeof count) return value;
      std::memcpy(&count, message.data() + sizeof(RegionMessage), sizeof count);
      if (count > message.bytes()) return value;
      value.count = count;
    }
    const PlainValue where(plain_, value.count);
    if (where.begin + where.bytes == message.bytes()) value.data = message.data() + where.begin;
    return value;
  }

  Blocks& blocks_;
  Rank& owner_;
  const abi::region_exchange& block_;
  TeamState& team_;
  abi::region_handle& value_;
  const abi::travelling& plain_;
  void* object_ = nullptr;  ///< the object that is sent
  bool gives_ = false;
  bool copies_ = false;
  ShortMessage room_;
};

}  // namespace kanor::rt

namespace kanor::abi {

bool repeat(const region_exchange& block) noexcept {
  rt::Blocks& blocks = rt::Blocks::here();
  return blocks.repeats(block.needs_addresses) && !blocks.current() && rt::Repetition(blocks, block).run();
}

}  // namespace kanor::abi
