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

/// The local variables that blocks communicate as a whole, with their declarations and all places that name
/// them, and those whose values can be moved out. Whatever forbids rewriting a variable is noted as its
/// obstacle.
class Candidates {
 public:
  Candidates(const ParsedUnit& unit, Variables& variables, const Places& places);

  /// Variables that the user wants shared but that are no candidates, each with the reason.
  std::vector<std::pair<flow::Location, std::string>> unshareable() const;
  bool empty() const { return by_declaration_.empty(); }
  /// The function's own candidates, each with its variable.
  std::vector<std::pair<const clang::VarDecl*, flow::Candidate>> of(
      const clang::FunctionDecl* function) const;
  /// Spells the declaration of a candidate's group; returns false, with an obstacle, if it cannot be
  /// rewritten.
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
  std::map<const clang::VarDecl*, bool> moves_only_;  ///< true if a block's value is the whole variable
  /// Keyed by the variable's place of declaration: the instantiations of a template share their mentions.
  std::map<std::pair<const text::Source*, std::uint32_t>, std::vector<flow::Mention>> mentions_;
  std::map<std::pair<const text::Source*, std::uint32_t>, std::vector<std::pair<std::string, flow::Location>>>
      obstacles_;
};

/// The extents of an array's or std::array's dimensions, -1 for one that is no constant; a single -1 for a
/// vector. Empty for types that no candidate has.
std::vector<long long> extents_of(clang::QualType type, const clang::ASTContext& context);

}  // namespace kanor::host
