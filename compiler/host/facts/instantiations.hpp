// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <optional>

#include "sema/facts.hpp"

namespace clang {
class FunctionDecl;
class Sema;
}  // namespace clang

namespace kanor::host {

class FileMap;

/// Names the instantiations of templates that code belongs to, and where the program asks for them.
class Instantiations {
 public:
  Instantiations(const clang::Sema& sema, const FileMap& files) : sema_(sema), files_(files) {}

  /// The instantiation that a function belongs to, as Clang's own messages name it, and those that ask for
  /// it. Its name is empty outside of templates, and for a null pointer.
  sema::Instantiation of(const clang::FunctionDecl* function);

 private:
  /// For each function of a template, an instantiation whose code names it.
  using Callers = std::map<const clang::FunctionDecl*, const clang::FunctionDecl*>;

  sema::Instantiation describe(const clang::FunctionDecl* instance) const;
  const Callers& callers();

  const clang::Sema& sema_;
  const FileMap& files_;
  std::optional<Callers> callers_;  // found when it is asked for
};

}  // namespace kanor::host
