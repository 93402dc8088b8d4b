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

Execution::Incoming& Execution::incoming(int from) {
  const int position = incoming_of_.find_or_add(from, static_cast<int>(incoming_.size()));
  if (position != PeerIndex::none) return incoming_[static_cast<std::size_t>(position)];
  if (from == rank()) fail_updating("this rank expects a value of itself, and did not send it");
  const int world_rank = team_->world_rank(from);
  Incoming& fresh = incoming_.emplace_back();
  fresh.from = from;
  fresh.shares_addresses = rt::shares_addresses(*owner_, world_rank);
  fresh.at = sizeof(MessageHead);
  Message* const room = short_messages_.take();
  fresh.message = receive(*owner_, world_rank, team_->context, sequence_, room);
  if (room && fresh.message.get() != room) short_messages_.give_back();
  check_head(from, fresh.message);
  return fresh;
}

void Execution::check_head(int from, const Buffer& message) const {
  MessageHead head;
  if (message.bytes() < head_bytes()) fail("a message of " + member_text(from) + " is truncated");
  std::memcpy(&head, message.data(), sizeof(head));
  if (head.line != static_cast<std::uint32_t>(block_.line) || head.values >= MessageHead::collective)
    fail_order(from, head);
}

Execution::Arrived Execution::value_of(const Statement& statement, std::size_t part) {
  return knows_ == abi::knows::sender ? arrived_[part] : next_value(incoming(parts_[part].sender), statement);
}

Execution::Arrived Execution::next_value(Incoming& in, const Statement& statement) {
  const abi::travelling& how = statement.how->value;
  const bool in_region = how.how == abi::layout::region;
  return next_value(in,
                    in_region && !shares_region(statement, in.from, how.needs_addresses) ? *how.plain : how);
}

Execution::Arrived Execution::next_value(Incoming& in, const abi::travelling& how) {
  ++in.values;
  // Takes `bytes` bytes at the next multiple of `alignment`.
  const auto take = [&](std::size_t bytes, std::size_t alignment) {
    const std::size_t start = (in.at + alignment - 1) & ~(alignment - 1);
    if (start > in.message.bytes() || bytes > in.message.bytes() - start) {
      settle_checks();
      fail_updating(member_text(in.from) + " sent fewer values than this rank expects of it");
    }
    in.at = start + bytes;
    return in.message.data() + start;
  };
  const auto take_word = [&] {
    std::uint64_t word;
    std::memcpy(&word, take(sizeof(word), alignof(std::uint64_t)), sizeof(word));
    return word;
  };
  // A message is aligned to 64 bytes; types that want more are moved to where they get it.
  const auto take_aligned = [&](std::size_t bytes) {
    std::byte* data = take(bytes, std::min(how.alignment, most_alignment));
    if (how.alignment <= most_alignment) return data;
    return static_cast<std::byte*>(std::memcpy(arena_.allocate(bytes, how.alignment), data, bytes));
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
        std::memcpy(&address, take(sizeof(address), alignof(void*)), sizeof(address));
        return value_elsewhere(in, value.count, address);
      }
      if (value.count > in.message.bytes()) fail_updating("a sequence's length is not credible");
      value.data = take_aligned(value.count * how.bytes);
      break;
    case abi::layout::object:
      if (in.shares_addresses && !how.always_archived) {
        std::memcpy(&value.data, take(sizeof(void*), alignof(void*)), sizeof(void*));
      } else {
        value.archived = true;
        value.count = take_word();
        value.data = take(value.count, 1);
      }
      break;
    case abi::layout::region:
      std::memcpy(&value.data, take(sizeof(void*), alignof(void*)), sizeof(void*));
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

void Execution::update(const Statement& statement) {
  if (!statement.how || statement.first_part == statement.end_part) return;
  updating_ = &statement;
  if (statement.how->combine) {
    fold_parts(statement);
  } else {
    assign_parts(statement);
  }
  updating_ = nullptr;
}

void Execution::assign_parts(const Statement& statement) {
  const abi::receiving& how = *statement.how;
  for (std::size_t i = statement.first_part; i < statement.end_part; ++i) {
    updating_part_ = i;
    const Arrived arrived = value_of(statement, i);
    if (how.assign || arrived.in_region) {
      update_place(how, i, materialise(arrived, how));
    } else {
      if (!parts_[i].place) fail_lost(i);
      copy_few(parts_[i].place, arrived.data, how.value.bytes);
    }
  }
}

void Execution::update_place(const abi::receiving& how, std::size_t part, abi::term value) {
  const bool adopts = value.object && how.adopt;
  if (!adopts && (value.object || how.place_in_region)) count_copied(how, value);
  if (how.assign) {
    assign_place(how, part, value);
  } else {
    if (!parts_[part].place) fail_lost(part);
    std::memcpy(parts_[part].place, value.data, how.value.bytes);
  }
  if (!adopts) release(how, value);
}

void Execution::assign_place(const abi::receiving& how, std::size_t part, abi::term value) {
  void* const place = parts_[part].place;
  if (!place) fail_lost(part);
  const auto assign = [&] {
    if (value.object != nullptr && how.adopt != nullptr)
      how.adopt(place, value.object);
    else
      how.assign(place, value);
  };
  if (parts_.size() == 1) return assign();
  if (how.replace) return assign_deeply(how, part, value);
  if (how.set_aside && statements_.size() > 1) kept_.push_back({how.set_aside(place), how.destroy_aside});
  if (!how.elements) return assign();
  const abi::storage before = how.elements(place);
  assign();
  const abi::storage now = how.elements(place);
  if (before.data && (now.data != before.data || now.count < before.count)) follow_elements(before, now);
}

void Execution::index_parts() {
  if (!parts_at_.empty()) return;
  for (const Statement& statement : statements_) {
    if (!statement.how || (statement.how->proxy_bytes && !statement.how->proxy_has_root)) continue;
    for (std::size_t i = statement.first_part; i < statement.end_part; ++i) {
      void** const address =
          statement.how->proxy_has_root ? static_cast<void**>(parts_[i].place) : &parts_[i].place;
      parts_at_.emplace(*address, Follower{{address, statement.how->object_bytes}, i});
    }
  }
}

// As follow_elements(), for whatever the place's object owns at any depth.
void Execution::assign_deeply(const abi::receiving& how, std::size_t part, abi::term value) {
  index_parts();
  void* const place = parts_[part].place;
  followers_.clear();
  how.give_pieces(place, {[](void* execution, const void* data, std::size_t bytes) {
                            static_cast<Execution*>(execution)->take_followers(data, bytes);
                          },
                          this});
  if (followers_.empty()) return how.assign(place, value);
  const std::vector<abi::follower> followers(followers_.begin(), followers_.end());
  how.replace(place, how.assign, value, followers.data(), followers.size());
  for (const Follower& follower : followers_) {
    if (*follower.address) {
      parts_at_.emplace(*follower.address, follower);
    } else {
      parts_[follower.part].place = nullptr;
      lost_.push_back({follower.part, Lost::no_element, 0, 0});
    }
  }
}

/// Moves the parts in this storage from the index to followers_. Those that have had their update are
/// forgotten: what became of their places is over. A reduction's places have theirs in another order than its
/// parts. Larger objects that only begin here, as a variant does where its alternative begins, stay.
void Execution::take_followers(const void* data, std::size_t bytes) {
  const std::size_t first_left = updating_->how->combine ? updating_->first_part : updating_part_ + 1;
  const auto* const data_end = static_cast<const std::byte*>(data) + bytes;
  for (auto at = parts_at_.lower_bound(data); at != parts_at_.end() && at->first < data_end;) {
    const Follower& follower = at->second;
    if (static_cast<const std::byte*>(at->first) + follower.bytes > data_end) {
      ++at;
    } else {
      if (follower.part >= first_left) followers_.push_back(follower);
      at = parts_at_.erase(at);
    }
  }
}

// Places were found before the first update. Those among the elements of a sequence that has just been
// assigned are now where the sequence has its elements: so `{ v@r <<= …; v[0]@r <<= … }` means what it says.
void Execution::follow_elements(const abi::storage& before, const abi::storage& now) {
  index_parts();
  const auto* const begin = static_cast<const std::byte*>(before.data);
  followers_.clear();
  take_followers(begin, before.count * before.element_bytes);
  for (const Follower& follower : followers_) {
    const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(*follower.address) - begin);
    const std::size_t index = offset / before.element_bytes;
    if (index >= now.count) {
      parts_[follower.part].place = nullptr;
      lost_.push_back({follower.part, index, before.count, now.count});
      continue;
    }
    *follower.address = const_cast<std::byte*>(static_cast<const std::byte*>(now.data) + offset);
    parts_at_.emplace(*follower.address, follower);
  }
}

namespace {

/// A folded value, with the part that its first contribution is of.
struct FoldTerm {
  abi::term value;
  std::size_t part = 0;
};

/// Replaces `into` by the fold of both and destroys `other`. Notes the two parts for messages.
struct Combine {
  const abi::receiving* how;
  void* operation;
  std::size_t* part;
  std::size_t* earlier_part;
  void operator()(FoldTerm& into, FoldTerm& other) const {
    *earlier_part = into.part;
    *part = other.part;
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

void Execution::finish_place(const Statement& statement, std::size_t part, abi::term result) {
  const abi::receiving& how = *statement.how;
  updating_part_ = part;
  update_place(how, part, result);
}

bool Execution::same_place(const abi::receiving& how, const Part& a, const Part& b) {
  return how.proxy_bytes ? std::memcmp(a.place, b.place, how.proxy_bytes) == 0 : a.place == b.place;
}

void Execution::fold_parts(const Statement& statement) {
  const abi::receiving& how = *statement.how;
  const auto first = parts_.begin() + static_cast<std::ptrdiff_t>(statement.first_part);
  const auto end = parts_.begin() + static_cast<std::ptrdiff_t>(statement.end_part);
  const bool one_place =
      std::all_of(first, end, [&](const Part& part) { return same_place(how, *first, part); });
  if (!one_place) return fold_groups(statement);
  Fold fold(Combine{&how, statement.operation, &updating_part_, &earlier_part_});
  for (std::size_t i = statement.first_part; i < statement.end_part; ++i) {
    updating_part_ = i;
    fold.push(parts_[i].sender, {materialise(value_of(statement, i), how), i});
  }
  finish_place(statement, statement.end_part - 1, fold.finish().value);
}

// Several places: the contributions are found in binding order, in which they lie in the messages, and then
// folded place by place. The places are updated in the order of their last contributions.
void Execution::fold_groups(const Statement& statement) {
  const abi::receiving& how = *statement.how;
  contributions_.clear();
  for (std::size_t i = statement.first_part; i < statement.end_part; ++i) {
    updating_part_ = i;
    contributions_.push_back({i, value_of(statement, i)});
  }
  const auto compare_places = [&](const Contribution& a, const Contribution& b) {
    const void* one = parts_[a.part].place;
    const void* other = parts_[b.part].place;
    if (how.proxy_bytes) return std::memcmp(one, other, how.proxy_bytes);
    return one < other ? -1 : one > other ? 1 : 0;
  };
  std::sort(contributions_.begin(), contributions_.end(), [&](const Contribution& a, const Contribution& b) {
    const int order = compare_places(a, b);
    return order != 0 ? order < 0 : a.part < b.part;
  });
  struct Group {
    std::size_t begin, end, last_part;
  };
  std::vector<Group> groups;
  for (std::size_t i = 0; i < contributions_.size(); ++i) {
    if (i == 0 || compare_places(contributions_[i - 1], contributions_[i]) != 0) groups.push_back({i, i, 0});
    groups.back().end = i + 1;
    groups.back().last_part = contributions_[i].part;
  }
  std::sort(groups.begin(), groups.end(),
            [](const Group& a, const Group& b) { return a.last_part < b.last_part; });
  Fold fold(Combine{&how, statement.operation, &updating_part_, &earlier_part_});
  for (const Group& group : groups) {
    for (std::size_t i = group.begin; i < group.end; ++i) {
      const std::size_t part = updating_part_ = contributions_[i].part;
      fold.push(parts_[part].sender, {materialise(contributions_[i].value, how), part});
    }
    finish_place(statement, group.last_part, fold.finish().value);
  }
}

}  // namespace kanor::rt
