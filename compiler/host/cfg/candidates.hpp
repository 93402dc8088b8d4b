// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Decl.h>

#include <map>
#include <vector>

#include "host/cfg/functions.hpp"
#include "host/cfg/movable_values.hpp"
#include "host/cfg/variables.hpp"

namespace clang {
class DeclStmt;
}

namespace kanor::host {

/// The local variables that blocks communicate as a whole, with how they are declared and where they are
/// named. What forbids to write them otherwise is an obstacle. And those whose values can be moved out.
class Candidates {
 public:
  Candidates(const ParsedUnit& unit, Variables& variables, const Places& places);

  /// Variables that are to be shared and are no candidates, with the reason.
  std::vector<std::pair<flow::Location, std::string>> unshareable() const;
  bool empty() const { return by_declaration_.empty(); }
  /// The function's own candidates, each with its variable.
  std::vector<std::pair<const clang::VarDecl*, flow::Candidate>> of(
      const clang::FunctionDecl* function) const;
  /// The declaration of a candidate's group, as it is spelled; false with an obstacle if it cannot be spelled
  /// otherwise.
  bool spell(const clang::DeclStmt* statement, const clang::VarDecl* variable,
             flow::Candidate& candidate) const;

 private:
  void find(const clang::Expr* communicated);
  void find(const MovableValue& value);
  void find_mentions();
  flow::Candidate make(const clang::VarDecl* variable) const;

  const ParsedUnit& unit_;
  Variables& variables_;
  const Places& places_;
  std::vector<const clang::VarDecl*> order_;
  std::map<const clang::VarDecl*, flow::Location> by_declaration_;
  std::map<const clang::VarDecl*, bool> moves_only_;  ///< whether blocks have all of one as a value
  /// By where the variable is declared: the instantiations of a template have their mentions in common.
  std::map<std::pair<const text::Source*, std::uint32_t>, std::vector<flow::Mention>> mentions_;
  std::map<std::pair<const text::Source*, std::uint32_t>, std::vector<std::pair<std::string, flow::Location>>>
      obstacles_;
};

/// Of an array or std::array: the extents of its dimensions, -1 for one that is no constant; of a vector one
/// that is -1. Empty for types that are no candidates'.
std::vector<long long> extents_of(clang::QualType type, const clang::ASTContext& context);

}  // namespace kanor::host
