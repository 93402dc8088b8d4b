// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that one side knows: the other learns of its bindings from messages, and of their end by consensus.
//
// Every message of this part is taken from whoever has sent it. The algorithm is NBX (Hoefler, Siebert,
// Lumsdaine: Scalable Communication Protocols for Dynamic Sparse Data Exchange, 2010): each member sends its
// records; once it knows that all of them have arrived, it enters a barrier that nobody waits in; when that
// is over, all records of all members have arrived. A record for a rank with the same message memory has
// arrived when it was sent; others are acknowledged. Where the receiver knows, a record is a request, and its
// reply is the acknowledgement. Cost: the own messages, and ceil(log2 size) signals.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "exchange/blocks.hpp"
#include "exchange/dissemination.hpp"
#include "exchange/execution.hpp"
#include "kanor/abi/block.hpp"

namespace kanor::rt {

namespace {

constexpr auto records = static_cast<std::uint32_t>(OneSidedHead::Kind::records);
constexpr auto reply = static_cast<std::uint32_t>(OneSidedHead::Kind::reply);
constexpr auto acknowledgement = static_cast<std::uint32_t>(OneSidedHead::Kind::acknowledgement);
constexpr auto barrier_signal = static_cast<std::uint32_t>(OneSidedHead::Kind::barrier);

constexpr abi::travelling statement_number{abi::layout::flat, sizeof(std::uint32_t), alignof(std::uint32_t),
                                           nullptr, nullptr};

}  // namespace

std::size_t Execution::head_bytes() const {
  return instance_.knows == abi::knows::both ? sizeof(MessageHead) : sizeof(OneSidedHead);
}

std::uint64_t Execution::context() const {
  return instance_.knows == abi::knows::both ? instance_.team->context
                                             : instance_.team->context | any_source_context;
}

void Execution::set_one_sided(void (*evaluate)(abi::block&, const void*, int), const void* function,
                              const abi::receiving* how) {
  current().evaluate = evaluate;
  current().function = function;
  current().how = how;
}

void Execution::begin_record(int peer) {
  const auto number = static_cast<std::uint32_t>(progress_.current);
  if (outbox_.end().put(peer, &number, sizeof(number), alignof(std::uint32_t))) return;
  open(peer);
  outbox_.put_flat(&number, sizeof(number), alignof(std::uint32_t));
}

PeerMessage& Execution::add_incoming(int from, Buffer message) {
  PeerMessage& fresh = inbox_.add(from);
  fresh.at = head_bytes();
  fresh.message = std::move(message);
  return fresh;
}

/// Writes the head of a message that is complete.
void Execution::seal(Outgoing& out, std::uint32_t kind) const {
  const OneSidedHead head{{head_line(), out.values}, kind, rank()};
  std::memcpy(out.message.data(), &head, sizeof(head));
  out.message.shrink(out.used);
  out.message.count_extra(out.weight);
}

// What comes for this block is given back wherever this rank waits: members send each other control messages
// while their records lie unread.
void Execution::send_records() {
  expect(*owner_, context(), instance_.sequence);
  for (Outgoing& out : outbox_.messages()) {
    seal(out, records);
    if (out.peer == rank()) {
      if (instance_.knows == abi::knows::sender)
        add_incoming(rank(), std::move(out.message));
      else
        one_sided_.own_records = std::move(out.message);
      continue;
    }
    const int world_rank = instance_.team->world_rank(out.peer);
    if (instance_.knows == abi::knows::receiver || !shares_memory(*owner_, world_rank)) {
      one_sided_.outstanding.add(out.peer);
    }
    send(*owner_, world_rank, context(), instance_.sequence, std::move(out.message));
  }
  outbox_.clear();
}

void Execution::settle(int member) {
  Outstanding* const awaited = one_sided_.outstanding.find(member);
  if (!awaited || awaited->has_come)
    fail(member_text(member) +
         " replies to a request that this rank has not sent: all ranks must execute the same sequence of "
         "blocks");
  awaited->has_come = true;
  ++one_sided_.settled;
}

/// The member without whose message this rank cannot go on.
int Execution::awaited(const DisseminationBarrier& barrier) {
  if (barrier.entered()) return barrier.source();
  const std::span<const Outstanding> all = one_sided_.outstanding.all();
  while (all[one_sided_.first_outstanding].has_come) ++one_sided_.first_outstanding;
  return all[one_sided_.first_outstanding].peer;
}

void Execution::send_control(int to, std::uint32_t kind) {
  Buffer message = allocate_message(*owner_, sizeof(OneSidedHead));
  const OneSidedHead head{{head_line(), 0}, kind, rank()};
  std::memcpy(message.data(), &head, sizeof(head));
  send(*owner_, instance_.team->world_rank(to), context(), instance_.sequence, std::move(message));
}

void Execution::meet() {
  DisseminationBarrier barrier(rank(), size());
  const auto signal = [&](int member, int round) {
    send_control(member, barrier_signal + static_cast<std::uint32_t>(round));
  };
  if (one_sided_.own_records) {
    PeerMessage request;
    request.peer = rank();
    request.at = sizeof(OneSidedHead);
    request.message = std::move(one_sided_.own_records);
    serve(request);
  }
  for (;;) {
    if (one_sided_.settled == one_sided_.outstanding.size() && !barrier.entered()) barrier.enter(signal);
    if (barrier.done()) break;
    const int from = instance_.team->world_rank(awaited(barrier));
    take_one_sided(receive(*owner_, from, context(), instance_.sequence), barrier);
  }
  // What was sent before the barrier and has arrived, but was not asked for yet.
  while (Buffer message = receive_arrived(*owner_, context(), instance_.sequence))
    take_one_sided(std::move(message), barrier);
  if (instance_.knows == abi::knows::sender) unpack();
}

void Execution::take_one_sided(Buffer message, DisseminationBarrier& barrier) {
  if (message.bytes() < sizeof(OneSidedHead)) fail("a message of a one-sided block is truncated");
  OneSidedHead head;
  std::memcpy(&head, message.data(), sizeof(head));
  check_head(head.from, message);
  take_off_flight(*owner_, message);
  if (head.kind >= barrier_signal) {
    barrier.arrived(static_cast<int>(head.kind - barrier_signal), [&](int member, int round) {
      send_control(member, barrier_signal + static_cast<std::uint32_t>(round));
    });
  } else if (head.kind == acknowledgement) {
    settle(head.from);
  } else if (head.kind == reply) {
    add_incoming(head.from, std::move(message));
    settle(head.from);
  } else if (instance_.knows == abi::knows::sender) {
    if (!shares_memory(*owner_, instance_.team->world_rank(head.from)))
      send_control(head.from, acknowledgement);
    add_incoming(head.from, std::move(message));
  } else {
    PeerMessage request;
    request.peer = head.from;
    request.at = sizeof(OneSidedHead);
    request.message = std::move(message);
    serve(request);
  }
}

/// The number of the statement whose binding comes next in the message; -1: none.
int Execution::next_record(PeerMessage& in) {
  MessageHead head;
  std::memcpy(&head, in.message.data(), sizeof(head));
  if (in.values == head.values) return -1;
  std::uint32_t number;
  std::memcpy(&number, next_value(in, statement_number).data, sizeof(number));
  if (number >= statements_.size())
    fail(member_text(in.peer) +
         " sends bindings of a statement that this block does not have: all ranks must " +
         "execute the same sequence of blocks");
  return static_cast<int>(number);
}

abi::term Execution::take_name(const abi::travelling& how) {
  const Arrived name = next_value(*one_sided_.reading, how);
  if (name.archived) return {how.decode(static_cast<const std::byte*>(name.data), name.count), 1};
  return {name.data, name.count};
}

/// Evaluates the values that another member (or this one) asks for, in the state before the block: no place
/// is updated before all members have entered the barrier.
void Execution::serve(PeerMessage& request) {
  one_sided_.reading = &request;
  abi::block view(*this, outbox_.end(), updates_.end_of_list(), rank(), size(), blocks_.checks() != nullptr);
  for (int number = next_record(request); number >= 0; number = next_record(request)) {
    progress_.current = static_cast<std::size_t>(number);
    call_user([&] { current().evaluate(view, current().function, request.peer); });
  }
  one_sided_.reading = nullptr;
  Outgoing& out = outbox_.messages().front();
  seal(out, reply);
  if (request.peer == rank())
    add_incoming(rank(), std::move(out.message));
  else
    send(*owner_, instance_.team->world_rank(request.peer), context(), instance_.sequence,
         std::move(out.message));
  outbox_.clear();
}

/// Finds the places of the values that have arrived, in the order of bindings: by statement, sender, and the
/// sender's own.
void Execution::unpack() {
  const std::span<PeerMessage> messages = inbox_.all();
  std::sort(messages.begin(), messages.end(),
            [](const PeerMessage& a, const PeerMessage& b) { return a.peer < b.peer; });
  for (PeerMessage& in : messages) in.statement = next_record(in);
  abi::block view(*this, outbox_.end(), updates_.end_of_list(), rank(), size(), blocks_.checks() != nullptr);
  for (progress_.current = 0; progress_.current < statements_.size(); ++progress_.current) {
    current().first_update = current().end_update = updates_.size();
    current().first_name = names_.size();
    current().where.names = current().where.carried;
    for (PeerMessage& in : messages)
      for (; in.statement == static_cast<int>(progress_.current); in.statement = next_record(in)) {
        one_sided_.reading = &in;
        call_user([&] { current().evaluate(view, current().function, in.peer); });
        one_sided_.arrived.push_back(next_value(in, current()));
      }
    end_statement();
  }
  one_sided_.reading = nullptr;
}

}  // namespace kanor::rt
