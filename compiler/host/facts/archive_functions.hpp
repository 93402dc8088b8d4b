// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class ASTContext;
class CXXRecordDecl;
}  // namespace clang

namespace kanor::host {

/// Whether cereal can put the class into archives, and get it back, by functions of the program's: a
/// `serialize`, `save` and `load`, or `save_minimal` and `load_minimal`, as members or beside the class (or
/// in namespace cereal). Only templates over the archive's type that can be called from outside count, and
/// only those that are there for both directions. A base class's functions count where the class adds nothing
/// to the base class.
bool has_archive_functions(const clang::CXXRecordDecl* record, clang::ASTContext& context);

}  // namespace kanor::host
