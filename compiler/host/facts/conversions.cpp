// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/conversions.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Sema/EnterExpressionEvaluationContext.h>
#include <clang/Sema/Lookup.h>

#include <algorithm>
#include <optional>

#include "host/facts/travel.hpp"

namespace kanor::host {
namespace {

using sema::Fit;
using sema::Fold;

/// A scope in which Sema's errors are suppressed, and nothing is marked as used or instantiated.
class Trial {
 public:
  explicit Trial(clang::Sema& sema)
      : context_(sema, clang::Sema::ExpressionEvaluationContext::Unevaluated), trap_(sema, true) {}
  bool holds(const clang::ExprResult& result) const {
    return !result.isInvalid() && !trap_.hasErrorOccurred();
  }

 private:
  clang::EnterExpressionEvaluationContext context_;
  clang::Sema::SFINAETrap trap_;
};

/// A type that folds and assigns by its elements.
struct List {
  clang::QualType element;
  std::optional<std::uint64_t> length;  ///< of fixed-size lists
  bool is_vector = false;
};

std::optional<List> as_list(clang::QualType type, clang::ASTContext& context) {
  if (const auto* array = context.getAsConstantArrayType(type))
    return List{array->getElementType(), array->getSize().getZExtValue(), false};
  const std::string name = is_buffer(type) ? "vector" : standard_template(type);
  if (name != "vector" && name != "array") return std::nullopt;
  List list{first_type_argument(type), std::nullopt, name == "vector"};
  if (list.element.isNull()) return std::nullopt;
  if (type.isConstQualified()) list.element.addConst();
  const auto* specialization = llvm::cast<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  const auto& arguments = specialization->getTemplateArgs();
  if (name == "array" && arguments.size() == 2 && arguments[1].getKind() == clang::TemplateArgument::Integral)
    list.length = arguments[1].getAsIntegral().getZExtValue();
  return list;
}

/// Returns true for an object with a call operator that is a template. Asking if it takes a type compiles its
/// body, unless it is transparent as std::plus<> is.
bool is_generic(const clang::Expr* callable, clang::ASTContext& context) {
  const auto* record = callable == nullptr ? nullptr : callable->getType()->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition()) return false;
  if (!record->lookup(&context.Idents.get("is_transparent")).empty()) return false;
  const auto found = record->lookup(context.DeclarationNames.getCXXOperatorName(clang::OO_Call));
  return std::any_of(found.begin(), found.end(), [](const clang::NamedDecl* declaration) {
    return llvm::isa<clang::FunctionTemplateDecl>(declaration->getUnderlyingDecl());
  });
}

bool is_text(clang::QualType type) { return standard_template(type) == "basic_string"; }

/// The number of lists that are nested around the innermost element type.
int levels_of(clang::QualType type, clang::ASTContext& context) {
  int levels = 0;
  while (const auto list = is_text(type) ? std::nullopt : as_list(type, context)) {
    type = list->element.getUnqualifiedType();
    ++levels;
  }
  return levels;
}

clang::BinaryOperatorKind opcode(syntax::Operator op) {
  switch (op) {
    case syntax::Operator::add:
      return clang::BO_Add;
    case syntax::Operator::multiply:
      return clang::BO_Mul;
    case syntax::Operator::bit_and:
      return clang::BO_And;
    case syntax::Operator::bit_or:
      return clang::BO_Or;
    case syntax::Operator::bit_xor:
      return clang::BO_Xor;
    case syntax::Operator::logical_and:
      return clang::BO_LAnd;
    case syntax::Operator::logical_or:
      return clang::BO_LOr;
    default:
      return clang::BO_LT;  // min and max compare
  }
}

}  // namespace

clang::Expr* Conversions::standing_for(clang::QualType type, clang::ExprValueKind kind) {
  return new (sema_.Context) clang::OpaqueValueExpr(clang::SourceLocation(), type, kind);
}

bool Conversions::assigns(clang::QualType place, clang::ExprValueKind kind, clang::QualType value) {
  Trial trial(sema_);
  return trial.holds(sema_.BuildBinOp(nullptr, clang::SourceLocation(), clang::BO_Assign,
                                      standing_for(place, kind), standing_for(value, clang::VK_XValue)));
}

Conversions::FitResult Conversions::fit(clang::Expr* place, clang::QualType value) {
  return fit(place->getType(), place->getValueKind(), value);
}

Conversions::FitResult Conversions::fit(clang::QualType place, clang::ExprValueKind kind,
                                        clang::QualType value) {
  const FitResult no{Fit::no_assignment, 0, 0};
  if (place->isAnyPointerType() || place->isMemberPointerType()) return no;
  const std::string place_template = standard_template(place);
  if (place_template == "basic_string_view" || place_template == "span") return no;
  const auto place_list = as_list(place, sema_.Context), value_list = as_list(value, sema_.Context);
  const bool place_is_array = place->isArrayType(), value_is_array = value->isArrayType();
  if (value_is_array && !place_is_array && place->isScalarType()) return no;
  if (!place_is_array && !(value_is_array && place_list) && assigns(place, kind, value)) return {};
  if (!place_list || !value_list || (place_list->is_vector && value_list->is_vector)) return no;
  if (place_list->length && value_list->length && *place_list->length != *value_list->length)
    return {Fit::lengths_differ, *place_list->length, *value_list->length};
  return fit(place_list->element, clang::VK_LValue, value_list->element.getUnqualifiedType());
}

sema::AssignmentObstacle Conversions::obstacle(clang::QualType type) {
  using Kind = sema::AssignmentObstacle::Kind;
  while (const auto list = as_list(type, sema_.Context)) type = list->element;
  type = sema_.Context.getBaseElementType(type).getUnqualifiedType();
  auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !sema_.isCompleteType(record->getLocation(), type)) return {};
  record = record->getDefinition();
  const std::string owner = spelled(type, sema_);
  const auto* assignment = sema_.LookupCopyingAssignment(record, clang::Qualifiers::Const, false, 0);
  if (assignment == nullptr) return {};
  if (assignment->getAccess() == clang::AS_private || assignment->getAccess() == clang::AS_protected)
    return {Kind::inaccessible, {}, owner};
  if (!assignment->isDeleted()) return {};
  if (!assignment->isImplicit() && !assignment->isExplicitlyDefaulted()) return {Kind::deleted, {}, owner};
  for (const clang::FieldDecl* field : record->fields()) {
    if (field->getType()->isReferenceType()) return {Kind::reference, field->getNameAsString(), owner};
    if (sema_.Context.getBaseElementType(field->getType()).isConstQualified())
      return {Kind::constant, field->getNameAsString(), owner};
  }
  for (const auto& base : record->bases())
    if (auto found = obstacle(base.getType()); found.kind != Kind::none) return found;
  for (const clang::FieldDecl* field : record->fields())
    if (auto found = obstacle(field->getType()); found.kind != Kind::none) return found;
  const bool moves = record->hasUserDeclaredMoveConstructor() || record->hasUserDeclaredMoveAssignment();
  return {moves ? Kind::moves : Kind::deleted, {}, owner};
}

/// Takes a list apart, arrays in it too, until an element and the other side's fit. `count` becomes the
/// number of such elements.
Conversions::FitResult Conversions::fit_list(clang::QualType list, clang::QualType element,
                                             bool list_is_place, std::optional<std::uint64_t>& count) {
  FitResult result{Fit::no_assignment, 0, 0};
  auto row = as_list(list, sema_.Context);
  if (is_text(list)) row = List{first_type_argument(list), std::nullopt, true};
  if (!row) return result;
  count = row->length;
  while (row) {
    const clang::QualType inner = list_is_place ? row->element : row->element.getUnqualifiedType();
    result = list_is_place ? fit(inner, clang::VK_LValue, element) : fit(element, clang::VK_LValue, inner);
    if (result.fit != Fit::no_assignment) return result;
    const bool was_vector = list_is_place && row->is_vector;
    row = was_vector ? std::nullopt : as_list(inner, sema_.Context);
    if (row && !row->length) return result;
    if (row && count) count = *count * *row->length;
  }
  return result;
}

Conversions::FitResult Conversions::fit_elements(const Side& place, const Side& value) {
  std::optional<std::uint64_t> place_count = place.count, value_count = value.count;
  FitResult result;
  if (!place.is_section)
    result = fit_list(place.type, value.type, true, place_count);
  else if (!value.is_section)
    result = fit_list(value.type, place.type, false, value_count);
  else
    result = fit(place.type, clang::VK_LValue, value.type);
  if (result.fit == Fit::fits && place_count && value_count && *place_count != *value_count)
    return {Fit::lengths_differ, *place_count, *value_count};
  return result;
}

bool Conversions::is_condition(clang::Expr* expression) {
  Trial trial(sema_);
  return trial.holds(sema_.PerformContextuallyConvertToBool(
      standing_for(expression->getType(), expression->getValueKind())));
}

/// Returns true if two values can be combined in one of the ways open to the runtime: as constants, or by
/// moving them.
bool Conversions::folds_whole(syntax::Operator op, clang::Expr* callable, clang::QualType type) {
  const clang::QualType constant = type.withConst();
  if (combines(op, callable, type, standing_for(constant, clang::VK_LValue),
               standing_for(constant, clang::VK_LValue)))
    return true;
  if (op == syntax::Operator::add)
    return combines(op, callable, type, standing_for(type, clang::VK_XValue),
                    standing_for(constant, clang::VK_LValue));
  return op == syntax::Operator::callable &&
         combines(op, callable, type, standing_for(type, clang::VK_XValue),
                  standing_for(type, clang::VK_XValue));
}

bool Conversions::combines(syntax::Operator op, clang::Expr* callable, clang::QualType type, clang::Expr* a,
                           clang::Expr* b) {
  clang::QualType result_type;
  {
    Trial trial(sema_);
    clang::Sema::GlobalEagerInstantiationScope pending(sema_, op == syntax::Operator::callable);
    clang::Expr* operands[2] = {a, b};
    const clang::ExprResult result =
        op == syntax::Operator::callable
            ? sema_.BuildCallExpr(nullptr, callable, clang::SourceLocation(), operands,
                                  clang::SourceLocation())
            : sema_.BuildBinOp(nullptr, clang::SourceLocation(), opcode(op), a, b);
    if (op == syntax::Operator::callable) compile_bodies(result, pending);
    if (!trial.holds(result)) return false;
    if (op == syntax::Operator::min || op == syntax::Operator::max)
      return trial.holds(sema_.PerformContextuallyConvertToBool(result.get()));
    result_type = result.get()->getType();
  }
  return !result_type->isVoidType() && assigns(type, clang::VK_LValue, result_type);
}

/// The same without any message, whatever errors the called function's body has.
bool Conversions::folds_quietly(syntax::Operator op, clang::Expr* callable, clang::QualType type) {
  clang::DiagnosticsEngine& messages = sema_.getDiagnostics();
  const clang::DiagnosticErrorTrap trap(messages);
  const bool before = messages.getSuppressAllDiagnostics();
  messages.setSuppressAllDiagnostics(true);
  const bool folds = folds_whole(op, callable, type) && !trap.hasErrorOccurred();
  messages.setSuppressAllDiagnostics(before);
  return folds;
}

/// Compiles the body of the called function, and those of templates that it calls in turn: they may have
/// errors, and a template with a declared return type is called without a look at its body. Clang compiles a
/// body only once; one that has failed is invalid from then on.
void Conversions::compile_bodies(const clang::ExprResult& result,
                                 clang::Sema::GlobalEagerInstantiationScope& pending) {
  const clang::DiagnosticErrorTrap trap(sema_.getDiagnostics());
  const auto* call =
      result.isUsable() ? llvm::dyn_cast<clang::CallExpr>(result.get()->IgnoreImplicit()) : nullptr;
  auto* callee = const_cast<clang::FunctionDecl*>(call == nullptr ? nullptr : call->getDirectCallee());
  const bool is_template = callee != nullptr && callee->isTemplateInstantiation();
  if (is_template && !callee->isDefined())
    sema_.InstantiateFunctionDefinition(callee->getLocation(), callee, true);
  pending.perform();
  if (is_template && trap.hasErrorOccurred()) callee->setInvalidDecl();
}

/// Finds out how a value is combined: a list as a whole if the callable takes it, else element by element.
/// Errors in the body of a template are reported last, for the value that is no list.
Conversions::FoldResult Conversions::fold(syntax::Operator op, clang::Expr* callable, clang::QualType type) {
  const bool is_tried = callable != nullptr &&
                        (llvm::isa<clang::OverloadExpr>(callable) || is_generic(callable, sema_.Context));
  FoldResult result;
  for (bool is_outermost = true;; is_outermost = false) {
    const auto list = is_text(type) ? std::nullopt : as_list(type, sema_.Context);
    const bool may_take_it = !list || (op == syntax::Operator::callable && !type->isArrayType());
    const auto folds = list && is_tried ? &Conversions::folds_quietly : &Conversions::folds_whole;
    if (may_take_it && (this->*folds)(op, callable, type)) {
      result.fold = is_outermost ? Fold::whole : Fold::elementwise;
      if (is_tried && (list || !is_outermost)) result.list_levels = levels_of(type, sema_.Context);
      return result;
    }
    if (!list) break;
    type = list->element.getUnqualifiedType();
  }
  result.culprit = type;
  return result;
}

}  // namespace kanor::host
