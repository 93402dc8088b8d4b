// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <vector>

#include "host/facts/pieces.hpp"

namespace clang {
class DeclRefExpr;
}

namespace kanor::host {

/// A block's value that is a container, and all of a local variable or an element of one.
struct MovableValue {
  const clang::DeclRefExpr* variable = nullptr;
  std::vector<const clang::Expr*> subscripts;  ///< of the element, outermost first; none: all of the variable
  /// The statement has elements of the same variable as its places, and gives all ranks as many as it takes:
  /// `rows[s]@r <<= rows[r]@s where r, s in world`, the all-to-all of Jiao et al. (HiPC 2011).
  bool is_replaced = false;
};

/// The statement's value, if its object may be given away where nobody reads it again: each binding of one
/// sender has another object, as in `rows[i]@r <<= parts[r]@s where r, s in world`.
std::optional<MovableValue> movable_value(const StatementKey& key, const StatementPieces& pieces);

}  // namespace kanor::host
