// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/checked_elements.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Lex/Lexer.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <optional>

#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

/// Returns true if the class knows its number of elements.
bool knows_its_size(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record == nullptr || record->getIdentifier() == nullptr) return false;
  const auto name = record->getName();
  if (record->isInStdNamespace())
    return name == "vector" || name == "array" || name == "deque" || name == "span" || name == "valarray";
  return record->getQualifiedNameAsString() == "kanor::buffer";
}

/// Returns true for a packed member, to which no reference may refer.
bool is_packed(const clang::Expr* base) {
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(base->IgnoreParenImpCasts());
  if (member == nullptr) return false;
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
  return (field != nullptr &&
          (field->hasAttr<clang::PackedAttr>() || field->getParent()->hasAttr<clang::PackedAttr>())) ||
         is_packed(member->getBase());
}

class SubscriptFinder : public TreeWalk {
 public:
  SubscriptFinder(const clang::Sema& sema, const FileMap& files, std::vector<sema::CheckedElement>& found)
      : sema_(sema), files_(files), found_(found) {}

  // What is in a lambda belongs to the lambda.
  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) override { return true; }

  bool VisitExpr(clang::Expr* expression) override {
    const clang::Expr *base = nullptr, *index = nullptr;
    if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
      // `1[a]` means the same, and is nobody's.
      base = subscript->getLHS();
      index = subscript->getRHS();
      const auto* array = base->IgnoreParenImpCasts();
      if (!array->getType()->isConstantArrayType() || !array->isLValue()) return true;
    } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression);
               call != nullptr && call->getOperator() == clang::OO_Subscript && call->getNumArgs() == 2) {
      base = call->getArg(0);
      index = call->getArg(1);
      if (!knows_its_size(base->getType())) return true;
    } else {
      return true;
    }
    const bool counts = index->getType()->isIntegralOrUnscopedEnumerationType();
    const auto whole_span = span_of(expression), base_span = span_of(base), index_span = span_of(index);
    if (counts && !is_packed(base) && whole_span && base_span && index_span)
      found_.push_back({*whole_span, *base_span, *index_span});
    return true;
  }

 private:
  /// The expression's span in the user's file, if no macro is involved.
  std::optional<text::Span> span_of(const clang::Expr* expression) const {
    const clang::SourceLocation begin = expression->getBeginLoc(), end = expression->getEndLoc();
    if (begin.isMacroID() || end.isMacroID()) return std::nullopt;
    std::uint32_t first = 0, last = 0;
    const auto* file = files_.user_file(sema_.getSourceManager(), begin, first);
    if (file == nullptr || file->shadow == nullptr ||
        files_.user_file(sema_.getSourceManager(), end, last) != file)
      return std::nullopt;
    last += clang::Lexer::MeasureTokenLength(end, sema_.getSourceManager(), sema_.getLangOpts());
    const auto from = file->shadow->original(first), to = file->shadow->original(last - 1);
    if (!from || !to || *to + 1 - *from != last - first) return std::nullopt;
    return text::Span{*from, *to + 1};
  }

  const clang::Sema& sema_;
  const FileMap& files_;
  std::vector<sema::CheckedElement>& found_;
};

}  // namespace

void add_checked_elements(const clang::Expr* operand, const clang::Sema& sema, const FileMap& files,
                          std::vector<sema::CheckedElement>& found) {
  SubscriptFinder finder(sema, files, found);
  finder.TraverseStmt(const_cast<clang::Expr*>(operand));
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.whole.begin != b.whole.begin ? a.whole.begin < b.whole.begin : a.whole.end > b.whole.end;
  });
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

}  // namespace kanor::host
