// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/tree_walk.hpp"

#include <clang/AST/RecursiveASTVisitor.h>

#include <utility>

#include "host/facts/file_map.hpp"

namespace kanor::host {
namespace {

/// Adapts Clang's visitor. It has no state: each function that goes on below a node makes a new one.
class Visitor : public clang::RecursiveASTVisitor<Visitor> {
 public:
  explicit Visitor(TreeWalk& walk) : walk_(walk) {}

  bool shouldVisitTemplateInstantiations() const { return walk_.shouldVisitTemplateInstantiations(); }

  bool TraverseDecl(clang::Decl* node) { return walk_.TraverseDecl(node); }
  bool TraverseLambdaExpr(clang::LambdaExpr* node) { return walk_.TraverseLambdaExpr(node); }
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr* node) {
    return walk_.TraverseUnaryExprOrTypeTraitExpr(node);
  }
  bool TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc& argument) {
    return walk_.TraverseTemplateArgumentLoc(argument);
  }

  bool VisitBinaryOperator(clang::BinaryOperator* node) { return walk_.VisitBinaryOperator(node); }
  bool VisitCallExpr(clang::CallExpr* node) { return walk_.VisitCallExpr(node); }
  bool VisitCompoundStmt(clang::CompoundStmt* node) { return walk_.VisitCompoundStmt(node); }
  bool VisitCStyleCastExpr(clang::CStyleCastExpr* node) { return walk_.VisitCStyleCastExpr(node); }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt* node) { return walk_.VisitCXXForRangeStmt(node); }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* node) {
    return walk_.VisitCXXOperatorCallExpr(node);
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* node) { return walk_.VisitDeclRefExpr(node); }
  bool VisitDecltypeTypeLoc(clang::DecltypeTypeLoc type) {
    return walk_.VisitDecltype(type.getUnderlyingExpr());
  }
  bool VisitDoStmt(clang::DoStmt* node) { return walk_.VisitDoStmt(node); }
  bool VisitExpr(clang::Expr* node) { return walk_.VisitExpr(node); }
  bool VisitFieldDecl(clang::FieldDecl* node) { return walk_.VisitFieldDecl(node); }
  bool VisitFunctionDecl(clang::FunctionDecl* node) { return walk_.VisitFunctionDecl(node); }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* node) { return walk_.VisitImplicitCastExpr(node); }
  bool VisitLambdaExpr(clang::LambdaExpr* node) { return walk_.VisitLambdaExpr(node); }
  bool VisitMemberExpr(clang::MemberExpr* node) { return walk_.VisitMemberExpr(node); }
  bool VisitReturnStmt(clang::ReturnStmt* node) { return walk_.VisitReturnStmt(node); }
  bool VisitUnaryOperator(clang::UnaryOperator* node) { return walk_.VisitUnaryOperator(node); }
  bool VisitVarDecl(clang::VarDecl* node) { return walk_.VisitVarDecl(node); }

 private:
  TreeWalk& walk_;
};

using Below = clang::RecursiveASTVisitor<Visitor>;

class NameWalk : public TreeWalk {
 public:
  explicit NameWalk(std::function<void(const clang::DeclRefExpr*)> act) : act_(std::move(act)) {}
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    act_(name);
    return true;
  }

 private:
  std::function<void(const clang::DeclRefExpr*)> act_;
};

}  // namespace

bool TreeWalk::TraverseStmt(clang::Stmt* statement) { return Visitor(*this).TraverseStmt(statement); }

bool TreeWalk::TraverseDecl(clang::Decl* declaration) {
  return Visitor(*this).Below::TraverseDecl(declaration);
}

bool TreeWalk::TraverseLambdaExpr(clang::LambdaExpr* lambda) {
  return Visitor(*this).Below::TraverseLambdaExpr(lambda);
}

bool TreeWalk::TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr* expression) {
  return Visitor(*this).Below::TraverseUnaryExprOrTypeTraitExpr(expression);
}

bool TreeWalk::TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc& argument) {
  return Visitor(*this).Below::TraverseTemplateArgumentLoc(argument);
}

bool FunctionWalk::TraverseDecl(clang::Decl* declaration) {
  const auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
  const auto* outer = std::exchange(function_, function != nullptr ? function : function_);
  const bool go_on = TreeWalk::TraverseDecl(declaration);
  function_ = outer;
  return go_on;
}

bool FunctionWalk::TraverseLambdaExpr(clang::LambdaExpr* lambda) {
  const auto* outer = std::exchange(function_, lambda->getCallOperator());
  bool go_on = TreeWalk::TraverseLambdaExpr(lambda);
  if (auto* pattern = lambda->getDependentCallOperator();
      pattern != nullptr && shouldVisitTemplateInstantiations())
    for (clang::FunctionDecl* instance : pattern->specializations()) go_on = go_on && TraverseDecl(instance);
  function_ = outer;
  return go_on;
}

void walk_user_files(TreeWalk& walk, const FileMap& files, clang::ASTContext& context) {
  std::uint32_t offset = 0;
  for (clang::Decl* declaration : context.getTranslationUnitDecl()->decls())
    if (files.user_file(context.getSourceManager(), declaration->getLocation(), offset) != nullptr)
      walk.TraverseDecl(declaration);
}

void for_each_name(const clang::Stmt* statement, std::function<void(const clang::DeclRefExpr*)> act) {
  NameWalk(std::move(act)).TraverseStmt(const_cast<clang::Stmt*>(statement));
}

}  // namespace kanor::host
