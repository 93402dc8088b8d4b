// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Expr.h>

#include <functional>
#include <set>
#include <string>

namespace kanor::host {

/// Whether a name is declared in the statement itself: it ends with its binding.
using IsBoundName = std::function<bool(const clang::ValueDecl*)>;

/// Whether an expression names storage that is there when the block has been left: a variable, or what is
/// reached from one by members, elements and what pointers point to. What a function returns need not be: it
/// may refer to a temporary.
bool is_lasting(const clang::Expr* value, const IsBoundName& is_bound);

/// Whether it names storage that, besides, nothing that the block evaluates for another binding changes: its
/// operators are the language's own and the standard library's.
bool is_readable_in_place(const clang::Expr* value, const IsBoundName& is_bound);

/// Adds to `names` the local variables of arithmetic, enumeration and pointer types that the expression only
/// reads: a function that is called when their scopes have ended can have copies. The base of a section, if
/// it is a pointer, is read.
void add_read_variables(const clang::Expr* expression, bool is_section_base, const IsBoundName& is_bound,
                        std::set<std::string>& names);

}  // namespace kanor::host
