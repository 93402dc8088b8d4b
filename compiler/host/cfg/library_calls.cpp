// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the program that the library calls, and the objects that it makes of what it is given: the
// part of Calls that is about them.
#include <clang/AST/DeclTemplate.h>

#include <algorithm>

#include "host/cfg/calls.hpp"
#include "host/facts/standard_types.hpp"
#include "host/library/library.hpp"

namespace kanor::host {
namespace {

using flow::Argument;
using flow::Event;
using flow::EventKind;
using flow::Location;
using flow::Unknown;
using flow::Uses;

const clang::Expr* source_of(const clang::Expr* argument) {
  while (true) {
    argument = argument->IgnoreParenImpCasts();
    if (const auto* made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(argument))
      argument = made->getSubExpr();
    else if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(argument))
      argument = bound->getSubExpr();
    else
      return argument;
  }
}

/// Returns true for a parameter whose type is one of the function template's own: of such arguments the
/// library makes objects, while others are counts, keys and places.
bool is_deduced(const clang::FunctionDecl* function, std::size_t parameter) {
  const auto* primary = function->getPrimaryTemplate();
  if (primary == nullptr) return false;
  const auto parameters = primary->getTemplatedDecl()->parameters();
  const auto pack = std::find_if(parameters.begin(), parameters.end(),
                                 [](const auto* one) { return one->isParameterPack(); });
  const auto at = std::min(parameter, static_cast<std::size_t>(pack - parameters.begin()));
  return at < parameters.size() && parameters[at]->getType()->isDependentType();
}

bool gives_copies_of(const clang::CXXMethodDecl* method) {
  const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(method);
  return constructor != nullptr ? constructor->isCopyOrMoveConstructor()
                                : method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator();
}

/// Constructors and assignment operators, and instances of their templates, that take other values.
std::vector<const clang::CXXMethodDecl*> makers_of(const clang::CXXRecordDecl* record) {
  std::vector<const clang::CXXMethodDecl*> found;
  const auto add = [&](const clang::Decl* declaration) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(declaration);
    if (method == nullptr || method->getNumParams() == 0 || gives_copies_of(method)) return;
    if (llvm::isa<clang::CXXConstructorDecl>(method) || method->getOverloadedOperator() == clang::OO_Equal)
      found.push_back(method);
  };
  for (const auto* declaration : record->decls()) {
    if (const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration))
      for (const auto* instance : pattern->specializations()) add(instance);
    else
      add(declaration);
  }
  return found;
}

template <class Classes>
void add(Classes& classes, const Classes& more) {
  classes.insert(more.begin(), more.end());
}

}  // namespace

/// Emits a call whose arguments are computed from `all` and may refer to what is reachable. Returns the
/// result's uses.
Uses Calls::called_by_library(const clang::FunctionDecl* function, const Uses& all,
                              const std::vector<int>& reachable, Location at) {
  const int index = values_.functions_.index_of(function);
  Event event;
  event.kind = EventKind::call;
  event.callee = index;
  event.at = at;
  for (const int parameter : values_.functions_[index].parameters) {
    Argument& passed = event.arguments.emplace_back();
    if (values_.variables_[parameter].name == "this") continue;
    passed.uses = all;
  }
  for (unsigned which = 0, slot = Functions::has_this(function) ? 1 : 0; which < function->getNumParams();
       ++which, ++slot) {
    if (slot >= event.arguments.size()) break;
    if (can_be_written_through(function->getParamDecl(which)->getType()))
      event.arguments[slot].variables = reachable;
    const int parameter = values_.variables_.of(function->getParamDecl(which));
    if (values_.variables_.length_of(parameter) >= 0 || values_.variables_.team_of(parameter) >= 0) ++slot;
  }
  const Uses result = add_result(index, false, event).uses;
  values_.emit(std::move(event));
  return result;
}

/// Adds the calls that a library algorithm makes of its function arguments, with elements of its other
/// arguments.
void Calls::call_back(const Parts& parts, const Uses& all, Value& result) {
  std::vector<int> reachable;
  for (const auto* argument : parts.arguments)
    for (const int one : values_.roots(argument)) reachable.push_back(one);
  for (const auto* argument : parts.arguments) {
    std::vector<const clang::FunctionDecl*> called =
        values_.functions_.call_operators(callable_class(argument));
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(source_of(argument));
    if (const auto* function =
            name == nullptr ? nullptr : llvm::dyn_cast<clang::FunctionDecl>(name->getDecl())) {
      if (values_.functions_.index_of(function) >= 0)
        called.push_back(function);
      else if (known(function) == Known::unknown && !is_annotated_uniform(function))
        append(result.uses, {{-1, -1, Unknown::call, values_.at(parts.whole)}});
    }
    for (const auto* one : called)
      append(result.uses, called_by_library(one, all, reachable, values_.at(parts.whole)));
  }
}

/// The program's classes whose objects one of this type is, contains or, as a handle, leads to.
Calls::Classes Calls::classes_in(clang::QualType type) const {
  Classes found;
  type = pointee(type.getNonReferenceType());
  type = clang::QualType(type->getBaseElementTypeUnsafe(), 0);
  if (const auto* own = user_class(type, values_.places_.sources())) {
    found.insert(own);
  } else if (const auto* instance =
                 llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl())) {
    for (const clang::QualType argument : type_arguments(instance)) add(found, classes_in(argument));
  }
  return found;
}

/// The program's classes of which the library may make objects, or assign to some.
Calls::Classes Calls::classes_made(const Parts& parts, std::string_view letters) const {
  Classes found;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(parts.callee);
  if (parts.whole->isPRValue() && !parts.type->isPointerType()) found = classes_in(parts.type);
  if (parts.object != nullptr && method != nullptr && !method->isConst())
    add(found, classes_in(parts.object->getType()));
  if (method != nullptr) return found;
  for (std::size_t at = 0; at < parts.arguments.size(); ++at)
    if (is_place(parts, at, letters)) add(found, classes_in(parts.type_of(at)));
  return found;
}

std::string_view Calls::letters_of(const Parts& parts) {
  const bool has_row = !llvm::isa<clang::CXXMethodDecl>(parts.callee) && is_in(parts.callee, "std");
  return has_row ? library::signature(name_of(parts.callee), parts.arguments.size()) : std::string_view();
}

/// Returns true for an argument through which a library function writes, unless it takes what is there.
bool Calls::is_place(const Parts& parts, std::size_t argument, std::string_view letters) {
  if (argument < letters.size()) return letters[argument] == 'w' || letters[argument] == 'x';
  const clang::QualType type = parts.type_of(argument);
  return (can_be_written_through(type) && !type->isRValueReferenceType()) || is_handle_object(type);
}

/// Emits what the constructors of the program's classes do with arguments that the library makes objects of,
/// as `emplace_back` and `make_unique` do. An object that comes from another one of its class was made there.
void Calls::make_objects(const Parts& parts) {
  const bool is_function = !llvm::isa<clang::CXXMethodDecl>(parts.callee);
  const auto letters = letters_of(parts);
  for (const auto* record : classes_made(parts, letters)) {
    Uses values;
    bool has_values = false, has_objects = false;
    for (std::size_t at = 0; at < parts.arguments.size(); ++at) {
      const clang::Expr* argument = parts.arguments[at];
      const auto called = call_operators(callable_class(argument));
      has_objects |= std::any_of(called.begin(), called.end(), [&](const auto* one) {
        return classes_in(one->getReturnType()).contains(record);
      });
      const auto* type = argument->getType()->getAsCXXRecordDecl();
      if (type != nullptr && type->hasDefinition() && type->isEmpty())
        continue;  // an allocator, a comparison
      if (classes_in(argument->getType()).contains(record)) {
        has_objects |= !is_function || !is_place(parts, at, letters);
      } else if (called.empty() && is_deduced(parts.callee, at)) {
        has_values = true;
        append(values, values_.reached(argument));
      }
    }
    if (has_values && !has_objects) make_object(record, values, values_.at(parts.whole));
  }
}

void Calls::make_object(const clang::CXXRecordDecl* record, const Uses& of, Location at) {
  if (record->isAggregate()) values_.change(values_.variables_.members_of(record), of, at);
  for (const auto* maker : makers_of(record)) {
    if (values_.functions_.index_of(maker) >= 0)
      called_by_library(maker, of, {}, at);
    else if (maker->isUserProvided())  // not seen, or of a template: the library's bodies make no instances
      values_.change(values_.variables_.members_of(record), of, at);
  }
}

}  // namespace kanor::host
