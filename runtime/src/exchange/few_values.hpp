// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks whose one statement exchanges few plain values, executed once more.
#pragma once

#include <cstddef>
#include <cstdint>

#include "exchange/arena.hpp"
#include "exchange/ends.hpp"
#include "exchange/outbox.hpp"
#include "exchange/short_messages.hpp"
#include "exchange/team_state.hpp"
#include "kanor/abi/core.hpp"
#include "kanor/team.hpp"
#include "transport/rank.hpp"

namespace kanor::rt {

class Blocks;

/// Executes again a block whose one statement exchanges few plain values. Such a block is all bookkeeping:
/// some bytes for a few ranks. The first execution of its statement goes the usual way, which finds that it
/// is of this kind; later ones keep no account of anything but what they exchange. Values and places are
/// evaluated anew each time, and the messages are the same, so each rank repeats a block or not as it can.
/// Nothing is sent before all values fit in here: a block that turns out to be another is executed as usual.
///
/// One for each rank, used for one block at a time; reused, so that it allocates nothing.
class FewValues {
 public:
  static constexpr std::size_t most_places = 32, most_peers = 8, most_bytes = 256;

  /// Returns true if what is received so is few and plain: a place that is assigned or folded needs no more
  /// than the value.
  static bool takes(const abi::receiving& how);

  explicit FewValues(Blocks& blocks) : blocks_(blocks) {}

  /// Starts a block's statement.
  void begin(const abi::site& block, const abi::statement_site& statement, const team& members,
             TeamState& state, void* operation);
  /// The statement that was begun last.
  const abi::statement_site& statement() const { return *current_.statement; }
  void* operation() const { return current_.operation; }

  // As Execution's functions of these names.
  void* keep(std::size_t bytes, std::size_t alignment) { return arena_.allocate(bytes, alignment); }
  void put_flat(int receiver, const void* data, std::size_t bytes, std::size_t alignment);
  void add(void* place, int sender, const abi::receiving& how);
  MessageEnd& message_end() { return message_end_; }
  UpdateEnd& update_end() { return update_end_; }

  /// Sends, waits, updates. Returns false, and does nothing, if the values were not few and plain.
  bool run();
  /// Ends the block here.
  void end();

 private:
  struct Outgoing {
    int to;
    std::uint32_t values;  ///< put so far
    std::size_t used;
    alignas(most_alignment) std::byte content[most_bytes];
  };
  struct Incoming {
    int from;
    std::uint32_t values;  ///< taken so far
    std::size_t at;        ///< the end of those
    std::byte* content;    ///< the content of `held`, or of this rank's message to itself
    std::size_t bytes;
    Buffer held;
  };

  Outgoing* to(int receiver);
  void close();
  void give_up();
  std::size_t places() const { return static_cast<std::size_t>(update_end_.next - updates_); }
  bool folds() const { return how_ && how_->combine; }
  bool one_place() const;
  void send();
  void assign();
  void fold();
  void update(void* place, const abi::term& value);
  Incoming& from(int sender);
  abi::term next_value(std::size_t place);
  void compare_counts();
  /// Fails, with the message of usual blocks, because the ranks do not agree.
  [[noreturn]] void fail_as_usual();

  Blocks& blocks_;
  struct {
    const abi::site* block = nullptr;
    const abi::statement_site* statement = nullptr;
    const kanor::team* members = nullptr;
    TeamState* team = nullptr;
    void* operation = nullptr;
  } current_;  ///< what begin() was told
  const abi::receiving* how_ = nullptr;
  const abi::receiving* taken_ = nullptr;  ///< the last that takes() was true for, perhaps an earlier block's
  bool fits_ = true;
  std::size_t out_count_ = 0, in_count_ = 0;
  Outgoing out_[most_peers];
  Incoming in_[most_places + 1]{};
  Update updates_[most_places];
  Outgoing* open_ = nullptr;  ///< the message whose end is message_end_
  MessageEnd message_end_;
  UpdateEnd update_end_;
  ShortMessages rooms_;
  Arena arena_;
};

}  // namespace kanor::rt
