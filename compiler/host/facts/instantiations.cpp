// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/instantiations.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Lex/Lexer.h>
#include <clang/Sema/Sema.h>
#include <llvm/Support/raw_ostream.h>

#include <set>
#include <utility>

#include "host/facts/file_map.hpp"
#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

bool is_instance(const clang::FunctionDecl* function) {
  return function->isTemplateInstantiation() || function->getMemberSpecializationInfo() != nullptr;
}

/// The innermost function around the code that is an instantiation itself; null if there is none. A lambda
/// belongs to the function around it.
const clang::FunctionDecl* instance_around(const clang::FunctionDecl* function) {
  for (const clang::DeclContext* context = function; context != nullptr; context = context->getParent()) {
    const auto* inner = llvm::dyn_cast<clang::FunctionDecl>(context);
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(context);
    if (method != nullptr && method->getParent()->isLambda()) continue;
    if (inner != nullptr && is_instance(inner)) return inner;
  }
  return nullptr;
}

/// Finds which instantiations name which others.
class CallerFinder : public FunctionWalk {
 public:
  bool shouldVisitTemplateInstantiations() const override { return true; }

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override { return note(name->getDecl()); }
  bool VisitMemberExpr(clang::MemberExpr* member) override { return note(member->getMemberDecl()); }
  bool VisitExpr(clang::Expr* expression) override {
    const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression);
    return made == nullptr || note(made->getConstructor());
  }

  std::map<const clang::FunctionDecl*, const clang::FunctionDecl*> callers;

 private:
  bool note(const clang::ValueDecl* named) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(named);
    if (function == nullptr || !is_instance(function)) return true;
    if (const auto* around = instance_around(function_); around != nullptr)
      callers.emplace(function->getCanonicalDecl(), around);
    return true;
  }
};

}  // namespace

sema::Instantiation Instantiations::of(const clang::FunctionDecl* function) {
  const auto* instance = function == nullptr ? nullptr : instance_around(function);
  if (instance == nullptr) return {};
  sema::Instantiation found = describe(instance);
  std::set<const clang::FunctionDecl*> seen;
  while (seen.insert(instance->getCanonicalDecl()).second) {
    const auto caller = callers().find(instance->getCanonicalDecl());
    if (caller == callers().end()) break;
    instance = caller->second;
    found.outer.push_back(describe(instance));
  }
  return found;
}

sema::Instantiation Instantiations::describe(const clang::FunctionDecl* instance) const {
  sema::Instantiation found;
  llvm::raw_string_ostream out(found.name);
  instance->getNameForDiagnostic(out, sema_.getPrintingPolicy(), true);
  const clang::SourceLocation at = instance->getPointOfInstantiation();
  std::uint32_t offset = 0;
  const auto* file = at.isValid() ? files_.user_file(sema_.getSourceManager(), at, offset) : nullptr;
  const auto original = file == nullptr ? std::nullopt : file->original(offset);
  if (!original) return found;
  const auto length = clang::Lexer::MeasureTokenLength(sema_.getSourceManager().getExpansionLoc(at),
                                                       sema_.getSourceManager(), sema_.getLangOpts());
  found.source = file->source;
  found.asked = {*original, *original + length};
  return found;
}

const Instantiations::Callers& Instantiations::callers() {
  if (!callers_) {
    CallerFinder finder;
    walk_user_files(finder, files_, sema_.Context);
    callers_ = std::move(finder.callers);
  }
  return *callers_;
}

}  // namespace kanor::host
