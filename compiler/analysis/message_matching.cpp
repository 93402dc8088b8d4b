// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/message_matching.hpp"

#include <cstddef>
#include <numeric>

namespace kanor::analysis {
namespace {

bool differ(const std::optional<long long>& one, const std::optional<long long>& other) {
  return one && other && *one != *other;
}

}  // namespace

const flow::Message& message_at(const Units& units, const MessageEnd& end) {
  return units[static_cast<std::size_t>(end.unit)]
      ->functions[static_cast<std::size_t>(end.function)]
      .messages[static_cast<std::size_t>(end.message)];
}

bool may_match(const flow::Message& send, const flow::Message& receive) {
  if (send.role != flow::Message::Role::send || receive.role != flow::Message::Role::receive) return false;
  return !send.has_none && !receive.has_none && !differ(send.comm, receive.comm) &&
         !differ(send.tag, receive.tag);
}

std::vector<std::vector<MessageEnd>> groups_of_messages(const Units& units) {
  std::vector<MessageEnd> all;
  for (std::size_t unit = 0; unit < units.size(); ++unit)
    for (std::size_t function = 0; function < units[unit]->functions.size(); ++function)
      for (std::size_t at = 0; at < units[unit]->functions[function].messages.size(); ++at)
        all.push_back({static_cast<int>(unit), static_cast<int>(function), static_cast<int>(at)});
  std::vector<std::size_t> parent(all.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t at) {
    while (parent[at] != at) at = parent[at] = parent[parent[at]];
    return at;
  };
  for (std::size_t send = 0; send < all.size(); ++send)
    for (std::size_t receive = 0; receive < all.size(); ++receive)
      if (may_match(message_at(units, all[send]), message_at(units, all[receive])))
        parent[root(send)] = root(receive);
  std::vector<std::vector<MessageEnd>> groups;
  std::vector<int> group_of(all.size(), -1);
  for (std::size_t at = 0; at < all.size(); ++at) {
    int& group = group_of[root(at)];
    if (group < 0) {
      group = static_cast<int>(groups.size());
      groups.emplace_back();
    }
    groups[static_cast<std::size_t>(group)].push_back(all[at]);
  }
  return groups;
}

bool is_same_number(const Units& units, const MessageEnd& one, const MessageEnd& other) {
  const flow::Quantity& first = message_at(units, one).count;
  const flow::Quantity& second = message_at(units, other).count;
  if (first.value || second.value) return first.value == second.value;
  const bool is_one_function = one.unit == other.unit && one.function == other.function;
  return is_one_function && !first.words.empty() && first.words == second.words;
}

}  // namespace kanor::analysis
