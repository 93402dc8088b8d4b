// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/copy_loop_facts.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/Lex/Lexer.h>
#include <clang/Sema/Sema.h>

#include <algorithm>

#include "host/cfg/exchanges.hpp"
#include "host/cfg/kinds.hpp"
#include "host/cfg/library_effects.hpp"
#include "host/cfg/linear_addresses.hpp"
#include "host/cfg/steady_numbers.hpp"
#include "host/facts/travel.hpp"
#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

/// Programs compare with the same number (kanor/abi/copy_loop.hpp).
constexpr long long least_replaced_bytes = 8192;
constexpr const char* unknown_change = "kanorc does not know when this changes";

/// Returns true if two expressions are the same in every word.
bool are_same(const clang::Expr* one, const clang::Expr* other, const clang::ASTContext& context) {
  llvm::FoldingSetNodeID first, second;
  one->IgnoreParenImpCasts()->Profile(first, context, true);
  other->IgnoreParenImpCasts()->Profile(second, context, true);
  return first == second;
}

const clang::Expr* buffer_element(const CopyNest& nest, bool unpacks) {
  return unpacks ? nest.source : nest.target;
}
const clang::Expr* other_element(const CopyNest& nest, bool unpacks) {
  return unpacks ? nest.target : nest.source;
}

/// The subscript of the buffer's element.
const clang::Expr* index_of(const clang::Expr* element) {
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(element)) return subscript->getIdx();
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(element);
  return call == nullptr ? nullptr : call->getArg(1);
}

/// All that the emitted call is made of, but the buffer and the running number.
std::vector<const clang::Expr*> spelled_parts(const LoopBesideBlock& loop, bool unpacks) {
  std::vector<const clang::Expr*> parts(loop.conditions);
  parts.push_back(other_element(loop.nest, unpacks));
  const clang::Expr* const index = index_of(buffer_element(loop.nest, unpacks));
  if (index != nullptr && loop.nest.running == nullptr) parts.push_back(index);
  for (const CopyNest::Loop& one : loop.nest.loops) parts.insert(parts.end(), {one.first, one.limit});
  return parts;
}

void refuse(flow::CopyLoop& made, std::string why, flow::Location at) {
  if (!made.obstacle.empty()) return;
  made.obstacle = std::move(why);
  made.obstacle_at = at;
}

}  // namespace

bool is_buffer_of_numbers(clang::QualType type, clang::ASTContext& context) {
  if (type.isVolatileQualified()) return false;
  if (const auto* array = context.getAsConstantArrayType(type)) {
    const clang::QualType element = array->getElementType();
    return element->isArithmeticType() || element->isEnumeralType();
  }
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !record->isInStdNamespace()) return false;
  const clang::QualType element = first_type_argument(type);
  return (name_of(record) == "vector" || name_of(record) == "array") && !element.isNull() &&
         !element->isBooleanType() && (element->isArithmeticType() || element->isEnumeralType());
}

bool mentions(const clang::Stmt* statement, const clang::VarDecl* variable) {
  bool found = false;
  for_each_name(statement, [&](const clang::DeclRefExpr* name) { found |= name->getDecl() == variable; });
  return found;
}

void CopyLoopFacts::describe(LoopBesideBlock& loop, flow::CopyLoop& made) const {
  made.at = places_.of(loop.nest.outermost->getSourceRange());
  check(loop, made);
  if (made.obstacle.empty() && !spell(loop, made))
    refuse(made, "kanorc cannot write down what it copies", made.at);
  if (made.obstacle.empty() && made.unpacks) check_behind(loop, made);
  if (loop.nest.running != nullptr) {
    const auto value = value_before(loop);
    made.spelling.running = loop.nest.running->getNameAsString();
    if (made.unpacks && value) made.spelling.running_at = std::to_string(*value);
    if (made.unpacks && !value)
      refuse(made, "kanorc does not know from where on it counts '" + made.spelling.running + "'", made.at);
  }
  if (!made.obstacle.empty()) return;
  describe_range(loop, made);
  add_operands(loop, made);
  for (const clang::VarDecl* one : loop.written)
    if (const int number = variables_.of(one); !one->getType()->isArithmeticType() && number >= 0)
      made.written.push_back(number);
  std::sort(made.written.begin(), made.written.end());
}

/// Checks that the nest copies nothing but the buffer's elements, and that it could run at the block.
void CopyLoopFacts::check(const LoopBesideBlock& loop, flow::CopyLoop& made) const {
  const CopyNest& nest = loop.nest;
  if (!nest.obstacle.empty())
    return refuse(made, nest.obstacle, places_.of(nest.obstacle_at->getSourceRange()));
  const LinearAddresses nothing(unit_.sema.Context, {});
  for (const clang::Expr* condition : loop.conditions)
    if (nothing.value(condition) != Growth::none)
      return refuse(made, unknown_change, places_.of(condition->getSourceRange()));
  if (loop.obstacle != nullptr)
    return refuse(made, "this stands between the loop and the block",
                  places_.of(loop.obstacle->getSourceRange()));
  if (!places_.is_in_main_file(function_->getLocation()) || function_->isTemplateInstantiation())
    return refuse(made, "its function is a template, or stands in a header", made.at);
  const clang::QualType type = loop.buffer->getType();
  const auto bytes = unit_.sema.Context.getTypeSizeInChars(type).getQuantity();
  if ((type->isArrayType() || is_array_class(type)) && bytes < least_replaced_bytes)
    return refuse(made, "its " + std::to_string(bytes) + " bytes are copied as fast",
                  places_.of(loop.buffer->getLocation()));
  const clang::Expr* const element = buffer_element(nest, made.unpacks);
  const clang::Expr* const other = other_element(nest, made.unpacks);
  const auto* root = root_of(element);
  if (root == nullptr || root->getDecl() != loop.buffer || mentions(other, loop.buffer) ||
      (nest.running != nullptr && nest.running_element != element))
    return refuse(made, "kanorc does not know which elements it copies",
                  places_.of(element->getSourceRange()));
  for (const clang::VarDecl* one : loop.written) {
    if (!nest.has_counter(one) && mentions(other, one))
      return refuse(made,
                    "what stands between the loop and the block changes '" + one->getNameAsString() + "'",
                    made.at);
  }
}

/// Notes which elements of the buffer the nest copies, beside those that the block communicates.
void CopyLoopFacts::describe_range(const LoopBesideBlock& loop, flow::CopyLoop& made) const {
  const CopyNest& nest = loop.nest;
  made.is_exact = is_exact(loop, made.unpacks);
  const auto all = loop.around->body();
  made.is_fresh = std::any_of(all.begin(), all.end(), [&](const clang::Stmt* one) {
    const auto* declared = llvm::dyn_cast<clang::DeclStmt>(one);
    return declared != nullptr &&
           std::find(declared->decl_begin(), declared->decl_end(), loop.buffer) != declared->decl_end();
  });
  made.by_all_ranks = made.unpacks && blocks_.everyone_receives(loop.key, loop.pieces);
  std::vector<const clang::Stmt*> parts(loop.conditions.begin(), loop.conditions.end());
  for (const CopyNest::Loop& one : nest.loops) parts.insert(parts.end(), {one.first, one.limit});
  if (nest.running == nullptr) parts.push_back(buffer_element(nest, made.unpacks));
  // Then the block receives the same elements each time, too.
  if (made.unpacks)
    for (const auto& [number, part] : loop.pieces.place_parts) parts.push_back(part);
  made.is_steady = (nest.running == nullptr || value_before(loop)) &&
                   std::all_of(parts.begin(), parts.end(),
                               [&](const clang::Stmt* part) { return is_steady(part, nest, loop.buffer); });
}

/// Adds the variables that are named where the loop's elements and bounds are spelled.
void CopyLoopFacts::add_operands(const LoopBesideBlock& loop, flow::CopyLoop& made) const {
  for (const clang::Expr* part : spelled_parts(loop, made.unpacks))
    for_each_name(part, [&](const clang::DeclRefExpr* name) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      if (variable == nullptr || loop.nest.has_counter(variable)) return;
      const int number = variables_.of(variable);
      if (number >= 0 && std::find(made.operands.begin(), made.operands.end(), number) == made.operands.end())
        made.operands.push_back(number);
    });
}

/// Returns true if the nest's elements of the buffer are `buffer[0 : n]`, as the block has it. If the loop
/// before a block is in a branch, the block may have other elements.
bool CopyLoopFacts::is_exact(const LoopBesideBlock& loop, bool unpacks) const {
  const auto& parts = unpacks ? loop.pieces.place_parts : loop.pieces.value_parts;
  const auto part = [&](int number) {
    const auto found = parts.find(number);
    return found == parts.end() ? nullptr : found->second;
  };
  const clang::ASTContext& context = unit_.sema.Context;
  const CopyNest& nest = loop.nest;
  const clang::Expr *const first = part(0), *const count = part(1);
  if (first == nullptr || count == nullptr || part(2) != nullptr || constant_of(first, context) != 0 ||
      (!unpacks && !loop.conditions.empty()))
    return false;
  if (nest.running != nullptr)
    return !unpacks && value_before(loop) == 0 && variable_of(count) == nest.running &&
           !loop.written.contains(nest.running);
  const CopyNest::Loop& inner = nest.loops.front();
  const clang::Expr* const index = index_of(buffer_element(nest, unpacks));
  // What the limit is made of does not change between the loop and the block.
  return nest.loops.size() == 1 && index != nullptr && variable_of(index) == inner.counter &&
         inner.step == 1 && !inner.is_inclusive && constant_of(inner.first, context) == 0 &&
         is_steady(count, nest, nullptr) && are_same(inner.limit, count, context);
}

/// Returns true if the expression is made of constants, counters, and numbers that never change. `since`:
/// these are older than this buffer, so that they are the same for as long as it exists; null: they need not
/// be.
bool CopyLoopFacts::is_steady(const clang::Stmt* expression, const CopyNest& nest,
                              const clang::VarDecl* since) const {
  const auto* value = llvm::dyn_cast<clang::Expr>(expression);
  if (value != nullptr && constant_of(value, unit_.sema.Context)) return true;
  if (llvm::isa<clang::CallExpr>(expression) && !llvm::isa<clang::CXXOperatorCallExpr>(expression))
    return false;
  if (llvm::isa<clang::MemberExpr>(expression)) return false;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr) return !llvm::isa<clang::BindingDecl>(name->getDecl());
    if (nest.has_counter(variable) || variable == since) return true;
    const bool is_older = since == nullptr || !variable->hasLocalStorage() ||
                          unit_.sema.getSourceManager().isBeforeInTranslationUnit(variable->getLocation(),
                                                                                  since->getLocation());
    return is_older &&
           (variable->getType().isConstQualified() || (is_own(variable) && !changed_.is_assigned(variable)));
  }
  return std::all_of(expression->child_begin(), expression->child_end(), [&](const clang::Stmt* child) {
    return child == nullptr || is_steady(child, nest, since);
  });
}

/// Returns true for a local variable, no reference, that only its function changes, and by its name.
bool CopyLoopFacts::is_own(const clang::VarDecl* variable) const {
  return variable->hasLocalStorage() && variable->getDeclContext() == function_ &&
         !variable->getType()->isReferenceType() && !variable->getType().isVolatileQualified() &&
         !changed_.is_referenced(variable);
}

/// Checks that all that the nest's text is made of is the same before the block.
void CopyLoopFacts::check_behind(LoopBesideBlock& loop, flow::CopyLoop& made) const {
  // The block's places are buffers of the function: no other variable can be a part of one, if they have no
  // other names.
  for (const auto& [key, pieces] : unit_.pieces.all()) {
    if (key.file != loop.key.file || key.block != loop.key.block || key.function != loop.key.function)
      continue;
    const auto* root = pieces.place == nullptr ? nullptr : root_of(pieces.place);
    const auto* variable = root == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(root->getDecl());
    if (variable == nullptr || !variable->hasLocalStorage() || variable->getType()->isReferenceType() ||
        !is_buffer_of_numbers(variable->getType(), unit_.sema.Context))
      return refuse(made, "the block also updates this", places_.of(pieces.place->getSourceRange()));
    if (variable != loop.buffer) loop.written.insert(variable);
  }
  const CopyNest& nest = loop.nest;
  for (const clang::Expr* part : spelled_parts(loop, true)) {
    if (may_read(part, nest.target->getType(), 0))
      return refuse(made, unknown_change, places_.of(part->getSourceRange()));
    for_each_name(part, [&](const clang::DeclRefExpr* name) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      if (variable == nullptr || nest.has_counter(variable)) return;
      const flow::Location at = places_.of(name->getSourceRange());
      const flow::Location declared = places_.of(variable->getLocation());
      if (variable->hasLocalStorage() && declared.source == made.operand.source &&
          declared.span.begin > made.operand.span.begin)
        refuse(made, "'" + variable->getNameAsString() + "' is declared behind the block", at);
      if (is_place(loop, variable)) refuse(made, "the block also updates this", at);
      if (loop.written.contains(variable)) refuse(made, unknown_change, at);
    });
  }
}

/// Returns true if a place of the block is the variable, or a part of it.
bool CopyLoopFacts::is_place(const LoopBesideBlock& loop, const clang::VarDecl* variable) const {
  const auto& all = unit_.pieces.all();
  return std::any_of(all.begin(), all.end(), [&](const auto& one) {
    const auto& [key, pieces] = one;
    if (key.file != loop.key.file || key.block != loop.key.block || key.function != loop.key.function)
      return false;
    const auto* root = pieces.place == nullptr ? nullptr : root_of(pieces.place);
    return root == nullptr || root->getDecl() == variable;
  });
}

/// Returns true if evaluating the expression may read a number that is among elements of this type. A number
/// that only the function changes is not; and numbers of other types are not, as C++ has it.
bool CopyLoopFacts::may_read(const clang::Stmt* expression, clang::QualType element, int depth) const {
  constexpr int most_depth = 4;
  if (depth > most_depth) return true;
  const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression);
  if (cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue) {
    const clang::VarDecl* const variable = variable_of(cast->getSubExpr());
    const clang::QualType type = cast->getType();
    const bool is_safe = variable != nullptr && (variable->getType().isConstQualified() || is_own(variable));
    const bool may_be_element =
        element->isAnyCharacterType() ||
        (element->isFloatingType() ? type->isFloatingType() : type->isIntegralOrEnumerationType());
    if (!is_safe && may_be_element) return true;
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr || element->isAnyCharacterType()) return true;
    callee = callee->getDefinition();
    if (callee != nullptr && !is_of_system(callee) && may_read(callee->getBody(), element, depth + 1))
      return true;
  }
  return std::any_of(expression->child_begin(), expression->child_end(), [&](const clang::Stmt* child) {
    return child != nullptr && may_read(child, element, depth);
  });
}

/// The running number's value before the nest, if it is set directly before it.
std::optional<long long> CopyLoopFacts::value_before(const LoopBesideBlock& loop) const {
  const auto all = loop.around->body();
  const auto found = std::find(all.begin(), all.end(), loop.neighbour);
  const clang::Stmt* const before = found == all.begin() ? nullptr : *std::prev(found);
  if (before == nullptr || loop.nest.running == nullptr) return std::nullopt;
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(before);
      declared != nullptr && declared->isSingleDecl() && declared->getSingleDecl() == loop.nest.running)
    return constant_of(loop.nest.running->getInit(), unit_.sema.Context);
  const auto* assigned = llvm::dyn_cast<clang::BinaryOperator>(before);
  const bool is_set = assigned != nullptr && assigned->getOpcode() == clang::BO_Assign &&
                      variable_of(assigned->getLHS()) == loop.nest.running;
  return is_set ? constant_of(assigned->getRHS(), unit_.sema.Context) : std::nullopt;
}

/// Notes how the nest is written; false if a macro, a comment, or counters of one name are in the way.
bool CopyLoopFacts::spell(const LoopBesideBlock& beside, flow::CopyLoop& made) const {
  const CopyNest& nest = beside.nest;
  flow::CopyLoop::Spelling& spelling = made.spelling;
  for (const clang::Expr* condition : beside.conditions) spelling.conditions.push_back(text_of(condition));
  spelling.other = text_of(other_element(nest, made.unpacks));
  spelling.element =
      text_of(nest.running == nullptr ? buffer_element(nest, made.unpacks) : nest.running_base);
  bool all = !spelling.other.empty() && !spelling.element.empty();
  for (const std::string& condition : spelling.conditions) all = all && !condition.empty();
  std::set<std::string> names, numbers;
  for (const clang::Expr* element : {nest.target, nest.source})
    for_each_name(element, [&](const clang::DeclRefExpr* name) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      if (variable != nullptr && variable->hasLocalStorage() && variable->getType()->isArithmeticType() &&
          !nest.has_counter(variable) && !constant_of(name, unit_.sema.Context) &&
          (variable != nest.running || !made.unpacks))
        numbers.insert(variable->getNameAsString());
    });
  spelling.numbers.assign(numbers.begin(), numbers.end());
  for (const CopyNest::Loop& loop : nest.loops) {
    spelling.counters.push_back(
        {loop.counter->getType().getUnqualifiedType().getCanonicalType().getAsString(),
         loop.counter->getNameAsString(), text_of(loop.first), text_of(loop.limit), loop.step,
         loop.is_inclusive, loop.is_outside});
    all = all && !spelling.counters.back().first.empty() && !spelling.counters.back().limit.empty() &&
          names.insert(spelling.counters.back().name).second;
  }
  return all;
}

std::string CopyLoopFacts::text_of(const clang::Expr* expression) const {
  const auto& sources = unit_.sema.getSourceManager();
  const auto range = clang::Lexer::makeFileCharRange(
      clang::CharSourceRange::getTokenRange(expression->getSourceRange()), sources, unit_.sema.getLangOpts());
  if (range.isInvalid()) return {};
  std::string text = clang::Lexer::getSourceText(range, sources, unit_.sema.getLangOpts()).str();
  if (text.find("//") != std::string::npos || text.find('#') != std::string::npos) return {};
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace kanor::host
