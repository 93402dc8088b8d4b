// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>

namespace clang {
class ASTContext;
class BinaryOperator;
class CallExpr;
class CompoundStmt;
class CStyleCastExpr;
class CXXForRangeStmt;
class CXXOperatorCallExpr;
class Decl;
class DeclRefExpr;
class DoStmt;
class Expr;
class FieldDecl;
class FunctionDecl;
class ImplicitCastExpr;
class LambdaExpr;
class MemberExpr;
class ReturnStmt;
class Stmt;
class TemplateArgumentLoc;
class UnaryExprOrTypeTraitExpr;
class UnaryOperator;
class VarDecl;
}  // namespace clang

namespace kanor::host {

class FileMap;

/// Clang's RecursiveASTVisitor with virtual functions, under the same names and rules. A class that derives
/// from Clang's template instantiates thousands of functions, which costs the compilation of its file about
/// as much as all of Clang's headers do; here that happens once, in tree_walk.cpp. Functions that a finder
/// needs and that are not listed yet are added in both files. Null pointers are accepted, and false ends the
/// walk.
class TreeWalk {
 public:
  virtual ~TreeWalk() = default;

  bool TraverseStmt(clang::Stmt* statement);

  /// An override goes on below the node by calling the function that it overrides.
  virtual bool TraverseDecl(clang::Decl* declaration);
  virtual bool TraverseLambdaExpr(clang::LambdaExpr* lambda);
  virtual bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr* expression);
  virtual bool TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc& argument);

  virtual bool shouldVisitTemplateInstantiations() const { return false; }

  /// Called before the nodes below, and for a derived kind of node after its bases' functions.
  virtual bool VisitBinaryOperator(clang::BinaryOperator*) { return true; }
  virtual bool VisitCallExpr(clang::CallExpr*) { return true; }
  virtual bool VisitCompoundStmt(clang::CompoundStmt*) { return true; }
  virtual bool VisitCStyleCastExpr(clang::CStyleCastExpr*) { return true; }
  virtual bool VisitCXXForRangeStmt(clang::CXXForRangeStmt*) { return true; }
  virtual bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr*) { return true; }
  virtual bool VisitDeclRefExpr(clang::DeclRefExpr*) { return true; }
  virtual bool VisitDecltype(clang::Expr*) { return true; }
  virtual bool VisitDoStmt(clang::DoStmt*) { return true; }
  virtual bool VisitExpr(clang::Expr*) { return true; }
  virtual bool VisitFieldDecl(clang::FieldDecl*) { return true; }
  virtual bool VisitFunctionDecl(clang::FunctionDecl*) { return true; }
  virtual bool VisitImplicitCastExpr(clang::ImplicitCastExpr*) { return true; }
  virtual bool VisitLambdaExpr(clang::LambdaExpr*) { return true; }
  virtual bool VisitMemberExpr(clang::MemberExpr*) { return true; }
  virtual bool VisitReturnStmt(clang::ReturnStmt*) { return true; }
  virtual bool VisitUnaryOperator(clang::UnaryOperator*) { return true; }
  virtual bool VisitVarDecl(clang::VarDecl*) { return true; }
};

/// A walk that knows the function around the node. With shouldVisitTemplateInstantiations() it also visits
/// the instantiations of generic lambdas, which Clang's visitor leaves out.
class FunctionWalk : public TreeWalk {
 public:
  bool TraverseDecl(clang::Decl* declaration) override;
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override;

 protected:
  /// The innermost function; a lambda's is its call operator. Null outside of functions.
  const clang::FunctionDecl* function_ = nullptr;
};

/// Walks the declarations of the user's files. An `extern "C++"` or a namespace may begin in a system header
/// only if a user file is included inside it.
void walk_user_files(TreeWalk& walk, const FileMap& files, clang::ASTContext& context);

/// Calls the function for each name of a declaration in the statement, also in lambdas.
void for_each_name(const clang::Stmt* statement, std::function<void(const clang::DeclRefExpr*)> act);

}  // namespace kanor::host
