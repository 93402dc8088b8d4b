// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "host/facts/file_map.hpp"
#include "sema/facts.hpp"

namespace clang {
class ASTContext;
class Sema;
class VarDecl;
}  // namespace clang

namespace kanor::host {

/// Whether the program can give the variable another value than its initialiser's.
bool may_change(const clang::VarDecl* variable, clang::ASTContext& context);

/// Whether the variable stands in a namespace of the standard library, of the compiler or of Kanor itself.
/// Their state is that of the process, which the documentation lists, or knows of ranks.
bool belongs_to_library(const clang::VarDecl* variable);

/// Notes the mutable variables that system headers define as obstacles: such a header is compiled as it is,
/// so they are one for all thread ranks. Which of them the unit has is left to the object: a header may
/// define hundreds that the program never uses.
void find_header_variables(clang::Sema& sema, const FileMap& files, sema::Facts& facts);

}  // namespace kanor::host
