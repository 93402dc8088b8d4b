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

/// Maps Clang's locations to places in the user's files.
class Places {
 public:
  Places(const ParsedUnit& unit);

  /// Returns a location without a source for code that is only in the shadow or in no user file.
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

  /// The variable's number; -1 if it is none of the program: bound by a block's clause, or of a system
  /// header.
  int of(const clang::ValueDecl* declaration);
  /// The number of a member of one object whose members are split into variables; -1 for other members.
  int part_of(const clang::VarDecl* object, const clang::FieldDecl* field);
  int part_of(const clang::MemberExpr* member);
  const SplitObjects& split_objects() const { return objects_; }
  /// The variable that holds the variable's length; -1 if it has no length of its own.
  int length_of(int variable) const;
  /// The variable that holds how long the containers in an array or container are, on all levels; -1 for
  /// parameters and results, whose one length stands for all of them, and for variables without such
  /// elements.
  int inner_length_of(int variable) const;
  /// Returns true for a number that never changes after its initialisation, even through references.
  bool is_constant(int variable) const { return constants_.contains(variable); }
  /// The declared type; null for a variable without a declaration.
  clang::QualType type_of(int variable) const;
  /// The variable of a grid's team; -1 if `grid` is none.
  int team_of(int grid) const;
  /// Makes a variable without a declaration, and its length if it has one.
  int make(std::string name, flow::VariableKind kind, flow::Location at, int function, bool with_length);
  /// The variable for the object that a member function is called for.
  int this_of(const clang::CXXMethodDecl* method);
  /// The variable for the state that strtok() keeps between calls.
  int place_of_strtok();
  /// The members of the class, of its bases, and of its members' classes.
  const std::vector<int>& members_of(const clang::CXXRecordDecl* record);
  /// The members of all objects that one of this type contains, directly or in a library container.
  std::set<int> members_held_by(clang::QualType type);
  /// Members with an in-class initialiser, in the order in which they were found.
  const std::vector<const clang::FieldDecl*>& initialised_members() const { return initialised_; }
  /// The other members of the union that the member is part of, which share its memory.
  std::vector<int> overlapping(const clang::FieldDecl* member);

  void set_owner(const clang::FunctionDecl* function, int index) {
    owners_[function->getCanonicalDecl()] = index;
  }
  bool is_visible_elsewhere(const clang::NamedDecl* declaration) const;

  flow::Variable& operator[](int variable) { return graph_.variables[static_cast<std::size_t>(variable)]; }

  /// Objects that a reference, a pointer or an iterator may refer to, as far as its own function shows.
  std::vector<int>& referents(int variable) { return referents_[variable]; }

 private:
  static std::string name_of(const clang::ValueDecl* declaration);
  int owner_of(const clang::Decl* declaration) const;
  bool is_known(const clang::ValueDecl* declaration) const;
  bool may_be_changed_elsewhere(const clang::VarDecl* variable) const;
  int make(const std::string& name, flow::VariableKind kind, const clang::ValueDecl* of, int function);
  void hold(clang::QualType type, std::set<const clang::CXXRecordDecl*>& seen, std::set<int>& members);

  flow::FlowGraph& graph_;
  SplitObjects objects_;
  const Places& places_;
  bool whole_program_;
  std::map<const clang::Decl*, int> index_;
  std::map<std::pair<const clang::VarDecl*, const clang::FieldDecl*>, int> parts_;
  std::map<int, int> lengths_, inner_lengths_, teams_;
  std::map<int, clang::QualType> types_;
  std::set<int> constants_;
  int strtok_ = -1;
  std::map<const clang::Decl*, int> owners_;
  std::map<const clang::CXXRecordDecl*, std::vector<int>> members_;
  std::vector<const clang::FieldDecl*> initialised_;
  std::map<int, std::vector<int>> referents_;
};

}  // namespace kanor::host
