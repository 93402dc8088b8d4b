// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/address_finder.hpp"

#include <clang/AST/StmtCXX.h>

#include <algorithm>

#include "host/cfg/kinds.hpp"
#include "host/facts/travel.hpp"

namespace kanor::host {
namespace {

using Kind = AddressPlace::Kind;

AddressPlace member(const clang::Decl* field) { return {Kind::member, field}; }

/// The place that an assignment to this expression stores an address in.
AddressPlace place_of(const clang::Expr* place) {
  place = place->IgnoreParenImpCasts();
  if (const auto* member_expression = llvm::dyn_cast<clang::MemberExpr>(place))
    if (const auto* field = llvm::dyn_cast<clang::FieldDecl>(member_expression->getMemberDecl()))
      return member(field);
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place))
    if (element->getBase()->IgnoreImpCasts()->getType()->isArrayType()) return {Kind::element, nullptr};
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(place))
    if (call->getOperator() == clang::OO_Subscript && has_length(call->getArg(0)->getType()))
      return {Kind::element, nullptr};
  return {};
}

}  // namespace

bool AddressFinder::find(const clang::FunctionDecl* function) {
  function_ = function;
  values_.enter(functions_.index_of(function), function);
  changed_ = false;
  if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function))
    for (const auto* one : constructor->inits()) {
      if (one->getAnyMember() != nullptr && is_handle(one->getAnyMember()->getType()))
        store(member(one->getAnyMember()), values_.roots(one->getInit()));
      TraverseStmt(one->getInit());
    }
  TraverseStmt(function->getBody());
  return changed_;
}

bool AddressFinder::find(const clang::VarDecl* variable) {
  function_ = nullptr;
  values_.enter(-1, nullptr);
  changed_ = false;
  VisitVarDecl(const_cast<clang::VarDecl*>(variable));
  TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
  return changed_;
}

bool AddressFinder::find(const clang::FieldDecl* field) {
  function_ = nullptr;
  values_.enter(-1, nullptr);
  changed_ = false;
  if (is_handle(field->getType())) store(member(field), values_.roots(field->getInClassInitializer()));
  TraverseStmt(field->getInClassInitializer());
  return changed_;
}

/// Skips local classes: their functions, and those of lambdas, are walked separately.
bool AddressFinder::TraverseDecl(clang::Decl* declaration) {
  if (llvm::isa_and_nonnull<clang::CXXRecordDecl>(declaration)) return true;
  return TreeWalk::TraverseDecl(declaration);
}

bool AddressFinder::TraverseLambdaExpr(clang::LambdaExpr* lambda) {
  for (const auto& capture : lambda->captures())
    if (lambda->isInitCapture(&capture))
      if (auto* variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar())) VisitVarDecl(variable);
  for (clang::Expr* init : lambda->capture_inits())
    if (init != nullptr) TraverseStmt(init);
  return true;
}

void AddressFinder::refer(int variable, const std::vector<int>& found) {
  if (variable < 0) return;
  for (const int one : found) {
    auto& referents = variables_.referents(variable);
    if (one == variable || std::find(referents.begin(), referents.end(), one) != referents.end()) continue;
    referents.push_back(one);
    changed_ = true;
    if (variables_[variable].other_files) variables_[one].escapes = true;
    if (variables_[one].kind == flow::VariableKind::parameter &&
        variables_[one].function != variables_[variable].function)
      referring_[one].insert(variable);
  }
}

void AddressFinder::store(AddressPlace place, const std::vector<int>& variables) {
  changed_ |= stored_.store(place, variables);
}

bool AddressFinder::VisitVarDecl(clang::VarDecl* variable) {
  if (variable->getInit() != nullptr && is_handle(variable->getType()))
    refer(variables_.of(variable), values_.roots(variable->getInit()));
  return true;
}

bool AddressFinder::VisitCXXForRangeStmt(clang::CXXForRangeStmt* loop) {
  for (auto* statement : {loop->getRangeStmt(), loop->getBeginStmt(), loop->getEndStmt()})
    if (statement != nullptr)
      for (auto* declaration : statement->decls()) VisitVarDecl(llvm::cast<clang::VarDecl>(declaration));
  return VisitVarDecl(loop->getLoopVariable());
}

bool AddressFinder::VisitBinaryOperator(clang::BinaryOperator* assignment) {
  if (assignment->getOpcode() == clang::BO_Assign && is_handle(assignment->getLHS()->getType()))
    assign(assignment->getLHS(), assignment->getRHS());
  return true;
}

bool AddressFinder::VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* assignment) {
  if (assignment->getOperator() == clang::OO_Equal && is_handle(assignment->getArg(0)->getType()))
    assign(assignment->getArg(0), assignment->getArg(1));
  return true;
}

void AddressFinder::assign(const clang::Expr* place, const clang::Expr* value) {
  const auto found = values_.roots(value);
  const auto meant = values_.roots(place);
  bool is_variable = !meant.empty();
  for (const int root : meant) {
    const clang::QualType type = variables_.type_of(root);
    const auto& of = variables_[root];
    const bool is_pointer = !type.isNull() && is_handle(type);
    if (is_pointer) refer(root, found);
    if (of.other_files)
      for (const int one : found) variables_[one].escapes = true;
    if (!type.isNull() && !keeps_addresses(type)) continue;
    // What a parameter leads to is known to the function's callers.
    is_variable &=
        is_pointer && (of.kind == flow::VariableKind::local || of.kind == flow::VariableKind::global);
  }
  if (!is_followed(place) && !is_variable && !places_.is_in_block(place->getBeginLoc()))
    store(place_of(place), found);
}

bool AddressFinder::VisitReturnStmt(clang::ReturnStmt* returned) {
  if (function_ == nullptr || returned->getRetValue() == nullptr || !is_handle(function_->getReturnType()))
    return true;
  // Whoever calls it knows what it gave.
  auto found = values_.roots(returned->getRetValue());
  const int here = functions_.index_of(function_);
  std::erase_if(found, [&](int one) {
    return variables_[one].kind == flow::VariableKind::parameter && variables_[one].function == here;
  });
  store({Kind::result, function_}, found);
  return true;
}

bool AddressFinder::VisitExpr(clang::Expr* expression) {
  if (auto* list = llvm::dyn_cast<clang::InitListExpr>(expression)) {
    const bool is_as_written = list->isSyntacticForm() && list->getSemanticForm() != nullptr;
    if (is_as_written) list = list->getSemanticForm();
    store_parts(list->getType(), list->inits());
    // Conversions stand in the other form alone, which the walk passes by.
    if (is_as_written)
      for (clang::Expr* part : list->inits()) TraverseStmt(part);
  } else if (auto* list_in_parentheses = llvm::dyn_cast<clang::CXXParenListInitExpr>(expression)) {
    store_parts(list_in_parentheses->getType(), list_in_parentheses->getInitExprs());
  } else if (const auto* allocated = llvm::dyn_cast<clang::CXXNewExpr>(expression)) {
    if (allocated->getInitializer() != nullptr && is_handle(allocated->getAllocatedType()))
      store({}, values_.roots(allocated->getInitializer()));
  } else if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) {
    call({made->getConstructor(), nullptr, {made->arg_begin(), made->arg_end()}, made->getType()});
  } else if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression)) {
    const auto to = cast->getType(), from = cast->getSubExpr()->getType();
    if (to->isPointerType() && from->isPointerType() && is_byte(to->getPointeeType()) &&
        !is_byte(from->getPointeeType()))
      changed_ |= stored_.lead_as_bytes(values_.roots(cast->getSubExpr()));
  } else if (const auto* one = llvm::dyn_cast<clang::CallExpr>(expression)) {
    Call parts{one->getDirectCallee(), nullptr, {one->arg_begin(), one->arg_end()}, one->getType()};
    if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(one)) {
      parts.object = member->getImplicitObjectArgument();
    } else if (llvm::isa<clang::CXXOperatorCallExpr>(one) &&
               llvm::isa_and_nonnull<clang::CXXMethodDecl>(parts.callee) && !parts.arguments.empty()) {
      parts.object = parts.arguments.front();
      parts.arguments.erase(parts.arguments.begin());
    }
    call(parts);
  }
  return true;
}

void AddressFinder::store_parts(clang::QualType type, llvm::ArrayRef<clang::Expr*> parts) {
  const auto* record = type->getAsCXXRecordDecl();
  const bool has_members = record != nullptr && record->getNumBases() == 0 && !record->isUnion();
  auto field = has_members ? record->field_begin() : clang::RecordDecl::field_iterator();
  for (const clang::Expr* part : parts) {
    AddressPlace place{record == nullptr ? Kind::element : Kind::anywhere, nullptr};
    bool is_address = is_handle(part->getType()) || (record != nullptr && part->isLValue());
    if (has_members) {
      while (field != record->field_end() && field->isUnnamedBitField()) ++field;
      if (field == record->field_end()) return;
      is_address = is_handle(field->getType());
      place = member(*field++);
    }
    if (is_address) store(place, values_.roots(part));
  }
}

void AddressFinder::call(const Call& made) {
  if (made.callee == nullptr || places_.is_in_block(made.callee->getLocation())) return;
  const auto seen = functions_.run_by(made.callee);
  for (const int one : seen) pass(made, functions_.all()[static_cast<std::size_t>(one)]);
  if (seen.empty()) keep(made);
}

/// Applies to each argument what the callee is known to do with its parameter.
void AddressFinder::pass(const Call& made, const clang::FunctionDecl* callee) {
  for (unsigned at = 0; at < callee->getNumParams() && at < made.arguments.size(); ++at) {
    const clang::QualType type = callee->getParamDecl(at)->getType();
    const int parameter = variables_.of(callee->getParamDecl(at));
    if (parameter < 0 || !is_handle(type)) continue;
    const auto places = stored_.places_of(parameter);
    const auto referring = referring_.find(parameter);
    const bool is_plain = type->isReferenceType() || type->isPointerType();
    const bool leads_to_handle = is_plain && is_handle(type->getPointeeType());
    const bool as_bytes = stored_.leads_as_bytes(parameter);
    if (places.empty() && referring == referring_.end() && !leads_to_handle && !as_bytes) continue;
    const auto given = values_.roots(made.arguments[at]);
    if (as_bytes) changed_ |= stored_.lead_as_bytes(given);
    for (const AddressPlace place : places) store(place, given);
    if (referring != referring_.end())
      for (const int other : std::set<int>(referring->second)) refer(other, given);
    if (!leads_to_handle) continue;
    // What is assigned to the pointer there, and what it leads to there, is not the function's own.
    std::vector<int> assigned;
    for (const int one : variables_.referents(parameter)) {
      const auto own = std::find_if(callee->param_begin(), callee->param_end(), [&](const auto* other) {
        return other != callee->getParamDecl(at) && variables_.of(other) == one;
      });
      const auto which = static_cast<std::size_t>(own - callee->param_begin());
      if (own == callee->param_end())
        assigned.push_back(one);
      else if (which < made.arguments.size())
        for (const int root : values_.roots(made.arguments[which])) assigned.push_back(root);
    }
    for (const int one : given) {
      const clang::QualType declared = variables_.type_of(one);
      if (declared.isNull() || !is_handle(declared)) continue;
      store({}, std::vector<int>(variables_.referents(one)));
      refer(one, assigned);
    }
  }
}

/// Notes that a library function may store the addresses that it is given in its object or its result, if
/// that is of a type that can hold them.
void AddressFinder::keep(const Call& made) {
  if (is_transparent(made.callee)) return;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(made.callee);
  const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(made.callee);
  if (constructor != nullptr && constructor->isCopyOrMoveConstructor()) return;
  if (known(made.callee) == Known::observer || known(made.callee) == Known::length) return;
  std::vector<clang::QualType> keepers;
  if (made.object != nullptr && method != nullptr && !method->isConst())
    keepers.push_back(made.object->getType());
  if (!made.result->isReferenceType() && !made.result->isPointerType()) keepers.push_back(made.result);
  const auto is_of_program = [&](clang::QualType type) {
    return user_class(type, places_.sources()) != nullptr;
  };
  bool addresses = false, references = false, in_members = false;
  for (const clang::QualType keeper : keepers) {
    // The library may make an object of the program's, whose members then keep the addresses.
    const clang::QualType kept = is_smart_pointer(keeper) ? first_type_argument(keeper) : keeper;
    if (is_handle(kept) || !keeps_addresses(kept)) continue;
    addresses = true;
    references |= keeps_references(kept);
    in_members |= is_of_program(kept) || has_elements(kept.getNonReferenceType(), is_of_program);
  }
  std::vector<int> all;
  const auto roots_of = [&](const clang::Expr* argument) {
    for (const int one : values_.roots(argument)) all.push_back(one);
  };
  if (addresses)
    for (const auto* argument : made.arguments)
      if (is_handle(argument->getType()) || (references && argument->isGLValue())) roots_of(argument);
  store({in_members ? Kind::anywhere : Kind::element, nullptr}, all);
  if (made.object != nullptr && !all.empty())
    for (const int root : values_.roots(made.object))
      if (variables_[root].other_files)
        for (const int one : all) variables_[one].escapes = true;
  // What calls back a function may give it anything that it was given.
  for (const auto* argument : made.arguments)
    for (const auto* called : functions_.call_operators(callable_class(argument)))
      for (const auto* parameter : called->parameters()) {
        const auto places = stored_.places_of(variables_.of(parameter));
        if (places.empty()) continue;
        all.clear();
        for (const auto* other : made.arguments) roots_of(other);
        for (const AddressPlace place : places) store(place, all);
      }
}

}  // namespace kanor::host
