// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/steady_numbers.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

#include "host/cfg/library_effects.hpp"
#include "host/cfg/mpi_calls.hpp"

namespace kanor::host {
namespace {

/// The depth to which values are followed through initialisers.
constexpr int most_steps = 20;
/// The number of bits of a constant, so that sums and products of some cannot overflow.
constexpr unsigned most_bits = 40;

const clang::VarDecl* variable_of(const clang::Expr* expression) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParens());
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

bool is_wide_integer(clang::QualType type, const clang::ASTContext& context) {
  return type->isIntegerType() && !type->isBooleanType() && context.getTypeSize(type) >= 32;
}

/// Removes conversions between integers of 32 bits or more, which keep what a length may be.
const clang::Expr* without_conversions(const clang::Expr* expression, const clang::ASTContext& context) {
  for (;;) {
    expression = expression->IgnoreParens();
    const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression);
    if (cast == nullptr) return expression;
    const clang::Expr* from = cast->getSubExpr();
    const bool keeps =
        cast->getCastKind() == clang::CK_LValueToRValue || cast->getCastKind() == clang::CK_NoOp ||
        (cast->getCastKind() == clang::CK_IntegralCast && is_wide_integer(cast->getType(), context) &&
         is_wide_integer(from->getType(), context));
    if (!keeps) return expression;
    expression = from;
  }
}

}  // namespace

std::optional<long long> constant_of(const clang::Expr* expression, const clang::ASTContext& context) {
  clang::Expr::EvalResult result;
  if (expression == nullptr || expression->isValueDependent() || !expression->getType()->isIntegerType() ||
      !expression->EvaluateAsInt(result, context))
    return std::nullopt;
  const auto& value = result.Val.getInt();
  if (value.isSigned() ? value.getSignificantBits() > most_bits : value.getActiveBits() >= most_bits)
    return std::nullopt;
  return value.getExtValue();
}

void LeastValues::look_at(const clang::Stmt* body) {
  if (body != nullptr) look_at(body, nullptr);
}

void LeastValues::look_at(const clang::Stmt* statement, const clang::Stmt* parent) {
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    for (const clang::Decl* one : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
          variable != nullptr && variable->hasInit())
        assigned_[variable->getCanonicalDecl()].push_back(variable->getInit());
  }
  const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
  if (assignment != nullptr && assignment->getOpcode() == clang::BO_Assign)
    if (const auto* variable = variable_of(assignment->getLHS())) {
      assigned_[variable->getCanonicalDecl()].push_back(assignment->getRHS());
      return look_at(assignment->getRHS(), assignment);
    }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(statement);
  const auto* callee = call == nullptr ? nullptr : call->getDirectCallee();
  if (callee != nullptr && is_mpi(callee) && call->getNumArgs() == 2) {
    const llvm::StringRef name = callee->getName();
    const auto* address = llvm::dyn_cast<clang::UnaryOperator>(call->getArg(1)->IgnoreParenImpCasts());
    const bool is_size = name == "MPI_Comm_size";
    if ((is_size || name == "MPI_Comm_rank") && address != nullptr &&
        address->getOpcode() == clang::UO_AddrOf)
      if (const auto* variable = variable_of(address->getSubExpr())) {
        const auto [found, is_new] = from_mpi_.emplace(variable->getCanonicalDecl(), is_size ? 1 : 0);
        if (!is_new) found->second = std::min(found->second, is_size ? 1LL : 0LL);
        return look_at(call->getArg(0), call);
      }
  }
  if (call != nullptr) {
    note_arguments(call);
    for (const clang::Expr* argument : call->arguments()) look_at(argument, call);
    const bool names_function =
        callee != nullptr && llvm::isa<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
    if (!names_function) look_at(call->getCallee(), call);
    return;
  }
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl()))
      used_.insert(function->getCanonicalDecl());
    const auto* cast = llvm::dyn_cast_or_null<clang::CastExpr>(parent);
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable != nullptr && (cast == nullptr || cast->getCastKind() != clang::CK_LValueToRValue))
      changed_.insert(variable->getCanonicalDecl());
    return;
  }
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(statement))
    for (const auto& capture : lambda->captures())
      if (capture.capturesVariable())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()))
          changed_.insert(variable->getCanonicalDecl());
  const bool is_paren = llvm::isa<clang::ParenExpr>(statement);
  for (const clang::Stmt* child : statement->children())
    if (child != nullptr) look_at(child, is_paren ? parent : statement);
}

/// Notes the values that a call gives to the parameters of a function whose body is seen.
void LeastValues::note_arguments(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  const clang::FunctionDecl* body = callee == nullptr ? nullptr : callee->getDefinition();
  if (body == nullptr || llvm::isa<clang::CXXOperatorCallExpr>(call)) return;
  for (unsigned at = 0; at < body->getNumParams(); ++at) {
    const clang::VarDecl* parameter = body->getParamDecl(at);
    if (at < call->getNumArgs())
      assigned_[parameter].push_back(call->getArg(at));
    else
      changed_.insert(parameter);
  }
}

/// Returns true if only calls that are seen give the parameter values.
bool LeastValues::is_given_here(const clang::ParmVarDecl* parameter) const {
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
  return function != nullptr && !function->isMain() && !llvm::isa<clang::CXXMethodDecl>(function) &&
         !function->isTemplateInstantiation() && !used_.contains(function->getCanonicalDecl()) &&
         (whole_program_ || !function->isExternallyVisible());
}

std::optional<long long> LeastValues::of(const clang::VarDecl* variable, int depth) const {
  const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
  if (parameter != nullptr && !is_given_here(parameter)) return std::nullopt;
  if (parameter == nullptr) variable = variable->getCanonicalDecl();
  const bool is_local = whole_program_ || variable->isLocalVarDecl() || !variable->isExternallyVisible();
  if (!is_local || changed_.contains(variable) || variable->getType().isVolatileQualified())
    return std::nullopt;
  // Unknown for as long as it is being found: what depends on itself stays so.
  const auto [known, is_new] = found_.try_emplace(variable);
  if (!is_new) return known->second;
  std::optional<long long> least;
  const auto take = [&](std::optional<long long> one) {
    least = !one ? one : least ? std::min(*least, *one) : one;
    return one.has_value();
  };
  if (variable->hasGlobalStorage()) {
    if (variable->hasInit() ? !take(of(variable->getInit(), depth + 1)) : !take(0)) return std::nullopt;
  }
  if (const auto found = from_mpi_.find(variable); found != from_mpi_.end()) take(found->second);
  if (const auto found = assigned_.find(variable); found != assigned_.end())
    for (const clang::Expr* value : found->second)
      if (!take(of(value, depth + 1))) return std::nullopt;
  return found_[variable] = least;
}

std::optional<long long> LeastValues::of(const clang::Expr* expression, int depth) const {
  if (const auto value = constant_of(expression, context_)) return value;
  if (depth > most_steps || !expression->getType()->isSignedIntegerType()) return std::nullopt;
  expression = without_conversions(expression, context_);
  if (!expression->getType()->isSignedIntegerType()) return std::nullopt;
  if (const auto* variable = variable_of(expression)) return of(variable, depth);
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
    const auto one = of(choice->getTrueExpr(), depth + 1), other = of(choice->getFalseExpr(), depth + 1);
    return one && other ? std::optional(std::min(*one, *other)) : std::nullopt;
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
  if (binary == nullptr) return std::nullopt;
  if (binary->isComparisonOp() || binary->isLogicalOp()) return 0;
  const auto left = of(binary->getLHS(), depth + 1);
  if (!left) return std::nullopt;
  const auto right = of(binary->getRHS(), depth + 1);
  switch (binary->getOpcode()) {
    case clang::BO_Add:
      return right ? std::optional(*left + *right) : std::nullopt;
    case clang::BO_Sub: {
      const auto known = constant_of(binary->getRHS(), context_);
      return known ? std::optional(*left - *known) : std::nullopt;
    }
    case clang::BO_Rem:
      return *left >= 0 ? std::optional(0LL) : std::nullopt;
    case clang::BO_Mul:
    case clang::BO_Div:
    case clang::BO_Xor:
    case clang::BO_And:
    case clang::BO_Or:
      return *left >= 0 && right && *right >= 0 ? std::optional(0LL) : std::nullopt;
    default:
      return std::nullopt;
  }
}

SteadyNumbers::SteadyNumbers(const clang::ASTContext& context, const clang::FunctionDecl* function,
                             const clang::ParentMap& parents, const ProgramPoints& points)
    : context_(context), function_(function), parents_(parents), points_(points) {
  look_at(function->getBody());
}

void SteadyNumbers::look_at(const clang::Stmt* statement) {
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(statement)) return note(name);
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement))
    for (const clang::Decl* one : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one)) {
        const auto point = points_.of(statement, parents_);
        Changes& changes = changes_[variable];
        point ? changes.points.push_back({*point, statement}) : static_cast<void>(changes.anywhere = true);
      }
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(statement))
    for (const auto& capture : lambda->captures())
      if (capture.capturesVariable())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()))
          changes_[variable].anywhere = true;
  for (const clang::Stmt* child : statement->children())
    if (child != nullptr) look_at(child);
}

/// Notes where a name is used to change its variable.
void SteadyNumbers::note(const clang::DeclRefExpr* name) {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  if (variable == nullptr) return;
  const clang::Stmt* parent = parents_.getParentIgnoreParens(name);
  const auto* cast = llvm::dyn_cast_or_null<clang::CastExpr>(parent);
  if (cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue) return;
  const bool adds_const = cast != nullptr && cast->getCastKind() == clang::CK_NoOp;
  const auto* user = adds_const ? parents_.getParentIgnoreParens(cast) : parent;
  if (const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(user);
      call != nullptr && call->getDirectCallee() != nullptr &&
      is_standard_function(call->getDirectCallee()) && call->getType().isConstQualified() &&
      call->getType()->isArithmeticType())
    return;  // std::max, say
  const clang::Stmt* change = nullptr;
  if (const auto* binary = llvm::dyn_cast_or_null<clang::BinaryOperator>(parent);
      binary != nullptr && binary->isAssignmentOp())
    change = binary;
  const auto* unary = llvm::dyn_cast_or_null<clang::UnaryOperator>(parent);
  if (unary != nullptr && unary->isIncrementDecrementOp()) change = unary;
  if (unary != nullptr && unary->getOpcode() == clang::UO_AddrOf) {
    // A function that writes there and forgets the address.
    const clang::Stmt* at = unary;
    const clang::Stmt* around = parents_.getParent(unary);
    while (llvm::isa_and_nonnull<clang::ParenExpr, clang::ImplicitCastExpr>(around))
      around = parents_.getParent(around);
    const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(around);
    while (at != nullptr && parents_.getParent(at) != around) at = parents_.getParent(at);
    const auto known = call == nullptr ? std::nullopt : LibraryCall::of(call);
    for (unsigned argument = 0; known && argument < call->getNumArgs(); ++argument)
      if (call->getArg(argument) == at && known->on_elements(argument) != Effect::unknown) change = call;
  }
  Changes& changes = changes_[variable];
  const auto point = change == nullptr ? std::nullopt : points_.of(change, parents_);
  point ? changes.points.push_back({*point, change}) : static_cast<void>(changes.anywhere = true);
}

/// The variable's name and the place of its declaration, which no other has.
std::string SteadyNumbers::name_of(const clang::VarDecl* variable) const {
  const auto at = context_.getSourceManager().getPresumedLoc(variable->getLocation());
  return variable->getNameAsString() + "@" + std::to_string(at.getLine()) + ":" +
         std::to_string(at.getColumn());
}

bool SteadyNumbers::is_own_number(const clang::VarDecl* variable) const {
  return variable->hasLocalStorage() && variable->getDeclContext() == function_ &&
         is_wide_integer(variable->getType(), context_) && !variable->getType().isVolatileQualified();
}

bool SteadyNumbers::is_steady(const clang::VarDecl* variable) const {
  if (!is_own_number(variable)) return false;
  const auto found = changes_.find(variable);
  if (found == changes_.end()) return true;
  if (found->second.anywhere) return false;
  for (const ProgramPoint& from : from_) {
    std::vector<bool> reached(edges_.size());
    std::vector<int> work{from.node};
    while (!work.empty()) {
      const int node = work.back();
      work.pop_back();
      for (const int next : edges_[static_cast<std::size_t>(node)])
        if (!reached[static_cast<std::size_t>(next)]) {
          reached[static_cast<std::size_t>(next)] = true;
          work.push_back(next);
        }
    }
    for (const auto& [point, by] : found->second.points)
      if (reached[static_cast<std::size_t>(point.node)] ||
          (point.node == from.node && point.element >= from.element))
        return false;
  }
  return true;
}

std::optional<std::vector<const clang::Stmt*>> SteadyNumbers::changes_of(
    const clang::Expr* expression) const {
  std::vector<const clang::Stmt*> found;
  if (constant_of(expression, context_)) return found;
  expression = without_conversions(expression, context_);
  if (const auto* variable = variable_of(expression)) {
    if (!is_own_number(variable)) return std::nullopt;
    const auto changes = changes_.find(variable);
    if (changes == changes_.end()) return found;
    if (changes->second.anywhere) return std::nullopt;
    for (const auto& [point, by] : changes->second.points) found.push_back(by);
    return found;
  }
  const auto add = [&](const clang::Expr* part) {
    const auto changes = changes_of(part);
    if (changes) found.insert(found.end(), changes->begin(), changes->end());
    return changes.has_value();
  };
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression);
      unary != nullptr && (unary->getOpcode() == clang::UO_LNot || unary->getOpcode() == clang::UO_Minus))
    return changes_of(unary->getSubExpr());
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
    if (!add(choice->getCond()) || !add(choice->getTrueExpr()) || !add(choice->getFalseExpr()))
      return std::nullopt;
    return found;
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
  const bool computes = binary != nullptr && (binary->isMultiplicativeOp() || binary->isAdditiveOp() ||
                                              binary->isComparisonOp() || binary->isLogicalOp());
  if (!computes || !binary->getType()->isIntegerType() || !add(binary->getLHS()) || !add(binary->getRHS()))
    return std::nullopt;
  return found;
}

std::string SteadyNumbers::words(const clang::Expr* expression) const {
  if (const auto value = constant_of(expression, context_)) return std::to_string(*value);
  expression = without_conversions(expression, context_);
  if (const auto* variable = variable_of(expression))
    return is_steady(variable) ? name_of(variable) : std::string();
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
  if (binary == nullptr || !is_wide_integer(binary->getType(), context_)) return {};
  const auto opcode = binary->getOpcode();
  if (opcode != clang::BO_Add && opcode != clang::BO_Sub && opcode != clang::BO_Mul &&
      opcode != clang::BO_Div)
    return {};
  const std::string left = words(binary->getLHS()), right = words(binary->getRHS());
  if (left.empty() || right.empty()) return {};
  return "(" + left + " " + binary->getOpcodeStr().str() + " " + right + ")";
}

flow::Quantity SteadyNumbers::quantity(const clang::Expr* expression) const {
  flow::Quantity found;
  if (expression == nullptr) return found;
  found.value = constant_of(expression, context_);
  if (!found.value) found.words = words(expression);
  return found;
}

/// Splits a product into a constant and the rest.
void SteadyNumbers::factors(const clang::Expr* expression, long long& constant,
                            std::vector<const clang::Expr*>& rest) const {
  if (const auto value = constant_of(expression, context_)) {
    constant = *value <= 0 || constant > (1LL << most_bits) / *value ? 0 : constant * *value;
    return;
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(without_conversions(expression, context_));
  if (binary != nullptr && binary->getOpcode() == clang::BO_Mul) {
    factors(binary->getLHS(), constant, rest);
    return factors(binary->getRHS(), constant, rest);
  }
  rest.push_back(expression);
}

flow::Quantity SteadyNumbers::elements(const clang::Expr* bytes, long long element_bytes) const {
  flow::Quantity found;
  long long constant = 1;
  std::vector<const clang::Expr*> rest;
  factors(bytes, constant, rest);
  if (element_bytes <= 0 || constant <= 0 || constant % element_bytes != 0) return found;
  constant /= element_bytes;
  if (rest.empty()) {
    found.value = constant;
    return found;
  }
  for (const clang::Expr* factor : rest) {
    const std::string more = words(factor);
    if (more.empty()) return {};
    found.words = found.words.empty() ? more : "(" + found.words + " * " + more + ")";
  }
  if (constant != 1) found.words = "(" + found.words + " * " + std::to_string(constant) + ")";
  return found;
}

}  // namespace kanor::host
