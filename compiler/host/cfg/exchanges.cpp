// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/exchanges.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <string>

#include "host/cfg/kinds.hpp"
#include "host/cfg/library_effects.hpp"
#include "host/facts/archive_functions.hpp"
#include "host/facts/travel.hpp"
#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

/// Returns true for types whose objects own all that they consist of, and run no functions of the program
/// when they are assigned or travel. A kanor::buffer may share its memory.
bool owns_itself(clang::QualType type, clang::ASTContext& context) {
  if (const auto* array = context.getAsConstantArrayType(type))
    return owns_itself(array->getElementType(), context);
  if (type->isReferenceType() || is_buffer(type)) return false;
  if (is_plain_value(type)) return true;
  if (holds_elements(type)) return owns_itself(first_type_argument(type), context);
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition() || record->isUnion() || record->isPolymorphic() ||
      record->hasUserDeclaredCopyAssignment() || record->hasUserDeclaredMoveAssignment() ||
      record->hasUserDeclaredDestructor() || has_archive_functions(record, context))
    return false;
  return std::all_of(record->bases_begin(), record->bases_end(),
                     [&](const auto& base) { return owns_itself(base.getType(), context); }) &&
         std::all_of(record->field_begin(), record->field_end(), [&](const clang::FieldDecl* field) {
           return !field->getType().isVolatileQualified() && owns_itself(field->getType(), context);
         });
}

bool is_plain(clang::QualType type) {
  return is_plain_value(clang::QualType(type->getBaseElementTypeUnsafe(), 0));
}

/// Returns true if a value that arrives is assigned without functions of the program.
bool is_assigned_plainly(clang::QualType place, clang::QualType value, clang::ASTContext& context) {
  place = pointee(place);
  value = pointee(value);
  return owns_itself(value, context) &&
         (context.hasSameUnqualifiedType(place, value) || (is_plain(place) && is_plain(value)));
}

void add_once(std::vector<int>& all, int one) {
  if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
}

void refuse(flow::Exchange& made, std::string why, flow::Location at) {
  if (!made.obstacle.empty()) return;
  made.obstacle = std::move(why);
  made.obstacle_at = at;
}

void refuse_early(flow::Exchange& made, std::string why, flow::Location at) {
  if (!made.late.empty()) return;
  made.late = std::move(why);
  made.late_at = at;
}

}  // namespace

bool only_exchanges(const syntax::Block& block) {
  return std::all_of(block.modifiers.begin(), block.modifiers.end(), [](const auto& modifier) {
    return modifier.kind == syntax::ModifierKind::team || modifier.kind == syntax::ModifierKind::copy;
  });
}

const clang::DeclRefExpr* root_of(const clang::Expr* part) {
  while (part != nullptr) {
    part = part->IgnoreParens();
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(part)) return name;
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(part)) {
      part = element->getBase()->IgnoreParenImpCasts();
      if (!part->getType()->isArrayType()) return nullptr;
    } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(part)) {
      if (member->isArrow() || !llvm::isa<clang::FieldDecl>(member->getMemberDecl())) return nullptr;
      part = member->getBase();
    } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(part)) {
      if (call->getOperator() != clang::OO_Subscript || !holds_elements(call->getArg(0)->getType()))
        return nullptr;
      part = call->getArg(0)->IgnoreParenImpCasts();
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

void ExchangeFinder::find(AccessList& list) {
  for (const auto& [key, pieces] : unit_.pieces.all()) {
    if (key.function == nullptr || key.file->shadow == nullptr ||
        key.function->getCanonicalDecl() != function_->getCanonicalDecl())
      continue;
    const auto& block = key.file->shadow->ast->blocks[static_cast<std::size_t>(key.block)];
    if (!only_exchanges(block)) continue;
    std::vector<flow::Exchange>& all = list.function().exchanges;
    if (keys_.empty() || keys_.back() != std::pair(key.file, key.block)) {
      keys_.emplace_back(key.file, key.block);
      flow::Exchange& made = all.emplace_back();
      made.block = key.block;
      made.at = {key.file->source, syntax::keyword_of(block, *key.file->source)};
      // What other units make of a header must be the same, and they may know less of what it calls.
      if (!places_.is_in_main_file(function_->getLocation())) refuse(made, "it stands in a header", made.at);
      if (const clang::Expr* team = unit_.pieces.team_of(key)) add_operands(team, nullptr, made, list);
    }
    add(pieces, all.back(), list);
  }
}

void ExchangeFinder::place(const Statements& statements, flow::Function& function) const {
  for (std::size_t at = 0; at < keys_.size(); ++at)
    function.exchanges[at].statement = statements.of_block(keys_[at].first, keys_[at].second);
}

void ExchangeFinder::add(const StatementPieces& pieces, flow::Exchange& made, AccessList& list) {
  if (pieces.callable != nullptr)
    refuse(made, "a function of the program runs when it is complete",
           places_.of(pieces.callable->getSourceRange()));
  if (pieces.place == nullptr || pieces.value == nullptr)
    return refuse(made, "kanorc does not know its place or value", made.at);
  add_place(pieces.place, made.places, made, list);
  for (const auto& [at, piece] : pieces.place_parts) {
    if (pieces.place_indices != nullptr) add_place(piece, made.indices, made, list);
    add_operands(piece, nullptr, made, list);
  }
  // What is sent has been copied when the block has started.
  const flow::Location value_at = places_.of(pieces.value->getSourceRange());
  if (pieces.value->isXValue()) refuse(made, "the memory of this value may travel", value_at);
  if (!is_assigned_plainly(pieces.place->getType(), pieces.value->getType(), unit_.sema.Context))
    refuse(made, "kanorc does not know what runs when this value is assigned", value_at);
  for (const clang::Expr* piece : {pieces.value, pieces.receiver, pieces.sender})
    if (piece != nullptr) add_operands(piece, nullptr, made, list);
  for (const auto* parts : {&pieces.value_parts, &pieces.lets, &pieces.filters})
    for (const auto& [at, piece] : *parts) add_operands(piece, nullptr, made, list);
  for (const auto& [at, call] : pieces.sets)
    for (const clang::Expr* element : call->arguments()) add_operands(element, nullptr, made, list);
}

/// Adds the variable that the place is part of, and what selects the part.
void ExchangeFinder::add_place(const clang::Expr* place, std::vector<int>& variables, flow::Exchange& made,
                               AccessList& list) {
  const clang::DeclRefExpr* const root = root_of(place);
  const flow::Location at = places_.of(place->getSourceRange());
  if (root == nullptr) return refuse(made, "kanorc does not know which variable this is part of", at);
  std::string why;
  const int variable = watch(root->getDecl(), list, why);
  if (variable < 0) return refuse(made, why, at);
  add_once(variables, variable);
  add_operands(place, root, made, list);
}

void ExchangeFinder::add_operands(const clang::Expr* piece, const clang::Expr* except, flow::Exchange& made,
                                  AccessList& list) {
  look_at_calls(piece, made);
  for_each_name(piece, [&](const clang::DeclRefExpr* name) {
    const clang::ValueDecl* const declaration = name->getDecl();
    if (name == except || places_.is_in_block(declaration->getLocation()) ||
        !llvm::isa<clang::VarDecl, clang::BindingDecl>(declaration))
      return;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    // The world's team does not change, and neither does a constant.
    const bool is_constant =
        declaration->getType().isConstQualified() &&
        (owns_itself(declaration->getType(), unit_.sema.Context) || is_team(declaration->getType()));
    std::string why;
    const int number = is_constant ? variables_.of(declaration) : watch(declaration, list, why);
    if (number >= 0) add_once(made.operands, number);
    const bool is_same_everywhere = is_constant && (variable == nullptr || !variable->hasLocalStorage());
    if (number < 0 && !is_same_everywhere)
      refuse_early(made, why.empty() ? "kanorc does not know when this changes" : why,
                   places_.of(name->getSourceRange()));
  });
}

/// A function of the program may read what other statements change; those of libraries use what they get.
void ExchangeFinder::look_at_calls(const clang::Stmt* piece, flow::Exchange& made) const {
  const flow::Location at = places_.of(piece->getSourceRange());
  if (llvm::isa<clang::CXXThisExpr, clang::LambdaExpr>(piece))
    refuse_early(made, "kanorc does not know when this changes", at);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(piece)) {
    const auto* callee = call->getDirectCallee();
    if (callee == nullptr || (!is_of_system(callee) && !is_in(callee, "kanor")))
      refuse_early(made, "a function of the program is called here", at);
  }
  for (const clang::Stmt* child : piece->children())
    if (child != nullptr) look_at_calls(child, made);
}

int ExchangeFinder::watch(const clang::ValueDecl* declaration, AccessList& list, std::string& why) const {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
  const std::string name = "'" + declaration->getNameAsString() + "'";
  if (variable == nullptr || !variable->hasLocalStorage() ||
      llvm::dyn_cast<clang::Decl>(variable->getDeclContext())->getCanonicalDecl() !=
          function_->getCanonicalDecl()) {
    why = name + " is not local to the function";
    return -1;
  }
  const clang::QualType type = variable->getType();
  if (type->isReferenceType() || type->isPointerType() || type.isVolatileQualified() ||
      !owns_itself(type, unit_.sema.Context)) {
    why = name + (type->isReferenceType() ? " is another name of an object"
                                          : " may have parts elsewhere, or run functions of the program");
    return -1;
  }
  const int number = variables_.of(variable);
  if (number < 0) why = "kanorc does not know " + name;
  if (number >= 0 && !list.is_object(variable)) list.add_object(variable, {number, false});
  return number;
}

}  // namespace kanor::host
