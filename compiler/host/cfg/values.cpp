// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/values.hpp"

#include <algorithm>

#include "host/cfg/calls.hpp"

namespace kanor::host {

using flow::Location;
using flow::Unknown;
using flow::Use;
using flow::Uses;

namespace {

/// The first variable in the expression that a range-for declares implicitly.
const clang::VarDecl* loops_own(const clang::Stmt* expression) {
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    return variable != nullptr && variable->isImplicit() && variable->hasInit() ? variable : nullptr;
  }
  for (const clang::Stmt* child : expression->children())
    if (const auto* found = child == nullptr ? nullptr : loops_own(child)) return found;
  return nullptr;
}

}  // namespace

void append(Uses& uses, const Uses& more) {
  for (const Use& use : more)
    if (std::find(uses.begin(), uses.end(), use) == uses.end()) uses.push_back(use);
}

void append(std::vector<int>& variables, const std::vector<int>& more) {
  for (const int one : more)
    if (one >= 0 && std::find(variables.begin(), variables.end(), one) == variables.end())
      variables.push_back(one);
}

void Values::enter(int function, const clang::FunctionDecl* declaration) {
  function_ = function;
  declaration_ = declaration;
  lowered_.clear();
  ended_.clear();
  if (declaration != nullptr) keep_all_in(declaration->getBody());
}

Location Values::at(const clang::Expr* expression) const {
  // What the loop makes stands at its colon.
  while (expression->getBeginLoc() == expression->getEndLoc()) {
    const auto* variable = loops_own(expression);
    if (variable == nullptr) break;
    expression = variable->getInit();
  }
  return places_.of(expression->getSourceRange());
}

int Values::this_variable() const {
  for (const clang::DeclContext* context = declaration_; context != nullptr; context = context->getParent()) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(context);
    if (method != nullptr && Functions::has_this(method)) return variables_.this_of(method);
  }
  return -1;
}

Uses Values::children(const clang::Expr* expression) {
  Uses uses;
  for (const clang::Stmt* child : expression->children())
    if (const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child)) append(uses, value(part));
  return uses;
}

Uses Values::variable_uses(const clang::ValueDecl* declaration, Location at) {
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
    functions_.give_away(function);
    return {};
  }
  if (const auto* binding = llvm::dyn_cast<clang::BindingDecl>(declaration)) {
    Uses uses = binding->getHoldingVar() != nullptr ? variable_uses(binding->getHoldingVar(), at)
                : binding->getBinding() != nullptr  ? content(binding->getBinding())
                                                    : Uses{};
    for (Use& use : uses) use.at = at;
    return uses;
  }
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
  if (variable == nullptr || places_.is_in_block(variable->getLocation())) return {};
  if (variable->isUsableInConstantExpressions(context_) && variable->getType()->isScalarType()) return {};
  const int which = variables_.of(variable);
  if (is_team(variable->getType())) return which < 0 ? Uses{} : Uses{{which, -1, Unknown::team_size, at}};
  if (which < 0) return is_known_variable(variable) ? Uses{} : Uses{{-1, -1, Unknown::memory, at}};
  Uses uses{{which, -1, Unknown::no, at}};
  if (!variable->getType()->isReferenceType()) return uses;
  for (const int referent : variables_.referents(which)) append(uses, {{referent, -1, Unknown::no, at}});
  append(uses, members(variable->getType(), at));
  return uses;
}

/// The members of a class of the program, in all of its objects.
Uses Values::members(clang::QualType type, Location at) {
  Uses uses;
  if (const auto* record = user_class(type, places_.sources()))
    for (const int member : variables_.members_of(record)) uses.push_back({member, -1, Unknown::no, at});
  return uses;
}

Uses Values::base_selector(const clang::MemberExpr* member) {
  return member->isArrow() ? value(member->getBase()) : selector(member->getBase());
}

/// The variable that an expression designates a part of, without a reference or pointer in between; -1: none.
int Values::object_of(const clang::Expr* expression) {
  expression = expression->IgnoreParenImpCasts();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression))
    return member->isArrow() ? -1 : object_of(member->getBase());
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression))
    return element->getBase()->IgnoreImpCasts()->getType()->isArrayType() ? object_of(element->getBase())
                                                                          : -1;
  if (const auto* made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression))
    return object_of(made->getSubExpr());
  if (const auto* made = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expression))
    return object_of(made->getSubExpr());
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) return object_returned_by(call);
  return whole_variable(expression);
}

/// The variable of the object that a call of a seen function returns by value; -1: none.
int Values::object_returned_by(const clang::CallExpr* call) {
  if (call->isGLValue() || user_class(call->getType(), places_.sources()) == nullptr) return -1;
  const Uses& uses = this->call(call).uses;
  if (uses.size() != 1 || uses.front().variable < 0 || uses.front().unknown != Unknown::no) return -1;
  return variables_[uses.front().variable].kind == flow::VariableKind::result ? uses.front().variable : -1;
}

/// Returns true for a reference parameter that is its function's only name for the object; not for classes of
/// the program, whose members have names too.
bool Values::stands_for_object(const clang::VarDecl* reference) const {
  return llvm::isa<clang::ParmVarDecl>(reference) &&
         user_class(reference->getType(), places_.sources()) == nullptr;
}

int Values::whole_variable(const clang::Expr* expression) {
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression->IgnoreParenImpCasts()))
    return variables_.part_of(member);
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  if (variable == nullptr || (variable->getType()->isReferenceType() && !stands_for_object(variable)))
    return -1;
  return places_.is_in_block(variable->getLocation()) ? -1 : variables_.of(variable);
}

Uses Values::member_uses(const clang::MemberExpr* member, bool wants_length) {
  const Location here = at(member);
  if (is_asserted(member)) return {};
  if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl())) {
    if (!wants_length) return variable_uses(variable, here);
    return lengths_of({variables_.of(variable)}, here);
  }
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
  if (field == nullptr) return {};
  if (const int part = variables_.part_of(member); part >= 0) {
    if (is_team(field->getType())) return {{part, -1, Unknown::team_size, here}};
    return wants_length ? lengths_of({part}, here) : Uses{{part, -1, Unknown::no, here}};
  }
  int which = variables_.of(field);
  if (which < 0) return reached(member->getBase());
  if (is_team(field->getType())) return {{which, -1, Unknown::team_size, here}};
  if (wants_length) which = variables_.length_of(which);
  if (which < 0) return {};
  Uses uses = base_selector(member);
  const int object = object_of(member);
  uses.push_back({which, object, Unknown::no, here});
  // Through a reference or pointer it may be an object that other files change, or bytes of other variables.
  if (object < 0)
    for (const int root : roots(member->getBase()))
      if (variables_[root].other_files || is_other_memory(root, which))
        append(uses, {{root, -1, Unknown::no, here}});
  if (!wants_length && field->getType()->isReferenceType()) append(uses, members(field->getType(), here));
  return uses;
}

Uses Values::content(const clang::Expr* expression) {
  expression = expression->IgnoreParens();
  const Location here = at(expression);
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression))
    return variable_uses(name->getDecl(), here);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression)) return member_uses(member, false);
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
    Uses uses = reached(element->getBase());
    append(uses, value(element->getIdx()));
    return uses;
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
    return unary->getOpcode() == clang::UO_Deref ? reached(unary->getSubExpr()) : value(unary->getSubExpr());
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    if (binary->isPtrMemOp()) return pointed_members(binary);
    return binary->isAssignmentOp() ? content(binary->getLHS()) : value(binary->getRHS());
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression)) return content(cast->getSubExpr());
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) return this->call(call).uses;
  return children(expression);
}

Uses Values::value(const clang::Expr* expression) {
  if (expression == nullptr) return {};
  expression = expression->IgnoreParens();
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression)) return this->cast(cast);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression);
      unary != nullptr && unary->getOpcode() == clang::UO_AddrOf)
    return selector(unary->getSubExpr());
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
      binary != nullptr && binary->isRelationalOp() && are_of_two_objects(binary->getLHS(), binary->getRHS()))
    return {{-1, -1, Unknown::address, at(expression)}};
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
      binary != nullptr && forks_.is_asked_for_child(binary, context_))
    return {};
  if (llvm::isa<clang::CXXThisExpr>(expression)) {
    const int which = this_variable();
    return which < 0 ? Uses{} : Uses{{which, -1, Unknown::no, at(expression)}};
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) return this->call(call).uses;
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) return construct(made).uses;
  if (const auto* given = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expression))
    return value(given->getExpr());
  if (const auto* given = llvm::dyn_cast<clang::CXXDefaultInitExpr>(expression))
    return value(given->getExpr());
  if (const auto* same = llvm::dyn_cast<clang::OpaqueValueExpr>(expression))
    return value(same->getSourceExpr());
  if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expression)) {
    Uses uses = value(bound->getSubExpr());
    end(bound);
    return uses;
  }
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expression)) return this->list(list);
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::CXXNoexceptExpr, clang::CXXTypeidExpr>(expression))
    return {};
  if (llvm::isa<clang::VAArgExpr, clang::AtomicExpr>(expression))
    return {{-1, -1, Unknown::memory, at(expression)}};
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(expression)) {
    Uses uses;
    auto init = lambda->capture_init_begin();
    for (const auto& capture : lambda->captures())
      if (const auto* one = *init++; one != nullptr && capture.getCaptureKind() == clang::LCK_ByCopy)
        append(uses, value(one));
    return uses;
  }
  if (expression->isGLValue() && !llvm::isa<clang::MaterializeTemporaryExpr>(expression) &&
      !llvm::isa<clang::ExprWithCleanups>(expression) &&
      !llvm::isa<clang::AbstractConditionalOperator>(expression))
    return content(expression);
  return children(expression);
}

Uses Values::cast(const clang::CastExpr* cast) {
  switch (cast->getCastKind()) {
    case clang::CK_LValueToRValue:
      return content(cast->getSubExpr());
    case clang::CK_ArrayToPointerDecay:
      return selector(cast->getSubExpr());
    case clang::CK_PointerToIntegral:
      return {{-1, -1, Unknown::address, at(cast)}};
    case clang::CK_IntegralToBoolean:
      return forks_.gives_number(cast->getSubExpr()) ? Uses{} : value(cast->getSubExpr());
    default:
      return value(cast->getSubExpr());
  }
}

Uses Values::choice(const clang::SwitchStmt* choice) {
  return forks_.is_asked_for_child(choice, context_) ? Uses{} : value(choice->getCond());
}

Uses Values::list(const clang::InitListExpr* list) {
  if (list->isSyntacticForm() && list->getSemanticForm() != nullptr) list = list->getSemanticForm();
  const auto* record = user_class(list->getType(), places_.sources());
  if (record == nullptr) return children(list);
  if (record->isUnion()) {
    const auto* field = list->getInitializedFieldInUnion();
    return field != nullptr && list->getNumInits() == 1 ? initialise_member(field, list->getInit(0))
                                                        : children(list);
  }
  Uses uses;
  auto field = record->field_begin();
  unsigned bases = record->getNumBases();
  for (const clang::Expr* one : list->inits()) {
    while (field != record->field_end() && field->isUnnamedBitField()) ++field;
    const bool is_of_base = bases > 0 && bases-- > 0;
    append(uses, is_of_base || field == record->field_end() ? value(one) : initialise_member(*field++, one));
  }
  return uses;
}

Uses Values::holdings(const clang::Expr* handle, Location at) {
  Uses uses;
  for (const int root : roots(handle)) append(uses, {{root, -1, Unknown::no, at}});
  clang::QualType type = handle->getType();
  if (type->isPointerType()) append(uses, members(type->getPointeeType(), at));
  return uses;
}

Uses Values::reached(const clang::Expr* expression) {
  Uses uses = value(expression);
  if (is_handle(expression->getType()) || expression->IgnoreParenImpCasts()->getType()->isArrayType())
    append(uses, holdings(expression, at(expression)));
  return uses;
}

Uses Values::selector(const clang::Expr* expression) {
  expression = expression->IgnoreParens();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl()))
      functions_.give_away(function);
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr || !variable->getType()->isReferenceType() ||
        places_.is_in_block(variable->getLocation()) || is_team(variable->getType()))
      return {};
    // Who reads what it refers to uses the parameter anyway.
    if (stands_for_object(variable)) return {};
    const int which = variables_.of(variable);
    return which < 0 ? Uses{} : Uses{{which, -1, Unknown::no, at(expression)}};
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression)) return base_selector(member);
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
    Uses uses = value(element->getBase());
    append(uses, value(element->getIdx()));
    return uses;
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
    return unary->getOpcode() == clang::UO_Deref ? value(unary->getSubExpr()) : selector(unary->getSubExpr());
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression)) {
    if (cast->getSubExpr()->isGLValue()) return selector(cast->getSubExpr());
    return value(cast->getSubExpr());
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) return Calls(*this).selector(call);
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
      binary != nullptr && binary->isPtrMemOp())
    return member_selector(binary);
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
    Uses uses = value(choice->getCond());
    append(uses, selector(choice->getTrueExpr()));
    append(uses, selector(choice->getFalseExpr()));
    return uses;
  }
  return expression->isGLValue() && !llvm::isa<clang::MaterializeTemporaryExpr>(expression)
             ? Uses{}
             : value(expression);
}

Uses Values::lengths_of(const std::vector<int>& all, Location at) {
  Uses uses;
  for (const int one : all)
    if (const int length = one < 0 ? -1 : variables_.length_of(one); length >= 0)
      uses.push_back({length, -1, Unknown::no, at});
  return uses;
}

Uses Values::length(const clang::Expr* expression) {
  if (expression == nullptr) return {};
  expression = expression->IgnoreParenImpCasts();
  if (expression->getType()->isArrayType() || is_array_class(expression->getType())) return {};
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (field == nullptr || variables_.length_of(variables_.of(field)) >= 0) return member_uses(member, true);
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) return this->call(call).length;
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) return construct(made).length;
  if (llvm::isa<clang::MaterializeTemporaryExpr, clang::CXXBindTemporaryExpr, clang::ExprWithCleanups,
                clang::CXXFunctionalCastExpr, clang::CXXStdInitializerListExpr>(expression)) {
    Uses uses;
    for (const clang::Stmt* child : expression->children())
      append(uses, length(llvm::cast<clang::Expr>(child)));
    return uses;
  }
  if (llvm::isa<clang::InitListExpr, clang::StringLiteral>(expression)) return {};
  if (!has_length(expression->getType())) return value(expression);
  Uses uses = selector(expression);
  append(uses, lengths_meant(expression));
  return uses;
}

const Value& Values::call(const clang::CallExpr* call) {
  if (const auto found = lowered_.find(call); found != lowered_.end()) return found->second;
  Value value = Calls(*this).lower(call);
  return lowered_[call] = std::move(value);
}

const Value& Values::construct(const clang::CXXConstructExpr* construct) {
  if (const auto found = lowered_.find(construct); found != lowered_.end()) return found->second;
  Value value = Calls(*this).lower(construct);
  return lowered_[construct] = std::move(value);
}

}  // namespace kanor::host
