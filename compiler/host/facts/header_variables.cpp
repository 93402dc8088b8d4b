// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/header_variables.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Sema/Sema.h>

#include <cctype>
#include <string>
#include <utility>

#include "host/facts/static_locals.hpp"

namespace kanor::host {
namespace {

bool is_reserved(llvm::StringRef name) {
  return name.starts_with("__") ||
         (name.size() > 1 && name[0] == '_' && std::isupper(static_cast<unsigned char>(name[1])) != 0);
}

bool is_librarys(const clang::NamespaceDecl* space) {
  const llvm::StringRef name = space->getName();
  return space->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
         (name == "std" || name == "kanor" || is_reserved(name));
}

/// A declaration's own part of linker names; empty for an operator, a constructor or a lambda.
std::string linker_word(const clang::DeclContext* context) {
  if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context))
    return space->isAnonymousNamespace() ? "_GLOBAL__N_1" : space->getName().str();
  if (const auto* tag = llvm::dyn_cast<clang::TagDecl>(context)) {
    const clang::TypedefNameDecl* alias = tag->getTypedefNameForAnonDecl();
    return alias != nullptr ? alias->getName().str() : tag->getName().str();
  }
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(context);
  return function == nullptr || function->getIdentifier() == nullptr ? "" : function->getName().str();
}

/// The variable's part of linker names: a structured binding has all of its names, an anonymous union its
/// first member's.
std::string linker_word(const clang::VarDecl* variable) {
  if (const auto* label = variable->getAttr<clang::AsmLabelAttr>()) return label->getLabel().str();
  if (const auto* decomposition = llvm::dyn_cast<clang::DecompositionDecl>(variable)) {
    std::string words;
    for (const clang::BindingDecl* binding : decomposition->bindings())
      words += (words.empty() ? "" : " ") + binding->getName().str();
    return words;
  }
  const auto* record = variable->getType()->getAsCXXRecordDecl();
  if (variable->getName().empty() && record != nullptr && record->isAnonymousStructOrUnion() &&
      !record->field_empty())
    return record->field_begin()->getName().str();
  return variable->getName().str();
}

/// The words of a variable's linker name: `words` after those of its scopes. A star stands for the outermost
/// scope if it has no name.
std::string within(const clang::DeclContext* scope, std::string words) {
  bool begins_with_word = true;
  for (const clang::DeclContext* context = scope; !context->isTranslationUnit();
       context = context->getParent()) {
    if (llvm::isa<clang::LinkageSpecDecl>(context)) continue;
    const std::string word = linker_word(context);
    begins_with_word = !word.empty();
    if (begins_with_word) words.insert(0, word + ' ');
  }
  return begins_with_word ? words : "* " + words;
}

std::string linker_words(const clang::VarDecl* variable) {
  const std::string word = linker_word(variable);
  // A name with C linkage is one for all namespaces.
  const bool stands_alone = word.empty() || variable->isExternC() || variable->hasAttr<clang::AsmLabelAttr>();
  return stands_alone ? word : within(variable->getDeclContext(), word);
}

/// Returns true for a variable without a value: a tag, or a lambda that captures nothing.
bool is_empty(const clang::VarDecl* variable) {
  const auto* record = variable->getType()->getAsCXXRecordDecl();
  return record != nullptr && record->hasDefinition() && record->isEmpty();
}

/// Looks for variables in declarations: those in functions are declarations of the function, whatever block
/// they are in, so statements are not searched, and a template's pattern stands for its instantiations. Where
/// Clang has skipped the body, as it has most, the body's text is searched.
class Finder {
 public:
  Finder(clang::Sema& sema, const FileMap& files, sema::Facts& facts)
      : sema_(sema), files_(files), facts_(facts) {}

  void look_at(clang::Decl* declaration) {
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(declaration);
        space != nullptr && is_librarys(space))
      return;
    if (auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration)) return note(variable);
    if (auto* made = llvm::dyn_cast<clang::TemplateDecl>(declaration)) {
      if (made->getTemplatedDecl() != nullptr) look_at(made->getTemplatedDecl());
      return;
    }
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
        function != nullptr && function->hasSkippedBody())
      return note_body(function);
    if (auto* context = llvm::dyn_cast<clang::DeclContext>(declaration))
      for (clang::Decl* inner : context->decls()) look_at(inner);
  }

 private:
  void note(const clang::VarDecl* variable) {
    if (!variable->hasGlobalStorage() || variable->isConstexpr() || variable->isInvalidDecl() ||
        variable->getTLSKind() != clang::VarDecl::TLS_None ||
        variable->isThisDeclarationADefinition() != clang::VarDecl::Definition || is_empty(variable) ||
        belongs_to_library(variable) || !may_change(variable, sema_.Context))
      return;
    const std::string words = linker_words(variable);
    if (!words.empty()) note(variable->getLocation(), variable->getQualifiedNameAsString(), words);
  }

  void note_body(const clang::FunctionDecl* function) {
    for (const StaticLocal& local : static_locals(function, sema_.getSourceManager(), sema_.getLangOpts()))
      note(local.location, function->getQualifiedNameAsString() + "()::" + local.name,
           within(function, local.name));
  }

  void note(clang::SourceLocation location, std::string name, std::string words) {
    const clang::SourceManager& sources = sema_.getSourceManager();
    const auto [id, offset] = sources.getDecomposedExpansionLoc(location);
    const auto* entry = files_.find(sources.getFileEntryForID(id));
    if (entry == nullptr || entry->user_file >= 0) return;
    facts_.obstacles.push_back(
        {entry->source, {offset, offset}, std::move(name), "a system header defines it", std::move(words)});
  }

  clang::Sema& sema_;
  const FileMap& files_;
  sema::Facts& facts_;
};

}  // namespace

bool may_change(const clang::VarDecl* variable, clang::ASTContext& context) {
  const clang::QualType type = variable->getType();
  if (type->isReferenceType()) return false;
  const clang::QualType element = context.getBaseElementType(type);
  if (!element.isConstQualified()) return true;
  const auto* record = element->getAsCXXRecordDecl();
  return record != nullptr && record->hasDefinition() && record->hasMutableFields();
}

bool belongs_to_library(const clang::VarDecl* variable) {
  for (const clang::DeclContext* context = variable->getDeclContext(); !context->isTranslationUnit();
       context = context->getParent())
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context))
      if (is_librarys(space)) return true;
  return false;
}

void find_header_variables(clang::Sema& sema, const FileMap& files, sema::Facts& facts) {
  Finder finder(sema, files, facts);
  for (clang::Decl* declaration : sema.Context.getTranslationUnitDecl()->decls()) {
    std::uint32_t offset = 0;
    if (files.user_file(sema.getSourceManager(), declaration->getLocation(), offset) == nullptr)
      finder.look_at(declaration);
  }
}

}  // namespace kanor::host
