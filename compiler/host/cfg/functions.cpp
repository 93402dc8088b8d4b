// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/functions.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Sema/Sema.h>

#include <algorithm>

#include "host/cfg/kinds.hpp"
#include "host/facts/tree_walk.hpp"

namespace kanor::host {

bool is_replaceable(const clang::FunctionDecl* callee) {
  return callee->isWeak() || callee->getMostRecentDecl()->hasAttr<clang::GNUInlineAttr>();
}

namespace {

class FunctionFinder : public TreeWalk {
 public:
  bool shouldVisitTemplateInstantiations() const override { return true; }

  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    if (function->doesThisDeclarationHaveABody()) add(function);
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr* lambda) override {
    if (auto* pattern = lambda->getDependentCallOperator())
      for (clang::FunctionDecl* instance : pattern->specializations()) {
        add(instance);
        TraverseStmt(instance->getBody());
      }
    else
      add(lambda->getCallOperator());
    return true;
  }

  std::vector<const clang::FunctionDecl*> found;

 private:
  void add(const clang::FunctionDecl* function) {
    if (!function->isDependentContext() && function->getBody() != nullptr && !function->isInvalidDecl())
      found.push_back(function);
  }
};

}  // namespace

bool Functions::has_this(const clang::FunctionDecl* function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  return method != nullptr && method->isInstance() && !method->getParent()->isLambda();
}

void Functions::collect(const ParsedUnit& unit) {
  FunctionFinder finder;
  walk_user_files(finder, unit.files, unit.sema.Context);
  for (const auto* function : finder.found) {
    if (index_.contains(function->getCanonicalDecl())) continue;
    const int index = static_cast<int>(all_.size());
    index_[function->getCanonicalDecl()] = index;
    variables_.set_owner(function, index);
    all_.push_back(function);
    graph_.functions.emplace_back();
  }
  for (const auto* function : all_) add(function);
}

void Functions::add(const clang::FunctionDecl* function) {
  const int index = index_of(function);
  flow::Function& made = (*this)[index];
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  const bool is_lambda = method != nullptr && method->getParent()->isLambda();
  made.name = is_lambda ? "lambda" : function->getNameAsString();
  made.at = places_.of(clang::SourceRange(is_lambda ? function->getBeginLoc() : function->getLocation()));
  made.is_uniform = is_annotated_uniform(function);
  if (has_this(function)) made.parameters.push_back(variables_.this_of(method));
  for (const auto* parameter : function->parameters()) {
    const int variable = variables_.of(parameter);
    if (variable < 0) continue;
    variables_[variable].function = index;
    made.parameters.push_back(variable);
    for (const int part : {variables_.length_of(variable), variables_.team_of(variable)}) {
      if (part < 0) continue;
      variables_[part].function = index;
      made.parameters.push_back(part);
    }
  }
  const auto type = function->getReturnType();
  if (!type->isVoidType()) {
    const int result =
        variables_.make(made.name + "()", flow::VariableKind::result, made.at, index, has_length(type));
    made.results.push_back(result);
    if (const int length = variables_.length_of(result); length >= 0) made.results.push_back(length);
  }
  const bool is_instance = function->isTemplateInstantiation();
  if (!function->isMain() && !is_lambda && !is_instance && variables_.is_visible_elsewhere(function))
    made.other_callers = flow::OtherCallers::other_files;
  if (method == nullptr || !method->isVirtual()) return;
  for (const auto* overridden : method->overridden_methods())
    overriders_[overridden->getCanonicalDecl()].push_back(index);
}

int Functions::index_of(const clang::FunctionDecl* function) const {
  const auto found = index_.find(function->getCanonicalDecl());
  return found == index_.end() ? -1 : found->second;
}

std::vector<int> Functions::run_by(const clang::FunctionDecl* function) const {
  std::vector<int> found;
  if (const int own = index_of(function); own >= 0) found.push_back(own);
  const auto overriders = overriders_.find(function->getCanonicalDecl());
  if (overriders == overriders_.end()) return found;
  for (const int one : overriders->second)
    for (const int more : run_by(all_[static_cast<std::size_t>(one)])) found.push_back(more);
  return found;
}

void Functions::give_away(const clang::FunctionDecl* function) {
  const int index = index_of(function);
  if (index < 0) return;
  auto& callers = (*this)[index].other_callers;
  callers = std::max(callers, flow::OtherCallers::given_it);
}

void Functions::give_away(const clang::CXXRecordDecl* closure) {
  for (const auto* one : call_operators(closure)) give_away(one);
}

std::vector<const clang::FunctionDecl*> Functions::call_operators(const clang::CXXRecordDecl* record) const {
  auto found = host::call_operators(record);
  std::erase_if(found, [&](const auto* one) { return index_of(one) < 0; });
  return found;
}

}  // namespace kanor::host
