// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/few_values.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "exchange/blocks.hpp"
#include "exchange/bracket.hpp"
#include "exchange/execution.hpp"
#include "plan/plan.hpp"
#include "platform/copy.hpp"

namespace kanor::rt {
namespace {

/// Replaces `into` by the fold of both.
struct Combine {
  const abi::receiving* how;
  void* operation;
  void operator()(abi::term& into, abi::term& other) const { how->combine(operation, into, other); }
};

}  // namespace

void Execution::note_few(const void* statement) {
  if (statements_.size() != 1 || instance_.knows != abi::knows::both || !blocks_.repeats_few()) return;
  const Statement& only = statements_.front();
  if (!only.plan || only.plan->needs_everything() || (only.where.flags & abi::same_address_space)) return;
  const bool is_collective =
      collective_.captured || (collective_.form && collective_algorithm() != collectives::Algorithm::direct);
  const bool are_places = !only.how || FewValues::takes(*only.how);
  const std::span<const Outgoing> messages = outbox_.messages();
  const bool are_few =
      updates_.size() <= FewValues::most_places && messages.size() <= FewValues::most_peers &&
      std::all_of(messages.begin(), messages.end(),
                  [](const Outgoing& message) { return message.used <= FewValues::most_bytes; });
  // Of a rank that takes no part nothing is known.
  const bool takes_part = only.how || !messages.empty();
  const bool few = !is_collective && are_places && are_few && takes_part && outbox_.is_plain();
  only.plan->note_few_values(few ? statement : nullptr);
}

bool FewValues::takes(const abi::receiving& how) {
  const bool is_plain_value = how.value.how == abi::layout::flat && how.value.alignment <= most_alignment;
  const bool is_plain_place = how.proxy_bytes == 0 && !how.adopt && !how.place_in_region && !how.elements &&
                              !how.deep.replace && !how.deep.set_aside;
  return is_plain_value && is_plain_place && !how.may_fail;
}

void FewValues::begin(const abi::site& block, const abi::statement_site& statement, const team& members,
                      TeamState& state, void* operation) {
  current_.block = &block;
  current_.statement = &statement;
  current_.members = &members;
  current_.team = &state;
  current_.operation = operation;
  how_ = nullptr;
  fits_ = true;
  out_count_ = in_count_ = 0;
  open_ = nullptr;
  message_end_ = {};
  update_end_ = {updates_, updates_ + most_places, nullptr};
}

void FewValues::close() {
  if (!open_) return;
  open_->used = static_cast<std::size_t>(message_end_.at - open_->content);
  open_->values = message_end_.values;
  open_ = nullptr;
}

/// Discards what is put and added from here on.
void FewValues::give_up() {
  fits_ = false;
  open_ = nullptr;
  message_end_ = {};
  update_end_.how = nullptr;
}

FewValues::Outgoing* FewValues::to(int receiver) {
  for (std::size_t i = out_count_; i > 0; --i)
    if (out_[i - 1].to == receiver) return &out_[i - 1];
  if (out_count_ == most_peers) return nullptr;
  Outgoing& out = out_[out_count_++];
  out.to = receiver;
  out.values = 0;
  out.used = sizeof(MessageHead);
  return &out;
}

void FewValues::put_flat(int receiver, const void* data, std::size_t bytes, std::size_t alignment) {
  if (!fits_) return;
  close();
  Outgoing* const out = to(receiver);
  const std::size_t start = out ? aligned(out->used, alignment) : 0;
  if (!out || alignment > most_alignment || start + bytes > most_bytes) return give_up();
  if (start != out->used) std::memset(out->content + out->used, 0, start - out->used);
  copy_few(out->content + start, data, bytes);
  open_ = out;
  message_end_ = {out->content + start + bytes, out->content + most_bytes, receiver, out->values + 1};
}

void FewValues::add(void* place, int sender, const abi::receiving& how) {
  if (!fits_) return;
  const bool is_known = &how == taken_;
  if (update_end_.next == update_end_.limit || !(is_known || takes(how))) return give_up();
  taken_ = &how;
  how_ = update_end_.how = &how;
  *update_end_.next++ = {place, sender};
}

bool FewValues::one_place() const {
  return std::all_of(updates_, updates_ + places(),
                     [&](const Update& one) { return one.place == updates_[0].place; });
}

bool FewValues::run() {
  if (!fits_ || (folds() && !one_place())) return false;
  close();
  send();
  if (places() > 0) how_->combine ? fold() : assign();
  compare_counts();
  ++current_.team->sequence;
  blocks_.leave();
  end();
  return true;
}

void FewValues::end() {
  current_.block = nullptr;
  for (std::size_t i = 0; i < in_count_; ++i) in_[i].held = Buffer();
  rooms_.give_back_all();
  arena_.clear();
}

void FewValues::send() {
  for (std::size_t i = 0; i < out_count_; ++i) {
    Outgoing& out = out_[i];
    const MessageHead head{static_cast<std::uint32_t>(current_.block->line), out.values};
    std::memcpy(out.content, &head, sizeof head);
    if (out.to == current_.team->rank)
      in_[in_count_++] = {out.to, 0, sizeof head, out.content, out.used, {}};
    else
      send_few(blocks_.owner(), current_.team->world_rank(out.to), current_.team->context,
               current_.team->sequence, out.content, out.used);
  }
}

FewValues::Incoming& FewValues::from(int sender) {
  for (std::size_t i = in_count_; i > 0; --i)
    if (in_[i - 1].from == sender) return in_[i - 1];
  if (sender == current_.team->rank) fail_as_usual();
  rt::Message* const room = rooms_.take();
  Buffer content = receive(blocks_.owner(), current_.team->world_rank(sender), current_.team->context,
                           current_.team->sequence, room);
  if (room && content.get() != room) rooms_.give_back();
  MessageHead head{};
  if (content.bytes() >= sizeof head) std::memcpy(&head, content.data(), sizeof head);
  Incoming& in = in_[in_count_++];
  in.from = sender;
  in.values = 0;
  in.at = sizeof head;
  in.content = content.data();
  in.bytes = content.bytes();
  in.held = std::move(content);
  if (head.line != static_cast<std::uint32_t>(current_.block->line) || head.values >= MessageHead::collective)
    fail_as_usual();
  return in;
}

abi::term FewValues::next_value(std::size_t place) {
  Incoming& in = from(updates_[place].sender);
  const std::size_t start = aligned(in.at, how_->value.alignment);
  in.at = start + how_->value.bytes;
  ++in.values;
  if (in.at > in.bytes) fail_as_usual();
  return {in.content + start, 1};
}

void FewValues::assign() {
  for (std::size_t i = 0; i < places(); ++i) update(updates_[i].place, next_value(i));
}

void FewValues::update(void* place, const abi::term& value) {
  how_->assign ? how_->assign(place, value) : copy_few(place, value.data, how_->value.bytes);
}

void FewValues::fold() {
  RunBracket<abi::term, Combine> bracket(Combine{how_, current_.operation});
  for (std::size_t i = 0; i < places(); ++i) bracket.push(updates_[i].sender, next_value(i));
  update(updates_[0].place, bracket.finish());
}

void FewValues::compare_counts() {
  for (std::size_t i = 0; i < in_count_; ++i) {
    MessageHead head;
    std::memcpy(&head, in_[i].content, sizeof head);
    if (head.values != in_[i].values) fail_as_usual();
  }
}

// A usual block that has sent, and got the messages so far, finds the same fault.
void FewValues::fail_as_usual() {
  Execution& execution = blocks_.enter(*current_.block, *current_.members);
  execution.begin(*current_.statement, current_.operation);
  for (std::size_t i = 0; i < places(); ++i)
    execution.add(updates_[i].place, updates_[i].sender, *how_, nullptr, 0);
  execution.end_statement();
  for (std::size_t i = 0; i < in_count_; ++i) {
    Buffer message = std::move(in_[i].held);
    if (!message) {
      message = allocate_message(blocks_.owner(), in_[i].bytes);
      std::memcpy(message.data(), in_[i].content, in_[i].bytes);
    }
    execution.take_message(in_[i].from, std::move(message));
  }
  execution.complete();
  fail("the ranks do not agree on what the block at " + place_of(*current_.block) + " exchanges");
}

}  // namespace kanor::rt
