// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "plan/polynomial.hpp"
#include "sema/symbolic.hpp"

namespace kanor::plan {

/// The set of pairs of sender and receiver of a statement's bindings, for every size of the team. "At most":
/// some pairs may be missing; the others have each pair that is named. For each pair there may be several
/// bindings, told apart by names that are in neither rank.
enum class Pattern {
  general,         ///< nothing is known
  point_to_point,  ///< at most one sender, one receiver
  shift,           ///< at most from each rank to the one at the same distance, perhaps wrapped around
  permutation,     ///< at most one receiver for each sender, one sender for each receiver
  neighbours,      ///< at most from each rank to those at a few fixed distances, or next to it in a grid
  broadcast,       ///< from one rank to all, or to all others: the value is the same for all
  scatter,         ///< alike, but the value depends on the receiver
  gather,          ///< from all ranks, or all others, to one: the place depends on the sender
  all_gather,      ///< from all ranks to all, or to all others: the value is the same for all receivers
  all_to_all,      ///< alike, but the value depends on the receiver
  reduce,          ///< a reduction: from all ranks to one place of one rank, in the order of the senders
  all_reduce,      ///< alike, to one place of each rank: the value is the same for all
  scan,            ///< alike, from the ranks up to the receiver
  exclusive_scan   ///< alike, from the ranks below the receiver
};

/// The word that forms and reports use.
std::string_view word(Pattern pattern);

/// The reason why a statement has no better pattern.
enum class Obstacle {
  none,
  unknown_rank,       ///< a rank is opaque
  unknown_condition,  ///< a filter or set that decides on the pairs is opaque
  some_pairs,         ///< the pairs are a part of the team's that no pattern has
  several_pairs,      ///< the same pair may come up again, or two names make a rank
  one_place,          ///< places do not depend on the sender
  many_places,        ///< for a reduction: they do
  value_of_receiver,  ///< for a reduction: the value depends on the receiver
  order,              ///< for a reduction: not in the order of the senders
  one_side_knows      ///< the ranks' clauses may differ
};

struct Recognition {
  Pattern pattern = Pattern::general;
  Obstacle obstacle = Obstacle::none;
  text::Span span;                   ///< the culprit's; empty if it is the whole statement
  std::vector<Polynomial> distance;  ///< for a shift: one, from sender to receiver, modulo the team's size
};

Recognition recognise(const sema::SymbolicStatement& statement, bool is_reduction);

/// Statements of one block that shift by different distances are a neighbour exchange together.
void recognise_neighbours(std::vector<Recognition*> statements);

}  // namespace kanor::plan
