#pragma once

#include <clang/AST/Expr.h>

#include <functional>

namespace kanor::host {

/// Whether a name is declared in the statement itself: it ends with its binding.
using IsBoundName = std::function<bool(const clang::ValueDecl*)>;

/// Whether an expression names storage that is there when the block has been left: a variable, or what is
/// reached from one by members, elements and what pointers point to. What a function returns need not be: it
/// may refer to a temporary.
bool is_lasting(const clang::Expr* value, const IsBoundName& is_bound);

}  // namespace kanor::host
