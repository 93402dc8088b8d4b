// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/steady_variables.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

/// Finds variables that may be written: any reference to one that is not converted to a value at once counts.
class WriteFinder : public TreeWalk {
 public:
  WriteFinder(const clang::SourceManager& sources, const FileMap& files) : sources_(sources), files_(files) {}

  std::set<const clang::VarDecl*> take() {
    for (const auto& [variable, count] : references_)
      if (reads_[variable] != count) written_.insert(variable);
    return std::move(written_);
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl())) ++references_[variable];
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    const bool reads = cast->getCastKind() == clang::CK_LValueToRValue ||
                       (cast->getCastKind() == clang::CK_NoOp && cast->getType().isConstQualified());
    if (reads) note_read(cast->getSubExpr());
    return true;
  }
  /// Notes the reads in a block's shadow: `(void)(n)` for each piece, and calls for sets. A place is written
  /// to.
  bool VisitCStyleCastExpr(clang::CStyleCastExpr* cast) override {
    if (cast->getType()->isVoidType() && !is_place(cast->getLParenLoc())) note_read(cast->getSubExpr());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const auto* callee = call->getDirectCallee();
    if (callee == nullptr || !callee->getQualifiedNameAsString().starts_with("kanor_shadow::")) return true;
    for (const clang::Expr* argument : call->arguments())
      if (llvm::isa<clang::DeclRefExpr>(argument->IgnoreParens())) note_read(argument);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->isCXXForRangeDecl() || variable->isExceptionVariable()) written_.insert(variable);
    return true;
  }

 private:
  bool is_place(clang::SourceLocation location) const {
    std::uint32_t offset = 0;
    const auto* entry = location.isFileID() ? files_.user_file(sources_, location, offset) : nullptr;
    const Anchor* anchor =
        entry == nullptr || entry->shadow == nullptr ? nullptr : entry->shadow->anchor_at(offset);
    return anchor != nullptr && anchor->piece.kind == PieceKind::place;
  }

  void note_read(const clang::Expr* expression) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParens());
    const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable != nullptr) ++reads_[variable];
  }

  const clang::SourceManager& sources_;
  const FileMap& files_;
  std::map<const clang::VarDecl*, int> references_, reads_;
  std::set<const clang::VarDecl*> written_;
};

}  // namespace

const clang::FunctionDecl* outermost_function(const clang::VarDecl* variable) {
  const clang::FunctionDecl* found = nullptr;
  for (const clang::DeclContext* context = variable->getDeclContext(); context != nullptr;
       context = context->getParent())
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(context)) found = function;
  return found;
}

bool SteadyVariables::is_only_read(const clang::VarDecl* variable) {
  const auto* function = outermost_function(variable);
  if (function == nullptr || !function->hasBody()) return false;
  const auto [found, is_new] = written_.try_emplace(function);
  if (is_new) {
    WriteFinder finder(sources_, files_);
    finder.TraverseStmt(function->getBody());
    found->second = finder.take();
  }
  return !found->second.contains(variable);
}

bool SteadyVariables::is_steady(const clang::VarDecl* variable) {
  const clang::QualType type = variable->getType();
  if (type->isReferenceType() || type.isVolatileQualified()) return false;
  return type.isConstQualified() || (variable->hasLocalStorage() && is_only_read(variable));
}

const clang::Expr* SteadyVariables::initialiser(const clang::VarDecl* variable) {
  const clang::QualType type = variable->getType();
  if (!type->isIntegralOrUnscopedEnumerationType() || llvm::isa<clang::ParmVarDecl>(variable) ||
      variable->isCXXForRangeDecl())
    return nullptr;
  const clang::Expr* value = variable->getAnyInitializer();
  if (value == nullptr || value->isValueDependent()) return nullptr;
  return is_steady(variable) ? value : nullptr;
}

}  // namespace kanor::host
