// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class ASTContext;
class CXXRecordDecl;
}  // namespace clang

namespace kanor::host {

/// Returns true if cereal can archive and restore the class by functions of the program: `serialize`, `save`
/// and `load`, or `save_minimal` and `load_minimal`, as members or beside the class (or in namespace cereal).
/// Only templates over the archive's type that are accessible count, and only if they exist for both
/// directions. A base class's functions count if the class adds nothing to the base class.
bool has_archive_functions(const clang::CXXRecordDecl* record, clang::ASTContext& context);

/// Returns true if the class itself has such functions, but cereal has no access to them.
bool has_closed_archive_functions(const clang::CXXRecordDecl* record);

}  // namespace kanor::host
