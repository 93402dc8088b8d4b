// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Decl.h>

#include <map>
#include <set>

#include "host/facts/file_map.hpp"

namespace kanor::host {

/// The function whose body contains the declaration and every lambda that could write to it; null for others.
const clang::FunctionDecl* outermost_function(const clang::VarDecl* variable);

/// Finds the variables that keep their initial value: const ones, and local ones that are only read after
/// their declaration.
class SteadyVariables {
 public:
  SteadyVariables(const clang::SourceManager& sources, const FileMap& files)
      : sources_(sources), files_(files) {}

  /// Returns true if the variable is no reference and keeps its value.
  bool is_steady(const clang::VarDecl* variable);
  /// The initialiser whose value the variable has wherever it is visible, or null.
  const clang::Expr* initialiser(const clang::VarDecl* variable);

 private:
  bool is_only_read(const clang::VarDecl* variable);

  const clang::SourceManager& sources_;
  const FileMap& files_;
  /// by function: its variables that are used for more than reads
  std::map<const clang::FunctionDecl*, std::set<const clang::VarDecl*>> written_;
};

}  // namespace kanor::host
