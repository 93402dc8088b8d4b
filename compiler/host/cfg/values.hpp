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

/// What the value of an expression is computed from, and how long it is if it is a container.
struct Value {
  flow::Uses uses;
  flow::Uses length;
};

/// Takes one function's expressions apart: into uses of variables, and into events for what they change. An
/// expression that says which object is meant (a pointer, an iterator) uses what chooses the object; reading
/// through it uses what the object holds as well.
class Values {
 public:
  Values(clang::ASTContext& context, Variables& variables, Functions& functions,
         const StoredAddresses& stored, const Places& places)
      : context_(context), variables_(variables), functions_(functions), stored_(stored), places_(places) {}

  /// From now on expressions are those of this function, -1 for initialisers outside of functions.
  void enter(int function, const clang::FunctionDecl* declaration);
  /// Where events go.
  void write_to(std::vector<flow::Event>& events) { events_ = &events; }

  /// Events of a statement or expression that is not part of another one that has not been lowered yet.
  void lower(const clang::Stmt* statement);
  void initialise(const clang::VarDecl* variable);
  void initialise(const clang::CXXCtorInitializer* member);
  void initialise_member(int member, const clang::Expr* value);

  flow::Uses value(const clang::Expr* expression);
  flow::Uses length(const clang::Expr* expression);
  /// What reading through the expression gives: of a pointer or iterator, too.
  flow::Uses reached(const clang::Expr* expression);
  /// What chooses the object that an lvalue names.
  flow::Uses selector(const clang::Expr* expression);
  /// The variables of which an lvalue, a pointer or an iterator may name a part.
  std::vector<int> roots(const clang::Expr* expression);
  /// The place becomes, all of it or in part, what `value` says.
  void assign(const clang::Expr* place, Value value, bool whole, flow::Location at,
              flow::EventKind kind = flow::EventKind::overwrite);
  /// Which team an expression names, and which the grid that one names has.
  flow::Team team_of(const clang::Expr* team);
  flow::Team team_of_grid(const clang::Expr* grid);
  /// If the expression is a variable, or a parameter that stands for what it refers to: it; -1 otherwise.
  int whole_variable(const clang::Expr* expression);

  /// What a switch chooses by.
  flow::Uses choice(const clang::SwitchStmt* choice);

  /// A number, or an array of them, whose declaration says nothing of its value.
  bool is_bare(int variable) const { return bare_.contains(variable); }

  /// Of what a range-for makes of its range, the range: the rest is written nowhere.
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
  flow::Uses members(clang::QualType type, flow::Location at);
  bool are_of_two_objects(const clang::Expr* left, const clang::Expr* right);
  flow::Uses list(const clang::InitListExpr* list);
  int object_of(const clang::Expr* expression);
  int object_returned_by(const clang::CallExpr* call);
  /// What the address that is read from an lvalue, or that a member of a reference's type has, may lead to.
  std::vector<int> loaded(const clang::Expr* handle, clang::QualType object);
  bool stands_for_object(const clang::VarDecl* reference) const;
  void initialise_parts(const clang::VarDecl* object, const clang::CXXRecordDecl* record);
  void initialise(int variable, const clang::Expr* init, clang::QualType type);
  int this_variable() const;

  const Value& call(const clang::CallExpr* call);
  const Value& construct(const clang::CXXConstructExpr* construct);
  void return_value(const clang::Expr* value);
  /// A place that is not all of a variable.
  void assign_part(const clang::Expr* place, const Value& value, flow::Location at, flow::EventKind kind);
  void change(int variable, const flow::Uses& uses, bool whole, flow::Location at, flow::Team team = {});
  /// Something of each of them becomes what may be computed from all of `uses`.
  void change(const std::vector<int>& variables, const flow::Uses& uses, flow::Location at);
  /// All ranks receive it, and have one value then.
  void receive(int variable, const flow::Uses& uses, flow::Location at);
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
  std::set<int> bare_;
  Forks forks_;
};

void append(flow::Uses& uses, const flow::Uses& more);

}  // namespace kanor::host
