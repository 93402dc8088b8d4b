// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block that is pipelined with the loops around it: its values travel while they are computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "exchange/blocks.hpp"
#include "ownership/pace.hpp"
#include "ownership/passing.hpp"
#include "ownership/rendezvous.hpp"

namespace kanor::rt {

/// One execution of such a block, from its start, which waits for nobody, to its end. Each value is one
/// message in increments, as a delta send is (ownership/increments.hpp), in a channel of its own; its tag is
/// the block's number in its team. Belongs to the rank.
class DeltaBlock {
 public:
  DeltaBlock(Blocks& blocks, const abi::site& where) : blocks_(blocks), site_(where) {}
  ~DeltaBlock();
  DeltaBlock(const DeltaBlock&) = delete;
  DeltaBlock& operator=(const DeltaBlock&) = delete;

  /// Notes a binding; all ranks note all bindings. Returns false if the block must run as an ordinary one,
  /// which reports the error: a rank is outside the team, or receives twice.
  bool note(int receiver, int sender);
  void send(int receiver, const void* data, std::size_t bytes);
  void receive(int sender, void* place, std::byte* (*make_room)(void* place, std::size_t bytes));
  void set_element_bytes(std::size_t bytes) { element_bytes_ = bytes; }
  std::size_t element_bytes() const { return element_bytes_; }
  bool sends() const { return !sends_.empty(); }
  StripLength& strip() { return strip_; }

  void start();
  /// The values' first `bytes` bytes are final; sends what it is time to send.
  void produced(std::size_t bytes);
  /// Sends what is final: others may need it to send what this rank waits for.
  void flush();
  void reach();
  bool has_reached() const { return has_reached_; }
  /// Waits until the place's first `bytes` bytes have come. Returns how many have, or `all`.
  std::size_t arrived(std::size_t bytes);
  static constexpr std::size_t all = ~std::size_t{0};
  void complete();

 private:
  struct Send {
    int receiver;  ///< world rank
    Content content;
    std::size_t sent = 0;
    std::optional<DeltaMessage> message{};
    std::optional<Pace> pace{};
  };
  struct Place {
    int sender;  ///< world rank
    void* object;
    std::byte* (*make_room)(void* object, std::size_t bytes);
  };

  Rank& rank() const { return blocks_.owner(); }
  void send_up_to(Send& one, std::size_t end, bool is_last);
  void begin_to_receive();
  bool has_come(std::size_t bytes) const;

  Blocks& blocks_;
  const abi::site site_;
  std::size_t element_bytes_ = 1;
  std::vector<bool> receivers_;  ///< of the bindings noted
  std::deque<Send> sends_;
  std::optional<Place> place_;
  int tag_ = 0;
  std::size_t final_ = 0;  ///< bytes of the values
  StripLength strip_;
  std::deque<Offer> offers_;
  std::optional<Incoming> incoming_;
  bool has_started_ = false, has_reached_ = false;
};

}  // namespace kanor::rt
