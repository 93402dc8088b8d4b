// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchanges in which only the senders know who sends what to whom.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>
#include <kanor/std/detail/expect.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace kanor {

/// Sends `outgoing[r]` to rank r of the team, for each r it contains. Returns a map of what arrived, whose
/// keys are the senders' ranks. A rank may send to itself; what is for `kanor::no_rank` goes nowhere.
/// Executes one block of the team with `knows = sender`, so all members must call it, and none leaves before
/// all have entered. `T` must travel and have a default constructor.
template <class T>
std::map<int, T> sparse_exchange(const std::map<int, T>& outgoing, const team& members = world,
                                 call_site where = call_site::current()) {
  const detail::call call("kanor::sparse_exchange", where);
  const int me = members.rank();
  std::vector<int> receivers;
  for (const auto& [rank, value] : outgoing) receivers.push_back(rank);
  std::map<int, T> incoming;
  @communicate (team = members, knows = sender) {
    incoming[from]@to <<= outgoing.at(to)@me where let from = me, to in receivers
  }
  return incoming;
}

/// Moves each item to the member that `owner(item)` names by its rank in the team, such as a particle
/// to the rank whose box it is in. Items whose owner is `kanor::no_rank` are removed. Afterwards
/// `items` are in the order of their senders' ranks; those of one sender keep their order. Calls
/// `owner` once for each item, in order. Executes one block of the team with `knows = sender`, so all
/// members must call it, and none leaves before all have entered. Throws std::out_of_range if an owner
/// is no rank of the team. `T` must travel, and not be `bool`; items that stay are moved, not sent.
template <class T, std::invocable<const T&> Owner>
requires(!std::same_as<T, bool>)
void migrate(std::vector<T>& items, Owner owner, const team& members = world,
             call_site where = call_site::current()) {
  const detail::call call("kanor::migrate", where);
  const int me = members.rank(), size = members.size();
  std::size_t staying = 0;  // items that stay are moved to the front
  std::map<int, std::vector<T>> leaving;
  for (std::size_t at = 0; at < items.size(); ++at) {
    T& item = items[at];
    const std::integral auto found = std::invoke(owner, std::as_const(item));
    if (std::cmp_equal(found, no_rank)) continue;
    if (std::cmp_less(found, 0) || std::cmp_greater_equal(found, size))
      throw std::out_of_range(call.text("an item's owner is rank " + std::to_string(found) + ", and " +
                                        detail::members_text(members)));
    if (const int rank = static_cast<int>(found); rank != me) {
      leaving[rank].push_back(std::move(item));
    } else {
      if (at != staying) items[staying] = std::move(item);
      ++staying;
    }
  }
  items.erase(items.begin() + static_cast<long>(staying), items.end());
  const auto insert = [&items](auto before, std::vector<T>& part) {
    items.insert(before, std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
  };
  std::map<int, std::vector<T>> arrived = sparse_exchange(leaving, members);
  std::vector<T> earlier;  // of lower ranks, whose items come first
  for (auto& [rank, part] : arrived) {
    if (rank > me) {
      insert(items.end(), part);
    } else {
      earlier.insert(earlier.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
    }
  }
  insert(items.begin(), earlier);
}

}  // namespace kanor
