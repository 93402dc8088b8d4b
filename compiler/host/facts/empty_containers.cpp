// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/empty_containers.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace kanor::host {
namespace {

using Loops = std::vector<const clang::Stmt*>;  ///< outermost first; a block's shadow is one, too

/// Where a function names its variables, and where it declares them.
class Mentions {
 public:
  struct Mention {
    const clang::DeclRefExpr* name = nullptr;
    std::size_t position = 0;  ///< in the text's order
    Loops loops;
  };

  explicit Mentions(const clang::Stmt* body) { visit(body); }

  bool has_labels() const { return has_labels_; }
  const std::vector<Mention>& of(const clang::ValueDecl* variable) const {
    static const std::vector<Mention> none;
    const auto found = mentions_.find(variable);
    return found == mentions_.end() ? none : found->second;
  }
  const Loops* declared(const clang::ValueDecl* variable) const {
    const auto found = declared_.find(variable);
    return found == declared_.end() ? nullptr : &found->second;
  }

 private:
  void visit(const clang::Stmt* statement) {
    if (statement == nullptr) return;
    has_labels_ |= llvm::isa<clang::LabelStmt>(statement);
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(statement))
      mentions_[name->getDecl()].push_back({name, ++position_, loops_});
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement))
      for (const auto* one : declaration->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one)) declared_[variable] = loops_;
    const bool is_loop =
        llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement);
    if (is_loop) loops_.push_back(statement);
    for (const clang::Stmt* child : statement->children()) visit(child);
    if (is_loop) loops_.pop_back();
  }

  std::map<const clang::ValueDecl*, std::vector<Mention>> mentions_;
  std::map<const clang::ValueDecl*, Loops> declared_;
  Loops loops_;
  std::size_t position_ = 0;
  bool has_labels_ = false;
};

/// The variable of whose elements the operand is one, or part of one.
const clang::DeclRefExpr* container_of(const clang::Expr* operand) {
  bool is_element = false;
  while (operand != nullptr) {
    operand = operand->IgnoreParenImpCasts();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(operand)) {
      operand = member->isArrow() ? nullptr : member->getBase();
      is_element = false;
    } else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(operand)) {
      operand = subscript->getBase();
      is_element = false;
    } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(operand);
               call != nullptr && call->getOperator() == clang::OO_Subscript) {
      operand = call->getArg(0);
      is_element = true;
    } else {
      return is_element ? llvm::dyn_cast<clang::DeclRefExpr>(operand) : nullptr;
    }
  }
  return nullptr;
}

bool begins_empty(const clang::ValueDecl* declaration) {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
  if (variable == nullptr || !variable->hasLocalStorage() || variable->getInit() == nullptr) return false;
  const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(variable->getInit()->IgnoreImplicit());
  const auto* record = variable->getType()->getAsCXXRecordDecl();
  if (made == nullptr || record == nullptr || !record->isInStdNamespace()) return false;
  const auto name = record->getName();
  return (name == "vector" || name == "basic_string" || name == "deque") &&
         std::all_of(made->arg_begin(), made->arg_end(), [](const clang::Expr* argument) {
           return llvm::isa<clang::CXXDefaultArgExpr>(argument);
         });
}

/// Whether no other mention than elements can have been executed before the one, since the declaration.
bool is_still_empty(const Mentions& all, const clang::DeclRefExpr* element,
                    const std::vector<const clang::DeclRefExpr*>& elements) {
  const Loops* declared = all.declared(element->getDecl());
  const auto& mentions = all.of(element->getDecl());
  const auto own = std::find_if(mentions.begin(), mentions.end(),
                                [&](const auto& mention) { return mention.name == element; });
  if (declared == nullptr || own == mentions.end() || all.has_labels()) return false;
  const auto depth = declared->size();
  return std::all_of(mentions.begin(), mentions.end(), [&](const Mentions::Mention& other) {
    if (std::find(elements.begin(), elements.end(), other.name) != elements.end()) return true;
    const bool shares_loop =
        own->loops.size() > depth && other.loops.size() > depth && own->loops[depth] == other.loops[depth];
    return other.position > own->position && !shares_loop;
  });
}

}  // namespace

void find_empty_containers(clang::Sema& sema, const FileMap& files, const PieceTable& pieces,
                           sema::Facts& facts) {
  std::vector<const clang::DeclRefExpr*> elements;
  const auto candidate = [](const clang::Expr* operand) -> const clang::DeclRefExpr* {
    const auto* name = operand == nullptr ? nullptr : container_of(operand);
    return name != nullptr && begins_empty(name->getDecl()) ? name : nullptr;
  };
  for (const auto& [key, statement] : pieces.all())
    for (const auto* operand : {statement.place, statement.value})
      if (const auto* name = candidate(operand)) elements.push_back(name);
  std::map<const clang::FunctionDecl*, Mentions> functions;
  for (const auto& [key, statement] : pieces.all()) {
    if (key.function == nullptr || !statement.place_parts.empty()) continue;
    for (const auto* operand : {statement.place, statement.value}) {
      const auto* name = candidate(operand);
      if (name == nullptr) continue;
      const Mentions& all = functions.try_emplace(key.function, key.function->getBody()).first->second;
      if (!is_still_empty(all, name, elements)) continue;
      std::uint32_t offset = 0;
      const auto* file = files.user_file(sema.getSourceManager(), name->getDecl()->getLocation(), offset);
      const auto declared = file != key.file ? std::nullopt : file->shadow->original(offset);
      if (!declared) continue;
      const auto variable = name->getDecl()->getName();
      facts.files[static_cast<std::size_t>(key.file->user_file)]
          .blocks[static_cast<std::size_t>(key.block)]
          .empty_containers.push_back({key.statement,
                                       operand == statement.place,
                                       variable.str(),
                                       {*declared, *declared + static_cast<std::uint32_t>(variable.size())}});
    }
  }
}

}  // namespace kanor::host
