// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/pieces.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Sema/Sema.h>

#include <algorithm>

#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

/// Finds modifications and suspensions in the evaluation of an expression. The bodies of lambdas in it are
/// not evaluated there.
class SideEffectFinder : public TreeWalk {
 public:
  SideEffectFinder(clang::Sema& sema, const FileMap& files, sema::Facts& facts, const Shadow& shadow)
      : sema_(sema), files_(files), facts_(facts), shadow_(shadow) {}

  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) override { return true; }

  bool VisitUnaryOperator(clang::UnaryOperator* expression) override {
    if (expression->isIncrementDecrementOp())
      add(expression->getSourceRange(), clang::UnaryOperator::getOpcodeStr(expression->getOpcode()));
    return true;
  }
  bool VisitExpr(clang::Expr* expression) override {
    if (llvm::isa<clang::CoyieldExpr>(expression))
      add(expression->getSourceRange(), "co_yield", true);
    else if (llvm::isa<clang::CoroutineSuspendExpr, clang::DependentCoawaitExpr>(expression))
      add(expression->getSourceRange(), "co_await", true);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* expression) override {
    if (expression->isAssignmentOp()) add(expression->getSourceRange(), expression->getOpcodeStr());
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* expression) override {
    const auto op = expression->getOperator();
    if (expression->isAssignmentOp() || op == clang::OO_PlusPlus || op == clang::OO_MinusMinus)
      add(expression->getSourceRange(), clang::getOperatorSpelling(op));
    return true;
  }

 private:
  void add(clang::SourceRange range, llvm::StringRef what, bool suspends = false) {
    const auto place =
        place_of(sema_.getSourceManager(), range.getBegin(), range.getEnd(), sema_.getLangOpts());
    const auto* entry = files_.find(place.file);
    if (entry == nullptr || entry->shadow != &shadow_) return;
    const auto begin = shadow_.original(place.begin);
    const int block = shadow_.block_at(place.begin);
    if (!begin || block < 0) return;
    const Span span{*begin, *begin + (place.end - place.begin)};
    auto& facts = facts_.block(entry->user_file, block);
    auto& effects = suspends ? facts.suspensions : facts.side_effects;
    const auto known = std::any_of(effects.begin(), effects.end(),
                                   [&](const sema::SideEffect& effect) { return effect.span == span; });
    if (!known) effects.push_back({span, what.str()});
  }

  clang::Sema& sema_;
  const FileMap& files_;
  sema::Facts& facts_;
  const Shadow& shadow_;
};

/// Finds structured bindings to bit-fields in an expression that emitted code puts into a lambda.
class BoundBitFieldFinder : public TreeWalk {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* binding = llvm::dyn_cast<clang::BindingDecl>(name->getDecl());
    if (binding == nullptr || binding->getBinding() == nullptr || !binding->getBinding()->refersToBitField())
      return true;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(binding->getDecomposedDecl());
    if (variable != nullptr && variable->hasLocalStorage()) names.push_back(name);
    return true;
  }
  std::vector<const clang::DeclRefExpr*> names;
};

/// Finds pieces by the place of the construct that the shadow wraps around each.
class PieceFinder : public FunctionWalk {
 public:
  PieceFinder(clang::Sema& sema, const FileMap& files, sema::Facts& facts)
      : sema_(sema), files_(files), facts_(facts) {}

  PieceTable take() { return std::move(table_); }

  bool shouldVisitTemplateInstantiations() const override { return true; }

  bool VisitCStyleCastExpr(clang::CStyleCastExpr* cast) override {
    if (cast->getTypeAsWritten().isNull() || !cast->getTypeAsWritten()->isVoidType()) return true;
    const auto* anchor = anchor_at(cast->getLParenLoc());
    if (anchor == nullptr) return true;
    clang::Expr* inner = cast->getSubExprAsWritten()->IgnoreParens();
    if (anchor->piece.kind == PieceKind::team) {
      table_.teams.push_back({{entry_, anchor->piece.block, -1, function_}, inner});
      return true;
    }
    StatementPieces& pieces = of(anchor->piece);
    switch (anchor->piece.kind) {
      case PieceKind::place:
        pieces.place = inner;
        break;
      case PieceKind::value:
        pieces.value = inner;
        break;
      case PieceKind::receiver:
        pieces.receiver = inner;
        break;
      case PieceKind::sender:
        pieces.sender = inner;
        break;
      case PieceKind::filter:
        pieces.filters[anchor->piece.index] = inner;
        break;
      case PieceKind::place_part:
        inner = within_indices(inner, *anchor, pieces.place_indices);
        pieces.place_parts[anchor->piece.index] = inner;
        break;
      case PieceKind::value_part:
        inner = within_indices(inner, *anchor, pieces.value_indices);
        pieces.value_parts[anchor->piece.index] = inner;
        break;
      case PieceKind::callable:
        pieces.callable = inner;
        break;
      case PieceKind::open_callable:
        take_callable(inner, pieces);
        return true;
      default:
        return true;
    }
    note_side_effects(inner);
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) override {
    const auto* anchor = anchor_at(call->getBeginLoc());
    if (anchor == nullptr || anchor->piece.kind != PieceKind::set) return true;
    // The set's own expression may begin with a call too; the shadow's call is the outer one, met first.
    of(anchor->piece).sets.try_emplace(anchor->piece.index, call);
    for (clang::Expr* argument : call->arguments()) note_side_effects(argument);
    return true;
  }

  bool VisitVarDecl(clang::VarDecl* variable) override {
    const auto* anchor = anchor_at(variable->getBeginLoc());
    if (anchor == nullptr || anchor->piece.kind != PieceKind::let || variable->getInit() == nullptr)
      return true;
    of(anchor->piece).lets[anchor->piece.index] = variable->getInit();
    note_side_effects(variable->getInit());
    return true;
  }

 private:
  const Anchor* anchor_at(clang::SourceLocation location) {
    if (!location.isFileID()) return nullptr;
    std::uint32_t offset = 0;
    entry_ = files_.user_file(sema_.getSourceManager(), location, offset);
    return entry_ == nullptr || entry_->shadow == nullptr ? nullptr : entry_->shadow->anchor_at(offset);
  }

  StatementPieces& of(Piece piece) { return table_.at({entry_, piece.block, piece.statement, function_}); }

  void note_side_effects(clang::Expr* expression) {
    SideEffectFinder(sema_, files_, facts_, *entry_->shadow).TraverseStmt(expression);
    note_bound_bit_fields(expression);
  }

  void note_bound_bit_fields(clang::Expr* expression) {
    BoundBitFieldFinder finder;
    finder.TraverseStmt(expression);
    for (const auto* name : finder.names) {
      std::uint32_t offset = 0;
      const auto* entry = files_.user_file(sema_.getSourceManager(), name->getLocation(), offset);
      if (entry == nullptr || entry->shadow == nullptr) continue;
      const auto begin = entry->shadow->original(offset);
      const int block = entry->shadow->block_at(offset);
      if (!begin || block < 0) continue;
      const std::string spelling = name->getDecl()->getNameAsString();
      const Span span{*begin, *begin + static_cast<std::uint32_t>(spelling.size())};
      facts_.block(entry->user_file, block).bound_bit_fields.push_back({span, spelling});
    }
  }

  /// If the piece is a section's range of indices, notes the shadow's call around it and returns what is in
  /// it.
  clang::Expr* within_indices(clang::Expr* piece, const Anchor& anchor, clang::CallExpr*& indices) const {
    const auto& block = entry_->shadow->ast->blocks[static_cast<std::size_t>(anchor.piece.block)];
    const auto& statement = block.statements[static_cast<std::size_t>(anchor.piece.statement)];
    const bool is_place = anchor.piece.kind == PieceKind::place_part;
    const auto& dimensions = (is_place ? statement.place : statement.value).dimensions;
    if (!dimensions[static_cast<std::size_t>(anchor.piece.index) / syntax::parts_of_dimension].indices)
      return piece;
    indices = llvm::dyn_cast<clang::CallExpr>(piece->IgnoreImplicit());
    if (indices == nullptr || indices->getNumArgs() != 1) return piece;
    return indices->getArg(0)->IgnoreImplicit()->IgnoreParens();
  }

  /// Takes the callable from `(void)[&](const auto& a, const auto& b) { (void)(callable)(a, b); }`.
  void take_callable(clang::Expr* expression, StatementPieces& pieces) {
    auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(expression->IgnoreImplicit());
    auto* body = lambda == nullptr ? nullptr : llvm::dyn_cast<clang::CompoundStmt>(lambda->getBody());
    if (body == nullptr || body->body_empty()) return;
    auto* statement = llvm::dyn_cast<clang::CStyleCastExpr>(body->body_front());
    if (statement == nullptr) return;
    clang::Expr* called = statement->getSubExprAsWritten()->IgnoreParens();
    pieces.callable_is_type = llvm::isa<clang::ExplicitCastExpr>(called);
    if (auto* call = llvm::dyn_cast<clang::CallExpr>(called))
      pieces.callable = call->getCallee()->IgnoreParens();
  }

  clang::Sema& sema_;
  const FileMap& files_;
  sema::Facts& facts_;
  PieceTable table_;
  const FileMap::Entry* entry_ = nullptr;  ///< the last anchor's
};

}  // namespace

const clang::Expr* PieceTable::team_of(const StatementKey& key) const {
  for (const TeamPiece& piece : teams)
    if (piece.key.file == key.file && piece.key.block == key.block && piece.key.function == key.function)
      return piece.team;
  return nullptr;
}

StatementPieces& PieceTable::at(const StatementKey& key) {
  const auto [found, is_new] =
      index_.try_emplace(std::tuple(key.file, key.block, key.statement, key.function), all_.size());
  if (is_new) all_.emplace_back(key, StatementPieces{});
  return all_[found->second].second;
}

PieceTable collect_pieces(clang::Sema& sema, const FileMap& files, sema::Facts& facts) {
  PieceFinder finder(sema, files, facts);
  walk_user_files(finder, files, sema.Context);
  return finder.take();
}

}  // namespace kanor::host
