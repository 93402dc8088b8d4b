// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/locked_blocks.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/ParentMapContext.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <map>
#include <vector>

#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

/// Reports the blocks in what it walks, the functions that are called or named there, and calls of functions
/// that are not known.
class CallWalk : public TreeWalk {
 public:
  bool VisitDoStmt(clang::DoStmt* loop) override {
    block(loop);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl())) call(name, function);
    // A lambda may be called by what it is passed to.
    const auto* closure = name->getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (closure != nullptr && closure->isLambda()) call(name, closure->getLambdaCallOperator());
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl()))
      call(member, method);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* one) override {
    if (one->getDirectCallee() == nullptr && !llvm::isa<clang::CXXPseudoDestructorExpr>(one->getCallee()))
      call(one, nullptr);
    return true;
  }
  bool VisitExpr(clang::Expr* expression) override {
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) {
      call(made, made->getConstructor());
      destroy(made, made->getType());
    } else if (const auto* deleted = llvm::dyn_cast<clang::CXXDeleteExpr>(expression)) {
      destroy(deleted, deleted->getDestroyedType());
    }
    return true;
  }

 private:
  void destroy(const clang::Expr* where, clang::QualType type) {
    const auto* record = type.isNull() ? nullptr : type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (record != nullptr && record->hasDefinition() && record->getDestructor() != nullptr)
      call(where, record->getDestructor());
  }

  virtual void block(const clang::DoStmt* loop) = 0;
  /// `function` is null for one that is not known.
  virtual void call(const clang::Expr* where, const clang::FunctionDecl* function) = 0;
};

/// Which functions may execute blocks.
class Blocking {
 public:
  Blocking(const clang::SourceManager& sources, const FileMap& files) : sources_(sources), files_(files) {}

  bool begins_block(const clang::DoStmt* loop) const {
    const auto place = files_.block_place(sources_, loop->getBeginLoc());
    return place.block >= 0 && place.begins_block;
  }
  bool is_in_block(clang::SourceLocation location) const {
    return files_.block_place(sources_, location).block >= 0;
  }

  /// Functions may call each other in turn, so only all that a function reaches tell whether it may.
  bool may_block(const clang::FunctionDecl* function) {
    std::vector<const clang::FunctionDecl*> reached{function};
    for (std::size_t at = 0; at < reached.size(); ++at) {
      const Body& body = body_of(reached[at]);
      if (body.may_block) return true;
      for (const auto* callee : body.callees)
        if (std::find(reached.begin(), reached.end(), callee) == reached.end()) reached.push_back(callee);
    }
    return false;
  }

 private:
  struct Body {
    bool may_block = false;  ///< by itself: it has a block, or is not known
    std::vector<const clang::FunctionDecl*> callees;
  };

  class BodyWalk : public CallWalk {
   public:
    BodyWalk(const Blocking& all, Body& body) : all_(all), body_(body) {}

   private:
    void block(const clang::DoStmt* loop) override { body_.may_block |= all_.begins_block(loop); }
    void call(const clang::Expr*, const clang::FunctionDecl* function) override {
      body_.callees.push_back(function);
    }
    const Blocking& all_;
    Body& body_;
  };

  const Body& body_of(const clang::FunctionDecl* function) {
    if (function != nullptr) function = function->getCanonicalDecl();
    const auto [found, is_new] = bodies_.try_emplace(function);
    if (is_new) read(function, found->second);
    return found->second;
  }

  void read(const clang::FunctionDecl* function, Body& body) const {
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
    if (function == nullptr || (method != nullptr && method->isVirtual() && !is_of_system(function))) {
      body.may_block = true;
    } else if (is_of_system(function)) {
      body.may_block = is_in_kanor(function) ? exchanges(function) : calls_what_it_holds(function);
    } else if (const clang::Stmt* statements = function->getBody()) {
      BodyWalk walk(*this, body);
      walk.TraverseStmt(const_cast<clang::Stmt*>(statements));
    } else {
      body.may_block = !function->isTrivial() && !function->isDefaulted();
    }
  }

  bool is_of_system(const clang::FunctionDecl* function) const {
    return sources_.isInSystemHeader(sources_.getExpansionLoc(function->getLocation()));
  }
  static bool is_in_kanor(const clang::FunctionDecl* function) {
    return function->getQualifiedNameAsString().starts_with("kanor::");
  }
  /// Returns true for Kanor's own functions, except for those that only compute.
  static bool exchanges(const clang::FunctionDecl* function) {
    static constexpr llvm::StringLiteral computing[] = {
        "buffer", "grid", "grid_view", "integer_iterator", "integer_range", "shaped", "team"};
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    const llvm::StringRef name = function->getIdentifier() == nullptr ? "" : function->getName();
    if (method == nullptr) return name != "range" && name != "section";
    const llvm::StringRef of = method->getParent()->getName();
    return name == "split" || !llvm::is_contained(computing, of);
  }
  /// Returns true for std::function and the like.
  static bool calls_what_it_holds(const clang::FunctionDecl* function) {
    return function->getOverloadedOperator() == clang::OO_Call;
  }

  const clang::SourceManager& sources_;
  const FileMap& files_;
  std::map<const clang::FunctionDecl*, Body> bodies_;
};

class LockFinder : public CallWalk {
 public:
  LockFinder(clang::Sema& sema, const FileMap& files, sema::Facts& facts)
      : sema_(sema), files_(files), facts_(facts), blocking_(sema.getSourceManager(), files) {}

 private:
  void block(const clang::DoStmt* loop) override {
    if (!blocking_.begins_block(loop) || !is_under_lock(loop)) return;
    const auto where = files_.block_place(sema_.getSourceManager(), loop->getBeginLoc());
    const auto& block = where.entry->shadow->ast->blocks[static_cast<std::size_t>(where.block)];
    facts_.add_obstacle({where.entry->source, block.span, "omp critical",
                         "the block inside would wait for ranks that wait for this lock"});
  }

  void call(const clang::Expr* where, const clang::FunctionDecl* function) override {
    if (blocking_.is_in_block(where->getBeginLoc()) || !blocking_.may_block(function) ||
        !is_under_lock(where))
      return;
    std::uint32_t offset = 0;
    const auto* file = files_.user_file(sema_.getSourceManager(), where->getBeginLoc(), offset);
    const auto begin = file == nullptr ? std::nullopt : file->original(offset);
    if (!begin) return;
    facts_.add_obstacle({file->source,
                         {*begin, *begin + 1},
                         "omp critical",
                         "a function that is called inside may have blocks, which would wait for ranks that "
                         "wait for this lock"});
  }

  /// Returns true if a pragma may let one thread of the process at a time execute the statement.
  bool is_under_lock(const clang::Stmt* statement) const {
    for (clang::DynTypedNode node = clang::DynTypedNode::create(*statement);;) {
      const auto* pragmas =
          node.get<clang::Stmt>() == nullptr
              ? nullptr
              : files_.pragmas_before(sema_.getSourceManager(), node.getSourceRange().getBegin());
      if (pragmas != nullptr && pragmas->may_lock) return true;
      const auto parents = sema_.Context.getParents(node);
      if (parents.empty()) return false;
      node = parents[0];
    }
  }

  clang::Sema& sema_;
  const FileMap& files_;
  sema::Facts& facts_;
  Blocking blocking_;
};

}  // namespace

void find_locked_blocks(clang::Sema& sema, const FileMap& files, sema::Facts& facts) {
  if (!files.may_lock()) return;
  LockFinder finder(sema, files, facts);
  walk_user_files(finder, files, sema.Context);
}

}  // namespace kanor::host
