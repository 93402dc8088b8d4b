// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block whose one statement is a collective operation: what Execution does in place of one message from
// each sender to each receiver.
#include <cstring>
#include <limits>
#include <string>

#include "exchange/blocks.hpp"
#include "exchange/execution.hpp"

namespace kanor::rt {

using plan::Collective;

namespace {

/// Returns how the job's ranks are connected: the same on all ranks.
collectives::Topology topology_of(const Rank& rank) {
  if (!all_share_memory(rank)) return collectives::Topology::network;
  return has_own_core(rank) ? collectives::Topology::memory : collectives::Topology::scarce_memory;
}

/// The largest team that saves no message by steps.
constexpr int most_direct = 2;

/// The state of a collective's fold operation.
struct Folding {
  const abi::receiving* how;
  void* operation;
  std::size_t count;  ///< of a sequence's elements
};

}  // namespace

void Execution::consider(const plan::CollectiveForm& form) {
  const bool travels_anywhere = !(statements_.front().where.flags & abi::same_address_space);
  if (!travels_anywhere || !on_.patterns) return;
  lending_.lends = may_lend(form.kind);
  if (form.kind == Collective::all_to_all) return;  // all of it goes directly
  collective_.form = form;
  current().form = form.kind;
}

void Execution::capture_copy(std::size_t bytes, std::size_t element_bytes, std::size_t alignment) {
  collective_.captured.copy = allocate_message(*owner_, bytes);
  collective_.captured.data = collective_.captured.copy.data();
  collective_.captured.bytes = bytes;
  collective_.captured.element_bytes = element_bytes;
  collective_.captured.alignment = alignment;
}

void Execution::forget_captured() {
  collective_.captured.receivers.clear();
  collective_.captured.data = nullptr;
  collective_.captured.variable = nullptr;
  const Buffer gone(std::move(collective_.captured.copy));
}

bool Execution::capture_value(int receiver, const void* data, std::size_t bytes, std::size_t alignment) {
  if (!collective_.captured) {
    // What is sent directly goes to its messages, and is not kept before.
    if (flat_algorithm(bytes, alignment) == collectives::Algorithm::direct) return false;
    capture_copy(bytes, 0, alignment);
    std::memcpy(collective_.captured.data, data, bytes);
  }
  collective_.captured.receivers.push_back(receiver);
  return true;
}

bool Execution::capture_sequence(int receiver, std::size_t count, std::size_t element_bytes,
                                 std::size_t element_alignment, std::byte*& room) {
  if (!collective_.form) return false;
  if (!collective_.captured) {
    const std::size_t bytes = count * element_bytes;
    // What is sent directly is written to its messages, and not kept before.
    if (sequence_algorithm(bytes, element_alignment) == collectives::Algorithm::direct) return false;
    capture_copy(bytes, element_bytes, element_alignment);
    room = collective_.captured.data;
  }
  collective_.captured.receivers.push_back(receiver);
  return true;
}

bool Execution::capture_in_place(int receiver, const void* elements, std::size_t bytes,
                                 std::size_t element_bytes, std::size_t alignment) {
  if (!collective_.form || !(current().where.flags & abi::lent_value) || instance_.copies ||
      !all_share_addresses(*owner_))
    return false;
  if (!collective_.captured) {
    if (sequence_algorithm(bytes, alignment) != collectives::Algorithm::slices) return false;
    // By this way it is only read.
    collective_.captured.data = const_cast<std::byte*>(static_cast<const std::byte*>(elements));
    collective_.captured.bytes = bytes;
    collective_.captured.element_bytes = element_bytes;
    collective_.captured.alignment = alignment;
  }
  collective_.captured.receivers.push_back(receiver);
  return true;
}

bool Execution::capture_region(int receiver, const abi::region_handle& variable,
                               const abi::region_value& value) {
  if (!collective_.form || collective_.form->kind != Collective::all_reduce ||
      is_plain(current(), value.needs_addresses) || value.alignment > most_alignment)
    return false;
  if (!collective_.captured) {
    const collectives::Algorithm algorithm =
        collectives::choose(collective_.form->kind, size(), value.bytes, topology_of(*owner_));
    if (algorithm != collectives::Algorithm::slices) return false;
    collective_.captured.data = const_cast<std::byte*>(static_cast<const std::byte*>(value.data));
    collective_.captured.bytes = value.bytes;
    collective_.captured.element_bytes = value.element_bytes;
    collective_.captured.alignment = value.alignment;
    collective_.captured.variable = &variable;
    collective_.captured.in_region = value;
  }
  collective_.captured.receivers.push_back(receiver);
  count(&SharingCounts::shared_bytes, value.bytes);
  return true;
}

void Execution::send_captured() {
  collective_.form.reset();
  for (const int receiver : collective_.captured.receivers) {
    if (collective_.captured.variable &&
        put_region(receiver, *collective_.captured.variable, collective_.captured.in_region))
      continue;
    open(receiver);
    if (collective_.captured.element_bytes == 0) {
      outbox_.put_flat(collective_.captured.data, collective_.captured.bytes, collective_.captured.alignment);
    } else {
      const std::size_t element_bytes = collective_.captured.element_bytes;
      std::byte* const room = outbox_.put_sequence(collective_.captured.bytes / element_bytes, element_bytes,
                                                   collective_.captured.alignment);
      if (collective_.captured.bytes > 0)
        std::memcpy(room, collective_.captured.data, collective_.captured.bytes);
    }
  }
  forget_captured();
}

// Sets that are described as intervals may be others in the program, and in another order.
void Execution::check_senders(const Statement& statement) {
  const bool folds = statement.how && statement.how->combine;
  const std::size_t count = statement.end_update - statement.first_update;
  std::size_t expected = static_cast<std::size_t>(size());
  if (collective_.form->kind == Collective::broadcast) expected = 1;
  if (collective_.form->kind == Collective::scan) expected = static_cast<std::size_t>(rank()) + 1;
  if (collective_.form->kind == Collective::exclusive_scan) expected = static_cast<std::size_t>(rank());
  bool as_expected = count == expected;
  for (std::size_t i = 0; as_expected && i < count; ++i) {
    const Update& one = updates_[statement.first_update + i];
    const int sender =
        collective_.form->kind == Collective::broadcast ? collective_.form->root : static_cast<int>(i);
    as_expected = one.sender == sender &&
                  (!folds || same_place(one, updates_[statement.first_update], statement.how->proxy_bytes));
  }
  if (!as_expected)
    fail(statement_text(statement, nullptr, 0) + ", the bindings are not those of the form '" +
         statement.where.form + "' that kanorc gave it");
}

collectives::Group Execution::group() {
  const MessageHead head{head_line(), MessageHead::collective};
  collectives::Group group{
      *owner_, rank(), size(), instance_.team->world_ranks, instance_.team->context, instance_.sequence};
  std::memcpy(&group.head, &head, sizeof(head));
  group.state = this;
  group.fail_head = [](const collectives::Group& its_group, int from, std::uint64_t its_head,
                       std::size_t value_bytes) {
    MessageHead other;
    std::memcpy(&other, &its_head, sizeof(other));
    static_cast<const Execution*>(its_group.state)->fail_collective(from, other, value_bytes);
  };
  return group;
}

void Execution::fail_collective(int from, const MessageHead& head, std::size_t value_bytes) const {
  const bool same_block = head.line == head_line() && head.values == MessageHead::collective;
  if (!same_block || collective_.captured.element_bytes == 0) fail_order(from, head);
  const auto length = [&](std::size_t bytes) {
    return std::to_string(bytes / collective_.captured.element_bytes);
  };
  fail(statement_text(statements_.front(), nullptr, 0) + ", the value of " + member_text(from) +
       " has length " + length(value_bytes) + ", but that of " + member_text(rank()) + " has length " +
       length(collective_.captured.bytes) + ", so they cannot be reduced element by element");
}

collectives::Holder Execution::exchange_collective(collectives::Algorithm algorithm,
                                                   collectives::Value& value, std::byte* all) {
  const collectives::Group group = this->group();
  const Statement& statement = statements_.front();
  Folding folding{statement.how, statement.operation,
                  collective_.captured.element_bytes ? value.bytes / collective_.captured.element_bytes : 1};
  if (algorithm == collectives::Algorithm::slices) {
    const auto apply = [](void* state, std::byte* into, const std::byte* a, const std::byte* b,
                          std::size_t count) {
      const Folding& fold = *static_cast<const Folding*>(state);
      fold.how->combine_apart(fold.operation, into, a, b, count);
    };
    return collectives::all_reduce_slices(group, value, {apply, &folding, statement.how->apart_bytes});
  }
  const collectives::Operation operation{
      [](void* state, std::byte* into, std::byte* other) {
        const Folding& fold = *static_cast<const Folding*>(state);
        abi::term into_term{into, fold.count}, other_term{other, fold.count};
        fold.how->combine(fold.operation, into_term, other_term);
      },
      &folding};
  switch (collective_.form->kind) {
    case Collective::broadcast:
      return collectives::broadcast(group, collective_.form->root, value, algorithm);
    case Collective::all_reduce:
      collectives::all_reduce(group, value, operation);
      break;
    case Collective::scan:
      collectives::scan(group, collectives::Scan::inclusive, value, operation);
      break;
    case Collective::exclusive_scan:
      collectives::scan(group, collectives::Scan::exclusive, value, operation);
      break;
    case Collective::all_gather:
      collectives::all_gather(group, value, all);
      break;
    case Collective::all_to_all:
      break;
  }
  return {};
}

/// The algorithm for sequences, whose length only the root knows. Terms of a reduction by elements are of one
/// length, or the program is in error; other operations take sequences of any lengths. (A rank that has not
/// found its place yet, `how`, asks again when it has.)
collectives::Algorithm Execution::sequence_algorithm(std::size_t bytes, std::size_t alignment) const {
  constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();
  const abi::receiving* const how = statements_.front().how;
  const bool is_broadcast = collective_.form->kind == Collective::broadcast;
  const bool by_elements = collective_.form->kind == Collective::all_reduce && (!how || !how->lift);
  if (alignment > most_alignment || !(is_broadcast || by_elements)) return collectives::Algorithm::direct;
  return collectives::choose(collective_.form->kind, size(), is_broadcast ? unknown : bytes,
                             topology_of(*owner_));
}

collectives::Algorithm Execution::flat_algorithm(std::size_t bytes, std::size_t alignment) const {
  if (alignment > most_alignment) return collectives::Algorithm::direct;
  const collectives::Algorithm algorithm =
      collectives::choose(collective_.form->kind, size(), bytes, topology_of(*owner_));
  // Nothing is known of its elements.
  if (algorithm == collectives::Algorithm::slices)
    return size() > most_direct ? collectives::Algorithm::steps : collectives::Algorithm::direct;
  return algorithm;
}

/// The layout in which values travel if the statement is a collective operation; null if this rank receives
/// none, or receives references to regions, which all senders send directly.
const abi::travelling* Execution::plain_value() const {
  const Statement& statement = statements_.front();
  if (!statement.how) return nullptr;
  const abi::travelling& value = statement.how->value;
  if (value.how != abi::layout::region) return &value;
  return is_plain(statement, value.needs_addresses) ? value.plain : nullptr;
}

/// The algorithm of the operation: the same on all members, since each of them sends or receives, and they
/// agree on the value's type.
collectives::Algorithm Execution::collective_algorithm() const {
  const abi::receiving* const how = statements_.front().how;
  if (collective_.captured.variable)
    return how && how->combine_apart ? collectives::Algorithm::slices : collectives::Algorithm::direct;
  if (collective_.captured && collective_.captured.element_bytes > 0)
    return sequence_algorithm(collective_.captured.bytes, collective_.captured.alignment);
  const abi::travelling* const value = plain_value();
  // Of a reduction every member has a value to keep.
  if (!collective_.captured && value && value->how == abi::layout::sequence)
    return collective_.form->kind == Collective::broadcast ? sequence_algorithm(0, value->alignment)
                                                           : collectives::Algorithm::direct;
  if (!collective_.captured && (!value || value->how != abi::layout::flat))
    return collectives::Algorithm::direct;
  return collective_.captured ? flat_algorithm(collective_.captured.bytes, collective_.captured.alignment)
                              : flat_algorithm(value->bytes, value->alignment);
}

bool Execution::run_collective() {
  const Statement& statement = statements_.front();
  const collectives::Algorithm algorithm = collective_algorithm();
  if (algorithm == collectives::Algorithm::direct) {
    send_directly();
    return false;
  }

  check_senders(statement);
  // A value that is read where it lies stays there: its variable keeps the region, also where nobody reads
  // the value again.
  if (!collective_.captured.copy) giving_.variables.clear();
  let_go_of_given();
  progress_.statement = &statement;
  progress_.update = progress_.earlier = statement.first_update;
  const bool receives = statement.end_update > statement.first_update;
  if (!collective_.captured) {
    const abi::travelling& how = *plain_value();
    collective_.captured.alignment = how.alignment;
    collective_.captured.element_bytes = how.how == abi::layout::sequence ? how.bytes : 0;
    if (collective_.form->kind != Collective::broadcast)
      capture_copy(how.bytes, collective_.captured.element_bytes, how.alignment);
  }
  // What all read while the program's own operation is at work, it may write to.
  if (algorithm == collectives::Algorithm::slices && !collective_.captured.copy &&
      !statement.how->folds_plainly) {
    collective_.captured.copy = allocate_message(*owner_, collective_.captured.bytes);
    collective_.captured.data = static_cast<std::byte*>(
        std::memcpy(collective_.captured.copy.data(), collective_.captured.data, collective_.captured.bytes));
  }
  collectives::Value value{collective_.captured.data, collective_.captured.bytes,
                           collective_.captured.alignment};
  if (collective_.form->kind == Collective::all_gather) {
    const Buffer all = allocate_message(*owner_, value.bytes * static_cast<std::size_t>(size()));
    exchange_collective(algorithm, value, all.data());
    for (std::size_t at = statement.first_update; at < statement.end_update; ++at)
      finish_place(statement, at,
                   {all.data() + value.bytes * static_cast<std::size_t>(updates_[at].sender), 1});
  } else {
    const collectives::Holder arrived = exchange_collective(algorithm, value, nullptr);
    if (receives) {
      const std::size_t element_bytes = collective_.captured.element_bytes;
      const bool fits =
          element_bytes ? value.bytes % element_bytes == 0 : value.bytes == statement.how->value.bytes;
      if (!fits) fail_order(collective_.form->root, {head_line(), 0});
      abi::term result{value.data, element_bytes ? value.bytes / element_bytes : 1};
      if (algorithm == collectives::Algorithm::slices && !statement.how->only_reads)
        make_own(result, without_region(statement.how->value));
      finish_place(statement, statement.end_update - 1, result);
    }
  }
  progress_.statement = nullptr;
  collective_.form.reset();
  forget_captured();
  return true;
}

}  // namespace kanor::rt
