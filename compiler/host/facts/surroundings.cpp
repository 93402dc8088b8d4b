// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/surroundings.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/ParentMapContext.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Lex/Lexer.h>
#include <clang/Sema/Sema.h>

#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

class SurroundingsFinder : public FunctionWalk {
 public:
  SurroundingsFinder(clang::Sema& sema, const FileMap& files, sema::Facts& facts)
      : sema_(sema), files_(files), facts_(facts) {}

  /// Notes a block, whose shadow is a loop.
  bool VisitDoStmt(clang::DoStmt* loop) override {
    const Where where = find(loop->getBeginLoc());
    if (where.block < 0 || function_ == nullptr || !where.begins_block) return true;
    facts_of(where).evaluated_by_compiler = specifier();
    facts_of(where).function = function_->getQualifiedNameAsString();
    for (const auto& parent : sema_.Context.getParents(*loop))
      facts_of(where).is_substatement |=
          parent.get<clang::Stmt>() != nullptr && parent.get<clang::CompoundStmt>() == nullptr;
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable != nullptr && variable->hasLocalStorage() && variable->getType()->isVariablyModifiedType())
      add(name->getLocation(), variable, true);
    return true;
  }

  bool VisitMemberExpr(clang::MemberExpr* member) override {
    const auto* base = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreImplicit());
    const auto* variable = base == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(base->getDecl());
    const auto* record = variable == nullptr ? nullptr : variable->getType()->getAsCXXRecordDecl();
    if (record != nullptr && record->isAnonymousStructOrUnion() && variable->hasLocalStorage())
      add(member->getMemberLoc(), variable, false);
    return true;
  }

 private:
  using Where = FileMap::BlockPlace;

  Where find(clang::SourceLocation location) const {
    return files_.block_place(sema_.getSourceManager(), location);
  }

  sema::BlockFacts& facts_of(const Where& where) const {
    return facts_.block(where.entry->user_file, where.block);
  }

  /// The function's consteval or constexpr, by which the compiler may evaluate it. Later standards leave that
  /// to each call. Clang calls a lambda constexpr whose shadow could be evaluated, although its block cannot.
  std::string specifier() const {
    if (function_->isConsteval()) return "consteval";
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function_);
    const bool is_lambda = method != nullptr && method->getParent()->isLambda();
    const bool is_bound = function_->isConstexprSpecified() && !sema_.getLangOpts().CPlusPlus23 &&
                          (!is_lambda || says_constexpr());
    return is_bound ? "constexpr" : "";
  }

  /// Returns true if the lambda says constexpr, between its parameters and its body.
  bool says_constexpr() const {
    const auto type = function_->getFunctionTypeLoc();
    if (type.isNull() || !function_->hasBody()) return false;
    const clang::SourceManager& sources = sema_.getSourceManager();
    const clang::SourceLocation end = function_->getBody()->getBeginLoc();
    clang::SourceLocation at = type.getRParenLoc();
    while (at.isValid() && at.isFileID() && sources.isBeforeInTranslationUnit(at, end)) {
      const auto token = clang::Lexer::findNextToken(at, sources, sema_.getLangOpts());
      if (!token) return false;
      if (token->is(clang::tok::raw_identifier) && token->getRawIdentifier() == "constexpr") return true;
      at = token->getLocation();
    }
    return false;
  }

  void add(clang::SourceLocation location, const clang::VarDecl* variable, bool is_array) const {
    const Where where = find(location), declared = find(variable->getLocation());
    if (where.block < 0 || (declared.entry == where.entry && declared.block == where.block)) return;
    const Shadow& shadow = *where.entry->shadow;
    const auto begin = shadow.original(where.offset);
    if (!begin) return;
    const auto place = place_of(sema_.getSourceManager(), location, location, sema_.getLangOpts());
    facts_of(where).uncapturable.push_back({{*begin, *begin + (place.end - place.begin)}, is_array});
  }

  clang::Sema& sema_;
  const FileMap& files_;
  sema::Facts& facts_;
};

}  // namespace

void find_surroundings(clang::Sema& sema, const FileMap& files, sema::Facts& facts) {
  SurroundingsFinder finder(sema, files, facts);
  walk_user_files(finder, files, sema.Context);
}

}  // namespace kanor::host
