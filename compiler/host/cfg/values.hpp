// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/ExprCXX.h>

#include <map>
#include <set>
#include <vector>

#include "host/cfg/forks.hpp"
#include "host/cfg/functions.hpp"
#include "host/cfg/kinds.hpp"
#include "host/cfg/stored_addresses.hpp"
#include "host/cfg/variables.hpp"

namespace kanor::host {

/// The uses that the value of an expression is computed from, and those of its length if it is a container.
struct Value {
  flow::Uses uses;
  flow::Uses length;
  flow::Uses inner_length = {};  ///< of the containers in it, besides `length`
};

/// Lowers one function's expressions to uses of variables and, for side effects, to events. An expression
/// that designates an object (a pointer, an iterator) uses what selects the object; reading through it uses
/// the object's contents as well.
class Values {
 public:
  Values(clang::ASTContext& context, Variables& variables, Functions& functions,
         const StoredAddresses& stored, const Places& places)
      : context_(context), variables_(variables), functions_(functions), stored_(stored), places_(places) {}

  /// Sets the function whose expressions follow; -1 for initialisers outside of functions.
  void enter(int function, const clang::FunctionDecl* declaration);
  /// Sets the list that events are appended to.
  void write_to(std::vector<flow::Event>& events) { events_ = &events; }

  /// Emits the events of a statement or expression that is not part of another one still to be lowered.
  void lower(const clang::Stmt* statement);
  void initialise(const clang::VarDecl* variable);
  void initialise(const clang::CXXCtorInitializer* member);
  /// Returns the uses of the value.
  flow::Uses initialise_member(const clang::FieldDecl* member, const clang::Expr* value);
  /// Emits the calls of the destructors that run where a variable's scope ends.
  void end(const clang::VarDecl* variable);
  /// Emits that a handler's variable has its value.
  void catch_exception(const clang::VarDecl* variable);

  flow::Uses value(const clang::Expr* expression);
  flow::Uses length(const clang::Expr* expression);
  /// The uses that decide how long the containers in a container or array are.
  flow::Uses inner_lengths(const clang::Expr* expression);
  /// The uses of the expression's value and, for a pointer, an iterator or an array, of what is read through
  /// it.
  flow::Uses reached(const clang::Expr* expression);
  /// The uses that select the object which an lvalue designates.
  flow::Uses selector(const clang::Expr* expression);
  /// The variables that an lvalue, a pointer or an iterator may designate a part of.
  std::vector<int> roots(const clang::Expr* expression);
  /// Emits the assignment of `value` to the place: to all of it, or to part of it.
  void assign(const clang::Expr* place, Value value, bool whole, flow::Location at,
              flow::EventKind kind = flow::EventKind::overwrite);
  /// The team that an expression names, and the team of the grid that an expression names.
  flow::Team team_of(const clang::Expr* team);
  flow::Team team_of_grid(const clang::Expr* grid);
  /// The variable, if the expression is one or a parameter that stands for what it refers to; else -1.
  int whole_variable(const clang::Expr* expression);

  /// The uses that a switch depends on.
  flow::Uses choice(const clang::SwitchStmt* choice);

  /// Returns true for a number, or an array of them, that is declared without an initialiser.
  bool is_bare(int variable) const { return bare_.contains(variable); }

  /// The expression's place; for the variables that a range-for adds, which are not in the source, the place
  /// of its range.
  flow::Location at(const clang::Expr* expression) const;

 private:
  friend class Calls;

  flow::Uses content(const clang::Expr* expression);
  flow::Uses variable_uses(const clang::ValueDecl* declaration, flow::Location at);
  flow::Uses member_uses(const clang::MemberExpr* member, bool wants_length);
  flow::Uses base_selector(const clang::MemberExpr* member);
  flow::Uses children(const clang::Expr* expression);
  flow::Uses holdings(const clang::Expr* handle, flow::Location at);
  flow::Uses lengths_of(const std::vector<int>& variables, flow::Location at);
  /// The variable for the length of an object of this type that a root leads to: the root's own, or that of
  /// its elements; -1: none.
  int length_meant(int root, clang::QualType object) const;
  bool is_element(int root, clang::QualType object) const;
  flow::Uses lengths_meant(const clang::Expr* expression);
  flow::Uses lengths_in(const clang::Expr* expression);
  flow::Uses members(clang::QualType type, flow::Location at);
  bool are_of_two_objects(const clang::Expr* left, const clang::Expr* right);
  flow::Uses list(const clang::InitListExpr* list);
  flow::Uses cast(const clang::CastExpr* cast);
  std::vector<int> roots(const clang::ValueDecl* declaration);
  std::vector<int> roots(const clang::MemberExpr* member);
  void drop_handles(std::vector<int>& variables) const;
  bool is_followed_to_the_end(int variable);
  std::vector<int> roots_behind(const clang::Expr* handle);
  std::vector<int> members_meant_by(const clang::Expr* pointer);
  flow::Uses member_selector(const clang::BinaryOperator* access);
  flow::Uses pointed_members(const clang::BinaryOperator* access);
  std::vector<int> members_as_bytes(const clang::CastExpr* cast);
  bool is_other_memory(int variable, int member);
  int object_of(const clang::Expr* expression);
  int object_returned_by(const clang::CallExpr* call);
  /// The variables that an address may lead to which is read from an lvalue or from a member of reference
  /// type.
  std::vector<int> loaded(const clang::Expr* handle, clang::QualType object);
  bool stands_for_object(const clang::VarDecl* reference) const;
  void initialise_parts(const clang::VarDecl* object, const clang::CXXRecordDecl* record);
  void initialise(int variable, const clang::Expr* init, clang::QualType type);
  int this_variable() const;

  /// Emits the calls of the program's destructors that end an object of this type.
  void destroy(clang::QualType type, flow::Location at);
  /// The same for a temporary, once, unless a variable keeps it.
  void end(const clang::CXXBindTemporaryExpr* temporary);
  /// Notes that what this expression makes lives on, as a variable or a result.
  void keep(const clang::Expr* initialiser);
  /// The same for all declarations and returned values in the statement.
  void keep_all_in(const clang::Stmt* statement);

  const Value& call(const clang::CallExpr* call);
  const Value& construct(const clang::CXXConstructExpr* construct);
  void return_value(const clang::Expr* value);
  /// Emits the assignment to a place that is not a whole variable.
  void assign_part(const clang::Expr* place, const Value& value, flow::Location at, flow::EventKind kind);
  void change(int variable, const flow::Uses& uses, bool whole, flow::Location at, flow::Team team = {});
  /// Emits a change of part of each variable, to a value computed from any of `uses`.
  void change(const std::vector<int>& variables, const flow::Uses& uses, flow::Location at);
  /// Emits that all ranks receive the variable, and then have the same value.
  void receive(int variable, const flow::Uses& uses, flow::Location at);
  /// Notes that the handle may refer to these variables.
  void refer(int handle, std::vector<int> referents);
  void emit(flow::Event event) { events_->push_back(std::move(event)); }

  clang::ASTContext& context_;
  Variables& variables_;
  Functions& functions_;
  const StoredAddresses& stored_;
  const Places& places_;
  int function_ = -1;
  const clang::FunctionDecl* declaration_ = nullptr;
  std::vector<flow::Event>* events_ = nullptr;
  std::map<const clang::Expr*, Value> lowered_;
  std::set<const clang::Expr*> ended_;  ///< temporaries whose destructors are emitted, or that are kept
  std::set<int> bare_;
  Forks forks_;
};

void append(flow::Uses& uses, const flow::Uses& more);
/// Adds the variables that are not there yet; -1 stands for no variable.
void append(std::vector<int>& variables, const std::vector<int>& more);

}  // namespace kanor::host
