// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sema/program.hpp"

/// Finds, in the text alone, which names the pieces of a statement use.
namespace kanor::sema {

/// Returns true if the word occurs in the text, literals and comments included.
bool has_word(std::string_view text, std::string_view word);

/// The side that evaluates the block's clauses and ranks.
Knows who_knows(const syntax::Block& block, const text::Source& source);

/// The statement's names, in the order of its clauses, that the other side needs: those in the place where
/// the sender knows, those in the value where the receiver does. None where both know. All names where they
/// are hidden: macros use some.
std::vector<std::string> carried_names(const syntax::Statement& statement, Knows knows,
                                       const text::Source& source, bool are_hidden);

}  // namespace kanor::sema
