// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Expr.h>

#include <functional>
#include <set>
#include <string>

namespace kanor::host {

/// Returns true if a name is declared in the statement itself, so that it ends with its binding.
using IsBoundName = std::function<bool(const clang::ValueDecl*)>;

/// Returns true if an expression names storage that outlives the block: a variable, or what is reached from
/// one by members, elements and pointers. A function's result need not: it may refer to a temporary.
bool is_lasting(const clang::Expr* value, const IsBoundName& is_bound);

/// Returns true if, besides, nothing that the block evaluates for another binding changes the storage: the
/// expression's operators are the language's own and the standard library's.
bool is_readable_in_place(const clang::Expr* value, const IsBoundName& is_bound);

/// Adds to `names` the local variables of arithmetic, enumeration and pointer types that the expression only
/// reads, so that a function that is called after their scopes have ended can use copies. A section's base is
/// read if it is a pointer.
void add_read_variables(const clang::Expr* expression, bool is_section_base, const IsBoundName& is_bound,
                        std::set<std::string>& names);

}  // namespace kanor::host
