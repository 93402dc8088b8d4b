// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "host/facts/lasting_values.hpp"
#include "host/facts/pieces.hpp"

namespace clang {
class VarDecl;
}

namespace kanor::host {

/// A number that no other variable of the program has, and is the same in all instantiations.
std::uint32_t number_of(const clang::VarDecl& variable);
/// That of the variable which the expression is; 0 for any other expression.
std::uint32_t number_of_variable(const clang::Expr* expression);

/// Whether the expression is kanor::world itself, whatever else the program calls so.
bool is_world(const clang::Expr* expression);

/// Whether a macro stands for what a clause binds, in the place, the ranks or the clauses: then their text
/// does not tell on what they depend.
bool hides_names(const StatementPieces& pieces, const IsBoundName& is_bound);

}  // namespace kanor::host
