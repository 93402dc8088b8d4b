// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What checked mode finds out about the places of one rank.
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exchange/blocks.hpp"
#include "exchange/execution.hpp"
#include "exchange/overlaps.hpp"
#include "exchange/pending_exchange.hpp"
#include "kanor/abi/extent.hpp"

namespace kanor::rt {
namespace {

struct Owned {
  Overlaps* overlaps;
  std::size_t owner;
};

void add_piece(void* context, const void* data, std::size_t bytes, std::size_t count,
               std::size_t stride_bytes) {
  const Owned& owned = *static_cast<Owned*>(context);
  owned.overlaps->add(owned.owner, data, bytes, count, stride_bytes);
}

/// Adds the storage's address and content to the FNV-1a hash at `context`.
void sum_piece(void* context, const void* data, std::size_t bytes, std::size_t count,
               std::size_t stride_bytes) {
  std::uint64_t& sum = *static_cast<std::uint64_t*>(context);
  const auto mix = [&](const void* from, std::size_t length) {
    for (std::size_t i = 0; i < length; ++i)
      sum = (sum ^ static_cast<const unsigned char*>(from)[i]) * 1099511628211u;
  };
  const std::uint64_t where[] = {reinterpret_cast<std::uintptr_t>(data), bytes, count};
  mix(where, sizeof(where));
  for (std::size_t i = 0; i < count; ++i) mix(static_cast<const std::byte*>(data) + i * stride_bytes, bytes);
}

std::uint64_t checksum(const void* object, void (*extents)(const void*, const abi::extent_sink&)) {
  std::uint64_t sum = 14695981039346656037u;
  if (extents && object) extents(object, {&sum, &sum_piece});
  return sum;
}

}  // namespace

const Statement& Execution::statement_of(const Bindings& all, std::size_t at) {
  std::size_t number = 0;
  while (at >= all.statements[number].end_update || at < all.statements[number].first_update) ++number;
  return all.statements[number];
}

std::string Execution::update_text(const Bindings& all, std::size_t at) {
  const Statement& statement = statement_of(all, at);
  const std::size_t first =
      statement.first_name + (at - statement.first_update) * static_cast<std::size_t>(statement.name_count);
  return statement_text(*all.block, statement, all.names.data() + first, statement.name_count);
}

/// The places of several exchanges of one rank, numbered in the order in which they were added.
struct Execution::Places {
  struct Owner {
    Bindings exchange;
    std::size_t at;
    std::string text() const { return update_text(exchange, at); }
    int sender() const { return exchange.updates[at].sender; }
  };
  std::vector<Owner> owners;
  Overlaps overlaps;
  std::map<std::string, std::size_t> proxies;
  std::optional<std::pair<std::size_t, std::size_t>> met;  ///< two proxies of one place

  void add(const Bindings& exchange);
};

void Execution::Places::add(const Bindings& exchange) {
  for (const Statement& statement : exchange.statements) {
    if (!statement.how) continue;
    const abi::receiving& how = *statement.how;
    std::map<std::string, std::size_t> places;  // of a reduction, whose contributions may meet at one place
    for (std::size_t i = statement.first_update; i < statement.end_update; ++i) {
      void* const place = exchange.updates[i].place;
      const std::string identity = how.proxy_bytes
                                       ? std::string(static_cast<const char*>(place), how.proxy_bytes)
                                       : std::string(reinterpret_cast<const char*>(&place), sizeof(place));
      if (how.combine && !places.emplace(identity, i).second) continue;
      const std::size_t number = owners.size();
      owners.push_back({exchange, i});
      if (how.extents) {
        Owned owned{&overlaps, number};
        how.extents(place, {&owned, &add_piece});
      } else if (const auto [known, is_new] = proxies.emplace(identity, number); !is_new && !met) {
        met = {known->second, number};
      }
    }
  }
}

void Execution::check_conflicts() const {
  Places all;
  all.add(bindings());
  const std::size_t own = all.owners.size();
  for (const auto& other : blocks_.pending()) all.add(other->bindings());
  const auto met = all.met ? all.met : all.overlaps.find();
  if (!met) return;
  std::string one = all.owners[met->first].text(), other = all.owners[met->second].text();
  // Where only senders know, bindings of two ranks may be of one statement and equal names.
  if (one == other) {
    one += " from " + member_text(all.owners[met->first].sender());
    other += " from " + member_text(all.owners[met->second].sender());
  }
  const std::string texts = "checked mode: " + one + ", and " + other;
  if (met->second < own)
    fail(texts + ", places overlap on this rank: a block must not update the same storage twice");
  fail(texts +
       ", which is pending, places overlap on this rank: other blocks must not update the places of a "
       "pending exchange");
}

void Execution::check_listed_once(std::size_t count) {
  if (const long long* const twice = index_lists_.listed_twice(count))
    fail("checked mode: " + evaluated_text() + ", the place lists element " + std::to_string(*twice) +
         " twice");
}

void Execution::note_value(const void* value, std::size_t proxy_bytes,
                           void (*extents)(const void*, const abi::extent_sink&)) {
  if (!(current().where.flags & abi::lasting_value)) return;
  if (proxy_bytes)
    value = std::memcpy(keep(proxy_bytes, alignof(std::max_align_t), nullptr), value, proxy_bytes);
  lasting_.sent.push_back({value, extents, progress_.current, 0});
}

void Execution::note_places() {
  lasting_.checksums.clear();
  for (const Statement& statement : statements_)
    for (std::size_t i = statement.first_update; i < statement.end_update; ++i)
      lasting_.checksums.push_back(checksum(updates_[i].place, statement.how->extents));
  for (SentValue& sent : lasting_.sent) sent.checksum = checksum(sent.value, sent.extents);
}

void Execution::check_places_untouched() const {
  constexpr const char* since = " was written, or has moved, between the start of the exchange and its end";
  for (std::size_t i = 0; i < lasting_.checksums.size(); ++i)
    if (checksum(updates_[i].place, statement_of(bindings(), i).how->extents) != lasting_.checksums[i])
      fail("checked mode: " + update_text(bindings(), i) + ", the place" + since);
  for (const SentValue& sent : lasting_.sent)
    if (checksum(sent.value, sent.extents) != sent.checksum)
      fail("checked mode: " + statement_text(statements_[sent.statement], nullptr, 0) + ", the value" +
           since);
}

}  // namespace kanor::rt
