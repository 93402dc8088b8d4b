// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks with variables whose memory ranks share: see kanor/abi/globalised.hpp.
#include "exchange/blocks.hpp"
#include "exchange/execution.hpp"
#include "kanor/abi/region_block.hpp"
#include "ownership/region.hpp"

namespace kanor::rt {

namespace {

/// The largest team whose members fold all values in place sooner than in steps, which copy the values: m - 1
/// folds against log2 m folds, and as many copies and two more.
constexpr int most_that_fold_all = 8;

/// A reduction of fewer bytes is faster with other ranks' values in messages, which are folded where they
/// lie, than with a new region for the result.
constexpr std::size_t least_folded_bytes = 32768;

/// The length from which elements move instead of being copied, as kanorc's --globalize-from.
constexpr std::size_t least_moved_bytes = 4096;

}  // namespace

// Everything here is the same on sender and receiver: the job's switches, the block's modifiers, the
// statement's form and type, and what a pair of ranks shares.
bool Execution::shares_region(const Statement& statement, int peer, bool needs_addresses) const {
  if (instance_.copies || is_plain(statement, needs_addresses)) return false;
  if (all_share(needs_addresses)) return true;
  const int world_rank = instance_.team->world_rank(peer);
  return needs_addresses ? rt::shares_addresses(*owner_, world_rank) : rt::shares_memory(*owner_, world_rank);
}

bool Execution::all_share(bool needs_addresses) const {
  return needs_addresses ? all_share_addresses(*owner_) : all_share_memory(*owner_);
}

bool Execution::is_plain(const Statement& statement, bool needs_addresses) const {
  if (instance_.copies) return true;
  if (!statement.form) return false;
  const bool folds =
      *statement.form != plan::Collective::broadcast && *statement.form != plan::Collective::all_gather;
  return !all_share(needs_addresses) || (folds && size() > most_that_fold_all);
}

void Execution::count(std::uint64_t SharingCounts::*what, std::size_t bytes) {
  if (!on_.statistics) return;
  SharingCounters::at(*owner_, instance_.site.file, instance_.site.line)->*what += bytes;
}

void Execution::count_copied(const abi::receiving& how, abi::term value) {
  const abi::travelling& plain = without_region(how.value);
  count(&SharingCounts::copied_bytes,
        plain.how == abi::layout::sequence ? value.count * plain.bytes : plain.bytes);
}

/// Puts a null reference: the value follows as it would without a region.
void Execution::put_no_region() {
  outbox_.put_pointer(nullptr, 0);
  --outbox_.end().values;
}

bool Execution::moves_objects(int receiver) const { return !instance_.copies && by_pointer(receiver); }

bool Execution::moves_elements(int receiver, std::size_t bytes) {
  const bool moves = shares_region(current(), receiver, true);
  if (moves && bytes >= least_moved_bytes) return true;
  if (moves) {
    open(receiver);
    put_no_region();
  }
  count(&SharingCounts::copied_bytes, bytes);
  return false;
}

void Execution::put_moved(int receiver, void* object, std::size_t bytes) {
  open(receiver);
  outbox_.put_pointer(object, bytes);
  count(&SharingCounts::handed_over_bytes, bytes);
}

void* Execution::result_room(std::size_t bytes, std::size_t alignment) {
  if (bytes >= least_folded_bytes || alignment > most_alignment || !on_.learning) return nullptr;
  return fold_memory_.results.emplace_back(allocate_message(*owner_, bytes)).data();
}

const void* Execution::object_of(const abi::region_handle& variable) {
  if (!variable.object_)
    fail_updating("the value of '" + std::string(variable.where().name) +
                  "' is sent, but was released or given away before");
  return variable.object_;
}

bool Execution::put_region(int receiver, const abi::region_handle& variable, const abi::region_value& value) {
  outbox_.expect_other();
  if (capture_region(receiver, variable, value)) return true;
  const std::size_t value_bytes = value.bytes;
  auto& handle = const_cast<abi::region_handle&>(variable);
  // Where nothing is shared, nothing that the compiler decided is relied upon: the value stays.
  if (value.given && on_.sharing) giving_.variables.push_back(&handle);
  if (!shares_region(current(), receiver, value.needs_addresses)) {
    count(&SharingCounts::copied_bytes, value_bytes);
    return false;
  }
  open(receiver);
  const bool may_copy = !value.given && on_.learning;
  const bool folds_few = current().operation && receiver != rank() && value_bytes < least_folded_bytes;
  if (may_copy &&
      (folds_few || handle.prefers_copy(value_bytes, instance_.sequence, receiver != rank() ? 1 : 0))) {
    put_no_region();
    count(&SharingCounts::copied_bytes, value_bytes);
    return false;
  }
  // A rank that answers requests may be asked for the value again when the first answer is on its way.
  handle.refer(value.given && instance_.knows != abi::knows::receiver);
  outbox_.put_pointer(variable.object_, value_bytes);
  count(value.given ? &SharingCounts::handed_over_bytes : &SharingCounts::shared_bytes, value_bytes);
  return true;
}

Gift& Execution::gift_of(abi::buffer_memory& buffer) {
  if (abi::gift* const earlier = abi::given_memory::promised(buffer)) return static_cast<Gift&>(*earlier);
  if (blocks_.checks()) check_given(buffer);
  Gift& gift = giving_.buffers.emplace_back();
  abi::given_memory::promise(buffer, gift);
  return gift;
}

void Execution::check_given(const abi::buffer_memory& buffer) {
  const std::uint64_t number = abi::given_memory::number(buffer);
  if (number == 0) return;
  fail("checked mode: " + evaluated_text() + ", the value's memory was given away by the block at " +
       place_of(blocks_.giver(number)));
}

bool Execution::put_given(int receiver, abi::buffer_memory& buffer, std::size_t element_bytes,
                          abi::term& elements) {
  Gift& gift = gift_of(buffer);
  elements = gift.elements;
  const std::size_t bytes = elements.count * element_bytes;
  if (!shares_region(current(), receiver, false)) {
    count(&SharingCounts::copied_bytes, bytes);
    return false;
  }
  open(receiver);
  if (elements.data)
    refer(Region::of(elements.data), gift.references, instance_.knows != abi::knows::receiver);
  outbox_.put_pointer(elements.data, bytes);
  count(&SharingCounts::handed_over_bytes, bytes);
  // Of an empty one the value follows as it would without.
  if (!elements.data) --outbox_.end().values;
  return elements.data != nullptr;
}

// Several bindings may have sent one variable's value: it is let go of once.
void Execution::let_go_of_all_given() {
  for (abi::region_handle* const variable : giving_.variables)
    if (variable->object_) variable->let_go();
  giving_.variables.clear();
  const std::uint64_t giver = giving_.buffers.empty() ? 0 : blocks_.number_of_giver(instance_.site);
  for (const Gift& gift : giving_.buffers) {
    abi::given_memory::settle(gift, giver);
    if (gift.elements.data && gift.references > 0) let_go(Region::of(gift.elements.data), gift.references);
  }
  giving_.buffers.clear();
}

}  // namespace kanor::rt

namespace kanor::abi {

bool is_own(const term& value) noexcept { return !value.object || rt::is_sole(rt::Region::of(value.object)); }

void* result_room(std::size_t bytes, std::size_t alignment) noexcept {
  return rt::Blocks::here().current()->result_room(bytes, alignment);
}

void* new_room(const region_kind& kind) noexcept {
  rt::Region& region = rt::make_region(rt::here("a reduction was made"), kind.bytes);
  region.destroy = kind.destroy;
  return region.object();
}

void let_go(const term& value) noexcept {
  if (value.object) rt::let_go(rt::Region::of(value.object));
}

}  // namespace kanor::abi
