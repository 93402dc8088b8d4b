// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What sharing instead of copying has saved and cost, for KANOR_STATS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "transport/rank.hpp"

namespace kanor::rt {

/// Bytes of the values of shared variables at one place of the program, on one rank.
struct SharingCounts {
  std::uint64_t copied_bytes = 0;       ///< in blocks: into messages, and out of them or out of regions
  std::uint64_t shared_bytes = 0;       ///< sent as a reference, the sender's own one kept
  std::uint64_t handed_over_bytes = 0;  ///< sent as a reference, the sender's own one given up
  std::uint64_t renamed_bytes = 0;      ///< others still used the memory that was to be overwritten
  std::uint64_t conflict_bytes = 0;     ///< others still used the memory that was to be changed: copied
  std::uint64_t abandoned_copies = 0;   ///< copies that were begun, and not needed when the others let go
  std::uint64_t abandoned_bytes = 0;    ///< copied in vain by those

  bool operator==(const SharingCounts&) const = default;
};

/// A rank's counts by place: of a block (no name: null), or of a variable's declaration. Belongs to the rank.
class SharingCounters final : public Attachment {
 public:
  /// The counters of the rank, which is the calling one.
  static SharingCounters& of(Rank& rank);

  /// The rank's counts of a place, at first 0, valid as long as the rank; null if nobody asked for numbers
  /// (Switches::statistics). Takes constant time. The strings must live as long as the program.
  static SharingCounts* at(Rank& rank, const char* file, int line, const char* name = nullptr);

  /// One line for each place with anything but 0, ordered by file, line and name:
  /// `heat.cpp:12 (A): copied 0, shared 8192, …`.
  std::vector<std::string> lines() const;

 private:
  struct Place {
    const char* file;
    int line;
    const char* name;
    bool operator==(const Place&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Place& place) const;
  };
  std::unordered_map<Place, SharingCounts, Hash> counts_;
};

/// Writes the rank's counts, one line for each place.
void print_sharing(Rank& rank);

}  // namespace kanor::rt
