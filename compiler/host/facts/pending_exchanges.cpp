// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/pending_exchanges.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <optional>
#include <set>

#include "host/facts/certain_touches.hpp"
#include "host/facts/named_variables.hpp"
#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

/// The variables that a statement names, also in lambdas.
std::set<const clang::ValueDecl*> names_in(const clang::Stmt* statement) {
  std::set<const clang::ValueDecl*> found;
  for_each_name(statement, [&](const clang::DeclRefExpr* name) { found.insert(name->getDecl()); });
  return found;
}

class PendingFinder : public TreeWalk {
 public:
  PendingFinder(clang::Sema& sema, const FileMap& files, sema::Facts& facts)
      : sema_(sema), files_(files), facts_(facts) {}

  bool VisitCompoundStmt(clang::CompoundStmt* braces) override {
    exchanges_.clear();
    block_ = {};
    for (clang::Stmt* statement : braces->body()) look_at(statement);
    return true;
  }

 private:
  struct Exchange {
    const clang::VarDecl* name = nullptr;
    const FileMap::Entry* file = nullptr;
    int block = 0;
    std::optional<text::Span> waited;
    bool all_go_on = true;  ///< true if nothing since could have led some ranks elsewhere
  };

  void look_at(clang::Stmt* statement) {
    const auto place = files_.block_place(sema_.getSourceManager(), statement->getBeginLoc());
    if (llvm::isa<clang::DoStmt>(statement) && place.begins_block) {
      block_ = place;
      forget(names_in(statement));
      for (const Exchange& exchange : exchanges_)
        if (!exchange.waited && exchange.file == place.entry)
          file_of(place).blocks[static_cast<std::size_t>(place.block)].pending.push_back(exchange.block);
    } else if (const auto* declared = declared_by_block(statement, place)) {
      exchanges_.push_back({declared, place.entry, place.block, {}, true});
    } else if (llvm::isa<clang::LabelStmt, clang::SwitchCase>(statement)) {
      exchanges_.clear();
    } else if (Exchange* const exchange = waited_for(statement)) {
      note_wait(*exchange, statement, place);
    } else {
      forget(names_in(statement));
      note_touches(statement);
    }
    if (!place.begins_block && may_leave(statement))
      for (Exchange& exchange : exchanges_) exchange.all_go_on = false;
  }

  /// Notes accesses to variables in statements that do not name the exchange.
  void note_touches(const clang::Stmt* statement) {
    if (exchanges_.empty()) return;
    for (const CertainTouch& touch : certain_touches(statement)) {
      const auto place = files_.block_place(sema_.getSourceManager(), touch.at->getBeginLoc());
      const auto span = place.entry == nullptr ? std::nullopt : original_span(touch.at, place);
      if (!span) continue;
      for (const Exchange& exchange : exchanges_) {
        if (exchange.waited || !exchange.all_go_on || exchange.file != place.entry) continue;
        file_of(place).blocks[static_cast<std::size_t>(exchange.block)].touches.push_back(
            {*span, touch.variable->getName().str(), number_of(*touch.variable), touch.writes});
      }
    }
  }

  /// The name declared with `async` by the block before this statement.
  const clang::VarDecl* declared_by_block(const clang::Stmt* statement,
                                          const FileMap::BlockPlace& place) const {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement);
    if (declaration == nullptr || !declaration->isSingleDecl() || place.block < 0 ||
        place.entry != block_.entry || place.block != block_.block)
      return nullptr;
    return llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl());
  }

  /// The exchange, if the statement is its `name.wait()`.
  Exchange* waited_for(clang::Stmt* statement) {
    const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
    const auto* call = expression == nullptr
                           ? nullptr
                           : llvm::dyn_cast<clang::CXXMemberCallExpr>(expression->IgnoreImplicit());
    const auto* method = call == nullptr ? nullptr : call->getMethodDecl();
    if (method == nullptr || !method->getIdentifier() || method->getName() != "wait") return nullptr;
    const auto* object =
        llvm::dyn_cast<clang::DeclRefExpr>(call->getImplicitObjectArgument()->IgnoreParenImpCasts());
    if (object == nullptr) return nullptr;
    const auto found = std::find_if(exchanges_.begin(), exchanges_.end(), [&](const Exchange& exchange) {
      return exchange.name == object->getDecl();
    });
    return found == exchanges_.end() ? nullptr : &*found;
  }

  void note_wait(Exchange& exchange, const clang::Stmt* statement, const FileMap::BlockPlace& place) {
    const auto span = original_span(statement, place);
    if (!span || place.entry != exchange.file) return forget({exchange.name});
    if (exchange.waited)
      file_of(place).second_waits.push_back({*span, *exchange.waited, exchange.name->getName().str()});
    else
      exchange.waited = span;
  }

  std::optional<text::Span> original_span(const clang::Stmt* statement,
                                          const FileMap::BlockPlace& place) const {
    if (place.entry == nullptr || statement->getBeginLoc().isMacroID()) return std::nullopt;
    const auto shadow = place_of(sema_.getSourceManager(), statement->getBeginLoc(), statement->getEndLoc(),
                                 sema_.getLangOpts());
    const auto begin = place.entry->shadow->original(place.offset);
    if (!begin) return std::nullopt;
    return text::Span{*begin, *begin + (shadow.end - shadow.begin)};
  }

  void forget(const std::set<const clang::ValueDecl*>& names) {
    std::erase_if(exchanges_, [&](const Exchange& exchange) { return names.contains(exchange.name); });
  }

  sema::FileFacts& file_of(const FileMap::BlockPlace& place) const {
    return facts_.files[static_cast<std::size_t>(place.entry->user_file)];
  }

  clang::Sema& sema_;
  const FileMap& files_;
  sema::Facts& facts_;
  std::vector<Exchange> exchanges_;  ///< those of the current compound statement
  FileMap::BlockPlace block_;        ///< the latest block in it
};

}  // namespace

void find_pending_exchanges(clang::Sema& sema, const FileMap& files, sema::Facts& facts) {
  PendingFinder finder(sema, files, facts);
  walk_user_files(finder, files, sema.Context);
}

}  // namespace kanor::host
