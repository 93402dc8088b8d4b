// A block whose one statement is a collective operation: what Execution does in place of one message from
// each sender to each receiver.
#include <cstring>
#include <string>

#include "exchange/blocks.hpp"
#include "exchange/execution.hpp"

namespace kanor::rt {

using plan::Collective;

namespace {

/// The same on all ranks.
collectives::Between between(const Rank& rank) {
  if (!all_share_memory(rank)) return collectives::Between::network;
  return has_own_core(rank) ? collectives::Between::memory : collectives::Between::scarce_memory;
}

}  // namespace

void Execution::consider_collective(const std::optional<plan::CollectiveForm>& form) {
  const bool travels_anywhere = !(statements_.front().where.flags & abi::same_address_space);
  if (statements_.size() == 1 && travels_anywhere && switches(*owner_).patterns) collective_ = form;
}

bool Execution::capture(int receiver, const void* data, std::size_t bytes, std::size_t alignment) {
  if (!collective_) return false;
  if (!captured_) {
    captured_ = allocate_message(*owner_, bytes);
    captured_alignment_ = alignment;
    std::memcpy(captured_.data(), data, bytes);
  }
  captured_for_.push_back(receiver);
  return true;
}

void Execution::send_directly() {
  if (!collective_) return;
  collective_.reset();
  for (const int receiver : captured_for_) {
    open(receiver);
    put_flat(captured_.data(), captured_.bytes(), captured_alignment_);
  }
  captured_for_.clear();
  const Buffer gone(std::move(captured_));
}

// Sets that are described as intervals may be others in the program, and in another order.
void Execution::check_senders(const Statement& statement) {
  const bool folds = statement.how && statement.how->combine;
  const std::size_t count = statement.end_part - statement.first_part;
  std::size_t expected = static_cast<std::size_t>(size());
  if (collective_->kind == Collective::broadcast) expected = 1;
  if (collective_->kind == Collective::scan) expected = static_cast<std::size_t>(rank()) + 1;
  if (collective_->kind == Collective::exclusive_scan) expected = static_cast<std::size_t>(rank());
  bool as_expected = count == expected;
  for (std::size_t i = 0; as_expected && i < count; ++i) {
    const Part& part = parts_[statement.first_part + i];
    const int sender = collective_->kind == Collective::broadcast ? collective_->root : static_cast<int>(i);
    as_expected =
        part.sender == sender && (!folds || same_place(*statement.how, part, parts_[statement.first_part]));
  }
  if (!as_expected)
    fail(statement_text(statement, nullptr, 0) + ", the bindings are not those of the form '" +
         statement.where.form + "' that kanorc gave it");
}

collectives::Group Execution::group() {
  const MessageHead head{static_cast<std::uint32_t>(block_.line), MessageHead::collective};
  collectives::Group group{*owner_, rank(), size(), team_->world_ranks, team_->context, sequence_};
  std::memcpy(&group.head, &head, sizeof(head));
  group.state = this;
  group.fail_head = [](const collectives::Group& its_group, int from, std::uint64_t its_head) {
    MessageHead other;
    std::memcpy(&other, &its_head, sizeof(other));
    static_cast<const Execution*>(its_group.state)->fail_order(from, other);
  };
  return group;
}

void Execution::exchange_collective(collectives::Way way, const collectives::Value& value, std::byte* all) {
  const collectives::Group group = this->group();
  const collectives::Operation operation{[](void* state, std::byte* into, std::byte* other) {
                                           const Statement& statement = *static_cast<const Statement*>(state);
                                           abi::term into_term{into, 1}, other_term{other, 1};
                                           statement.how->combine(statement.operation, into_term, other_term);
                                         },
                                         &statements_.front()};
  switch (collective_->kind) {
    case Collective::broadcast:
      if (way == collectives::Way::shared)
        collectives::broadcast_shared(group, collective_->root, value);
      else
        collectives::broadcast(group, collective_->root, value);
      break;
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
  }
}

bool Execution::run_collective() {
  if (!collective_) return false;
  const Statement& statement = statements_.front();
  // The same on all members, since each of them sends or receives.
  collectives::Value value{nullptr, captured_.bytes(), captured_alignment_};
  bool flat = static_cast<bool>(captured_);
  if (!flat && statement.how) {
    flat = statement.how->value.how == abi::layout::flat;
    value.bytes = statement.how->value.bytes;
    value.alignment = statement.how->value.alignment;
  }
  const auto way = flat && value.alignment <= most_alignment
                       ? collectives::choose(collective_->kind, size(), value.bytes, between(*owner_))
                       : collectives::Way::direct;
  if (way == collectives::Way::direct) {
    send_directly();
    return false;
  }

  check_senders(statement);
  updating_ = &statement;
  updating_part_ = earlier_part_ = statement.first_part;
  if (!captured_) captured_ = allocate_message(*owner_, value.bytes);
  value.data = captured_.data();
  if (collective_->kind == Collective::all_gather) {
    const Buffer all = allocate_message(*owner_, value.bytes * static_cast<std::size_t>(size()));
    exchange_collective(way, value, all.data());
    for (std::size_t part = statement.first_part; part < statement.end_part; ++part)
      finish_place(statement, part,
                   {all.data() + value.bytes * static_cast<std::size_t>(parts_[part].sender), 1});
  } else {
    exchange_collective(way, value, nullptr);
    if (statement.end_part > statement.first_part)
      finish_place(statement, statement.end_part - 1, {value.data, 1});
  }
  updating_ = nullptr;
  collective_.reset();
  captured_for_.clear();
  const Buffer gone(std::move(captured_));
  return true;
}

}  // namespace kanor::rt
