// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a rank keeps from one block to the next.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "exchange/checks.hpp"
#include "exchange/execution.hpp"
#include "exchange/few_values.hpp"
#include "exchange/team_state.hpp"
#include "kanor/abi/core.hpp"
#include "kanor/team.hpp"
#include "plan/planner.hpp"
#include "transport/rank.hpp"

namespace kanor::rt {

class DeltaBlock;

/// A rank's state for all its blocks: its teams, its plans, the execution of the current block, and the
/// pending exchanges. Belongs to the rank; one of its threads at a time executes blocks.
class Blocks final : public Attachment {
 public:
  /// The calling rank's Blocks. Ends the job outside a rank.
  static Blocks& here();
  ~Blocks() override;

  Rank& owner() { return owner_; }
  TeamState& world() { return world_; }
  plan::Planner& planner() { return planner_; }
  /// Counts a team that this rank makes or helps to make. Returns the count, this one included: never the
  /// same number again.
  std::uint64_t count_team() { return ++teams_made_; }
  /// Returns, in checked mode, a number other than 0 for a block that gives a buffer away; otherwise 0.
  std::uint64_t number_of_giver(const abi::site& block);
  /// The block with that number.
  const abi::site& giver(std::uint64_t number) const { return givers_[number - 1]; }

  /// Begins the evaluation of a block's expressions, which leave() ends; an error while another block's are
  /// evaluated. Failures name this block. `block` must last until leave().
  void open(const abi::site& block, Step step = Step::block);
  /// Starts the next block of a team; opens it unless that has been done.
  Execution& enter(const abi::site& block, const team& team, abi::knows knows = abi::knows::both,
                   bool copy = false, Step step = Step::block);
  /// Ends what open() began: what the program does from here on is none of the block's expressions.
  void leave();
  /// Turns a block that has been started into a pending exchange; it is no longer the current block.
  PendingExchange& suspend(Execution& execution);
  /// Completes a pending exchange. An error during a block, and on another rank.
  void complete(PendingExchange& exchange);
  /// Returns true if complete() would wait for no message, after one look at what has arrived; or if it would
  /// end the job. Errors are those of complete(), and an exchange of a one-sided block.
  bool can_complete(const PendingExchange& exchange);
  /// Waits until can_complete() is true for one of these, of which there are some. Returns the index of the
  /// one that was started first, so that none waits for ever.
  std::size_t await_any(std::span<PendingExchange* const> exchanges);
  std::span<const std::unique_ptr<PendingExchange>> pending() const { return pending_; }

  /// Returns true if blocks whose values are in regions may be repeated: in a job of ranks that all share
  /// those.
  bool repeats(bool needs_addresses) const { return needs_addresses ? repeated_.objects : repeated_.bytes; }

  /// Returns true if loops whose bindings the plan has noted need not ask for them again.
  bool repeats_loops() const { return repeated_.loops; }
  /// Returns true if blocks of few plain values may be repeated.
  bool repeats_few() const { return repeated_.few; }
  FewValues& few() { return few_; }

  /// Returns true if blocks with the modifier `delta` are pipelined with loops.
  bool pipelines() const { return pipelines_; }
  /// Such blocks between their starts and their ends. What they have to send is sent while the rank waits.
  std::vector<DeltaBlock*>& deltas() {
    if (!flushes_deltas_) begin_to_flush_deltas();
    return deltas_;
  }
  /// A tag for a message's increments that no other message of this rank has.
  std::int32_t new_increment_tag();
  std::int64_t& cost_of_delta_ns() { return cost_of_delta_ns_; }

  /// The comparison of records in checked mode; else null.
  Checks* checks() { return checks_.get(); }

  /// The execution of the current block, or null.
  Execution* current() { return current_; }
  /// The current block's place in the program, or that of the block that has been opened; null if there is
  /// none.
  const abi::site* at_work() const { return current_ ? &current_->block() : opened_; }
  /// Fails because block `other` is being executed: `call` says what was about to happen, and `rule` that a
  /// block's expressions can't do it.
  [[noreturn]] void refuse(const std::string& call, const abi::site& other, const char* rule) const;

 private:
  explicit Blocks(Rank& rank);
  void check();
  void begin_to_flush_deltas();
  /// Ends the job if the exchange cannot be ended here and now.
  void expect_own(const PendingExchange& exchange) const;
  /// The same for calls that look whether it can be ended.
  void expect_two_sided(const PendingExchange& exchange) const;

  Rank& owner_;
  TeamState world_;
  plan::Planner planner_;
  struct {
    bool loops = false, few = false, bytes = false, objects = false;
  } repeated_;  ///< see repeats() and others
  bool pipelines_ = false, flushes_deltas_ = false;
  std::vector<DeltaBlock*> deltas_;
  std::int32_t increment_tags_ = 0;
  std::int64_t cost_of_delta_ns_ = 0;  ///< of sending an increment, as far as is known
  std::uint64_t teams_made_ = 0;
  std::vector<abi::site> givers_;  ///< each once
  const abi::site* opened_ = nullptr;
  Execution* current_ = nullptr;
  pthread_t thread_{};  ///< the thread that executes the current block
  FewValues few_{*this};
  std::unique_ptr<Checks> checks_;
  Execution execution_{*this, owner_};
  std::vector<std::unique_ptr<PendingExchange>> pending_;  ///< in no order; each knows its position
  std::uint32_t started_ = 0;                              ///< the number of exchanges that were ever pending
};

/// Called when the rank's main has ended: in checked mode waits for the remaining records and compares them.
void finish_checks();

}  // namespace kanor::rt
