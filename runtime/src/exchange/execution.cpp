// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/execution.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "exchange/blocks.hpp"
#include "platform/copy.hpp"

namespace kanor::rt {

std::string place_of(const abi::site& site) {
  return std::string(site.file) + ":" + std::to_string(site.line);
}

Execution::~Execution() {
  // A rank that ended inside a block (by exit) may still hold messages, and no longer is a rank that can give
  // them back.
  for (Outgoing& message : outgoing_) message.message.take();
  for (Incoming& message : incoming_) message.message.take();
  for (Buffer& copy : enclosed_) copy.take();
  captured_.copy.take();
  own_records_.take();
}

void Execution::start_block(const abi::site& block, const kanor::team& team, TeamState& state,
                            abi::knows knows, bool copy) {
  knows_ = knows;
  copies_ = copy || !switches(*owner_).sharing;
  sharing_counts_ = nullptr;
  block_ = block;
  held_ = team;
  team_ = &state;
  sequence_ = state.sequence++;
}

void Execution::begin(const abi::statement_site& where, void* operation) {
  send_directly();  // of a statement before this one
  copy_loans();
  Statement statement;
  statement.where = where;
  statement.operation = operation;
  statement.first_part = statement.end_part = parts_.size();
  statement.first_name = names_.size();
  current_ = statements_.size();
  statements_.push_back(statement);
  if (Checks* const checks = blocks_.checks()) checks->statement(where, knows_ == abi::knows::both);
}

plan::Plan* Execution::find_plan(std::span<const abi::leaf> leaves, plan::Plan* known) {
  const abi::statement_site& where = current().where;
  const Switches& on = switches(*owner_);
  if (!*where.form || !on.plan || on.check) return nullptr;
  if (known) return current().plan = known;
  std::string error;
  current().plan = blocks_.planner().find(where.form, leaves, rank(), size(), on.cache, error);
  if (!current().plan)
    fail(statement_text(current(), nullptr, 0) + ", the form '" + where.form +
         "' that kanorc gave it cannot be used: " + error);
  return current().plan;
}

plan::Plan* Execution::plan(std::span<const abi::leaf> leaves, plan::Plan* known) {
  plan::Plan* const plan = find_plan(leaves, known);
  return plan && !plan->needs_everything() ? plan : nullptr;
}

plan::Plan* Execution::plan_of(std::span<const abi::leaf> leaves, plan::Side side) {
  plan::Plan* const plan = find_plan(leaves, nullptr);
  if (!plan || !plan->describes(side)) return nullptr;
  plan->begin(side);
  return plan;
}

void Execution::enumerate(void (*visit)(const void*, abi::binder_base&), const void* bindings,
                          abi::binder_base& binder) {
  call_user([&] { visit(bindings, binder); });
}

void* Execution::keep(std::size_t bytes, std::size_t alignment, void (*destroy)(void*)) {
  void* room = arena_.allocate(bytes, alignment);
  if (destroy) kept_.push_back({room, destroy});
  return room;
}

void Execution::open(int receiver) {
  collective_.reset();  // a value that is put, and not captured, is none of such an operation
  const int position = outgoing_of_.find_or_add(receiver, static_cast<int>(outgoing_.size()));
  if (position == PeerIndex::none) {
    open_ = &outgoing_.emplace_back();
    open_->to = receiver;
    open_->shares_addresses = by_pointer(receiver);
    open_->used = head_bytes();
  } else {
    open_ = &outgoing_[static_cast<std::size_t>(position)];
  }
  ++open_->values;
  if ((current().where.flags & abi::same_address_space) && !open_->shares_addresses)
    fail_sending("is of a type marked [[kanor::same_address_space]], and this rank shares no addresses with");
}

std::byte* Execution::reserve(std::size_t bytes, std::size_t* capacity) {
  Outgoing& out = *open_;
  const std::size_t needed = out.used + bytes;
  if (!out.message && needed <= ShortMessage::most_bytes) out.message = Buffer(short_messages_.take());
  if (needed > out.message.bytes() || !out.message) {
    // Message memory comes in powers of two, header included: ask for all of the one that holds what is
    // needed.
    Buffer larger = allocate_message(*owner_, std::bit_ceil(needed + sizeof(Message)) - sizeof(Message));
    if (out.message) std::memcpy(larger.data(), out.message.data(), out.used);
    out.message = std::move(larger);
  }
  if (capacity) *capacity = out.message.bytes() - out.used;
  return out.message.data() + out.used;
}

void Execution::advance(std::size_t bytes) { open_->used += bytes; }

void Execution::align(std::size_t alignment) {
  alignment = std::min(alignment, most_alignment);
  const std::size_t padding = -open_->used & (alignment - 1);
  if (padding == 0) return;
  std::memset(reserve(padding, nullptr), 0, padding);
  open_->used += padding;
}

void Execution::put_flat(const void* data, std::size_t bytes, std::size_t alignment) {
  Outgoing& out = *open_;
  const std::size_t start = aligned(out.used, alignment);
  if (start + bytes > out.message.bytes() || start != out.used) {
    std::byte* const end = reserve(start + bytes - out.used, nullptr);
    if (start != out.used) std::memset(end, 0, start - out.used);
    out.used = start;
  }
  copy_few(out.message.data() + start, data, bytes);
  out.used = start + bytes;
}

std::byte* Execution::put_sequence(std::size_t count, std::size_t element_bytes,
                                   std::size_t element_alignment) {
  const std::uint64_t length = count;
  put_flat(&length, sizeof(length), alignof(std::uint64_t));
  const std::size_t bytes = count * element_bytes;
  const std::size_t alignment = std::min(element_alignment, most_alignment);
  const std::size_t padding = -open_->used & (alignment - 1);
  std::byte* room = reserve(padding + bytes, nullptr);
  std::memset(room, 0, padding);
  open_->used += padding + bytes;
  return room + padding;
}

void Execution::put_pointer(void* object, std::size_t weight_bytes) {
  put_flat(&object, sizeof(object), alignof(void*));
  open_->weight += weight_bytes;
}

std::byte* Execution::begin_archive(std::size_t* capacity) {
  align(alignof(std::uint64_t));
  archive_at_ = open_->used;
  std::memset(reserve(sizeof(std::uint64_t), nullptr), 0, sizeof(std::uint64_t));
  open_->used += sizeof(std::uint64_t);
  return reserve(0, capacity);
}

void Execution::end_archive() {
  const std::uint64_t length = open_->used - archive_at_ - sizeof(std::uint64_t);
  std::memcpy(open_->message.data() + archive_at_, &length, sizeof(length));
}

void Execution::add(void* place, int sender, const abi::receiving& how, const abi::named_value* names,
                    int name_count) {
  Statement& statement = current();
  statement.how = &how;
  statement.name_count = name_count;
  names_.insert(names_.end(), names, names + name_count);
  parts_.push_back({place, sender});
  statement.end_part = parts_.size();
}

void Execution::send_all() {
  for (Outgoing& out : outgoing_) {
    const MessageHead head{static_cast<std::uint32_t>(block_.line), out.values};
    std::memcpy(out.message.data(), &head, sizeof(head));
    out.message.shrink(out.used);
    out.message.count_extra(out.weight);
    if (out.to == rank()) {
      add_incoming(rank(), std::move(out.message));
    } else {
      send(*owner_, team_->world_rank(out.to), team_->context, sequence_, std::move(out.message));
    }
  }
}

void Execution::run() {
  if (run_collective()) return end();
  if (knows_ != abi::knows::receiver) let_go_of_given();
  open_ = nullptr;
  if (Checks* const checks = blocks_.checks()) {
    checks->announce();
    if (knows_ == abi::knows::both) check_conflicts();
  }
  if (!loans_.empty() && places_meet_loans()) copy_loans();
  knows_ == abi::knows::both ? send_all() : send_records();
  complete();
}

PendingExchange& Execution::start() {
  send_directly();
  copy_loans();
  if (knows_ != abi::knows::receiver) let_go_of_given();
  open_ = nullptr;
  if (Checks* const checks = blocks_.checks()) {
    checks->announce();
    check_conflicts();
    note_places();
  }
  if (knows_ == abi::knows::both) expect(*owner_, context(), sequence_);
  knows_ == abi::knows::both ? send_all() : send_records();
  PendingExchange& rest = blocks_.suspend(*this);
  clear();
  return rest;
}

void Execution::complete() {
  if (started_ && blocks_.checks()) check_places_untouched();
  if (knows_ != abi::knows::both) {
    meet();
    let_go_of_given();
    if (blocks_.checks()) check_conflicts();
  }
  for (const Statement& statement : statements_) update(statement);
  for (const Incoming& in : incoming_) {
    MessageHead head;
    std::memcpy(&head, in.message.data(), sizeof(head));
    if (head.values == in.values) continue;
    settle_checks();
    fail(member_text(in.from) + " sent " + std::to_string(head.values) + " values, but " +
         member_text(rank()) + " expects " + std::to_string(in.values) +
         " of it: the ranks do not agree on the bindings of the block at " + place_of(block_));
  }
  settle_loans();
  end();
}

void Execution::end() {
  if (started_ || knows_ != abi::knows::both) expect_no_more(*owner_, context(), sequence_);
  for (auto kept = kept_.rbegin(); kept != kept_.rend(); ++kept) kept->destroy(kept->object);
  clear();
  blocks_.leave();
}

void Execution::clear() {
  started_ = false;
  outgoing_of_.clear();
  incoming_of_.clear();
  kept_.clear();
  arena_.clear();
  statements_.clear();
  parts_.clear();
  names_.clear();
  outgoing_.clear();
  incoming_.clear();
  enclosed_.clear();
  short_messages_.give_back_all();
  loans_.clear();
  lends_ = borrows_ = false;
  results_.clear();
  contributions_.clear();
  arrived_.clear();
  outstanding_.clear();
  outstanding_of_.clear();
  settled_ = first_outstanding_ = 0;
  parts_at_.clear();
  lost_.clear();
  checksums_.clear();
  sent_values_.clear();
  flat_values = 0;
  held_ = kanor::world;
}

}  // namespace kanor::rt
