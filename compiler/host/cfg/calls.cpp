// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/calls.hpp"

#include "host/cfg/by_address.hpp"
#include "host/cfg/library_effects.hpp"
#include "host/library/library.hpp"

namespace kanor::host {
namespace {

using flow::Argument;
using flow::Event;
using flow::EventKind;
using flow::Location;
using flow::Unknown;
using flow::Use;
using flow::Uses;

/// Returns true for a function that changes nothing its arguments reach.
bool only_reads(const clang::FunctionDecl* function) {
  using library::FunctionTrait;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (method != nullptr && library::class_has(name_of(method->getParent()), library::ClassTrait::is_functor))
    return true;
  return library::function_has(name_of(function), FunctionTrait::reads) ||
         library::c_function_has(name_of(function), FunctionTrait::reads);
}

/// Returns true for `std::ranges::sort` and the like, which reach a container through its iterators.
bool is_range_algorithm(const clang::FunctionDecl* function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (method == nullptr || method->getOverloadedOperator() != clang::OO_Call || !is_in(method, "std"))
    return false;
  for (const auto* context = method->getParent()->getDeclContext(); context != nullptr;
       context = context->getParent())
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context); name_of(space) == "ranges")
      return true;
  return false;
}

}  // namespace

clang::QualType Calls::Parts::type_of(std::size_t argument) const {
  if (callee == nullptr || argument >= callee->getNumParams()) return arguments[argument]->getType();
  return callee->getParamDecl(static_cast<unsigned>(argument))->getType();
}

Calls::Parts Calls::parts_of(const clang::CallExpr* call) {
  Parts parts;
  parts.callee = call->getDirectCallee();
  parts.whole = call;
  parts.type = call->getType();
  if (call->isLValue() && parts.callee != nullptr) parts.type = parts.callee->getReturnType();
  unsigned first = 0;
  if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call)) {
    parts.object = member->getImplicitObjectArgument();
  } else if (llvm::isa<clang::CXXOperatorCallExpr>(call) && parts.callee != nullptr &&
             llvm::isa<clang::CXXMethodDecl>(parts.callee) && call->getNumArgs() > 0) {
    parts.object = call->getArg(0);
    first = 1;
  }
  for (unsigned at = first; at < call->getNumArgs(); ++at) parts.arguments.push_back(call->getArg(at));
  return parts;
}

/// The uses that a function can read through an argument.
Uses Calls::passed(const clang::Expr* argument, clang::QualType parameter) {
  const bool is_object = user_class(pointee(parameter), values_.places_.sources()) != nullptr;
  if (is_object && parameter->isReferenceType()) return values_.selector(argument);
  if (is_object && parameter->isPointerType()) return values_.value(argument);
  return values_.reached(argument);
}

Uses Calls::everything(const Parts& parts) {
  Uses all;
  if (parts.object != nullptr) append(all, values_.reached(parts.object));
  for (const auto* argument : parts.arguments) {
    append(all, values_.reached(argument));
    for (const int member : values_.members_meant_by(argument))
      append(all, {{member, -1, Unknown::no, values_.at(argument)}});
  }
  return all;
}

void Calls::change(const clang::Expr* argument, const Value& value, Location at, bool lengths) {
  const auto changed = values_.roots(argument);
  values_.change(changed, value.uses, at);
  std::vector<int> resized;
  for (const int root : changed)
    if (lengths) {
      append(resized, {values_.length_meant(root, argument->getType())});
      append(resized, {values_.variables_.inner_length_of(root)});
    }
  values_.change(resized, value.length, at);
}

/// Notes that an object of the program's classes may have changed wherever its class's functions change
/// members. Handles to it keep referring to it.
void Calls::change_objects_of(const clang::Expr* argument) {
  const Uses members = values_.members(pointee(argument->IgnoreImpCasts()->getType()), values_.at(argument));
  if (members.empty()) return;
  std::vector<int> objects = values_.roots(argument);
  values_.drop_handles(objects);
  values_.change(objects, members, values_.at(argument));
}

Value Calls::lower(const clang::CallExpr* call) {
  const Parts parts = parts_of(call);
  // `obj.~T()`, calls through pointers
  if (parts.callee == nullptr) {
    values_.value(call->getCallee());
    return unseen(parts);
  }
  Value result = lower(parts);
  if (is_annotated_uniform(parts.callee)) return {};
  return result;
}

Value Calls::lower(const Parts& parts) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(parts.callee);
  if (method != nullptr && is_team(values_.context_.getRecordType(method->getParent())))
    return team_member(parts);
  if (method != nullptr && is_grid(values_.context_.getRecordType(method->getParent())) &&
      name_of(method) == "team") {
    const flow::Team team = values_.team_of_grid(parts.object);
    if (team.kind == flow::Team::Kind::variable)
      return {{{team.variable, -1, Unknown::team_size, values_.at(parts.whole)}}, {}};
  }
  if (is_transparent(parts.callee))
    return {values_.reached(parts.arguments.front()), values_.length(parts.arguments.front())};
  if (method != nullptr && (method->isDefaulted() || method->isImplicit()) && parts.object != nullptr &&
      parts.arguments.size() == 1 && method->getOverloadedOperator() == clang::OO_Equal) {
    const auto* from = parts.arguments.front();
    values_.assign(parts.object, {values_.value(from), values_.length(from)}, true, values_.at(from));
    return {values_.value(parts.object), values_.length(parts.object)};
  }
  if (method != nullptr && method->isVirtual()) {
    const auto candidates = values_.functions_.run_by(parts.callee);
    Value result;
    for (const int one : candidates) {
      const Value more = seen(parts, one);
      append(result.uses, more.uses);
      append(result.length, more.length);
    }
    if (!candidates.empty() && !values_.variables_.is_visible_elsewhere(method)) return result;
    return unseen(parts);
  }
  if (const int index = values_.functions_.index_of(parts.callee); index >= 0) return seen(parts, index);
  return known(parts.callee) == Known::unknown ? unseen(parts) : pure(parts);
}

/// Adds what the parameter gets: its value, and its team and length if it has them.
void Calls::add_arguments(const clang::ParmVarDecl* parameter, const clang::Expr* argument, Event& event) {
  const int variable = values_.variables_.of(parameter);
  if (variable < 0) return;
  const bool has_team = values_.variables_.team_of(variable) >= 0;
  const bool is_container = values_.variables_.length_of(variable) >= 0;
  auto& arguments = event.arguments;
  if (argument == nullptr) {
    arguments.resize(arguments.size() + 1 + (has_team ? 1 : 0) + (is_container ? 1 : 0));
    return;
  }
  const clang::QualType type = parameter->getType();
  const bool is_written = can_be_written_through(type) || is_handle_object(type);
  const auto targets = is_written ? values_.roots(argument) : std::vector<int>();
  const bool is_whole =
      type->isReferenceType() && targets.size() == 1 && values_.whole_variable(argument) == targets.front();
  Argument& content = arguments.emplace_back();
  content.uses = passed(argument, type);
  if (user_class(pointee(type), values_.places_.sources()) == nullptr) content.variables = targets;
  content.is_whole = is_whole && !content.variables.empty();
  if (is_team(type)) content.team = values_.team_of(argument);
  if (has_team) arguments.emplace_back().team = values_.team_of_grid(argument);
  if (!is_container) return;
  Argument& length = arguments.emplace_back();
  length.uses = values_.length(argument);
  append(length.uses, values_.inner_lengths(argument));
  for (const int target : targets) {
    append(length.variables, {values_.length_meant(target, argument->getType())});
    append(length.variables, {values_.variables_.inner_length_of(target)});
  }
  length.is_whole = is_whole && length.variables.size() == 1;
}

/// Adds a variable for the result of a function that has one. Returns its value.
Value Calls::add_result(int function, bool with_length, Event& event) {
  const flow::Function& callee = values_.functions_[function];
  if (callee.results.empty()) return {};
  const int made = values_.variables_.make(callee.name + "()", flow::VariableKind::result, event.at,
                                           values_.function_, with_length);
  event.results.push_back(made);
  if (with_length) event.results.push_back(made + 1);
  return {{{made, -1, Unknown::no, event.at}},
          with_length ? Uses{{made + 1, -1, Unknown::no, event.at}} : Uses{}};
}

Value Calls::seen(const Parts& parts, int index) {
  const clang::FunctionDecl* callee = values_.functions_.all()[static_cast<std::size_t>(index)];
  Event event;
  event.kind = EventKind::call;
  event.callee = index;
  event.at = values_.at(parts.whole);
  if (Functions::has_this(callee)) {
    Argument& self = event.arguments.emplace_back();
    if (parts.object != nullptr)
      self.uses = parts.object->getType()->isPointerType() ? values_.value(parts.object)
                                                           : values_.selector(parts.object);
  }
  for (unsigned at = 0; at < callee->getNumParams(); ++at)
    add_arguments(callee->getParamDecl(at), at < parts.arguments.size() ? parts.arguments[at] : nullptr,
                  event);
  Value result = add_result(index, values_.functions_[index].results.size() > 1, event);
  values_.emit(std::move(event));
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (parts.object != nullptr && method != nullptr && !method->isConst()) change_objects_of(parts.object);
  for (unsigned at = 0; at < callee->getNumParams() && at < parts.arguments.size(); ++at)
    if (can_be_written_through(callee->getParamDecl(at)->getType())) change_objects_of(parts.arguments[at]);
  return result;
}

Uses Calls::selector(const clang::CallExpr* call) {
  const Parts parts = parts_of(call);
  if (parts.callee == nullptr || parts.object == nullptr || known(parts.callee) != Known::observer)
    return values_.value(call);
  Uses uses = values_.selector(parts.object);
  for (const auto* argument : parts.arguments) append(uses, values_.value(argument));
  return uses;
}

std::vector<int> Calls::roots(const clang::CallExpr* call) {
  // A container of numbers is a new object, and refers to none.
  if (call->isPRValue() && call->getType()->isRecordType() && refers_to_nothing(call->getType())) return {};
  const Parts parts = parts_of(call);
  std::vector<int> found;
  // A function of the program that gets an object gives a part of it, which is named as a member there.
  const bool is_seen = parts.callee != nullptr && !values_.functions_.run_by(parts.callee).empty();
  const auto add = [&](const clang::Expr* from, bool gives_object) {
    std::vector<int> more = values_.roots(from);
    if (is_seen && gives_object) values_.drop_handles(more);
    found.insert(found.end(), more.begin(), more.end());
  };
  const bool observes =
      parts.callee != nullptr && parts.object != nullptr && known(parts.callee) == Known::observer;
  if (observes && is_handle_object(parts.object->getType()) &&
      parts.callee->getOverloadedOperator() != clang::OO_None)
    append(found, values_.roots_behind(parts.object));
  else if (parts.object != nullptr)
    add(parts.object, true);
  for (const int one : loaded(parts)) found.push_back(one);
  if (observes) return found;
  for (const auto* argument : parts.arguments) {
    if (argument->isGLValue() || is_handle(argument->getType()))
      add(argument, user_class(argument->getType(), values_.places_.sources()) != nullptr);
    append(found, values_.members_meant_by(argument));
  }
  return found;
}

/// The value of the part of an object that a library function designates.
Value Calls::observed(const Parts& parts, const clang::Expr* object, const Uses& order) {
  Uses uses = is_handle(parts.type) && !parts.type->isReferenceType() ? values_.selector(object)
                                                                      : values_.reached(object);
  append(uses, order);
  Uses length = values_.length(object);
  if (library::member_has(name_of(parts.callee), library::MemberTrait::ends)) append(uses, length);
  for (const auto* argument : parts.arguments)
    if (argument != object) append(uses, values_.value(argument)), append(length, values_.value(argument));
  // `map[key]` makes the element that it does not find. A map's length is a matter of its keys alone.
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(parts.callee);
  if (parts.callee->getOverloadedOperator() == clang::OO_Subscript && method != nullptr &&
      !method->isConst() && name_of(method->getParent()).ends_with("map"))
    for (const int root : values_.roots(object))
      if (const int own = values_.length_meant(root, object->getType()); own >= 0)
        values_.change(own, length, false, values_.at(parts.whole));
  if (!has_length(parts.whole->getType()) || !parts.whole->isGLValue()) return {uses, length};
  Uses of_element = values_.selector(object);
  for (const auto* argument : parts.arguments)
    if (argument != object) append(of_element, values_.value(argument));
  append(of_element, values_.lengths_meant(parts.whole));
  return {uses, of_element};
}

/// Adds to the uses the place in its string that strtok() goes on from, and emits the change of that.
void Calls::move_place_of_strtok(const Parts& parts, Uses& all) {
  const int place = values_.variables_.place_of_strtok();
  const bool goes_on = parts.arguments.front()->isNullPointerConstant(
      values_.context_, clang::Expr::NPC_ValueDependentIsNotNull);
  if (goes_on) append(all, {{place, -1, Unknown::no, values_.at(parts.whole)}});
  values_.change(place, all, !goes_on, values_.at(parts.whole));
}

Value Calls::pure(const Parts& parts) {
  const clang::Expr* object = parts.object;
  if (object == nullptr && !parts.arguments.empty()) object = parts.arguments.front();
  const Known kind = known(parts.callee);
  const auto name = name_of(parts.callee);
  if (kind == Known::length && object != nullptr) {
    Uses uses = values_.length(object);
    return {uses, uses};
  }
  Uses order;
  if (object != nullptr && goes_by_address(parts.callee, object->IgnoreImpCasts()->getType()))
    order = {{-1, -1, Unknown::address, values_.places_.of(parts.whole->getSourceRange())}};
  if (kind == Known::observer && object != nullptr &&
      !library::member_has(name, library::MemberTrait::searches))
    return observed(parts, object, order);
  Uses all = everything(parts);
  if (object != nullptr && searches_keys(parts, object)) {
    // What a map holds has no part in it.
    all = values_.length(object);
    for (const auto* argument : parts.arguments) append(all, values_.reached(argument));
  }
  append(all, order);
  if (name == "strtok" && !llvm::isa<clang::CXXMethodDecl>(parts.callee) && !parts.arguments.empty())
    move_place_of_strtok(parts, all);
  // An iterator that moves on has chosen nothing that it had not chosen before; nor does an operator on two.
  const bool moves = name == "distance" || (is_handle(parts.type.getNonReferenceType()) &&
                                            (name == "next" || name == "prev" || name.empty()));
  const bool is_of_two = parts.callee->getOverloadedOperator() != clang::OO_None && parts.object == nullptr &&
                         parts.arguments.size() == 2 &&
                         is_handle(parts.arguments[0]->getType().getNonReferenceType());
  Value result;
  if (moves || is_of_two) {
    if (object != nullptr) append(result.uses, values_.value(object));
    for (const auto* argument : parts.arguments) append(result.uses, values_.value(argument));
  } else {
    result.uses = all;
  }
  result.length = exchanges(parts.callee) ? lengths_of_arguments(parts) : result.uses;
  Value called;
  call_back(parts, all, called);
  append(result.uses, called.uses);
  append(result.uses, order);
  // What the functions give decides about what it changes; else it may only keep them.
  if (is_range_algorithm(parts.callee) || library::function_has(name, library::FunctionTrait::calls_at_once))
    append(all, called.uses);
  change_arguments(parts, all, order);
  make_objects(parts);
  // What a container takes out of itself, or a pointer lets go of, ends.
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(parts.callee);
  if (parts.object != nullptr && method != nullptr && !method->isConst())
    values_.destroy(pointee(parts.object->getType()), values_.at(parts.whole));
  return result;
}

/// Emits what a library function changes: its object, whose elements are in this order, or what it can write
/// through its arguments.
void Calls::change_arguments(const Parts& parts, const Uses& all, const Uses& order) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(parts.callee);
  if (method != nullptr && !method->isConst() && method->isInstance()) {
    change_container(parts, all);
    if (!order.empty()) values_.change(values_.roots(parts.object), order, values_.at(parts.whole));
    return;
  }
  if (only_reads(parts.callee)) return;
  const auto letters = letters_of(parts);
  const Uses lengths = exchanges(parts.callee) ? lengths_of_arguments(parts) : all;
  for (std::size_t at = 0; at < parts.arguments.size(); ++at) {
    if (at < letters.size() && letters[at] == 'r') continue;
    const bool is_iterator = is_handle_object(parts.type_of(at));
    if (can_be_written_through(parts.type_of(at)) || is_iterator)
      change(parts.arguments[at], {all, lengths}, values_.at(parts.whole),
             !is_iterator && !is_range_algorithm(parts.callee));
  }
}

Value Calls::unseen(const Parts& parts) {
  const Location at = values_.at(parts.whole);
  const Uses unknown{{-1, -1, Unknown::call, at}};
  const auto give = [&](const clang::Expr* argument, bool writes) {
    values_.value(argument);
    values_.functions_.give_away(callable_class(argument));
    give_what_is_kept(argument->IgnoreImpCasts()->getType(), unknown, at);
    if (!writes) return;
    for (const int root : values_.roots(argument)) values_.variables_[root].escapes = true;
    change(argument, {unknown, unknown}, at, true);
    const clang::QualType type = pointee(argument->IgnoreImpCasts()->getType());
    if (const auto* record = user_class(type, values_.places_.sources()))
      values_.change(values_.variables_.members_of(record), unknown, at);
  };
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(parts.callee);
  if (parts.object != nullptr) give(parts.object, method == nullptr || !method->isConst());
  for (std::size_t index = 0; index < parts.arguments.size(); ++index) {
    const auto* argument = parts.arguments[index];
    const clang::QualType type = parts.type_of(index);
    const bool is_object = user_class(type, values_.places_.sources()) != nullptr;
    give(argument, can_be_written_through(type) || (parts.callee == nullptr && argument->isLValue()) ||
                       (is_handle_object(type) && !is_object));
  }
  clang::QualType made = parts.type.getNonReferenceType();
  if (made->isPointerType()) made = made->getPointeeType();
  if (const auto* record = user_class(made, values_.places_.sources());
      record != nullptr && (parts.callee == nullptr || !is_annotated_uniform(parts.callee)))
    values_.change(values_.variables_.members_of(record), unknown, at);
  if (parts.callee != nullptr && changes_only_arguments(parts.callee)) return {unknown, unknown};
  Event event;
  event.kind = EventKind::call;
  event.at = at;
  values_.emit(std::move(event));
  return {unknown, unknown};
}

Value Calls::lower(const clang::CXXConstructExpr* construct) {
  const clang::CXXConstructorDecl* constructor = construct->getConstructor();
  Parts parts;
  parts.callee = constructor;
  parts.whole = construct;
  parts.type = construct->getType();
  for (const auto* argument : construct->arguments()) parts.arguments.push_back(argument);
  const bool copies = constructor->isCopyOrMoveConstructor() && !parts.arguments.empty();
  if (const int index = values_.functions_.index_of(constructor); index >= 0) {
    seen(parts, index);
    return {values_.members(construct->getType(), values_.at(construct)), {}};
  }
  if (copies) return {values_.value(parts.arguments.front()), values_.length(parts.arguments.front())};
  const auto* record = user_class(construct->getType(), values_.places_.sources());
  if (record != nullptr && (constructor->isDefaulted() || constructor->isImplicit())) {
    Uses uses;
    const Location here = values_.at(construct);
    for (const auto& base : record->bases()) append(uses, values_.members(base.getType(), here));
    for (const auto* field : record->fields()) {
      const int member = values_.variables_.of(field);
      if (member >= 0 && field->hasInClassInitializer()) uses.push_back({member, -1, Unknown::no, here});
      append(uses, values_.members(clang::QualType(field->getType()->getBaseElementTypeUnsafe(), 0), here));
    }
    return {uses, {}};
  }
  if (constructor->getParent()->isLambda()) return {values_.children(construct), {}};
  if (known(constructor) == Known::unknown) return unseen(parts);
  Value result;
  result.uses = everything(parts);
  if (parts.arguments.empty()) return result;
  const auto* only = parts.arguments.front();
  if (is_handle_object(parts.type) && !has_length(parts.type) && is_handle(only->getType()) &&
      parts.arguments.size() == 1)
    return {values_.value(only), {}};  // an iterator of another kind
  make_objects(parts);
  result.length = length_made(parts, result.uses);
  call_back(parts, result.uses, result);
  return result;
}

}  // namespace kanor::host
