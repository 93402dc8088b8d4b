// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "flow/flow_graph.hpp"
#include "host/cfg/split_objects.hpp"
#include "host/facts/parsed_unit.hpp"

namespace kanor::host {

/// Where Clang's code stands in the user's files.
class Places {
 public:
  Places(const ParsedUnit& unit);

  /// Without a source for code that only the shadow has, or no user file.
  flow::Location of(clang::SourceRange range) const;
  flow::Location of(clang::SourceLocation location) const {
    return of(clang::SourceRange(location, location));
  }
  /// The block whose shadow holds the location, and its file; -1 outside of blocks.
  int block_at(clang::SourceLocation location, const FileMap::Entry*& file) const;
  bool is_in_block(clang::SourceLocation location) const;
  bool is_in_user_file(clang::SourceLocation location) const;
  bool is_in_main_file(clang::SourceLocation location) const;
  const clang::SourceManager& sources() const { return sources_; }

 private:
  const FileMap& files_;
  const clang::SourceManager& sources_;
  const clang::LangOptions& options_;
};

/// Makes the graph's variables from Clang's declarations.
class Variables {
 public:
  Variables(flow::FlowGraph& graph, const ParsedUnit& unit, const Places& places, bool whole_program)
      : graph_(graph), objects_(unit), places_(places), whole_program_(whole_program) {}

  /// -1 for what is no variable of the program: a name that a block's clause binds, one of a system header.
  int of(const clang::ValueDecl* declaration);
  /// A member of an object that is named by its members alone: of that object only; -1 for other members.
  int part_of(const clang::VarDecl* object, const clang::FieldDecl* field);
  int part_of(const clang::MemberExpr* member);
  const SplitObjects& split_objects() const { return objects_; }
  /// What says how long the variable is; -1 if it has no length of its own.
  int length_of(int variable) const;
  /// A number that keeps what it is initialised with, whoever may refer to it.
  bool is_constant(int variable) const { return constants_.contains(variable); }
  /// As it is declared; null for what is no declaration's.
  clang::QualType type_of(int variable) const;
  /// The team of a grid; -1 if the variable is none.
  int team_of(int grid) const;
  /// A value without a name, and its length if it has one.
  int make(std::string name, flow::VariableKind kind, flow::Location at, int function, bool with_length);
  /// The object that a member function is called for.
  int this_of(const clang::CXXMethodDecl* method);
  /// Where strtok() keeps what it is to go on with.
  int place_of_strtok();
  /// The members that an object of the class has, with those of its bases and of members of such classes.
  const std::vector<int>& members_of(const clang::CXXRecordDecl* record);
  /// The members of all objects that one of the type has, or a container of the library's in it.
  std::set<int> members_held_by(clang::QualType type);
  /// Members with an initialiser in their class, in the order in which they were met.
  const std::vector<std::pair<int, const clang::Expr*>>& initialised_members() const { return initialised_; }

  void set_owner(const clang::FunctionDecl* function, int index) {
    owners_[function->getCanonicalDecl()] = index;
  }
  bool is_visible_elsewhere(const clang::NamedDecl* declaration) const;

  flow::Variable& operator[](int variable) { return graph_.variables[static_cast<std::size_t>(variable)]; }

  /// Objects that a reference, a pointer or an iterator may refer to, as far as its function shows.
  std::vector<int>& referents(int variable) { return referents_[variable]; }

 private:
  static std::string name_of(const clang::ValueDecl* declaration);
  int owner_of(const clang::Decl* declaration) const;
  bool is_known(const clang::ValueDecl* declaration) const;
  int make(const std::string& name, flow::VariableKind kind, const clang::ValueDecl* of, int function);
  void hold(clang::QualType type, std::set<const clang::CXXRecordDecl*>& seen, std::set<int>& members);

  flow::FlowGraph& graph_;
  SplitObjects objects_;
  const Places& places_;
  bool whole_program_;
  std::map<const clang::Decl*, int> index_;
  std::map<std::pair<const clang::VarDecl*, const clang::FieldDecl*>, int> parts_;
  std::map<int, int> lengths_, teams_;
  std::map<int, clang::QualType> types_;
  std::set<int> constants_;
  int strtok_ = -1;
  std::map<const clang::Decl*, int> owners_;
  std::map<const clang::CXXRecordDecl*, std::vector<int>> members_;
  std::vector<std::pair<int, const clang::Expr*>> initialised_;
  std::map<int, std::vector<int>> referents_;
};

}  // namespace kanor::host
