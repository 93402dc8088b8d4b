// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What checked mode keeps of a block: enough to see whether two members of its team mean the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "job/step.hpp"
#include "kanor/abi/core.hpp"

namespace kanor::rt {

/// A statement's bindings: all of them in a hash, the first ones also word by word.
///
///     words:  receiver and sender of a binding | one word for each name | the next binding …
struct StatementRecord {
  int line = 0;
  std::string text, names;
  std::string type;     ///< abi::value_text() of the values; empty: unknown
  bool uniform = true;  ///< the members must agree; false where only one side knows the clauses
  std::uint64_t bindings = 0;
  std::uint64_t hash = 0;
  std::vector<abi::named_value::kind> kinds;  ///< of the names
  std::vector<std::uint64_t> words;           ///< of the first bindings

  static constexpr std::size_t most_words = 4096;

  void add(int receiver, int sender, const abi::named_value* values, int name_count);
  std::size_t words_each() const { return 1 + kinds.size(); }
  /// "i = 3 (from rank 1 to rank 2)"; `binding` is among those kept.
  std::string binding_text(std::size_t binding) const;
};

/// A step that a team's members take together.
struct BlockRecord {
  Step step = Step::block;
  std::uint64_t context = 0;   ///< the team
  std::uint64_t position = 0;  ///< among the team's blocks and splits
  std::string file;
  int line = 0;
  std::string call;      ///< the call of the library that takes the step, "kanor::sort at a.cpp:7"; or empty
  std::string concerns;  ///< "the window that was opened at position 3"
  std::vector<StatementRecord> statements;

  /// "executes the block at a.cpp:12", or "executes kanor::sort at a.cpp:7 (the block at sort.hpp:90)"
  std::string what() const;
  /// Forgets the single bindings and keeps the hashes.
  void shorten();

  std::vector<std::byte> encode() const;
  static BlockRecord decode(const std::byte* data, std::size_t bytes);
};

/// Describes the difference between two members' records for one position; empty if there is none. `member_a`
/// and `member_b` name the members in messages.
std::string difference(const BlockRecord& a, const std::string& member_a, const BlockRecord& b,
                       const std::string& member_b);

}  // namespace kanor::rt
