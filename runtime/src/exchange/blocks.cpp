// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/blocks.hpp"

#include <algorithm>
#include <string>

#include "exchange/delta_block.hpp"
#include "exchange/pending_exchange.hpp"
#include "exchange/team_record.hpp"
#include "transport/streams.hpp"
#include "transport/waiting.hpp"

namespace kanor::rt {
namespace {

constexpr const char* no_blocks = "a block's expressions cannot execute blocks";

/// Returns true if the end of the exchange would wait for no message, or would end the job, because the rank
/// that it needs one from has ended.
bool is_decided(Rank& owner, const PendingExchange& exchange) {
  const int missing = exchange.missing(owner);
  if (missing == no_rank) return true;
  if (!is_over(owner, missing, true)) return false;
  const int still_missing = exchange.missing(owner);  // the last message may have come before the end
  return still_missing == no_rank || still_missing == missing;
}
constexpr const char* no_fences = "a block's expressions cannot communicate";

}  // namespace

Blocks& Blocks::here() {
  Rank& rank = rt::here("a block was executed");
  std::unique_ptr<Attachment>& blocks = attachment(rank, Attached::blocks);
  if (!blocks) blocks.reset(new Blocks(rank));
  return static_cast<Blocks&>(*blocks);
}

Blocks::Blocks(Rank& rank) : owner_(rank) {
  world_.rank = rank_number(rank);
  world_.size = team_size(rank);
  const Switches& on = switches(rank);
  repeated_.loops = on.cache && on.repeat;
  repeated_.few = on.plan && repeated_.loops && !on.check && !on.statistics;
  const bool repeats = repeated_.few && on.sharing;
  repeated_.bytes = repeats && all_share_memory(rank);
  repeated_.objects = repeats && all_share_addresses(rank);
  pipelines_ = on.delta && !on.check;
  if (on.check) check();
}

Blocks::~Blocks() = default;

void Blocks::check() {
  checks_ = std::make_unique<Checks>(owner_, world_);
  set_while_waiting(owner_, [this] { checks_->look(); });
}

void Blocks::begin_to_flush_deltas() {
  flushes_deltas_ = true;
  set_while_waiting(owner_, [this] {
    for (DeltaBlock* const block : deltas_) block->flush();
  });
}

// Those of calls are not negative, and -1 is any.
std::int32_t Blocks::new_increment_tag() {
  constexpr std::int32_t tags = std::int32_t{1} << 30;
  increment_tags_ = (increment_tags_ + 1) % tags;
  return -2 - increment_tags_;
}

std::uint64_t Blocks::number_of_giver(const abi::site& block) {
  if (!checks_) return 0;
  const auto known = std::find_if(givers_.begin(), givers_.end(), [&](const abi::site& giver) {
    return giver.line == block.line && giver.file == block.file;
  });
  const std::size_t index = static_cast<std::size_t>(known - givers_.begin());
  if (known == givers_.end()) givers_.push_back(block);
  return index + 1;
}

void Blocks::open(const abi::site& block, Step step) {
  if (const abi::site* const other = at_work())
    refuse(std::string("the ") + name_of(step) + " at " + place_of(block) + " is reached", *other,
           step == Step::block ? no_blocks : no_fences);
  thread_ = ::pthread_self();
  opened_ = &block;
  enter_block(owner_, block.file, block.line, step);
}

Execution& Blocks::enter(const abi::site& block, const team& team, abi::knows knows, bool copy, Step step) {
  if (opened_ != &block) open(block, step);
  TeamState& state = state_of(*this, team, step == Step::fence ? "the fence" : "the block", block);
  current_ = &execution_;
  if (checks_) checks_->begin(step, block, state, state.sequence);
  current_->start_block(block, step, team, state, knows, copy);
  return *current_;
}

void Blocks::leave() {
  opened_ = nullptr;
  current_ = nullptr;
  leave_block(owner_);
}

PendingExchange& Blocks::suspend(Execution& execution) {
  pending_.push_back(PendingExchange::take(execution, pending_.size(), started_++));
  leave();
  return *pending_.back();
}

void Blocks::expect_own(const PendingExchange& exchange) const {
  const auto named = [&] { return "the pending exchange of the block at " + place_of(exchange.block()); };
  if (&exchange.blocks() != this) fail(named() + " is waited for by a rank that did not start it");
  if (const abi::site* const other = at_work()) refuse(named() + " is waited for", *other, no_blocks);
}

void Blocks::expect_two_sided(const PendingExchange& exchange) const {
  expect_own(exchange);
  if (exchange.is_one_sided())
    fail("the exchange of the block at " + place_of(exchange.block()) +
         " is one-sided: only kanor::pending::wait() can end it, not test() or kanor::wait_any()");
}

bool Blocks::can_complete(const PendingExchange& exchange) {
  expect_two_sided(exchange);
  const int missing = exchange.missing(owner_);
  if (missing == no_rank) return true;
  look_in_vain(owner_, missing);
  return is_decided(owner_, exchange);
}

std::size_t Blocks::await_any(std::span<PendingExchange* const> exchanges) {
  for (const PendingExchange* const one : exchanges) expect_two_sided(*one);
  enter_block(owner_, exchanges.front()->block().file, exchanges.front()->block().line);
  std::size_t found = exchanges.size();
  wait_for_streams(owner_, any_rank, [&] {
    for (std::size_t i = 0; i < exchanges.size(); ++i) {
      const bool is_earlier = found == exchanges.size() || exchanges[i]->is_before(*exchanges[found]);
      if (is_earlier && is_decided(owner_, *exchanges[i])) found = i;
    }
    return found != exchanges.size();
  });
  return found;
}

void Blocks::complete(PendingExchange& exchange) {
  expect_own(exchange);
  enter_block(owner_, exchange.block().file, exchange.block().line);
  thread_ = ::pthread_self();
  current_ = &execution_;
  exchange.resume(execution_);
  pending_.back()->move_to(exchange.position());
  std::swap(pending_[exchange.position()], pending_.back());
  pending_.pop_back();
  execution_.complete();
}

void Blocks::refuse(const std::string& call, const abi::site& other, const char* rule) const {
  if (::pthread_equal(thread_, ::pthread_self()))
    fail(call + " while the block at " + place_of(other) + " is being evaluated; " + rule);
  fail(
      call + " while another thread of this rank executes the block at " + place_of(other) +
      "; one thread of a rank at a time may: lock a mutex around blocks, or put them in '#pragma omp masked' "
      "or '#pragma omp single'");
}

void finish_checks() {
  Blocks& blocks = Blocks::here();
  if (Checks* const checks = blocks.checks()) checks->finish();
}

}  // namespace kanor::rt
