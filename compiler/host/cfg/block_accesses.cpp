// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/block_accesses.hpp"

#include <algorithm>

#include "host/cfg/movable_values.hpp"
#include "host/facts/travel.hpp"

namespace kanor::host {

using flow::Access;
using flow::AccessKind;
using flow::Mention;

void BlockAccesses::add(const StatementKey& key, const StatementPieces& pieces) {
  const auto* const found = points_.of_block(key.file, key.block);
  if (found == nullptr || key.file->shadow == nullptr) return;
  const auto& [stands_for_it, point] = *found;
  const auto& block = key.file->shadow->ast->blocks[static_cast<std::size_t>(key.block)];
  int statement = statements_.of_block(key.file, key.block);
  if (statement < 0) statement = statements_.around(stands_for_it, parents_);
  const InBlock here{key,   pieces,   block, block.statements[static_cast<std::size_t>(key.statement)],
                     point, statement};
  if (const auto* name = named_whole(pieces.place, here.syntax.place))
    communicate(here, name, AccessKind::receive, Mention::What::place);
  else
    update_part(pieces.place, here);
  add_value(here);
  // A rank or a clause is written down once more, as a value that the block is given.
  const auto ask = [&](const clang::Expr* piece) {
    keep_from_sharing(piece, here, "a block's rank or clause uses it");
  };
  for (const clang::Expr* piece :
       {static_cast<const clang::Expr*>(pieces.receiver), static_cast<const clang::Expr*>(pieces.sender),
        static_cast<const clang::Expr*>(pieces.callable), unit_.pieces.team_of(key)})
    ask(piece);
  for (const auto* parts : {&pieces.place_parts, &pieces.value_parts, &pieces.lets, &pieces.filters})
    for (const auto& [at, piece] : *parts) ask(piece);
  for (const auto& [at, call] : pieces.sets) ask(call);
}

void BlockAccesses::add_value(const InBlock& here) {
  const clang::Expr* value = here.pieces.value;
  const auto movable = movable_value(here.key, here.pieces);
  const auto* name = named_whole(value, here.syntax.value);
  if (movable && moves_only(movable->variable)) {
    Access& access = communicate(here, movable->variable, AccessKind::send, Mention::What::value);
    access.at = places_.of(value->getSourceRange());
    access.is_replaced = movable->is_replaced;
    for (const clang::Expr* subscript : movable->subscripts) read(subscript, here);
  } else if (name != nullptr && !moves_only(name)) {
    communicate(here, name, AccessKind::send, Mention::What::value);
  } else if (value != nullptr && value->isXValue() && is_buffer(value->getType())) {
    keep_from_sharing(value, here, "a block gives its memory away");
  } else {
    read(value, here);
  }
}

void BlockAccesses::read(const clang::Stmt* piece, const InBlock& here) {
  if (piece == nullptr) return;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(piece)) {
    if (list_.object_of(name) != nullptr) add(AccessKind::read, name, here);
    return;
  }
  for (const clang::Stmt* child : piece->children()) read(child, here);
}

void BlockAccesses::keep_from_sharing(const clang::Stmt* piece, const InBlock& here, const char* reason) {
  const std::size_t before = list_.all().size();
  read(piece, here);
  for (std::size_t at = before; at < list_.all().size(); ++at)
    for (flow::Candidate& candidate : list_.function().candidates)
      if (candidate.variable == list_.all()[at].second.variable)
        candidate.obstacles.emplace_back(reason, list_.all()[at].second.at);
}

void BlockAccesses::update_part(const clang::Stmt* piece, const InBlock& here) {
  if (piece == nullptr) return;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(piece);
  if (name == nullptr) {
    for (const clang::Stmt* child : piece->children()) update_part(child, here);
    return;
  }
  if (list_.object_of(name) == nullptr) return;
  if (moves_only(name)) {
    add(AccessKind::write, name, here);
    return;
  }
  Access& access = add(AccessKind::read, name, here);
  if (flow::Candidate* const candidate = list_.candidate_of(name->getDecl()))
    return AccessList::obstacle(*candidate, "a part of it is a block's place", access.at);
  access.kind = AccessKind::escape;
  access.reason = "a block updates it";
}

Access& BlockAccesses::add(AccessKind kind, const clang::DeclRefExpr* name, const InBlock& here) {
  Access access;
  access.kind = kind;
  access.variable = list_.object_of(name)->variable;
  access.at = places_.of(name->getSourceRange());
  access.statement = here.statement;
  ProgramPoint point = here.point;
  point.phase = kind == AccessKind::read ? 0 : kind == AccessKind::send ? 1 : 2;
  return list_.add(point, std::move(access));
}

flow::Pipelining pipelining_of(const syntax::Block& block, bool any) {
  using enum flow::Pipelining;
  if (block.statements.size() != 1 || block.statements.front().op != syntax::Operator::assign) return no;
  if (block.modifiers.empty()) return any ? with_both : no;
  // Other modifiers say when a block runs, or how: a pipelined one has none.
  const bool is_delta =
      block.modifiers.size() == 1 && block.modifiers.front().kind == syntax::ModifierKind::delta;
  return is_delta ? with_either : no;
}

Access& BlockAccesses::communicate(const InBlock& here, const clang::DeclRefExpr* name, AccessKind kind,
                                   Mention::What what) {
  Access& access = add(kind, name, here);
  access.block = here.key.block;
  access.block_statement = here.key.statement;
  access.by_all_ranks = kind == AccessKind::receive && blocks_flow_.everyone_receives(here.key, here.pieces);
  access.pipelining = pipelining_of(here.block, pipelines_blocks_);
  flow::Candidate* const candidate = list_.candidate_of(name->getDecl());
  if (candidate == nullptr) return access;
  for (Mention& mention : candidate->mentions)
    if (mention.at.span.begin == access.at.span.begin && mention.at.source == access.at.source)
      mention.what = what;
  for (const auto& modifier : here.block.modifiers)
    if (modifier.kind == syntax::ModifierKind::async)
      AccessList::obstacle(*candidate, "an async block communicates it", access.at);
  return access;
}

const clang::DeclRefExpr* BlockAccesses::named_whole(const clang::Expr* piece,
                                                     const syntax::Operand& operand) const {
  if (piece == nullptr || operand.is_section()) return nullptr;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(piece->IgnoreParenImpCasts());
  return name != nullptr && list_.object_of(name) != nullptr ? name : nullptr;
}

bool BlockAccesses::moves_only(const clang::DeclRefExpr* name) const {
  const flow::Candidate* const candidate = list_.candidate_of(name->getDecl());
  return candidate != nullptr && candidate->moves_only;
}

void BlockAccesses::check_moved() {
  const auto& all = list_.all();
  for (flow::Candidate& candidate : list_.function().candidates) {
    if (!candidate.moves_only) continue;
    for (const auto& [point, sent] : all) {
      if (sent.variable != candidate.variable || sent.kind != AccessKind::send) continue;
      const auto uses = std::count_if(all.begin(), all.end(), [&, &at = point](const auto& other) {
        return other.second.variable == candidate.variable && other.first.node == at.node &&
               other.first.element == at.element;
      });
      if (uses > (sent.is_replaced ? 2 : 1))
        AccessList::obstacle(candidate, "the block uses it twice", sent.at);
    }
  }
}

}  // namespace kanor::host
