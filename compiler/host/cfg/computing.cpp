// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/computing.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/Builtins.h>

#include <algorithm>

#include "host/cfg/kinds.hpp"
#include "host/cfg/library_effects.hpp"
#include "host/cfg/mpi_calls.hpp"
#include "host/library/library.hpp"

namespace kanor::host {
namespace {

/// Returns true for a kind of statement that does nothing but what its parts do.
bool only_has_parts(const clang::Stmt* statement) {
  return llvm::isa<
      clang::CompoundStmt, clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::IfStmt, clang::NullStmt,
      clang::SwitchStmt, clang::CaseStmt, clang::DefaultStmt, clang::AttributedStmt, clang::BinaryOperator,
      clang::UnaryOperator, clang::ConditionalOperator, clang::ParenExpr, clang::ImplicitCastExpr,
      clang::CStyleCastExpr, clang::CXXStaticCastExpr, clang::CXXFunctionalCastExpr, clang::IntegerLiteral,
      clang::FloatingLiteral, clang::CharacterLiteral, clang::StringLiteral, clang::ImaginaryLiteral,
      clang::CXXBoolLiteralExpr, clang::CXXNullPtrLiteralExpr, clang::ArraySubscriptExpr, clang::MemberExpr,
      clang::CXXThisExpr, clang::InitListExpr, clang::ImplicitValueInitExpr, clang::CompoundLiteralExpr,
      clang::CXXScalarValueInitExpr, clang::UnaryExprOrTypeTraitExpr, clang::ConstantExpr,
      clang::SubstNonTypeTemplateParmExpr, clang::MaterializeTemporaryExpr, clang::ExprWithCleanups>(
      statement);
}

/// Returns true if making and destroying such a variable runs no function.
bool is_plain_variable(const clang::Decl* declaration) {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
  return variable != nullptr && !variable->isStaticLocal() && !variable->hasAttr<clang::CleanupAttr>() &&
         variable->needsDestruction(variable->getASTContext()) == clang::QualType::DK_none;
}

/// Returns true for a loop over an array, or over a container of the library that holds its elements itself,
/// which runs no functions but those of its body.
bool is_plain_loop(const clang::CXXForRangeStmt* loop) {
  const clang::QualType range = loop->getRangeInit()->getType().getNonReferenceType();
  const clang::VarDecl* element = loop->getLoopVariable();
  return (range->isArrayType() || holds_elements(range)) && is_plain_variable(element) &&
         (element->getType()->isReferenceType() ||
          element->getType().isTriviallyCopyableType(element->getASTContext()));
}

/// Returns true for a function of the C or C++ library that only computes.
bool is_library_computation(const clang::FunctionDecl* callee) {
  if (callee->getIdentifier() == nullptr) return false;
  if (const unsigned builtin = callee->getBuiltinID();
      builtin != 0 && callee->getASTContext().BuiltinInfo.isConst(builtin))
    return true;
  if (callee->getBuiltinID() == 0 && !is_of_system(callee)) return false;
  const auto* body = callee->getDefinition();
  if (body != nullptr && !is_of_system(body)) return false;  // the program defines that name itself
  llvm::StringRef name = callee->getName();
  if (is_mpi(callee)) return library::mpi_has(name, library::MpiTrait::local);
  if (name.starts_with("__builtin_")) name = name.drop_front(10);
  const bool is_c = callee->isExternC() || callee->getBuiltinID() != 0 || is_standard_function(callee);
  return is_c && library::c_function_has(name, library::FunctionTrait::computes);
}

/// Returns true for a function of namespace std that takes and returns numbers alone, as std::max does.
bool is_of_numbers(const clang::CallExpr* call, const clang::FunctionDecl* callee) {
  return callee->getIdentifier() != nullptr && is_standard_function(callee) &&
         library::function_has(callee->getName(), library::FunctionTrait::pure) &&
         call->getType()->isArithmeticType() &&
         std::all_of(call->arg_begin(), call->arg_end(),
                     [](const clang::Expr* one) { return one->getType()->isArithmeticType(); });
}

/// Returns true for a call that asks a team for its size or this rank's number.
bool asks_team(const clang::FunctionDecl* callee) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  return method != nullptr && (name_of(method) == "rank" || name_of(method) == "size") &&
         is_team(method->getASTContext().getTypeDeclType(method->getParent()));
}

/// Returns true for a member of a library's class that looks at the object or an element, and never throws.
/// It runs no functions of the program, since the class holds its elements itself.
bool is_observer(const clang::FunctionDecl* callee) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  const auto* type = method == nullptr ? nullptr : method->getType()->getAs<clang::FunctionProtoType>();
  if (type == nullptr || !type->isNothrow() || method->isVirtual() || !is_of_system(method) ||
      !method->getParent()->isInStdNamespace() ||
      !holds_elements(method->getASTContext().getTypeDeclType(method->getParent())))
    return false;
  if (method->getOverloadedOperator() == clang::OO_Subscript) return true;
  return method->getIdentifier() != nullptr &&
         (library::member_has(method->getName(), library::MemberTrait::observer) ||
          library::member_has(method->getName(), library::MemberTrait::is_length));
}

}  // namespace

std::optional<Computing::Effect> Computing::Search::find(const clang::Stmt* statement, Jumps jumps) const {
  const auto effect = [&](std::string what) { return std::optional(Effect{std::move(what), statement}); };
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
      expression != nullptr && expression->isGLValue() &&
      (expression->getType().isVolatileQualified() || expression->getType()->isAtomicType()))
    return effect("another thread or process may change this, and be waited for");
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement))
    jumps.breaks = jumps.continues = true;
  if (llvm::isa<clang::SwitchStmt>(statement)) jumps.breaks = true;
  if (llvm::isa<clang::BreakStmt>(statement)) return jumps.breaks ? std::nullopt : effect("it is left here");
  if (llvm::isa<clang::ContinueStmt>(statement))
    return jumps.continues ? std::nullopt : effect("it is left here");
  if (llvm::isa<clang::ReturnStmt>(statement)) {
    if (!jumps.returns) return effect("its function is left here");
  } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement)) {
    if (auto found = of_call(call)) return found;
  } else if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    if (!std::all_of(declared->decl_begin(), declared->decl_end(), is_plain_variable))
      return effect("kanorc does not know what the variable's type or initialisation does");
  } else if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(statement)) {
    if (!made->getConstructor()->isTrivial())
      return effect("kanorc does not know what this constructor does");
  } else if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable != nullptr && variable->getTLSKind() == clang::VarDecl::TLS_Dynamic)
      return effect("the first use of this variable initialises it");
  } else if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(statement)) {
    if (!is_plain_loop(loop)) return effect("kanorc does not know what this loop's range does");
    for (const clang::Stmt* part :
         {loop->getInit(), static_cast<const clang::Stmt*>(loop->getRangeInit()), loop->getBody()})
      if (part != nullptr)
        if (auto found = find(part, jumps)) return found;
    return std::nullopt;
  } else if (!only_has_parts(statement)) {
    return effect("kanorc does not know what this does");
  }
  for (const clang::Stmt* child : statement->children())
    if (child != nullptr)
      if (auto found = find(child, jumps)) return found;
  return std::nullopt;
}

std::optional<Computing::Effect> Computing::Search::of_call(const clang::CallExpr* call) const {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  if (callee == nullptr) return Effect{"a function is called by a pointer", call};
  const std::string name = "'" + callee->getQualifiedNameAsString() + "'";
  if (is_mpi(callee) && !is_library_computation(callee)) return Effect{name + " is called", call};
  if (is_library_computation(callee) || is_of_numbers(call, callee) || is_observer(callee) ||
      asks_team(callee))
    return std::nullopt;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  const int index = functions.index_of(callee);
  if (index < 0 || (method != nullptr && method->isVirtual()) || is_replaceable(callee))
    return Effect{name + " is called, which may send or wait", call};
  if (!seen.insert(index).second) return std::nullopt;
  const auto* body = functions.all()[static_cast<std::size_t>(index)]->getBody();
  const auto found = find(body, {false, false, true});
  return found ? std::optional(Effect{name + " is called, where " + found->what, call}) : std::nullopt;
}

}  // namespace kanor::host
