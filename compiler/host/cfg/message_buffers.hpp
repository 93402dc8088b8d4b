// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Decl.h>

#include <map>
#include <optional>
#include <vector>

#include "host/cfg/functions.hpp"
#include "host/cfg/variables.hpp"

namespace kanor::host {

/// The variables from which, or into which, calls of MPI send and receive that can pass ownership: what they
/// are as candidates, without their accesses. What forbids rewriting one is noted as its obstacle.
class MessageBuffers {
 public:
  MessageBuffers(const ParsedUnit& unit, Variables& variables, const Functions& functions,
                 const Places& places, bool whole_program);

  /// The function's candidates, each with its variable.
  std::vector<std::pair<const clang::VarDecl*, flow::Candidate>> of(
      const clang::FunctionDecl* function) const;
  /// Returns true if the variable is a candidate of some function.
  bool has(const clang::VarDecl* variable) const { return used_in_.contains(variable->getCanonicalDecl()); }

 private:
  flow::Candidate make(const clang::VarDecl* variable) const;
  void describe_array(const clang::VarDecl* variable, flow::Candidate& made) const;
  void describe_declaration(const clang::VarDecl* variable, flow::Candidate& made) const;
  void describe_initialiser(const clang::VarDecl* variable, flow::Candidate& made) const;
  std::optional<std::string> refused(const clang::VarDecl* variable) const;
  std::optional<std::string> not_rewritten(const clang::VarDecl* variable) const;

  struct Use {
    std::vector<const clang::FunctionDecl*> functions;  ///< that name it; null: outside of functions
    bool is_message = false;
  };

  const ParsedUnit& unit_;
  Variables& variables_;
  const Places& places_;
  bool whole_program_;
  std::map<const clang::VarDecl*, Use> used_in_;
  std::vector<const clang::VarDecl*> order_;
};

/// The type of a buffer's elements: of an array's, or what a pointer points to.
clang::QualType element_of_buffer(clang::QualType type, const clang::ASTContext& context);

}  // namespace kanor::host
