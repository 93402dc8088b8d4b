// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collective ownership passing: all ranks of the job together (Friedley et al., PPoPP 2013, section 3.5).
#pragma once

#include <cstddef>
#include <span>

#include "ownership/passing.hpp"

namespace kanor::rt::collectives {

/// One collective of owned buffers, as one rank takes part in it. Every rank takes part in those of a channel
/// in the same order. Buffers that are given belong to who takes them; there is a separate one for each rank,
/// so nobody waits for others to be done with theirs. A rank waits for what it takes, and as send() does.
class Passing {
 public:
  /// For all ranks of the job, or for the calling one alone. `tag` tells collectives apart, by kind and
  /// number; `name` is what a message calls this one.
  Passing(Rank& rank, bool alone, std::uint32_t channel, int tag, const char* name, const Place& place)
      : number_(alone ? 0 : rank_number(rank)),
        ranks_(alone ? 1 : team_size(rank)),
        rank_(rank),
        channel_(channel),
        tag_(tag),
        name_(name),
        place_(place) {}

  int number() const { return number_; }  ///< the calling rank's
  int ranks() const { return ranks_; }

  /// Rank `root` gives the first `bytes` bytes of buffers[i] to rank i; each rank's is returned. `buffers`
  /// are the root's.
  Region& scatter(std::span<Region* const> buffers, std::size_t bytes, int root);
  /// Each rank gives `bytes` bytes of its buffer to rank `root`, where into[i] is rank i's.
  void gather(Region& buffer, std::size_t bytes, std::span<Region*> into, int root);
  /// Each rank gives given_bytes[i] bytes of given[i] to rank i. taken[i] is what rank i gave, at most
  /// most_bytes[i] bytes.
  void all_to_all(std::span<Region* const> given, std::span<const std::size_t> given_bytes,
                  std::span<Region*> taken, std::span<const std::size_t> most_bytes);
  /// All ranks read the first `bytes` bytes of the root's buffer, which it keeps; returned is what the rank
  /// reads.
  Region& broadcast(Region* buffer, std::size_t bytes, int root);

 private:
  void give(Region& buffer, std::size_t bytes, int to) {
    rt::give(rank_, buffer, bytes, {channel_, to, tag_}, place_);
  }
  Region& take(int from, std::size_t most_bytes);

  int number_, ranks_;
  Rank& rank_;
  std::uint32_t channel_;
  int tag_;
  const char* name_;
  Place place_;
};

}  // namespace kanor::rt::collectives
