// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sema/facts.hpp"
#include "sema/overlap.hpp"
#include "syntax/ast.hpp"

namespace kanor::sema {

/// One place that a statement updates whenever the block is executed.
struct Update {
  const syntax::Statement* statement = nullptr;
  PlaceShape place;
  std::string receiver;  ///< its number, or its text without blanks
  /// The statement's clauses without blanks, if the place or the receiver has names of theirs: equal ones
  /// give them equal values.
  std::string clauses;
  const syntax::Generator* repeated = nullptr;  ///< the generator that makes several bindings, if any
  /// The same storage on each rank that receives it. That is every rank of the team, or some rank of it.
  bool reaches_everyone = false, reaches_someone = false;
};

/// The update that the statement certainly makes, in every instantiation of the function around the block.
/// Nothing if filters, empty sets or `no_rank` may prevent it, or if the place may be another one each time.
/// `all_ranks_agree`: all ranks have the same values in clauses and ranks.
std::optional<Update> certain_update(const text::Source& source, const syntax::Statement& statement,
                                     const std::vector<StatementFacts>& instances, bool all_ranks_agree);

/// Notes which ranks the update reaches.
void find_reach(Update& update, const SymbolicStatement& statement);

}  // namespace kanor::sema
