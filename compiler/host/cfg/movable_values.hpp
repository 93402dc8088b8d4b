// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <vector>

#include "host/facts/pieces.hpp"

namespace clang {
class DeclRefExpr;
}

namespace kanor::host {

/// A block's value that is a container, and is a whole local variable or an element of one.
struct MovableValue {
  const clang::DeclRefExpr* variable = nullptr;
  std::vector<const clang::Expr*> subscripts;  ///< the element's, outermost first; none: all of the variable
  /// True if the statement's places are elements of the same variable, and it assigns every rank as many as
  /// it takes: `rows[s]@r <<= rows[r]@s where r, s in world`, the all-to-all of Jiao et al. (HiPC 2011).
  bool is_replaced = false;
};

/// The statement's value, if its object may be moved from where it is not read again: each binding of one
/// sender has a different object, as in `rows[i]@r <<= parts[r]@s where r, s in world`.
std::optional<MovableValue> movable_value(const StatementKey& key, const StatementPieces& pieces);

}  // namespace kanor::host
