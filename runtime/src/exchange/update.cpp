// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The receiving half of a block: values are taken out of the messages, and places updated.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "exchange/bracket.hpp"
#include "exchange/execution.hpp"
#include "kanor/abi/region_block.hpp"
#include "platform/copy.hpp"

namespace kanor::rt {

PeerMessage& Execution::receive_from(int from) {
  if (from == rank()) fail_updating("this rank expects a value of itself, and did not send it");
  const int world_rank = instance_.team->world_rank(from);
  Message* const room = short_messages_.take();
  Buffer message = receive(*owner_, world_rank, instance_.team->context, instance_.sequence, room);
  if (room && message.get() != room) short_messages_.give_back();
  check_head(from, message);
  return add_incoming(from, std::move(message));
}

void Execution::check_head(int from, const Buffer& message) const {
  MessageHead head;
  if (message.bytes() < head_bytes()) fail("a message of " + member_text(from) + " is truncated");
  std::memcpy(&head, message.data(), sizeof(head));
  if (head.line != head_line() || head.values >= MessageHead::collective) fail_order(from, head);
}

Arrived Execution::value_of(const Statement& statement, std::size_t at) {
  return instance_.knows == abi::knows::sender ? one_sided_.arrived[at]
                                               : next_value(incoming(updates_[at].sender), statement);
}

Arrived Execution::next_value(PeerMessage& in, const Statement& statement) {
  const abi::travelling& how = statement.how->value;
  const bool in_region = how.how == abi::layout::region;
  return next_value(in,
                    in_region && !shares_region(statement, in.peer, how.needs_addresses) ? *how.plain : how);
}

Arrived Execution::next_other_value(PeerMessage& in, const abi::travelling& how) {
  ++in.values;
  const auto take_word = [&] {
    std::uint64_t word;
    std::memcpy(&word, take(in, sizeof(word), alignof(std::uint64_t)), sizeof(word));
    return word;
  };
  // A message is aligned to 64 bytes; types that want more are moved to where they get it.
  const auto take_aligned = [&](std::size_t bytes) {
    std::byte* const data = take(in, bytes, how.alignment);
    if (how.alignment <= most_alignment) return data;
    return static_cast<std::byte*>(std::memcpy(kept_.allocate(bytes, how.alignment), data, bytes));
  };
  Arrived value;
  switch (how.how) {
    case abi::layout::flat:
      value.data = take_aligned(how.bytes);
      break;
    case abi::layout::sequence:
      value.count = take_word();
      if (is_elsewhere(value.count)) {
        void* address;
        std::memcpy(&address, take(in, sizeof(address), alignof(void*)), sizeof(address));
        return value_elsewhere(in, value.count, address);
      }
      if (value.count > in.message.bytes()) fail_updating("a sequence's length is not credible");
      value.data = take_aligned(value.count * how.bytes);
      break;
    case abi::layout::object:
      if (by_pointer(in.peer) && !how.always_archived) {
        std::memcpy(&value.data, take(in, sizeof(void*), alignof(void*)), sizeof(void*));
      } else {
        value.archived = true;
        value.count = take_word();
        value.data = take(in, value.count, 1);
      }
      break;
    case abi::layout::region:
      std::memcpy(&value.data, take(in, sizeof(void*), alignof(void*)), sizeof(void*));
      value.in_region = value.data != nullptr;
      if (value.in_region) break;
      --in.values;
      return next_value(in, *how.plain);
  }
  return value;
}

abi::term Execution::materialise(const Arrived& value, const abi::receiving& how) const {
  if (value.archived) return {how.value.decode(static_cast<const std::byte*>(value.data), value.count), 1};
  abi::term arrived{value.data, value.count};
  if (value.in_region) {
    arrived = how.value.in_region(value.data);
    arrived.object = value.data;
  }
  if (!how.lift) return arrived;
  const abi::term lifted{how.lift(arrived), 1};
  if (arrived.object) abi::let_go(arrived);
  return lifted;
}

void Execution::release(const abi::receiving& how, abi::term value) const {
  if (value.object) {
    abi::let_go(value);
  } else if (how.value.how == abi::layout::object) {
    how.value.destroy(value.data);
  } else if (how.drop) {
    how.drop(value.data);
  }
}

void Execution::update_places(const Statement& statement) {
  if (!statement.how || statement.first_update == statement.end_update) return;
  progress_.statement = &statement;
  if (statement.how->combine) {
    fold_all(statement);
  } else {
    assign_all(statement);
  }
  progress_.statement = nullptr;
}

// Plain values that nobody looks at on their way: nothing but the copies themselves costs time in a block of
// single elements.
bool Execution::assign_plainly(const Statement& statement) {
  const abi::receiving& how = *statement.how;
  const bool is_plain = !how.assign && how.value.how == abi::layout::flat &&
                        instance_.knows != abi::knows::sender && how.value.alignment <= most_alignment &&
                        following_.lost.empty();
  if (!is_plain) return false;
  const std::size_t bytes = how.value.bytes;
  const Update* one = &updates_[statement.first_update];
  const Update* const end = &updates_[statement.end_update];
  while (one != end) {
    progress_.update = static_cast<std::size_t>(one - &updates_[0]);  // for messages
    PeerMessage& in = incoming(one->sender);
    std::size_t at = aligned(in.at, how.value.alignment);
    const Update* const first = one;
    for (; one != end && one->sender == in.peer; ++one, at += bytes) {
      if (at + bytes > in.message.bytes()) {
        progress_.update = static_cast<std::size_t>(one - &updates_[0]);
        fail_too_few(in);
      }
      copy_few(one->place, in.message.data() + at, bytes);
    }
    in.at = at;
    in.values += static_cast<std::uint32_t>(one - first);
  }
  return true;
}

void Execution::assign_all(const Statement& statement) {
  if (assign_plainly(statement)) return;
  const abi::receiving& how = *statement.how;
  for (std::size_t i = statement.first_update; i < statement.end_update; ++i) {
    progress_.update = i;
    const Arrived arrived = value_of(statement, i);
    if (how.assign || arrived.in_region) {
      update_place(how, i, materialise(arrived, how));
    } else {
      if (!updates_[i].place) fail_lost(i);
      copy_few(updates_[i].place, arrived.data, how.value.bytes);
    }
  }
}

void Execution::update_place(const abi::receiving& how, std::size_t at, abi::term value) {
  const bool adopts = value.object && how.adopt;
  if (!adopts && (value.object || how.place_in_region)) count_copied(how, value);
  if (how.assign) {
    assign_place(how, at, value);
  } else {
    if (!updates_[at].place) fail_lost(at);
    std::memcpy(updates_[at].place, value.data, how.value.bytes);
  }
  if (!adopts) release(how, value);
}

void Execution::assign_place(const abi::receiving& how, std::size_t at, abi::term value) {
  void* const place = updates_[at].place;
  if (!place) fail_lost(at);
  const auto assign = [&] {
    if (value.object != nullptr && how.adopt != nullptr)
      how.adopt(place, value.object);
    else
      how.assign(place, value);
  };
  if (updates_.size() == 1) return assign();
  if (how.deep.replace) return assign_deeply(how, at, value);
  if (how.deep.set_aside && statements_.size() > 1)
    kept_.add(how.deep.set_aside(place), how.deep.destroy_aside);
  if (!how.elements) return assign();
  const abi::storage before = how.elements(place);
  assign();
  const abi::storage now = how.elements(place);
  if (before.data && (now.data != before.data || now.count < before.count)) follow_elements(before, now);
}

void Execution::index_updates() {
  if (!following_.by_place.empty()) return;
  for (const Statement& statement : statements_) {
    if (!statement.how || (statement.how->proxy_bytes && !statement.how->proxy_has_root)) continue;
    for (std::size_t i = statement.first_update; i < statement.end_update; ++i) {
      void** const address =
          statement.how->proxy_has_root ? static_cast<void**>(updates_[i].place) : &updates_[i].place;
      following_.by_place.emplace(*address, Follower{{address, statement.how->object_bytes}, i});
    }
  }
}

// As follow_elements(), for whatever the place's object owns at any depth.
void Execution::assign_deeply(const abi::receiving& how, std::size_t at, abi::term value) {
  index_updates();
  void* const place = updates_[at].place;
  following_.met.clear();
  how.deep.give_pieces(place, {[](void* execution, const void* data, std::size_t bytes) {
                                 static_cast<Execution*>(execution)->take_followers(data, bytes);
                               },
                               this});
  if (following_.met.empty()) return how.assign(place, value);
  const std::vector<abi::follower> followers(following_.met.begin(), following_.met.end());
  how.deep.replace(place, how.assign, value, followers.data(), followers.size());
  for (const Follower& follower : following_.met) {
    if (*follower.address) {
      following_.by_place.emplace(*follower.address, follower);
    } else {
      updates_[follower.at].place = nullptr;
      following_.lost.push_back({follower.at, Lost::no_element, 0, 0});
    }
  }
}

/// Moves the updates whose places lie in this storage from the index to following_.met. Those already done
/// are forgotten: their places no longer matter. A reduction's places are updated in another order than its
/// updates. Larger objects that only begin here, as a variant does where its alternative begins, stay.
void Execution::take_followers(const void* data, std::size_t bytes) {
  const std::size_t first_left =
      progress_.statement->how->combine ? progress_.statement->first_update : progress_.update + 1;
  const auto* const data_end = static_cast<const std::byte*>(data) + bytes;
  for (auto at = following_.by_place.lower_bound(data);
       at != following_.by_place.end() && at->first < data_end;) {
    const Follower& follower = at->second;
    if (static_cast<const std::byte*>(at->first) + follower.bytes > data_end) {
      ++at;
    } else {
      if (follower.at >= first_left) following_.met.push_back(follower);
      at = following_.by_place.erase(at);
    }
  }
}

// Places were found before the first update. Those among the elements of a sequence that has just been
// assigned are now where the sequence has its elements: so `{ v@r <<= …; v[0]@r <<= … }` means what it says.
void Execution::follow_elements(const abi::storage& before, const abi::storage& now) {
  index_updates();
  const auto* const begin = static_cast<const std::byte*>(before.data);
  following_.met.clear();
  take_followers(begin, before.count * before.element_bytes);
  for (const Follower& follower : following_.met) {
    const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(*follower.address) - begin);
    const std::size_t index = offset / before.element_bytes;
    if (index >= now.count) {
      updates_[follower.at].place = nullptr;
      following_.lost.push_back({follower.at, index, before.count, now.count});
      continue;
    }
    *follower.address = const_cast<std::byte*>(static_cast<const std::byte*>(now.data) + offset);
    following_.by_place.emplace(*follower.address, follower);
  }
}

namespace {

/// A folded value, with the update of its first contribution.
struct FoldTerm {
  abi::term value;
  std::size_t at = 0;
};

/// Replaces `into` by the fold of both and destroys `other`. Notes the two updates for messages.
struct Combine {
  const abi::receiving* how;
  void* operation;
  std::size_t* at;
  std::size_t* earlier_update;
  void operator()(FoldTerm& into, FoldTerm& other) const {
    *earlier_update = into.at;
    *at = other.at;
    how->combine(operation, into.value, other.value);
    if (other.value.object) {
      abi::let_go(other.value);
    } else if (how->value.how == abi::layout::object) {
      how->value.destroy(other.value.data);
    } else if (how->drop) {
      how->drop(other.value.data);
    }
  }
};

using Fold = RunBracket<FoldTerm, Combine>;

}  // namespace

void Execution::finish_place(const Statement& statement, std::size_t at, abi::term result) {
  const abi::receiving& how = *statement.how;
  progress_.update = at;
  update_place(how, at, result);
}

void Execution::fold_all(const Statement& statement) {
  const abi::receiving& how = *statement.how;
  const Update* const first = &updates_[statement.first_update];
  const Update* const end = first + (statement.end_update - statement.first_update);
  const bool one_place =
      std::all_of(first, end, [&](const Update& one) { return same_place(*first, one, how.proxy_bytes); });
  if (!one_place) return fold_groups(statement);
  Fold fold(Combine{&how, statement.operation, &progress_.update, &progress_.earlier});
  for (std::size_t i = statement.first_update; i < statement.end_update; ++i) {
    progress_.update = i;
    fold.push(updates_[i].sender, {materialise(value_of(statement, i), how), i});
  }
  finish_place(statement, statement.end_update - 1, fold.finish().value);
}

// Several places: the contributions are found in binding order, in which they lie in the messages, and then
// folded place by place. A place is updated when its last contribution is reached.
void Execution::fold_groups(const Statement& statement) {
  const abi::receiving& how = *statement.how;
  const std::size_t count = statement.end_update - statement.first_update;
  PlaceGroups& groups = fold_memory_.groups;
  groups.group(&updates_[statement.first_update], count, how.proxy_bytes);
  fold_memory_.contributions.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    progress_.update = statement.first_update + i;
    fold_memory_.contributions[groups.next_position(i)] = {progress_.update,
                                                           value_of(statement, progress_.update)};
  }
  Fold fold(Combine{&how, statement.operation, &progress_.update, &progress_.earlier});
  for (std::size_t i = 0; i < count; ++i) {
    if (!groups.is_last(i)) continue;
    const auto [first, end] = groups.positions(i);
    for (std::size_t at = first; at < end; ++at) {
      const Contribution& one = fold_memory_.contributions[at];
      progress_.update = one.at;
      fold.push(updates_[one.at].sender, {materialise(one.value, how), one.at});
    }
    finish_place(statement, statement.first_update + i, fold.finish().value);
  }
}

}  // namespace kanor::rt
