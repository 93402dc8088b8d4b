// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions do with an object that they get: the part of UsageWalk that is about calls and
// constructions.
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>

#include "host/cfg/kinds.hpp"
#include "host/cfg/usage_walk.hpp"
#include "host/facts/annotation.hpp"
#include "host/facts/travel.hpp"
#include "host/library/library.hpp"

namespace kanor::host {
namespace {

using flow::AccessKind;
using library::ClassTrait;
using library::MemberTrait;

/// Returns true if the parameter is declared [[kanor::noescape]], or as Clang spells it.
bool lets_go_of(const clang::ParmVarDecl* parameter) {
  return parameter->hasAttr<clang::NoEscapeAttr>() || is_annotated(parameter, "kanor::noescape");
}

/// Returns true for a member of a standard library class or of kanor::buffer.
bool is_library(const clang::CXXMethodDecl* method) {
  if (method == nullptr) return false;
  const clang::QualType type = method->getASTContext().getRecordType(method->getParent());
  if (is_buffer(type)) return true;
  return (is_in(method, "std") || is_in(method, "__gnu_cxx")) && is_of_system(method);
}

/// Returns true for std::complex, whose operators take and return only numbers.
bool is_complex(clang::QualType type) {
  return !type.isNull() && standard_template(type.getNonReferenceType()) == "complex";
}

bool gives_number(const clang::CallExpr* call) {
  return !call->isGLValue() && (call->getType()->isArithmeticType() || is_complex(call->getType()));
}

bool is_same(clang::QualType one, clang::QualType other) {
  return one.getNonReferenceType()->getCanonicalTypeUnqualified() ==
         other.getNonReferenceType()->getCanonicalTypeUnqualified();
}

/// Returns true for a reference or pointer to const.
bool refers_to_constant(clang::QualType type) {
  if (type->isReferenceType() || type->isPointerType()) return type->getPointeeType().isConstQualified();
  return false;
}

/// Returns true for containers that hold copies of the values they are made from.
bool is_made_of_copies(clang::QualType type) {
  return (library::class_has(standard_template(type), ClassTrait::has_copies) || is_buffer(type)) &&
         is_plain_value(first_type_argument(type));
}

/// Returns true if all operands are numbers or complex numbers.
bool of_numbers(const clang::CXXOperatorCallExpr* operation) {
  return std::all_of(operation->arg_begin(), operation->arg_end(),
                     [](const clang::Expr* one) { return is_plain_value(one->getType()); });
}

bool uses_members_alone(const clang::Stmt* part, const clang::ParentMap& parents) {
  if (llvm::isa<clang::LambdaExpr>(part)) return false;
  if (llvm::isa<clang::CXXThisExpr>(part)) {
    const auto* member = llvm::dyn_cast_or_null<clang::MemberExpr>(parents.getParent(part));
    if (member == nullptr || !llvm::isa<clang::FieldDecl>(member->getMemberDecl())) return false;
    // The member is loaded, or assigned to where nobody uses the result.
    const clang::Stmt* user = parents.getParent(member);
    while (llvm::isa_and_nonnull<clang::ParenExpr>(user)) user = parents.getParent(user);
    if (const auto* cast = llvm::dyn_cast_or_null<clang::CastExpr>(user))
      return cast->getCastKind() == clang::CK_LValueToRValue;
    if (const auto* unary = llvm::dyn_cast_or_null<clang::UnaryOperator>(user))
      return unary->isIncrementDecrementOp() && (unary->isPostfix() || is_discarded(unary, parents));
    const auto* binary = llvm::dyn_cast_or_null<clang::BinaryOperator>(user);
    return binary != nullptr && binary->isAssignmentOp() && is_discarded(binary, parents);
  }
  return std::all_of(part->child_begin(), part->child_end(), [&](const clang::Stmt* child) {
    return child == nullptr || uses_members_alone(child, parents);
  });
}

/// Returns true if the member function only reads and writes members of its object.
bool keeps_to_itself(const clang::CXXMethodDecl* method) {
  const clang::FunctionDecl* definition = nullptr;
  const clang::Stmt* body = method->getBody(definition);
  const auto type = method->getReturnType();
  const auto own = method->getASTContext().getRecordType(method->getParent());
  if (body == nullptr || (!refers_to_nothing(type) && (type->isReferenceType() || !is_same(type, own))))
    return false;
  const clang::ParentMap parents(const_cast<clang::Stmt*>(body));
  return uses_members_alone(body, parents);
}

}  // namespace

void UsageWalk::through(const clang::CXXOperatorCallExpr* operation, const clang::Stmt* child) {
  const auto op = operation->getOperator();
  const bool is_first = operation->getNumArgs() > 0 && operation->getArg(0) == child;
  const auto* callee = operation->getDirectCallee();
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  const bool is_known =
      callee != nullptr &&
      (method != nullptr ? is_library(method) : is_in(callee, "std") && is_of_system(callee));
  if (names_pointer_) return given_to(operation, child);
  if (is_library(method) && op == clang::OO_Subscript && is_first)
    return select_from_here(operation->getArg(1));
  if (is_library(method) && op == clang::OO_Equal) return through_assignment(operation, method, is_first);
  const bool is_of_buffers =
      callee != nullptr && is_in(callee, "kanor") && is_buffer(llvm::cast<clang::Expr>(child)->getType());
  if ((is_known || is_of_buffers) && operation->isComparisonOp()) {
    // Iterators are compared by where they are, elements by their own operators.
    if (form_ == Form::pointer || is_plain_value(llvm::cast<clang::Expr>(child)->getType()))
      return read(operation);
    return escape(operation, "its elements are compared by a function that kanorc does not understand");
  }
  if (is_known && form_ != Form::pointer && is_complex(llvm::cast<clang::Expr>(child)->getType()) &&
      of_numbers(operation))
    return through_complex(operation, method != nullptr && is_first);
  // What the compiler makes for a class of plain members copies its bytes.
  if (op == clang::OO_Equal && callee != nullptr && callee->isTrivial()) {
    if (!is_first) return read(operation);
    add(AccessKind::write, operation);
    return assigned(operation);
  }
  given_to(operation, child);
}

/// Handles an assignment operator: both operands are of one class, or the second is converted to it.
void UsageWalk::through_assignment(const clang::CXXOperatorCallExpr* operation,
                                   const clang::CXXMethodDecl* method, bool is_first) {
  if (form_ == Form::pointer) return escape(operation);
  if (is_first) {
    overwrite(operation);
    return assigned(operation);
  }
  const auto own = method->getASTContext().getRecordType(method->getParent());
  const auto type = method->getParamDecl(0)->getType();
  const bool is_copied = is_same(type, own) || is_complex(own) ||
                         (standard_template(own) == "optional" && is_same(type, first_type_argument(own)));
  if (!is_copied) return escape(operation, "something is assigned from it that may keep it");
  is_given_ ? change(operation) : read(operation);
}

void UsageWalk::through_complex(const clang::CXXOperatorCallExpr* operation, bool is_changed) {
  add(AccessKind::read, operation);
  done_ = true;
  if (!is_changed) return;
  add(AccessKind::write, operation);
  assigned(operation);
}

void UsageWalk::called_for(const clang::CXXMemberCallExpr* call, const clang::CXXMethodDecl* method) {
  if (!is_library(method)) return by_method(call, method);
  const auto name = name_of(method);
  if (is_complex(method->getASTContext().getRecordType(method->getParent())))
    return call->getNumArgs() == 0 ? read(call) : change(call);
  if (library::member_has(name, MemberTrait::element))
    return select(name == "at" ? call->getArg(0) : nullptr);
  if (library::member_has(name, MemberTrait::pointer)) {
    form_ = Form::pointer;
    is_moved_ = name != "data" && name != "begin" && name != "cbegin";
    return;
  }
  if (known(method) == Known::length) {
    read(call);
    found_.back().only_length = true;
    return;
  }
  if (name == "clone" && refers_to_nothing(call->getType())) return read(call);
  if (name == "fill" || (name == "assign" && call->getNumArgs() == 2)) {
    overwrite(call);
    done_ = true;
    return;
  }
  const bool lets_go = call->getType()->isVoidType() || is_discarded(call, parents_);
  if (library::member_has(name, MemberTrait::changes) && lets_go) return change(call);
  escape(call, "kanorc does not understand its member function '" + name.str() + "'");
}

/// Handles a call of an element's own member function: an escape unless its body is seen or the compiler
/// makes it.
void UsageWalk::by_method(const clang::CXXMemberCallExpr* call, const clang::CXXMethodDecl* method) {
  const auto type = call->getType();
  if (form_ == Form::object || type->isPointerType() || call->isGLValue() || method->isVirtual() ||
      !keeps_to_itself(method))
    return escape(call, "kanorc does not understand a member function of its elements");
  method->isConst() && !method->getParent()->hasMutableFields() ? read(call) : change(call);
}

void UsageWalk::given_to(const clang::CallExpr* call, const clang::Stmt* child) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  unsigned argument = 0;
  while (argument < call->getNumArgs() && call->getArg(argument) != child) ++argument;
  if (callee == nullptr || argument == call->getNumArgs()) return escape(call, "an unknown function gets it");
  if (names_pointer_) return escape(call, "a function gets the pointer to it");
  if (is_standard_function(callee) && callee->getNumParams() == 1 && form_ != Form::pointer) {
    const auto name = name_of(callee);
    if (name == "move" || name == "forward" || name == "as_const") {
      is_given_ = is_given_ || call->isXValue();
      return;
    }
    if (name == "get") return select(nullptr);
  }
  unsigned parameter = argument;
  if (llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(callee)) {
    if (argument == 0) return escape(call, "a member operator gets it");
    --parameter;
  }
  if (takes_number_of(callee) && call->isGLValue() && refers_to_constant(callee->getReturnType())) {
    is_certain_ = false;  // the function's result is one of its arguments
    return;
  }
  if (const auto known_call = LibraryCall::of(call)) return given_to(*known_call, call, argument);
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee); is_library(method))
    return copied_by(method, call, parameter);
  if (is_of_system(callee) || callee->getBuiltinID() != 0)
    return takes_number_of(callee) && gives_number(call)
               ? read(call)
               : escape(call, "'" + callee->getQualifiedNameAsString() + "' gets it, and may keep it");
  if (parameter >= callee->getNumParams()) return escape(call, "a variadic function gets it");
  const clang::QualType type = callee->getParamDecl(parameter)->getType();
  if (!type->isReferenceType() && !type->isPointerType())
    return escape(call, "a function gets an iterator of it");
  if (lets_go_of(callee->getParamDecl(parameter)))
    return refers_to_constant(type) ? read(call) : change(call);
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
      method != nullptr && method->isVirtual())
    return escape(call, "a virtual function gets it");
  hand_to(callee, parameter, call);
  done_ = true;
}

/// Adds a call: the object is used as the callee uses its parameter.
void UsageWalk::hand_to(const clang::FunctionDecl* callee, unsigned parameter, const clang::CallExpr* call) {
  Usage usage;
  usage.kind = AccessKind::call;
  usage.by = call;
  usage.callee = callee;
  usage.parameter = parameter;
  found_.push_back(std::move(usage));
}

void UsageWalk::given_to(const LibraryCall& known_call, const clang::CallExpr* call, unsigned argument) {
  if (clears_all(call, argument)) {
    add(AccessKind::overwrite, call);
    done_ = is_discarded(call, parents_);
    return;
  }
  const Effect effect =
      form_ == Form::pointer ? known_call.on_elements(argument) : known_call.on_object(argument, is_given_);
  const bool lets_go = refers_to_nothing(call->getType()) || is_discarded(call, parents_);
  if (effect == Effect::unknown || !lets_go)
    return escape(call,
                  "'" + call->getDirectCallee()->getQualifiedNameAsString() + "' gets it, and may keep it");
  if (form_ == Form::pointer) lose_track();  // what it points to is where the function begins
  for (unsigned at = 0; at < call->getNumArgs(); ++at)
    if (known_call.calls(at) && !handed_to(call->getArg(at), call))
      return escape(call, "its elements go to a function that kanorc does not understand");
  effect == Effect::reads ? read(call) : change(call);
}

/// Handles a function that an algorithm calls with references to the elements; false if its body is not seen.
bool UsageWalk::handed_to(const clang::Expr* callable, const clang::CallExpr* call) {
  callable = callable->IgnoreUnlessSpelledInSource();
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(callable);
  if (const auto* function = name == nullptr ? nullptr : llvm::dyn_cast<clang::FunctionDecl>(name->getDecl()))
    return handed_to(function, call);
  const auto* record = callable->getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (is_plain_functor(record)) return true;
  if (record == nullptr || is_of_system(record)) return false;
  const auto operators = call_operators(record);
  return !operators.empty() && std::all_of(operators.begin(), operators.end(),
                                           [&](const auto* one) { return handed_to(one, call); });
}

bool UsageWalk::handed_to(const clang::FunctionDecl* function, const clang::CallExpr* call) {
  if (function->isVariadic() || is_of_system(function)) return false;
  for (unsigned at = 0; at < function->getNumParams(); ++at) {
    const clang::QualType type = function->getParamDecl(at)->getType();
    if (type->isReferenceType())
      hand_to(function, at, call);
    else if (!refers_to_nothing(type) &&
             user_class(type, function->getASTContext().getSourceManager()) == nullptr)
      return false;
  }
  return true;
}

/// Handles a value that a library container takes into itself: copied, as its elements are, or swapped.
void UsageWalk::copied_by(const clang::CXXMethodDecl* method, const clang::CallExpr* call,
                          unsigned parameter) {
  const auto name = name_of(method);
  const auto type =
      parameter < method->getNumParams() ? method->getParamDecl(parameter)->getType() : clang::QualType();
  const auto own = method->getASTContext().getRecordType(method->getParent());
  if (!type.isNull() && form_ != Form::pointer) {
    if (name == "swap" && is_same(type, own)) return change(call);
    const bool is_copied = library::member_has(name, MemberTrait::copies_argument) &&
                           method->getPrimaryTemplate() == nullptr && type->isReferenceType() &&
                           is_same(type, first_type_argument(own));
    if (is_copied) return is_given_ ? change(call) : read(call);
  }
  if (form_ == Form::pointer && (name == "assign" || name == "append" || name == "insert") &&
      is_made_of_copies(own)) {
    lose_track();
    if (call->getType()->isVoidType() || is_discarded(call, parents_)) return read(call);
  }
  escape(call, "'" + method->getQualifiedNameAsString() + "' gets it, and may keep it");
}

/// Returns true for an element that goes to a standard function of numbers and nothing else, such as
/// std::abs and std::max.
bool UsageWalk::takes_number_of(const clang::FunctionDecl* callee) const {
  return form_ == Form::element && !is_given_ && is_standard_function(callee) &&
         std::all_of(callee->param_begin(), callee->param_end(), [](const clang::ParmVarDecl* one) {
           return is_plain_value(one->getType()) &&
                  (!one->getType()->isReferenceType() || refers_to_constant(one->getType()));
         });
}

/// Returns true for a memset of the array's whole size.
bool UsageWalk::clears_all(const clang::CallExpr* call, unsigned argument) const {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  clang::Expr::EvalResult bytes;
  const auto& context = callee->getASTContext();
  return name_of(callee).ends_with("memset") && argument == 0 && call->getNumArgs() == 3 &&
         subscripts_.empty() && !is_offset_ && is_certain_ && object_->getType()->isArrayType() &&
         call->getArg(2)->EvaluateAsInt(bytes, context) &&
         bytes.Val.getInt() == context.getTypeSizeInChars(object_->getType()).getQuantity() &&
         count_names(call->getArg(1), object_) == 0;
}

/// Handles construction: a copy reads, a move writes to what it empties.
void UsageWalk::given_to(const clang::CXXConstructExpr* made) {
  const auto* constructor = made->getConstructor();
  const bool copies = constructor->isTrivial() || constructor->isDefaulted() ||
                      (is_of_system(constructor->getParent()) || is_buffer(made->getType()));
  if (copies && form_ != Form::pointer) {
    const bool is_constant =
        constructor->getNumParams() > 0 && refers_to_constant(constructor->getParamDecl(0)->getType());
    if (constructor->isCopyConstructor() && is_constant) return read(made);
    if (constructor->isMoveConstructor() && is_given_) return change(made);
    if (constructor->isMoveConstructor() && form_ == Form::object) {
      // What is emitted copies, since `(*v)` is no name.
      if (is_buffer(made->getType())) return escape(made, "it is returned by its name, and cannot be copied");
      return read(made);
    }
  }
  if (form_ == Form::pointer && is_made_of_copies(made->getType())) {
    lose_track();
    return read(made);
  }
  escape(made, "an object is created that may keep it");
}

}  // namespace kanor::host
