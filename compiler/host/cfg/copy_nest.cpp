// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/copy_nest.hpp"

#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <set>

#include "host/cfg/library_effects.hpp"
#include "host/cfg/linear_addresses.hpp"
#include "host/cfg/steady_numbers.hpp"
#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

/// The variable that the statement increments by one; null if it does something else.
const clang::VarDecl* incremented(const clang::Stmt* statement) {
  const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
  if (expression == nullptr) return nullptr;
  expression = expression->IgnoreParenImpCasts();
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
    return unary->isIncrementOp() ? variable_of(unary->getSubExpr()) : nullptr;
  return nullptr;
}

/// The statement itself, or the only one in its braces.
std::vector<const clang::Stmt*> parts_of(const clang::Stmt* body) {
  const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(body);
  if (compound == nullptr) return {body};
  std::vector<const clang::Stmt*> parts;
  for (const clang::Stmt* part : compound->body()) {
    if (llvm::isa<clang::NullStmt>(part)) continue;
    const auto inner = parts_of(part);
    parts.insert(parts.end(), inner.begin(), inner.end());
  }
  return parts;
}

class Reader {
 public:
  Reader(const clang::ASTContext& context, const ChangedVariables& changed)
      : context_(context), changed_(changed) {}

  CopyNest read(const clang::ForStmt* loop) {
    nest_.outermost = loop;
    std::vector<const clang::Stmt*> parts{loop};
    while (parts.size() == 1 && llvm::isa<clang::ForStmt>(parts.front())) {
      const auto* inner = llvm::cast<clang::ForStmt>(parts.front());
      if (!add(inner)) return std::move(nest_);
      parts = parts_of(inner->getBody());
    }
    if (parts.empty() || !find_elements(parts)) refuse("it does more than copy elements one by one", loop);
    if (nest_.obstacle.empty()) check();
    return std::move(nest_);
  }

 private:
  bool refuse(std::string why, const clang::Stmt* at) {
    if (nest_.obstacle.empty()) {
      nest_.obstacle = std::move(why);
      nest_.obstacle_at = at;
    }
    return false;
  }

  /// Adds the loop, whose counter nothing else changes.
  bool add(const clang::ForStmt* loop) {
    constexpr const char* unknown = "kanorc does not know what this loop counts";
    CopyNest::Loop made;
    if (const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
        declared != nullptr && declared->isSingleDecl()) {
      made.counter = llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl());
      made.first = made.counter == nullptr ? nullptr : made.counter->getInit();
    } else if (const auto* assigned = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInit());
               assigned != nullptr && assigned->getOpcode() == clang::BO_Assign) {
      made.counter = variable_of(assigned->getLHS());
      made.first = assigned->getRHS();
      made.is_outside = true;
    }
    const auto* condition = llvm::dyn_cast_or_null<clang::BinaryOperator>(
        loop->getCond() == nullptr ? nullptr : loop->getCond()->IgnoreParenImpCasts());
    if (made.counter == nullptr || made.first == nullptr || condition == nullptr ||
        !is_number(made.counter) || variable_of(condition->getLHS()) != made.counter ||
        loop->getConditionVariable() != nullptr || nest_.has_counter(made.counter))
      return refuse(unknown, loop);
    made.step = step_of(loop->getInc(), made.counter);
    made.limit = condition->getRHS();
    using enum clang::BinaryOperatorKind;
    const auto op = condition->getOpcode();
    const bool ascends = op == clang::BO_LT || op == clang::BO_LE || (op == clang::BO_NE && made.step == 1);
    const bool descends = op == clang::BO_GT || op == clang::BO_GE;
    // An unsigned counter that goes down may pass zero, and with `!=` one that begins above its limit wraps.
    const bool is_signed = made.counter->getType()->isSignedIntegerType();
    if (made.step == 0 || !(made.step > 0 ? ascends : descends && is_signed) ||
        (op == clang::BO_NE && !is_signed))
      return refuse(unknown, loop);
    made.is_inclusive = op == clang::BO_LE || op == clang::BO_GE;
    nest_.loops.push_back(made);
    return true;
  }

  bool is_number(const clang::VarDecl* variable) const {
    const clang::QualType type = variable->getType();
    return variable->hasLocalStorage() && type->isIntegerType() && !type->isBooleanType() &&
           !type->isEnumeralType() && !type.isVolatileQualified() && context_.getTypeSize(type) >= 32 &&
           !changed_.is_referenced(variable);
  }

  long long step_of(const clang::Expr* increment, const clang::VarDecl* counter) const {
    if (increment == nullptr) return 0;
    increment = increment->IgnoreParenImpCasts();
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(increment))
      return !unary->isIncrementDecrementOp() || variable_of(unary->getSubExpr()) != counter ? 0
             : unary->isIncrementOp()                                                        ? 1
                                                                                             : -1;
    const auto* moved = llvm::dyn_cast<clang::BinaryOperator>(increment);
    if (moved == nullptr || variable_of(moved->getLHS()) != counter) return 0;
    const long long by = constant_of(moved->getRHS(), context_).value_or(0);
    return moved->getOpcode() == clang::BO_AddAssign   ? by
           : moved->getOpcode() == clang::BO_SubAssign ? -by
                                                       : 0;
  }

  /// Finds the two elements: of an assignment, after which the running number may be incremented.
  bool find_elements(const std::vector<const clang::Stmt*>& parts) {
    const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(parts.front());
    if (assignment == nullptr || assignment->getOpcode() != clang::BO_Assign || parts.size() > 2)
      return false;
    nest_.target = assignment->getLHS()->IgnoreParens();
    const auto* load = llvm::dyn_cast<clang::ImplicitCastExpr>(assignment->getRHS()->IgnoreParens());
    if (load == nullptr || load->getCastKind() != clang::CK_LValueToRValue) return false;
    nest_.source = load->getSubExpr()->IgnoreParens();
    const clang::VarDecl* behind = nullptr;
    if (parts.size() == 2 && (behind = incremented(parts[1])) == nullptr) return false;
    for (const clang::Expr* element : {nest_.target, nest_.source}) find_running(element, behind);
    return parts.size() == 1 || nest_.running == behind;
  }

  /// Notes the element's subscript if it is the running number: `k++`, or `k`, which is incremented behind.
  void find_running(const clang::Expr* element, const clang::VarDecl* behind) {
    const clang::Expr *base = nullptr, *index = nullptr;
    if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(element)) {
      base = subscript->getBase();
      index = subscript->getIdx();
    } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(element);
               call != nullptr && call->getOperator() == clang::OO_Subscript) {
      base = call->getArg(0);
      index = call->getArg(1);
    }
    if (base == nullptr || variable_of(base) == nullptr) return;
    index = index->IgnoreParenImpCasts();
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(index);
    const clang::VarDecl* const by_itself = unary != nullptr && unary->getOpcode() == clang::UO_PostInc
                                                ? variable_of(unary->getSubExpr())
                                                : nullptr;
    const clang::VarDecl* const found = behind != nullptr ? variable_of(index) : by_itself;
    if (found == nullptr || (behind != nullptr && found != behind) || nest_.running != nullptr) return;
    nest_.running = found;
    nest_.running_base = base->IgnoreParenImpCasts();
    nest_.running_element = element;
  }

  void check() {
    const clang::QualType type = nest_.target->getType();
    const bool is_plain = (type->isArithmeticType() || type->isEnumeralType()) && !type.isVolatileQualified();
    if (!is_plain || !context_.hasSameUnqualifiedType(type, nest_.source->getType())) {
      refuse("the elements' types are not the same", nest_.target);
      return;
    }
    std::set<const clang::VarDecl*> counters;
    for (const CopyNest::Loop& loop : nest_.loops) counters.insert(loop.counter);
    if (nest_.running != nullptr) {
      if (!is_number(nest_.running) || counters.contains(nest_.running)) {
        refuse("kanorc does not know which elements it copies", nest_.running_element);
        return;
      }
      counters.insert(nest_.running);
    }
    const LinearAddresses addresses(context_, counters);
    for (const CopyNest::Loop& loop : nest_.loops)
      for (const clang::Expr* bound : {loop.first, loop.limit})
        if (addresses.value(bound) != Growth::none) {
          refuse("this loop's bounds are not the same throughout", bound);
          return;
        }
    if (nest_.running != nullptr) counters.erase(nest_.running);
    for (const clang::Expr* element : {nest_.target, nest_.source}) {
      if (element == nest_.running_element) continue;
      const bool names_running = mentions(element, nest_.running);
      if (names_running || LinearAddresses(context_, counters).address(element) == Growth::unknown) {
        refuse("kanorc does not know which elements it copies", element);
        return;
      }
    }
  }

  static bool mentions(const clang::Expr* expression, const clang::VarDecl* variable) {
    bool found = false;
    for_each_name(expression, [&](const clang::DeclRefExpr* name) {
      found = found || (variable != nullptr && name->getDecl() == variable);
    });
    return found;
  }

  const clang::ASTContext& context_;
  const ChangedVariables& changed_;
  CopyNest nest_;
};

}  // namespace

const clang::VarDecl* variable_of(const clang::Expr* expression) {
  const auto* name =
      expression == nullptr ? nullptr : llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

void ChangedVariables::look_at(const clang::Stmt* statement, const clang::Stmt* parent, bool is_loaded,
                               const std::function<bool(const clang::Stmt*)>& is_in_block) {
  if (is_in_block(statement)) return;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable != nullptr && !is_loaded) add(variable);
    return;
  }
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(statement)) {
    for (const auto& capture : lambda->captures())
      if (capture.capturesVariable())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar())) add(variable);
    return;
  }
  const auto* cast = llvm::dyn_cast<clang::CastExpr>(statement);
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(statement);
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(statement);
  const bool changes = (unary != nullptr && unary->isIncrementDecrementOp()) ||
                       (binary != nullptr && binary->isAssignmentOp());
  // The result may be another name of the variable: `&++i`.
  const bool is_name = changes && llvm::cast<clang::Expr>(statement)->isGLValue() && !is_loaded &&
                       llvm::isa_and_nonnull<clang::Expr, clang::DeclStmt, clang::ReturnStmt>(parent);
  const bool loads = (cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue) ||
                     (is_loaded && llvm::isa<clang::ParenExpr>(statement));
  for (const clang::Stmt* child : statement->children()) {
    if (child == nullptr) continue;
    const bool is_changed = changes && child == *statement->child_begin();
    const auto* expression = llvm::dyn_cast<clang::Expr>(child);
    if (is_changed && expression != nullptr)
      if (const clang::VarDecl* const variable = variable_of(expression)) ++counts_[variable].assignments;
    look_at(child, statement, loads || (is_changed && !is_name), is_in_block);
  }
}

bool CopyNest::has_counter(const clang::VarDecl* variable) const {
  return std::any_of(loops.begin(), loops.end(), [&](const Loop& one) { return one.counter == variable; });
}

CopyNest read_copy_nest(const clang::ForStmt* loop, const clang::ASTContext& context,
                        const ChangedVariables& changed) {
  return Reader(context, changed).read(loop);
}

}  // namespace kanor::host
