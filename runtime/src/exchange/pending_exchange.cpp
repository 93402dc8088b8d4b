// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/pending_exchange.hpp"

#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "exchange/blocks.hpp"

namespace kanor::rt {
namespace {

template <class Items>
std::byte* write(std::byte* to, const Items& items) {
  using Item = std::remove_const_t<typename Items::value_type>;
  static_assert(std::is_trivially_copyable_v<Item> && alignof(Item) == alignof(void*),
                "items follow each other without gaps, and are copied as bytes");
  if (!items.empty()) std::memcpy(to, items.data(), items.size() * sizeof(Item));
  return to + items.size() * sizeof(Item);
}

template <class Item>
std::span<const Item> read(const std::byte*& from, std::size_t count) {
  const auto* const first = reinterpret_cast<const Item*>(from);
  from += count * sizeof(Item);
  return {first, count};
}

template <class Item>
void assign(std::vector<Item>& to, std::span<const Item> items) {
  to.assign(items.begin(), items.end());
}

/// Returns a message that outlives the execution: a copy if `message` lies in the execution's memory.
Buffer lasting(Rank& owner, Buffer message) {
  if (!message || message.get()->owner != no_pool) return message;
  Buffer copy = allocate_message(owner, message.bytes());
  std::memcpy(copy.data(), message.data(), message.bytes());
  return copy;
}

}  // namespace

struct PendingExchange::Rare {
  OneSided one_sided;
  Giving giving;
  Lasting lasting;
};

std::size_t PendingExchange::Counts::bytes() const {
  return statements * sizeof(Statement) + updates * sizeof(Update) + names * sizeof(abi::named_value);
}

std::unique_ptr<PendingExchange> PendingExchange::take(Execution& from, std::size_t position,
                                                       std::uint32_t number) {
  const auto count = [](const auto& items) { return static_cast<std::uint32_t>(items.size()); };
  const Counts counts{count(from.statements_), count(from.updates_), count(from.names_)};
  return std::unique_ptr<PendingExchange>(new (counts) PendingExchange(from, position, number, counts));
}

PendingExchange::PendingExchange(Execution& from, std::size_t position, std::uint32_t number,
                                 const Counts& counts)
    : blocks_(from.blocks_),
      position_(static_cast<std::uint32_t>(position)),
      counts_(counts),
      instance_(from.instance_),
      kept_(from.kept_.take()) {
  instance_.resumed = true;
  instance_.number = number;
  write(write(write(items(), from.statements_), from.updates_.all()), from.names_);
  if (!from.inbox_.empty()) own_ = lasting(*from.owner_, std::move(from.inbox_.all().front().message));
  if (from.one_sided_.own_records) own_ = lasting(*from.owner_, std::move(from.one_sided_.own_records));
  if (instance_.knows == abi::knows::both && !blocks_.checks()) return;
  rare_.reset(new Rare{std::move(from.one_sided_), std::move(from.giving_), std::move(from.lasting_)});
}

PendingExchange::~PendingExchange() {
  // The rank has ended without ending the exchange, and can take no message back.
  own_.take();
}

Bindings PendingExchange::bindings() const {
  const std::byte* at = items();
  Bindings all{&instance_.site, {}, {}, {}};
  all.statements = read<Statement>(at, counts_.statements);
  all.updates = read<Update>(at, counts_.updates);
  all.names = read<abi::named_value>(at, counts_.names);
  return all;
}

int PendingExchange::missing(Rank& owner) const {
  const TeamState& team = *instance_.team;
  int known = team.rank;  // has sent its message; its own is here
  for (const Update& one : bindings().updates) {
    if (one.sender == known) continue;
    const int sender = team.world_rank(one.sender);
    if (one.sender != team.rank && !has_arrived(owner, sender, team.context, instance_.sequence))
      return sender;
    known = one.sender;
  }
  return no_rank;
}

void PendingExchange::resume(Execution& to) {
  to.instance_ = instance_;
  const Bindings all = bindings();
  assign(to.statements_, all.statements);
  to.updates_.append(all.updates);
  assign(to.names_, all.names);
  if (rare_) {
    to.one_sided_ = std::move(rare_->one_sided);
    to.giving_ = std::move(rare_->giving);
    to.lasting_ = std::move(rare_->lasting);
  }
  if (own_ && instance_.knows == abi::knows::receiver)
    to.one_sided_.own_records = std::move(own_);
  else if (own_)
    to.add_incoming(to.rank(), std::move(own_));
  to.kept_ = kept_.take();
}

}  // namespace kanor::rt
