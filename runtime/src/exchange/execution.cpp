// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/execution.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "exchange/blocks.hpp"

namespace kanor::rt {

std::string place_of(const abi::site& site) {
  return std::string(site.file) + ":" + std::to_string(site.line);
}

Execution::~Execution() {
  // A rank that ended inside a block (by exit) may still hold messages, and no longer is a rank that can give
  // them back.
  for (Incoming& message : incoming_) message.message.take();
  for (Buffer& copy : lending_.enclosed) copy.take();
  captured_.copy.take();
  one_sided_.own_records.take();
}

void Execution::start_block(const abi::site& block, const kanor::team& team, TeamState& state,
                            abi::knows knows, bool copy) {
  knows_ = knows;
  copies_ = copy || !on_.sharing;
  sharing_counts_ = nullptr;
  block_ = block;
  held_ = team;
  team_ = &state;
  sequence_ = state.sequence++;
}

void Execution::begin(const abi::statement_site& where, void* operation) {
  send_directly();  // of a statement before this one
  copy_loans();
  end_statement();
  current_ = statements_.size();
  const std::size_t first = updates_.size();
  statements_.push_back({where, operation, first, first, names_.size()});
  if (Checks* const checks = blocks_.checks()) checks->statement(where, knows_ == abi::knows::both);
}

plan::Plan* Execution::find_plan(std::span<const abi::leaf> leaves, plan::Plan* known) {
  const abi::statement_site& where = current().where;
  if (!*where.form || !on_.plan || on_.check) return nullptr;
  if (known) return current().plan = known;
  std::string error;
  current().plan = blocks_.planner().find(where.form, leaves, rank(), size(), on_.cache, error);
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
  const bool is_new = outbox_.open(receiver, head_bytes());
  Outgoing& out = outbox_.current();
  if (is_new) out.shares_addresses = by_pointer(receiver);
  if ((current().where.flags & abi::same_address_space) && !out.shares_addresses)
    fail_sending("is of a type marked [[kanor::same_address_space]], and this rank shares no addresses with");
}

void Execution::add(void* place, int sender, const abi::receiving& how, const abi::named_value* names,
                    int name_count) {
  Statement& statement = current();
  statement.how = updates_.end_of_list().how = &how;
  statement.name_count = name_count;
  names_.insert(names_.end(), names, names + name_count);
  updates_.push_back({place, sender});
}

void Execution::end_statement() {
  if (statements_.empty()) return;
  outbox_.close();
  updates_.end_of_list().how = nullptr;
  current().end_update = updates_.size();
}

void Execution::send_all() {
  for (Outgoing& out : outbox_.messages()) {
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
  end_statement();
  if (run_collective()) return end();
  if (knows_ != abi::knows::receiver) let_go_of_given();
  if (Checks* const checks = blocks_.checks()) {
    checks->announce();
    if (knows_ == abi::knows::both) check_conflicts();
  }
  if (!lending_.loans.empty() && places_meet_loans()) copy_loans();
  knows_ == abi::knows::both ? send_all() : send_records();
  complete();
}

PendingExchange& Execution::start() {
  end_statement();
  send_directly();
  copy_loans();
  if (knows_ != abi::knows::receiver) let_go_of_given();
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
  for (const Statement& statement : statements_) update_places(statement);
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
  statements_.clear();
  updates_.clear();
  names_.clear();
  outbox_.clear();
  incoming_.clear();
  incoming_of_.clear();
  short_messages_.give_back_all();
  lending_.clear();
  following_.clear();
  lasting_.clear();
  if (knows_ != abi::knows::both) one_sided_.clear();
  if (!results_.empty()) results_.clear();
  kept_.clear();
  arena_.clear();
  held_ = kanor::world;
}

}  // namespace kanor::rt
