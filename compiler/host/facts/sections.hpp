// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Expr.h>

#include <map>
#include <optional>

#include "sema/facts.hpp"
#include "syntax/ast.hpp"

namespace clang {
class ASTContext;
class Sema;
}  // namespace clang

namespace kanor::host {

/// A section's elements: their type, const if they cannot be assigned to.
struct SectionElements {
  clang::QualType type;
  bool are_temporary = false;  ///< true if they are in an array or vector that is itself a temporary
};

/// Returns true if something of this type can be the base of a section.
bool has_sections(clang::QualType type, const clang::ASTContext& context);

/// Determines the elements of a section of `base`, given the expressions of its parts by number, three for
/// each dimension. Nothing if a dimension has no sections: `facts` then ends with it. Nothing either if the
/// base has a shape with another number of dimensions.
std::optional<SectionElements> judge_section(const clang::Expr* base, const syntax::Operand& operand,
                                             const std::map<int, clang::Expr*>& parts, clang::Sema& sema,
                                             sema::SectionFacts& facts);

}  // namespace kanor::host
