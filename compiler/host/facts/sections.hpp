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
  bool are_temporary = false;  ///< they are in an array or vector that is a temporary itself
};

/// Whether something of this type can be the base of a section.
bool has_sections(clang::QualType type, const clang::ASTContext& context);

/// What a section of `base` goes through, given the expressions of its parts by their numbers, three a
/// dimension. Nothing if a dimension has no sections: `facts` then ends with it. Of a base with a shape there
/// is nothing either if the section's dimensions are not as many.
std::optional<SectionElements> judge_section(const clang::Expr* base, const syntax::Operand& operand,
                                             const std::map<int, clang::Expr*>& parts, clang::Sema& sema,
                                             sema::SectionFacts& facts);

}  // namespace kanor::host
