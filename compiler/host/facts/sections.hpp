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

/// Clang's expressions for a section: its base, its parts by number (syntax::parts), and the shadow's call
/// around its range of indices, if it has one.
struct SectionPieces {
  const clang::Expr* base;
  const std::map<int, clang::Expr*>& parts;
  const clang::CallExpr* indices;
};

/// Determines the elements of a section. Nothing if a dimension has no sections: `facts` then ends with it.
/// Nothing either if the base has a shape with another number of dimensions.
std::optional<SectionElements> judge_section(const SectionPieces& pieces, const syntax::Operand& operand,
                                             clang::Sema& sema, sema::SectionFacts& facts);

/// Determines what a range has, by the type of the shadow's call around it: `kanor_elements<type of the
/// elements, declared type of the name>`.
sema::RangeFacts range_facts(const clang::CallExpr* call, const clang::Sema& sema);

}  // namespace kanor::host
