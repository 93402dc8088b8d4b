// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/checks.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "job/failure.hpp"
#include "transport/matching.hpp"
#include "transport/rank_state.hpp"

namespace kanor::rt {
namespace {

/// The context of records, which is no team's: see team_context().
constexpr std::uint64_t record_context = any_source_context | 1;

/// The most records that a member keeps whole: one that is further ahead of the one before it keeps only
/// hashes, so that memory stays bounded.
constexpr std::size_t most_whole_records = 64;

constexpr std::int64_t settle_us = 500'000;

}  // namespace

Checks::Checks(Rank& rank, const TeamState& world) : rank_(rank) { join(world); }

void Checks::join(const TeamState& team) {
  if (team.size == 1) return;
  Ring& ring = rings_[team.context];
  ring.member = team.rank;
  ring.previous = (team.rank + team.size - 1) % team.size;
  ring.previous_in_world = team.world_rank(ring.previous);
  ring.next_in_world = team.world_rank((team.rank + 1) % team.size);
  ring.joined = true;
  ring.is_world = team.world_ranks == nullptr;
  ring.lives = team.lives;
}

void Checks::begin(Step step, const abi::site& where, const TeamState& team, std::uint64_t position) {
  look();
  end_those(false);
  open_ring_ = team.size == 1 ? nullptr : &rings_[team.context];
  open_ = BlockRecord{};
  open_.step = step;
  open_.context = team.context;
  open_.position = position;
  open_.file = where.file;
  open_.line = where.line;
  if (rank_.page.in_function.load(std::memory_order_relaxed)) open_.call = last_text(rank_.page);
  rank_.page.team_size.store(team.context == 0 ? 0 : team.size, std::memory_order_relaxed);
  rank_.page.team_rank.store(team.rank, std::memory_order_relaxed);
}

void Checks::statement(const abi::statement_site& where, bool uniform) {
  StatementRecord& statement = open_.statements.emplace_back();
  statement.line = where.line;
  statement.text = where.text;
  statement.names = where.names;
  statement.uniform = uniform;
}

void Checks::announce() {
  if (!open_ring_) return;
  Ring& ring = *std::exchange(open_ring_, nullptr);
  send_record(ring, std::move(open_));
  look();
}

void Checks::send_record(Ring& ring, BlockRecord record) {
  const std::vector<std::byte> bytes = record.encode();
  ring.position = record.position + 1;
  if (ring.own.size() >= most_whole_records) record.shorten();
  const std::uint64_t position = record.position;
  ring.own.emplace(position, std::move(record));
  Buffer message = allocate_message(rank_, bytes.size());
  std::memcpy(message.data(), bytes.data(), bytes.size());
  send(rank_, ring.next_in_world, record_context, 0, std::move(message));
}

void Checks::look() {
  while (const Buffer message = receive_arrived(rank_, record_context, 0)) {
    BlockRecord record = BlockRecord::decode(message.data(), message.bytes());
    Ring& ring = rings_[record.context];
    ring.theirs.emplace(record.position, std::move(record));
  }
  for (auto ring = rings_.begin(); ring != rings_.end();)
    ring = compare(ring->second) ? rings_.erase(ring) : std::next(ring);
}

bool Checks::compare(Ring& ring) {
  bool over = false;
  while (!ring.own.empty()) {
    const auto own = ring.own.begin();
    const auto theirs = ring.theirs.find(own->first);
    if (theirs == ring.theirs.end()) break;
    const std::string previous = member_text(ring, ring.previous, ring.previous_in_world);
    const std::string self = member_text(ring, ring.member, rank_number(rank_));
    // The lower number first, so that two members who both see it say the same.
    const std::string text = ring.previous < ring.member
                                 ? difference(theirs->second, previous, own->second, self)
                                 : difference(own->second, self, theirs->second, previous);
    if (!text.empty()) fail("checked mode: " + text);
    over = own->second.step == Step::end;
    ring.own.erase(own);
    ring.theirs.erase(theirs);
  }
  return over;
}

std::string Checks::member_text(const Ring& ring, int member, int in_world) const {
  const std::string text = "rank " + std::to_string(member);
  return ring.is_world ? text : text + " of the team (" + std::to_string(in_world) + " of the world)";
}

// Sending may wait, and what is looked at meanwhile may end rings: so they are looked up one by one.
void Checks::end_those(bool all) {
  std::vector<std::uint64_t> contexts;
  for (const auto& [context, ring] : rings_)
    if (ring.joined && !ring.ended && (all || (!ring.is_world && ring.lives.expired())))
      contexts.push_back(context);
  for (const std::uint64_t context : contexts) {
    Ring& ring = rings_[context];
    ring.ended = true;
    BlockRecord record;
    record.step = Step::end;
    record.context = context;
    record.position = ring.position;
    send_record(ring, std::move(record));
  }
}

void Checks::settle() {
  announce();
  const auto never = [this] {
    look();
    return false;
  };
  wait_for_arrivals(rank_, never, settle_us);
}

void Checks::finish() {
  end_those(true);
  wait_for_arrivals(rank_, [this] {
    look();
    return std::none_of(rings_.begin(), rings_.end(), [](const auto& ring) { return ring.second.joined; });
  });
}

}  // namespace kanor::rt
