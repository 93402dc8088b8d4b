// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/copy_loops.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <string>

#include "host/cfg/exchanges.hpp"
#include "host/cfg/linear_addresses.hpp"

namespace kanor::host {
namespace {

/// Adds the numbers that a nest changes.
void add_numbers(const CopyNest& nest, std::set<const clang::VarDecl*>& written) {
  for (const CopyNest::Loop& one : nest.loops) written.insert(one.counter);
  if (nest.running != nullptr) written.insert(nest.running);
}

}  // namespace

void CopyLoopFinder::find(AccessList& list) {
  for (const auto& [key, pieces] : unit_.pieces.all())
    if (key.function != nullptr && key.function->getCanonicalDecl() == function_->getCanonicalDecl())
      if (const auto* root = pieces.place == nullptr ? nullptr : root_of(pieces.place))
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(root->getDecl())) changed_.add(variable);
  look_at(function_->getBody(), list);
}

void CopyLoopFinder::look_at(const clang::Stmt* statement, AccessList& list) {
  // A case label may lead past what is put beside a block.
  if (llvm::isa<clang::SwitchStmt, clang::LambdaExpr>(statement)) return;
  for (const clang::Stmt* child : statement->children())
    if (child != nullptr) look_at(child, list);
  const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(statement);
  if (compound == nullptr) return;
  std::ptrdiff_t at = -1;
  for (const clang::Stmt* child : compound->body()) {
    const FileMap::Entry* file = nullptr;
    const int block = places_.block_at(child->getBeginLoc(), file);
    ++at;
    if (block < 0) continue;
    for (const auto& [key, pieces] : unit_.pieces.all()) {
      if (key.file != file || key.block != block || key.function == nullptr ||
          key.function->getCanonicalDecl() != function_->getCanonicalDecl())
        continue;
      const syntax::Block& syntax = file->shadow->ast->blocks[static_cast<std::size_t>(block)];
      const auto& written = syntax.statements[static_cast<std::size_t>(key.statement)];
      if (!only_exchanges(syntax) || written.op != syntax::Operator::assign) continue;
      find_beside({key, pieces, compound, at}, false, list);
      find_beside({key, pieces, compound, at}, true, list);
    }
  }
}

/// The variable whose section the operand is, if it is a local buffer.
const clang::VarDecl* CopyLoopFinder::buffer_of(const clang::Expr* piece,
                                                const syntax::Operand& operand) const {
  if (!operand.is_section() || operand.dimensions.size() != 1 || operand.dimensions[0].indices)
    return nullptr;
  const clang::VarDecl* const variable = variable_of(piece);
  if (variable == nullptr || !variable->hasLocalStorage() || variable->getDeclContext() != function_ ||
      llvm::isa<clang::ParmVarDecl>(variable))
    return nullptr;
  return is_buffer_of_numbers(variable->getType(), unit_.sema.Context) ? variable : nullptr;
}

/// Finds the loop before the block that fills what the statement sends, or the one behind it that empties
/// what it updates.
void CopyLoopFinder::find_beside(const Site& site, bool unpacks, AccessList& list) {
  const auto& block = site.key.file->shadow->ast->blocks[static_cast<std::size_t>(site.key.block)];
  const auto& syntax = block.statements[static_cast<std::size_t>(site.key.statement)];
  LoopBesideBlock loop{site.key, site.pieces, site.around, nullptr, nullptr, {}, {}, {}, nullptr};
  loop.buffer =
      unpacks ? buffer_of(site.pieces.place, syntax.place) : buffer_of(site.pieces.value, syntax.value);
  if (loop.buffer == nullptr) return;
  const std::ptrdiff_t step = unpacks ? 1 : -1;
  const auto count = static_cast<std::ptrdiff_t>(site.around->size());
  for (std::ptrdiff_t at = site.at + step; at >= 0 && at < count; at += step) {
    loop.neighbour = site.around->body_begin()[at];
    if (places_.is_in_block(loop.neighbour->getBeginLoc())) return;
    // Loops behind the block write in their order, or to different elements.
    if (unpacks && is_found(loop.neighbour, site.key.block, list.function())) {
      LoopBesideBlock passed{site.key, site.pieces, site.around, nullptr, nullptr, {}, {}, {}, nullptr};
      if (find_in(loop.neighbour, passed)) add_numbers(passed.nest, loop.written);
      loop.neighbour = nullptr;
      continue;
    }
    if (mentions(loop.neighbour, loop.buffer)) break;
    if (loop.obstacle == nullptr && !is_inert(loop.neighbour, unpacks, loop.written))
      loop.obstacle = loop.neighbour;
    loop.neighbour = nullptr;
  }
  if (loop.neighbour == nullptr || !find_in(loop.neighbour, loop)) return;
  const bool is_taken = std::any_of(loops_.begin(), loops_.end(),
                                    [&](const auto& one) { return one.first == loop.nest.outermost; });
  flow::CopyLoop made;
  made.buffer = variables_.of(loop.buffer);
  if (is_taken || made.buffer < 0) return;
  made.unpacks = unpacks;
  made.block = site.key.block;
  made.operand = {site.key.file->source, unpacks ? syntax.place.span : syntax.value.span};
  made.beside = places_.of(loop.neighbour->getSourceRange());
  CopyLoopFacts(unit_, variables_, places_, blocks_, function_, changed_).describe(loop, made);
  watch(loop.buffer, list);
  for (const clang::VarDecl* one : loop.written)
    if (!one->getType()->isArithmeticType()) watch(one, list);
  loops_.emplace_back(loop.nest.outermost, list.function().copy_loops.size());
  list.function().copy_loops.push_back(std::move(made));
}

/// Returns true if the statement is a loop behind the block that has been found.
bool CopyLoopFinder::is_found(const clang::Stmt* statement, int block, const flow::Function& function) const {
  const flow::Location at = places_.of(statement->getSourceRange());
  return std::any_of(loops_.begin(), loops_.end(), [&](const auto& one) {
    const flow::CopyLoop& loop = function.copy_loops[one.second];
    return loop.unpacks && loop.block == block && loop.beside == at;
  });
}

/// Finds the only loop nest of a statement; false if the statement does anything else.
bool CopyLoopFinder::find_in(const clang::Stmt* statement, LoopBesideBlock& loop) const {
  if (const auto* nest = llvm::dyn_cast<clang::ForStmt>(statement)) {
    loop.nest = read_copy_nest(nest, unit_.sema.Context, changed_);
    return true;
  }
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
    if (branch->getElse() != nullptr || branch->getInit() != nullptr ||
        branch->getConditionVariable() != nullptr || branch->isConstexpr() ||
        mentions(branch->getCond(), loop.buffer))
      return false;
    loop.conditions.push_back(branch->getCond());
    return find_in(branch->getThen(), loop);
  }
  const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(statement);
  return compound != nullptr && compound->size() == 1 && find_in(compound->body_front(), loop);
}

/// Returns true if the statement changes nothing but local numbers, and buffers that loops copy to. `behind`
/// the block it must not read what the loop after it writes either.
bool CopyLoopFinder::is_inert(const clang::Stmt* statement, bool behind,
                              std::set<const clang::VarDecl*>& written) const {
  const LinearAddresses nothing(unit_.sema.Context, {});
  const auto computes = [&](const clang::Expr* value) {
    return nothing.value(value) == Growth::none && (!behind || is_of_own_numbers(value));
  };
  if (llvm::isa<clang::NullStmt>(statement)) return true;
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement))
    return std::all_of(declared->decl_begin(), declared->decl_end(), [&](const clang::Decl* one) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
      if (variable == nullptr || !variable->hasLocalStorage() || variable->getType()->isReferenceType())
        return false;
      const clang::Expr* value = variable->getInit();
      if (value != nullptr) value = value->IgnoreImplicit();
      if (variable->getType()->isArithmeticType()) return value == nullptr || computes(value);
      if (!is_buffer_of_numbers(variable->getType(), unit_.sema.Context)) return false;
      const auto* made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(value);
      if (made == nullptr) return value == nullptr;
      return std::all_of(made->arg_begin(), made->arg_end(), [&](const clang::Expr* argument) {
        return llvm::isa<clang::CXXDefaultArgExpr>(argument) ||
               (argument->IgnoreImplicit()->getType()->isArithmeticType() &&
                computes(argument->IgnoreImplicit()));
      });
    });
  if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(statement))
    return std::all_of(compound->body_begin(), compound->body_end(),
                       [&](const clang::Stmt* one) { return is_inert(one, behind, written); });
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement))
    return branch->getInit() == nullptr && branch->getConditionVariable() == nullptr &&
           computes(branch->getCond()) && is_inert(branch->getThen(), behind, written) &&
           (branch->getElse() == nullptr || is_inert(branch->getElse(), behind, written));
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement); loop != nullptr && !behind) {
    const CopyNest nest = read_copy_nest(loop, unit_.sema.Context, changed_);
    const auto* root = nest.obstacle.empty() ? root_of(nest.target) : nullptr;
    const auto* buffer = root == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(root->getDecl());
    if (buffer == nullptr || !buffer->hasLocalStorage() || buffer->getDeclContext() != function_ ||
        !is_buffer_of_numbers(buffer->getType(), unit_.sema.Context))
      return false;
    add_numbers(nest, written);
    written.insert(buffer);
    return true;
  }
  const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
  const clang::VarDecl* const variable = assignment != nullptr && assignment->getOpcode() == clang::BO_Assign
                                             ? variable_of(assignment->getLHS())
                                             : nullptr;
  if (variable == nullptr || !variable->hasLocalStorage() || !variable->getType()->isArithmeticType() ||
      variable->getType()->isReferenceType() || changed_.is_referenced(variable) ||
      !computes(assignment->getRHS()))
    return false;
  written.insert(variable);
  return true;
}

/// Returns true if the expression is made of constants and local numbers.
bool CopyLoopFinder::is_of_own_numbers(const clang::Stmt* expression) const {
  if (llvm::isa<clang::CallExpr, clang::ArraySubscriptExpr, clang::MemberExpr>(expression)) return false;
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression);
  if (unary != nullptr && unary->getOpcode() == clang::UO_Deref) return false;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    return variable == nullptr ||
           (variable->getType()->isArithmeticType() && variable->hasLocalStorage() &&
            (variable->getType().isConstQualified() || !changed_.is_referenced(variable)));
  }
  return std::all_of(expression->child_begin(), expression->child_end(),
                     [&](const clang::Stmt* child) { return child == nullptr || is_of_own_numbers(child); });
}

void CopyLoopFinder::watch(const clang::VarDecl* variable, AccessList& list) {
  const int number = variables_.of(variable);
  if (number >= 0 && !list.is_object(variable)) list.add_object(variable, {number, false});
}

void CopyLoopFinder::place(const Statements& statements, const clang::ParentMap& parents,
                           flow::Function& function) const {
  for (const auto& [loop, number] : loops_) {
    flow::CopyLoop& made = function.copy_loops[number];
    made.statement = statements.around(loop, parents);
    const bool is_found =
        made.statement >= 0 &&
        function.statements[static_cast<std::size_t>(made.statement)].at.span.begin == made.at.span.begin;
    if (is_found || !made.obstacle.empty()) continue;
    made.obstacle = "nothing can be put beside it";
    made.obstacle_at = made.at;
  }
}

}  // namespace kanor::host
