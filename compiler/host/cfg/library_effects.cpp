// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/library_effects.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

#include "host/facts/travel.hpp"
#include "host/library/library.hpp"

namespace kanor::host {
namespace {

bool is_in_system(const clang::Decl* declaration) {
  const auto& sources = declaration->getASTContext().getSourceManager();
  return sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation()));
}

bool is_policy(const clang::Expr* argument) {
  const auto* record = argument->getType()->getAsCXXRecordDecl();
  return record != nullptr && record->getIdentifier() != nullptr && is_of_system(record) &&
         record->getName().ends_with("_policy");
}

/// The type that a pointer or a library iterator leads to; null if unknown.
clang::QualType reached_by(clang::QualType type) {
  if (type->isPointerType()) return type->getPointeeType();
  const auto* record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      type.getNonReferenceType()->getAsCXXRecordDecl());
  if (record == nullptr || !is_of_system(record) || !record->getName().contains("iterator") ||
      record->getTemplateArgs().size() == 0 ||
      record->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Type)
    return {};
  const clang::QualType first = record->getTemplateArgs()[0].getAsType();
  if (first->isPointerType()) return first->getPointeeType();
  if (!standard_template(first).empty()) return first_type_argument(first);  // std::back_insert_iterator
  if (first->getAsCXXRecordDecl() != nullptr && first->getAsCXXRecordDecl()->getName().contains("iterator"))
    return reached_by(first);
  return first;
}

}  // namespace

bool is_of_system(const clang::Decl* declaration) { return is_in_system(declaration->getCanonicalDecl()); }

bool is_standard_function(const clang::FunctionDecl* function) {
  return function->getIdentifier() != nullptr && function->isInStdNamespace() && is_of_system(function);
}

bool is_plain_value(clang::QualType type) {
  if (type.isNull()) return false;
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (type->isArithmeticType() || type->isEnumeralType()) return true;
  return holds_elements(type) && is_plain_value(first_type_argument(type));
}

bool holds_elements(clang::QualType type) {
  return library::class_has(standard_template(type), library::ClassTrait::is_value) || is_buffer(type);
}

bool refers_to_nothing(clang::QualType type) {
  return type->isVoidType() || (!type->isReferenceType() && is_plain_value(type));
}

bool is_plain_functor(const clang::CXXRecordDecl* record) {
  return record != nullptr && record->getIdentifier() != nullptr && record->isInStdNamespace() &&
         is_of_system(record) && library::class_has(record->getName(), library::ClassTrait::is_functor);
}

std::optional<LibraryCall> LibraryCall::of(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  if (callee == nullptr || callee->getIdentifier() == nullptr || llvm::isa<clang::CXXMethodDecl>(callee))
    return std::nullopt;
  const llvm::StringRef name = callee->getName();
  if (is_standard_function(callee) && !callee->isExternC()) {
    const unsigned skipped = call->getNumArgs() > 1 && is_policy(call->getArg(0)) ? 1 : 0;
    const std::string_view letters = library::signature(name, call->getNumArgs() - skipped);
    if (letters.empty()) return std::nullopt;
    return LibraryCall(call, letters, skipped);
  }
  if (callee->getBuiltinID() == 0 && (!callee->isExternC() || !is_of_system(callee))) return std::nullopt;
  // The program may define a function of that name.
  if (const auto* body = callee->getDefinition(); body != nullptr && !is_in_system(body)) return std::nullopt;
  const llvm::StringRef plain = name.starts_with("__builtin_") ? name.drop_front(10) : name;
  const std::string_view letters = plain.starts_with("MPI_")
                                       ? library::mpi_signature(plain, call->getNumArgs())
                                       : library::c_signature(plain, call->getNumArgs());
  if (letters.empty() || (letters.ends_with('*') && !callee->isVariadic())) return std::nullopt;
  return LibraryCall(call, letters, 0);
}

char LibraryCall::letter(unsigned argument) const {
  if (argument < skipped_) return '.';
  // The last one stands for all further arguments.
  if (letters_.ends_with('*') && argument + 1 >= letters_.size()) return letters_[letters_.size() - 2];
  return letters_[argument - skipped_];
}

Effect LibraryCall::on_elements(unsigned argument) const {
  const char which = letter(argument);
  if (which == 'c') {
    const auto* type =
        call_->getArg(argument)->IgnoreParenImpCasts()->getType()->getPointeeOrArrayElementType();
    return type->isAnyCharacterType() ? Effect::reads : Effect::unknown;
  }
  if ((which != 'r' && which != 'w') || !runs_no_function()) return Effect::unknown;
  return which == 'r' ? Effect::reads : Effect::changes;
}

/// Returns true if copying and comparing the call's arguments runs no function of the program, except for
/// those that are passed to the call.
bool LibraryCall::runs_no_function() const {
  const clang::FunctionDecl* callee = call_->getDirectCallee();
  if (!callee->isInStdNamespace()) return true;
  const bool moves = library::function_has(callee->getName(), library::FunctionTrait::moves) ||
                     letters_.find('f') != std::string_view::npos;
  clang::QualType first;
  for (unsigned at = skipped_; at < call_->getNumArgs(); ++at) {
    const char which = letter(at);
    if (which == 'f' || which == '.') continue;
    const clang::QualType type = call_->getArg(at)->getType();
    clang::QualType reached = which == 'r' || which == 'w' ? reached_by(type) : type;
    if (reached.isNull()) return false;
    reached = reached.getCanonicalType().getUnqualifiedType();
    if (is_plain_value(reached)) continue;
    if (first.isNull()) first = reached;
    if (!moves || first != reached || reached->isPointerType() ||
        !reached.isTriviallyCopyableType(callee->getASTContext()))
      return false;
  }
  return true;
}

Effect LibraryCall::on_object(unsigned argument, bool is_given) const {
  const char which = letter(argument);
  if ((which != 'v' && which != 'x') || !runs_no_function()) return Effect::unknown;
  return which == 'x' || is_given ? Effect::changes : Effect::reads;
}

}  // namespace kanor::host
