// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings together what belongs to the same key: map and reduce.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>
#include <kanor/std/migrate.hpp>

#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

// The members' vectors, joined in the order of ranks, are one sequence of pairs of a key and a value. Each
// function returns the keys of this rank: a key is on rank std::size_t(hash(key)) % size of the team. `hash`
// is the same on all members, and equal for keys that are equivalent under `<`; of these, the first counts.
// Each function executes one block of the team with `knows = sender`, so all members must call it, and none
// leaves before all have entered. Keys and values must travel and have default constructors; keys are
// ordered by `<`.

namespace kanor {
namespace detail {

/// Keys that can be those of a std::map.
template <class Key>
concept ordered = requires(const Key& a, const Key& b) {
  { a < b } -> std::convertible_to<bool>;
};

template <class Hash, class Key>
concept hash_of = requires(const Hash& hash, const Key& key) { static_cast<std::size_t>(hash(key)); };

/// Sends each pair to the rank of its key. Pairs arrive in the order of the sequence.
template <class Key, class Value, class Hash>
void migrate_by_key(std::vector<std::pair<Key, Value>>& pairs, const Hash& hash, const team& members) {
  const auto size = static_cast<std::size_t>(members.size());
  const auto owner = [&](const std::pair<Key, Value>& one) {
    return static_cast<std::size_t>(hash(one.first)) % size;
  };
  migrate(pairs, owner, members);
}

/// Folds the values of each key in the order of the pairs.
template <class Key, class Value, class Operation>
std::map<Key, Value> fold_by_key(std::vector<std::pair<Key, Value>> pairs, Operation& operation) {
  std::map<Key, Value> folded;
  for (auto& [key, value] : pairs) {
    const auto [place, is_new] = folded.try_emplace(std::move(key), std::move(value));
    // Where the key was there already, try_emplace() has left the value alone.
    if (!is_new) place->second = std::invoke(operation, std::move(place->second), std::move(value));
  }
  return folded;
}

}  // namespace detail

/// Returns the values of each key in the order of the sequence. Each pair is sent once, at most.
template <detail::ordered Key, class Value, detail::hash_of<Key> Hash = std::hash<Key>>
std::map<Key, std::vector<Value>> group_by_key(std::vector<std::pair<Key, Value>> pairs, Hash hash = {},
                                               const team& members = world,
                                               call_site where = call_site::current()) {
  const detail::call call("kanor::group_by_key", where);
  detail::migrate_by_key(pairs, hash, members);
  std::map<Key, std::vector<Value>> groups;
  for (auto& [key, value] : pairs) groups[std::move(key)].push_back(std::move(value));
  return groups;
}

/// Returns the values of each key folded with `operation(a, b)`, which is associative and need not be
/// commutative: the order is that of the sequence. Each member folds its own values first, and sends one
/// value for each of its keys.
template <detail::ordered Key, class Value, class Operation, detail::hash_of<Key> Hash = std::hash<Key>>
std::map<Key, Value> reduce_by_key(std::vector<std::pair<Key, Value>> pairs, Operation operation, Hash hash = {},
                                   const team& members = world, call_site where = call_site::current()) {
  const detail::call call("kanor::reduce_by_key", where);
  std::map<Key, Value> own = detail::fold_by_key(std::move(pairs), operation);
  std::vector<std::pair<Key, Value>> folded;
  while (!own.empty()) {
    auto first = own.extract(own.begin());
    folded.emplace_back(std::move(first.key()), std::move(first.mapped()));
  }
  detail::migrate_by_key(folded, hash, members);
  return detail::fold_by_key(std::move(folded), operation);
}

}  // namespace kanor
