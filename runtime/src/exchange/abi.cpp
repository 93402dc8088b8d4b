// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The door for emitted code: kanor/abi/block.hpp's functions, handed on to the rank's Blocks and Execution.
#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "exchange/blocks.hpp"
#include "exchange/execution.hpp"
#include "exchange/few_values.hpp"
#include "exchange/team_record.hpp"
#include "kanor/abi/block.hpp"
#include "plan/planner.hpp"

namespace kanor::abi {

using rt::Blocks;

namespace {

/// Ends the job with an error in the block being executed, if there is one.
[[noreturn]] void fail_current(const std::string& what) {
  if (rt::Execution* const current = Blocks::here().current()) current->fail_updating(what);
  rt::fail(what);
}

}  // namespace

block::block(const site& where) noexcept : block(where, modifiers()) {}

block::block(const site& where, const modifiers& how) noexcept
    : blocks_(&Blocks::here()), where_(where), how_(how) {
  blocks_->open(where_);
}

void block::enter() noexcept {
  if (execution_) return;
  execution_ = &blocks_->enter(where_, how_.team, how_.knows, how_.copy);
  rank_ = execution_->rank();
  size_ = execution_->size();
  checked_ = execution_->blocks().checks() != nullptr;
  message_end_ = &execution_->message_end();
  update_end_ = &execution_->update_end();
}

block::~block() {
  if (!complete_) rt::fail("an exception ended the block before it was complete");
}

void block::note() noexcept { execution_->note(); }

void block::run() noexcept {
  if (complete_) return;
  enter();
  execution_->note_few(reinterpret_cast<const void*>(visit_));
  execution_->run();
  complete_ = true;
}

pending block::start() noexcept {
  enter();
  complete_ = true;
  return pending(&execution_->start(), where_);
}

void block::execute(const char* file, int line, const char* function, const modifiers* how, Write write,
                    const void* statements) noexcept {
  block once({file, line, function}, how ? *how : modifiers());
  write(statements, once);
  once.run();
}

pending block::start(const site& where, const modifiers* how, Write write, const void* statements) noexcept {
  block once(where, how ? *how : modifiers());
  write(statements, once);
  return once.start();
}

void block::statement(const statement_site& where, std::initializer_list<leaf> leaves, void* operation,
                      Visit visit, const void* bindings) noexcept {
  binder bind(*this);
  if (!execution_ && repeat_few(where, leaves, operation, visit, bindings, bind)) return;
  enter();
  visit_ = visit;
  execution_->begin(where, operation);
  bind.plan_ = execution_->plan({leaves.begin(), leaves.size()}, bind.plan_);
  if (!bind.plan_) return execution_->enumerate(visit, bindings, bind);
  execution_->consider_collective(bind.plan_->collective());
  execution_->call_user([&] { visit_both_sides(visit, bindings, bind); });
}

void block::visit_both_sides(Visit visit, const void* bindings, binder& bind) {
  for (const rt::plan::Side side : {rt::plan::Side::sending, rt::plan::Side::receiving}) {
    bind.sends_ = side == rt::plan::Side::sending;
    bind.receives_ = !bind.sends_;
    std::span<const candidate_list> noted;
    if (blocks_->repeats_loops()) noted = bind.plan_->noted(side);
    bind.noted_ = noted.data();
    if (!noted.data()) bind.plan_->begin(side);
    visit(bindings, bind);
    if (!noted.data())
      bind.plan_->end();
    else if (bind.noted_ != noted.data() + noted.size())
      rt::fail("the form that kanorc gave a statement of the block at " + rt::place_of(where_) +
               " does not describe its loops");
  }
}

bool block::repeat_few(const statement_site& where, std::initializer_list<leaf> leaves, void* operation,
                       Visit visit, const void* bindings, binder& bind) noexcept {
  if (!blocks_->repeats_few()) return false;
  rt::TeamState& team = state_of(*blocks_, how_.team, "the block", where_);
  bind.plan_ = blocks_->planner().known(where.form, {leaves.begin(), leaves.size()}, team.rank, team.size);
  if (!bind.plan_ || bind.plan_->few_values() != reinterpret_cast<const void*>(visit)) return false;
  rank_ = team.rank;
  size_ = team.size;
  rt::FewValues& few = blocks_->few();
  few_ = &few;
  few.begin(where_, where, how_.team, team, operation);
  message_end_ = &few.message_end();
  update_end_ = &few.update_end();
  try {
    visit_both_sides(visit, bindings, bind);
    complete_ = few.run();
  } catch (...) {
    start_again();
    execution_->call_user([] { throw; });
  }
  few_ = nullptr;
  if (!complete_) few.end();
  return complete_;
}

void block::start_again() noexcept {
  rt::FewValues& few = *std::exchange(few_, nullptr);
  few.end();
  enter();
  execution_->begin(few.statement(), few.operation());
}

void block::one_sided_statement(const statement_site& where, std::initializer_list<leaf> leaves,
                                void* operation, Evaluate evaluate, const void* function,
                                const receiving* how, Visit visit, const void* bindings,
                                binder_base& binder) noexcept {
  enter();
  execution_->begin(where, operation);
  execution_->set_one_sided(evaluate, function, how);
  binder.plan_ = execution_->plan_of({leaves.begin(), leaves.size()},
                                     how ? rt::plan::Side::sending : rt::plan::Side::receiving);
  execution_->enumerate(visit, bindings, binder);
}

void block::begin_record(int peer) noexcept { execution_->begin_record(peer); }

term block::take_name(const travelling& how) noexcept { return execution_->take_name(how); }

candidate_list block::only(rt::plan::Plan* plan, int name, const member_set& set,
                           candidate_run& all) noexcept {
  if (!plan) {
    all = {set.first, set.step, set.count};
    return {&all, std::size_t{set.count != 0}, nullptr};
  }
  const auto runs = plan->only(name, set);
  long long* const noted = plan->value_of(name);
  if (!set.exact) *noted = rt::plan::unknown_value;
  return {runs.data(), runs.size(), set.exact ? noted : nullptr};
}

block::ends block::ends_of(int receiver, int sender) const noexcept {
  const auto size = static_cast<unsigned>(size_);
  if (static_cast<unsigned>(receiver) < size && static_cast<unsigned>(sender) < size) return ends::in_team;
  return receiver == no_rank || sender == no_rank ? ends::none : ends::outside;
}

unsigned binder::begin(int to, int from) noexcept {
  const block& owner = *owner_;
  const block::ends ends = owner.ends_of(to, from);
  unsigned found = owner.checked_ || ends == block::ends::outside ? must_check : 0U;
  if (ends == block::ends::in_team) {
    if (from == owner.rank_ && sends_) found |= must_send;
    if (to == owner.rank_ && receives_) found |= must_receive;
  }
  to_ = to;
  from_ = from;
  return tasks_ = found;
}

long long* block::value_of(rt::plan::Plan* plan, int name) noexcept { return plan->value_of(name); }

void* block::keep(std::size_t bytes, std::size_t alignment, void (*destroy)(void*)) noexcept {
  if (few_) return few_->keep(bytes, alignment);
  enter();
  return execution_->keep(bytes, alignment, destroy);
}

long long* block::room_for_indices(long long count) noexcept {
  enter();
  return execution_->room_for_indices(static_cast<std::size_t>(count));
}

const long long* block::keep_indices(long long count) noexcept {
  return execution_->keep_indices(static_cast<std::size_t>(count));
}

void block::check_listed_once(long long count) noexcept {
  execution_->check_listed_once(static_cast<std::size_t>(count));
}

void block::put_flat(int receiver, const void* data, std::size_t bytes, std::size_t alignment) noexcept {
  if (!message_end_->put(receiver, data, bytes, alignment)) put_first(receiver, data, bytes, alignment);
}

// Apart, so that what is above needs no registers for it.
[[gnu::noinline]] void block::put_first(int receiver, const void* data, std::size_t bytes,
                                        std::size_t alignment) noexcept {
  if (few_) return few_->put_flat(receiver, data, bytes, alignment);
  if (execution_->capture(receiver, data, bytes, alignment)) return;
  execution_->open(receiver);
  execution_->outbox().put_flat(data, bytes, alignment);
}

std::byte* block::put_sequence(int receiver, std::size_t count, std::size_t element_bytes,
                               std::size_t element_alignment) noexcept {
  std::byte* room = nullptr;
  if (execution_->capture_sequence(receiver, count, element_bytes, element_alignment, room)) return room;
  constexpr std::size_t head_of_sequence = 2 * rt::most_alignment;
  execution_->open(receiver, head_of_sequence + count * element_bytes);
  return execution_->outbox().put_sequence(count, element_bytes, element_alignment);
}

bool block::lend(int receiver, const void* elements, std::size_t count, std::size_t element_bytes,
                 std::size_t element_alignment) noexcept {
  return execution_->lend(receiver, elements, count, element_bytes, element_alignment);
}

bool block::by_pointer(int receiver) noexcept { return execution_->by_pointer(receiver); }

void block::put_pointer(int receiver, void* object, std::size_t weight_bytes) noexcept {
  execution_->open(receiver);
  execution_->outbox().put_pointer(object, weight_bytes);
}

const void* block::object_of(const region_handle& variable) noexcept {
  return execution_->object_of(variable);
}

bool block::put_region(int receiver, const region_handle& variable, const region_value& value) noexcept {
  return execution_->put_region(receiver, variable, value);
}

bool block::put_given(int receiver, buffer_memory& buffer, std::size_t element_bytes,
                      term& elements) noexcept {
  return execution_->put_given(receiver, buffer, element_bytes, elements);
}

bool block::moves_objects(int receiver) noexcept { return execution_->moves_objects(receiver); }

bool block::moves_elements(int receiver, std::size_t bytes) noexcept {
  return execution_->moves_elements(receiver, bytes);
}

void block::put_moved(int receiver, void* object, std::size_t bytes) noexcept {
  execution_->put_moved(receiver, object, bytes);
}

void block::check_given(const buffer_memory& buffer) noexcept { execution_->check_given(buffer); }

archive_writer block::begin_archive(int receiver) noexcept {
  execution_->open(receiver);
  archive_writer writer;
  std::size_t capacity = 0;
  writer.execution_ = execution_;
  writer.begin_ = writer.at_ = execution_->outbox().begin_archive(&capacity);
  writer.end_ = writer.at_ + capacity;
  return writer;
}

void block::end_archive(const archive_writer& writer) noexcept {
  execution_->outbox().advance(static_cast<std::size_t>(writer.at_ - writer.begin_));
  execution_->outbox().end_archive();
}

void archive_writer::grow(std::size_t bytes) {
  std::size_t capacity = 0;
  execution_->outbox().advance(static_cast<std::size_t>(at_ - begin_));
  begin_ = at_ = execution_->outbox().reserve(bytes, &capacity);
  end_ = at_ + capacity;
}

void block::note_value(const void* value, std::size_t proxy_bytes,
                       void (*extents)(const void*, const extent_sink&)) noexcept {
  execution_->note_value(value, proxy_bytes, extents);
}

void block::check_binding(int receiver, int sender, const named_value* names, int name_count) noexcept {
  execution_->blocks().checks()->binding(receiver, sender, names, name_count);
}

void block::check_type(const char* type) noexcept { execution_->blocks().checks()->type(type); }

void block::evaluating(const named_value* names, int name_count) noexcept {
  if (!few_) execution_->evaluating(names, name_count);
}

void block::add(int sender, void* place, const receiving& how) noexcept {
  if (!update_end_->add(sender, place, how)) add(sender, place, how, nullptr, 0);
}

void block::add(int sender, void* place, const receiving& how, const named_value* names,
                int name_count) noexcept {
  few_ ? few_->add(place, sender, how) : execution_->add(place, sender, how, names, name_count);
}

void block::fail_ranks(named_value receiver, named_value sender, const named_value* names,
                       int name_count) noexcept {
  if (few_) start_again();
  execution_->fail_ranks(receiver, sender, names, name_count);
}

void block::fail_no_archive(int receiver) noexcept {
  execution_->open(receiver);
  execution_->fail_sending("cannot leave this address space, so it cannot reach");
}

void fail_lengths(std::size_t place_length, std::size_t value_length) {
  fail_current("the place has length " + std::to_string(place_length) + ", but the value has length " +
               std::to_string(value_length));
}

void fail_fold_lengths(std::size_t first_length, std::size_t second_length) {
  if (rt::Execution* const current = Blocks::here().current())
    current->fail_fold_lengths(first_length, second_length);
  rt::fail("values of different lengths cannot be reduced element by element");
}

void fail_archive(const char* what, std::size_t at_byte, std::size_t length_bytes) {
  fail_current("the value's archive cannot be read: " + std::string(what) + " (at byte " +
               std::to_string(at_byte) + " of " + std::to_string(length_bytes) + ")");
}

void fail_element(long long index, std::size_t count) {
  fail_current("there is no element " + std::to_string(index) + ": " +
               (count == 0
                    ? "the array or container has no elements"
                    : "the array or container has " + std::to_string(count) +
                          (count == 1 ? " element, 0" : " elements, 0 to " + std::to_string(count - 1))));
}

void fail_section(const slice& part, int dimension, int dimensions, long long length) {
  std::string text = "the section [" + std::to_string(part.first) + " : " + std::to_string(part.count);
  if (part.stride != 1) text += " : " + std::to_string(part.stride);
  text += "]";
  if (dimensions > 1) text += " in dimension " + std::to_string(dimension);
  if (part.count == whole_count)
    text = "the length of [:] is unknown for a pointer";
  else if (part.count < 0)
    text += " has a negative count";
  else if (part.stride < 1)
    text += " has stride " + std::to_string(part.stride) + ", but a stride must be at least 1";
  else if (part.first < 0)
    text += " begins at element " + std::to_string(part.first);
  else
    text += " goes beyond length " + std::to_string(length);
  fail_current(text);
}

void fail_index(long long index, int dimensions, long long length) {
  std::string text = "the section lists element " + std::to_string(index);
  if (dimensions > 1) text += " in dimension " + std::to_string(dimensions);
  fail_current(text + (index < 0 ? ", before the first" : ", beyond length " + std::to_string(length)));
}

void fail_shape(const long long* extents, int dimensions, long long length) {
  std::string text = "the shape ";
  for (int d = 0; d < dimensions; ++d) text += (d == 0 ? "" : " x ") + std::to_string(extents[d]);
  if (std::any_of(extents, extents + dimensions, [](long long extent) { return extent < 0; }))
    text += " has a negative extent";
  else if (length < 0)
    text += " has too many elements";
  else
    text += " has more elements than its base, which has " + std::to_string(length);
  fail_current(text);
}

void fail_negative_member(long long value) {
  rt::fail("a set of unsigned numbers begins with " + std::to_string(value) + " (give both ends one type)");
}

void fail_range_step() { rt::fail("a kanor::range has step 0"); }

}  // namespace kanor::abi
