// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/empty_containers.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Lex/Lexer.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace kanor::host {
namespace {

using Loops = std::vector<const clang::Stmt*>;  ///< outermost first; includes blocks' shadows

/// The places where a function names its variables, and where it declares them.
class Mentions {
 public:
  struct Mention {
    const clang::DeclRefExpr* name = nullptr;
    std::size_t position = 0;  ///< in the order of the text
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

/// An element of a container, which is a local variable or itself an element.
struct Element {
  const clang::DeclRefExpr* variable = nullptr;
  std::vector<const clang::Expr*> containers;  ///< the subscripted expressions, the variable first
};

/// The element that the operand is, or is part of.
Element element_of(const clang::Expr* operand) {
  Element found;
  while (operand != nullptr) {
    operand = operand->IgnoreParenImpCasts();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(operand)) {
      operand = member->isArrow() ? nullptr : member->getBase();
      found.containers.clear();
      continue;
    }
    if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(operand)) {
      operand = subscript->getBase();
    } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(operand);
               call != nullptr && call->getOperator() == clang::OO_Subscript) {
      operand = call->getArg(0);
    } else {
      found.variable = llvm::dyn_cast<clang::DeclRefExpr>(operand);
      return found;
    }
    found.containers.insert(found.containers.begin(), operand->IgnoreParenImpCasts());
  }
  return {};
}

bool has_default_arguments(const clang::CXXConstructExpr* made, unsigned first) {
  return std::all_of(made->arg_begin() + first, made->arg_end(), [](const clang::Expr* argument) {
    return llvm::isa<clang::CXXDefaultArgExpr>(argument);
  });
}

bool is_standard(const clang::CXXRecordDecl* record, std::initializer_list<llvm::StringRef> names) {
  return record != nullptr && record->isInStdNamespace() &&
         std::find(names.begin(), names.end(), record->getName()) != names.end();
}

/// The element type of an array, a std::array or a sized container; null for anything else.
clang::QualType element_type(clang::QualType type) {
  if (const auto* array = type->getAsArrayTypeUnsafe()) return array->getElementType();
  const auto* made =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  return is_standard(made, {"array", "vector", "deque"}) ? made->getTemplateArgs()[0].getAsType()
                                                         : clang::QualType();
}

/// The first of the containers that is empty by its variable's declaration; null if none is.
const clang::Expr* begins_empty(const Element& element) {
  const auto* variable =
      element.variable == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(element.variable->getDecl());
  if (variable == nullptr || !variable->hasLocalStorage() || variable->getInit() == nullptr) return nullptr;
  const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(variable->getInit()->IgnoreImplicit());
  if (made == nullptr) return nullptr;
  bool is_default = has_default_arguments(made, 0);
  const auto* constructor = made->getConstructor();
  const bool is_sized = !is_default && !made->isListInitialization() && constructor->getNumParams() == 2 &&
                        constructor->getParamDecl(0)->getType()->isIntegerType() &&
                        has_default_arguments(made, 1);
  clang::QualType type = variable->getType();
  for (const clang::Expr* container : element.containers) {
    const auto* record = type->getAsCXXRecordDecl();
    const bool grows = is_standard(record, {"vector", "basic_string", "deque"});
    if (grows && is_default) return container;
    if (!is_default && !(grows && is_sized && container == element.containers.front())) return nullptr;
    is_default = true;
    type = element_type(type);
    if (type.isNull()) return nullptr;
  }
  return nullptr;
}

/// Returns true if only element accesses can have been executed since the declaration, before this one.
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
  const auto candidate = [](const clang::Expr* operand) {
    const Element element = operand == nullptr ? Element() : element_of(operand);
    const auto* container = begins_empty(element);
    return std::pair(container == nullptr ? nullptr : element.variable, container);
  };
  std::vector<const clang::DeclRefExpr*> elements;
  for (const auto& [key, statement] : pieces.all())
    for (const auto* operand : {statement.place, statement.value})
      if (const auto* name = candidate(operand).first) elements.push_back(name);
  std::map<const clang::FunctionDecl*, Mentions> functions;
  for (const auto& [key, statement] : pieces.all()) {
    if (key.function == nullptr || !statement.place_parts.empty()) continue;
    for (const auto* operand : {statement.place, statement.value}) {
      const auto [name, container] = candidate(operand);
      if (name == nullptr) continue;
      const Mentions& all = functions.try_emplace(key.function, key.function->getBody()).first->second;
      if (!is_still_empty(all, name, elements)) continue;
      std::uint32_t offset = 0;
      const auto* file = files.user_file(sema.getSourceManager(), name->getDecl()->getLocation(), offset);
      if (file != key.file) continue;
      const auto declared = file->shadow->original(offset);
      const auto text =
          clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(container->getSourceRange()),
                                      sema.getSourceManager(), sema.getLangOpts());
      if (!declared || text.empty()) continue;
      const auto length = static_cast<std::uint32_t>(name->getDecl()->getName().size());
      facts.block(key.file->user_file, key.block)
          .empty_containers.push_back(
              {key.statement, operand == statement.place, text.str(), {*declared, *declared + length}});
    }
  }
}

}  // namespace kanor::host
