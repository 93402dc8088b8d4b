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

/// Returns true if the program can give the variable another value than its initialiser's.
bool may_change(const clang::VarDecl* variable, clang::ASTContext& context);

/// Returns true for variables in a namespace of the standard library, of the compiler or of Kanor itself.
/// Their state is the process's, as documented, or takes ranks into account.
bool belongs_to_library(const clang::VarDecl* variable);

/// Notes as obstacles the mutable variables that system headers define: such a header is compiled as it is,
/// so all thread ranks share them. The object file tells which of them the unit has: a header may define
/// hundreds that the program never uses.
void find_header_variables(clang::Sema& sema, const FileMap& files, sema::Facts& facts);

}  // namespace kanor::host
