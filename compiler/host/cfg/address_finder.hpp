// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "host/cfg/stored_addresses.hpp"
#include "host/cfg/values.hpp"
#include "host/facts/tree_walk.hpp"

namespace kanor::host {

/// Notes what references, pointers and iterators may refer to, and which variables' addresses are stored
/// elsewhere, before any function's statements are read in order. The walks are repeated until none finds
/// anything new.
class AddressFinder : public TreeWalk {
 public:
  AddressFinder(Variables& variables, Functions& functions, Values& values, StoredAddresses& stored,
                const Places& places)
      : variables_(variables), functions_(functions), values_(values), stored_(stored), places_(places) {}

  /// Walks the function's body and its member initialisers. Returns true if that found anything new.
  bool find(const clang::FunctionDecl* function);
  /// Walks the initialiser of a variable outside of functions, or a member's in-class initialiser.
  bool find(const clang::VarDecl* variable);
  bool find(const clang::FieldDecl* member);

  bool TraverseDecl(clang::Decl* declaration) override;
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override;
  bool VisitVarDecl(clang::VarDecl* variable) override;
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt* loop) override;
  bool VisitBinaryOperator(clang::BinaryOperator* assignment) override;
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* assignment) override;
  bool VisitExpr(clang::Expr* expression) override;
  bool VisitReturnStmt(clang::ReturnStmt* returned) override;

 private:
  struct Call {
    const clang::FunctionDecl* callee = nullptr;
    const clang::Expr* object = nullptr;
    std::vector<const clang::Expr*> arguments;
    clang::QualType result;  ///< the type that is constructed or returned
  };

  void assign(const clang::Expr* place, const clang::Expr* value);
  void refer(int variable, const std::vector<int>& referents);
  void store(AddressPlace place, const std::vector<int>& variables);
  void store_parts(clang::QualType type, llvm::ArrayRef<clang::Expr*> parts);
  void call(const Call& call);
  void pass(const Call& call, const clang::FunctionDecl* callee);
  void keep(const Call& call);

  Variables& variables_;
  Functions& functions_;
  Values& values_;
  StoredAddresses& stored_;
  const Places& places_;
  const clang::FunctionDecl* function_ = nullptr;
  std::map<int, std::set<int>> referring_;  ///< by parameter: variables of other functions that refer to it
  bool changed_ = false;
};

}  // namespace kanor::host
