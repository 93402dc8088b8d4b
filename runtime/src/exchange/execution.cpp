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
  for (PeerMessage& in : inbox_.all()) in.message.take();
  for (Buffer& copy : lending_.enclosed) copy.take();
  collective_.captured.copy.take();
  one_sided_.own_records.take();
}

void Execution::start_block(const abi::site& block, Step step, const kanor::team& team, TeamState& state,
                            abi::knows knows, bool copy) {
  instance_.site = block;
  instance_.step = step;
  instance_.knows = knows;
  instance_.copies = copy || !on_.sharing;
  instance_.held = team;
  instance_.team = &state;
  instance_.sequence = state.sequence++;
}

void Execution::begin(const abi::statement_site& where, void* operation) {
  if (!statements_.empty()) {
    send_directly();  // of the statement before this one
    copy_loans();
    end_statement();
  }
  progress_.current = statements_.size();
  Statement& statement = statements_.emplace_back();
  statement.where = where;
  statement.operation = operation;
  statement.first_update = statement.end_update = updates_.size();
  statement.first_name = names_.size();
  if (Checks* const checks = blocks_.checks()) checks->statement(where, instance_.knows == abi::knows::both);
}

plan::Plan* Execution::find_plan(std::span<const abi::leaf> leaves, plan::Plan* known) {
  const abi::statement_site& where = current().where;
  if (!*where.form || !on_.plan || on_.check) return nullptr;
  if (known) return current().plan = known;
  plan::Planner& planner = blocks_.planner();
  if (on_.cache) current().plan = planner.known(where.form, leaves, rank(), size());
  if (current().plan) return current().plan;
  std::string error;
  current().plan = planner.find(where.form, leaves, rank(), size(), on_.cache, error);
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
  void* room = kept_.allocate(bytes, alignment);
  if (destroy) kept_.add(room, destroy);
  return room;
}

void Execution::open(int receiver, std::size_t value_bytes) {
  collective_.form.reset();  // a value that is put, and not captured, is none of such an operation
  outbox_.open(receiver, head_bytes(), value_bytes);
  if ((current().where.flags & abi::same_address_space) && !by_pointer(receiver))
    fail_sending("is of a type marked [[kanor::same_address_space]], and this rank shares no addresses with");
}

void Execution::add(void* place, int sender, const abi::receiving& how, const abi::named_value* names,
                    int name_count) {
  Statement& statement = current();
  statement.how = updates_.end_of_list().how = &how;
  statement.name_count = name_count;
  if (name_count > 0) names_.insert(names_.end(), names, names + name_count);
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
    const MessageHead head{head_line(), out.values};
    std::memcpy(out.message.data(), &head, sizeof(head));
    out.message.shrink(out.used);
    out.message.count_extra(out.weight);
    if (out.peer == rank()) {
      add_incoming(rank(), std::move(out.message));
    } else {
      send(*owner_, instance_.team->world_rank(out.peer), instance_.team->context, instance_.sequence,
           std::move(out.message));
    }
  }
}

void Execution::run() {
  end_statement();
  if (collective_.form) {
    bool is_done = false;
    call_user([&] { is_done = run_collective(); });
    if (is_done) return end();
  }
  if (instance_.knows != abi::knows::receiver) let_go_of_given();
  if (Checks* const checks = blocks_.checks()) {
    checks->announce();
    if (instance_.knows == abi::knows::both) check_conflicts();
  }
  if (!lending_.loans.empty() && places_meet_loans()) copy_loans();
  instance_.knows == abi::knows::both ? send_all() : send_records();
  complete();
}

PendingExchange& Execution::start() {
  // All values but regions and buffers are in messages from here on: kanorc splits blocks whose values change
  // before they are complete.
  end_statement();
  send_directly();
  copy_loans();
  if (instance_.knows != abi::knows::receiver) let_go_of_given();
  if (Checks* const checks = blocks_.checks()) {
    checks->announce();
    check_conflicts();
    note_places();
  }
  if (instance_.knows == abi::knows::both) expect(*owner_, context(), instance_.sequence);
  instance_.knows == abi::knows::both ? send_all() : send_records();
  PendingExchange& rest = blocks_.suspend(*this);
  clear();
  return rest;
}

void Execution::complete() {
  if (instance_.resumed && blocks_.checks()) check_places_untouched();
  if (instance_.knows != abi::knows::both) {
    meet();
    let_go_of_given();
    if (blocks_.checks()) check_conflicts();
  }
  call_user([&] {
    for (const Statement& statement : statements_) update_places(statement);
  });
  for (const PeerMessage& in : inbox_.all()) {
    MessageHead head;
    std::memcpy(&head, in.message.data(), sizeof(head));
    if (head.values == in.values) continue;
    settle_checks();
    fail(member_text(in.peer) + " sent " + std::to_string(head.values) + " values, but " +
         member_text(rank()) + " expects " + std::to_string(in.values) +
         " of it: the ranks do not agree on the bindings of the block at " + place_of(instance_.site));
  }
  settle_loans();
  end();
}

void Execution::end() {
  if (instance_.resumed || instance_.knows != abi::knows::both)
    expect_no_more(*owner_, context(), instance_.sequence);
  clear();
  blocks_.leave();
}

void Execution::clear() {
  instance_.resumed = false;
  statements_.clear();
  updates_.clear();
  if (!names_.empty()) names_.clear();
  outbox_.clear();
  inbox_.clear();
  short_messages_.give_back_all();
  lending_.clear();
  following_.clear();
  lasting_.clear();
  if (instance_.knows != abi::knows::both) one_sided_.clear();
  if (!fold_memory_.results.empty()) fold_memory_.results.clear();
  kept_.clear();
  index_lists_.clear();
  instance_.held = kanor::world;
}

}  // namespace kanor::rt
