// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Type.h>

#include <optional>
#include <vector>

#include "sema/symbolic.hpp"

namespace clang {
class ASTContext;
}

namespace kanor::host {

/// The range of an integer's values, as far as the text tells.
struct Bounds {
  std::optional<std::int64_t> lowest;  ///< at least 0 wherever `bits` is known
  std::optional<std::int64_t> highest;
  std::optional<int> bits;  ///< a number that is not negative is below 2^bits
};

/// Bounds of symbolic expressions, by those of the names and leaves in them.
class SymbolicBounds {
 public:
  explicit SymbolicBounds(const clang::ASTContext& context) : context_(context) {}

  Bounds of(const sema::Symbolic& expression) const;
  /// The bounds of a leaf of this type.
  Bounds of_type(clang::QualType type) const;
  /// Returns true if the operation may be done with mathematical numbers. Signed overflow is undefined, so
  /// these are as good; the symbolic form's shifts lose bits too.
  bool is_exact(sema::Operation operation, const sema::Symbolic& left, const sema::Symbolic& right,
                clang::QualType type) const;
  /// Returns true if the conversion changes no value that `inner` can have.
  bool keeps_value(const sema::Symbolic& inner, clang::QualType from, clang::QualType to) const;

  std::vector<Bounds> of_names, of_leaves;  ///< by their numbers

 private:
  const clang::ASTContext& context_;
};

}  // namespace kanor::host
