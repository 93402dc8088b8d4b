// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "host/facts/lasting_values.hpp"
#include "host/facts/pieces.hpp"

namespace clang {
class VarDecl;
}

namespace kanor::host {

/// A number that is unique to the variable in the program, and the same in all instantiations.
std::uint32_t number_of(const clang::VarDecl& variable);
/// The number of the variable that the expression is; 0 for any other expression.
std::uint32_t number_of_variable(const clang::Expr* expression);

/// Returns true if the expression is kanor::world itself, not another variable of that name.
bool is_world(const clang::Expr* expression);

/// Returns true if a name bound by a clause comes from a macro in the place, the ranks or the clauses: then
/// their text does not tell which names they depend on.
bool hides_names(const StatementPieces& pieces, const IsBoundName& is_bound);
/// The same for the value.
bool value_hides_names(const StatementPieces& pieces, const IsBoundName& is_bound);

}  // namespace kanor::host
