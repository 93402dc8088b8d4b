// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Type.h>

#include <optional>

namespace clang {
class Expr;
class Sema;
}  // namespace clang

namespace kanor::host {

/// A class's shape according to kanor::shape_of: it is the base of sections with `rank` dimensions.
struct Shape {
  clang::QualType element;
  int rank = 0;
  bool owns = false;  ///< true if the elements are destroyed with the object
};

/// The type's shape, nothing if the program gives it none. May instantiate templates; their errors are
/// suppressed.
std::optional<Shape> shape_of(clang::QualType type, clang::Sema& sema);

/// Returns true for a kanor::shaped, which refers to elements that it does not own.
bool is_shape(clang::QualType type);

/// The element's type if it is a kanor::shaped of one dimension, else null.
clang::QualType element_of_row_shape(clang::QualType type);

/// Returns true for a call of kanor::section, which gives the memory that is its first argument a shape.
bool gives_shape(const clang::Expr* expression);

}  // namespace kanor::host
