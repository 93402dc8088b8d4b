// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/globals.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Mangle.h>
#include <clang/Lex/Lexer.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "host/facts/annotation.hpp"
#include "host/facts/header_variables.hpp"
#include "host/facts/own_streams.hpp"
#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

/// Variables of the C library that programs may declare themselves. They exist once a process.
constexpr std::array<std::string_view, 19> library_variables{"environ",     "__environ",
                                                             "optarg",      "optind",
                                                             "opterr",      "optopt",
                                                             "stdin",       "stdout",
                                                             "stderr",      "timezone",
                                                             "daylight",    "tzname",
                                                             "signgam",     "program_invocation_name",
                                                             "errno",       "sys_nerr",
                                                             "sys_errlist", "program_invocation_short_name",
                                                             "getdate_err"};

/// Every declaration of one variable in user files.
struct Variable {
  const clang::VarDecl* canonical = nullptr;
  std::vector<const clang::VarDecl*> declarations;
  bool is_private = false;
  /// The variables that the initialiser names; stored, because it may be a large table.
  std::set<const clang::VarDecl*> named;
  std::string obstacle;  ///< the reason why it stays shared although it is mutable
};

/// Collects the variables that an initialiser or a template argument names.
class NameFinder : public TreeWalk {
 public:
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) override { return true; }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl()))
      named.insert(variable->getCanonicalDecl());
    return true;
  }
  std::set<const clang::VarDecl*> named;
};

std::set<const clang::VarDecl*> named_in(const clang::Expr* expression) {
  NameFinder finder;
  if (expression != nullptr) finder.TraverseStmt(const_cast<clang::Expr*>(expression));
  return std::move(finder.named);
}

bool is_anonymous_union(const clang::VarDecl* variable) {
  const auto* record = variable->getType()->getAsCXXRecordDecl();
  return record != nullptr && record->isAnonymousStructOrUnion();
}

class VariableFinder : public TreeWalk {
 public:
  VariableFinder(clang::Sema& sema, const FileMap& files) : sema_(sema), files_(files) {}

  /// Visits the implicit variables of anonymous unions, which the visitor skips.
  bool TraverseDecl(clang::Decl* declaration) override {
    auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(declaration);
    if (variable != nullptr && variable->isImplicit() && is_anonymous_union(variable))
      return VisitVarDecl(variable);
    return TreeWalk::TraverseDecl(declaration);
  }

  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->isConstexpr() || variable->hasAttr<clang::ConstInitAttr>())
      for (const auto* named : named_in(variable->getInit())) addressed_in_constants.insert(named);
    if (!variable->hasGlobalStorage() || (variable->isImplicit() && !is_anonymous_union(variable)) ||
        variable->isConstexpr() || variable->isInvalidDecl() ||
        variable->getTLSKind() != clang::VarDecl::TLS_None)
      return true;
    std::uint32_t offset = 0;
    if (files_.user_file(sema_.getSourceManager(), variable->getLocation(), offset) == nullptr) return true;
    const auto* canonical = variable->getCanonicalDecl();
    const auto [at, is_new] = index_.try_emplace(canonical, variables.size());
    if (is_new) variables.push_back({canonical, {}, false, {}, {}});
    variables[at->second].declarations.push_back(variable);
    return true;
  }

  bool TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc& argument) override {
    if (argument.getArgument().getKind() == clang::TemplateArgument::Expression)
      for (const auto* named : named_in(argument.getSourceExpression())) addressed_in_constants.insert(named);
    return TreeWalk::TraverseTemplateArgumentLoc(argument);
  }

  std::vector<Variable> variables;
  /// Variables named in constant expressions: a mutable one is there for its address, since only const
  /// variables' values can be read.
  std::set<const clang::VarDecl*> addressed_in_constants;

 private:
  clang::Sema& sema_;
  const FileMap& files_;
  std::map<const clang::VarDecl*, std::size_t> index_;
};

bool is_opted_out(const clang::VarDecl* variable) {
  return std::any_of(
      variable->redecls_begin(), variable->redecls_end(), [](const clang::VarDecl* declaration) {
        const auto is_shared = [](const clang::Decl* candidate) {
          return is_annotated(candidate, "kanor::shared");
        };
        if (is_anonymous_union(declaration) && is_shared(declaration->getType()->getAsCXXRecordDecl()))
          return true;
        return is_shared(declaration);
      });
}

/// Returns true if another translation unit may define the variable, or see only this declaration of it.
/// Decisions on such a constant must not depend on an initialiser.
bool is_seen_elsewhere(const clang::VarDecl* variable) {
  if (!variable->hasExternalFormalLinkage() || variable->isInline() || variable->isStaticLocal())
    return false;
  if (variable->isTemplated() || llvm::isa<clang::VarTemplateSpecializationDecl>(variable)) return false;
  const clang::VarDecl* first = variable->getCanonicalDecl();
  return first->isStaticDataMember() ? !first->hasInit() : true;
}

/// Returns true for a constant that is initialised at run time, so that its value may differ between ranks.
bool runs_initialiser(const clang::VarDecl* variable) {
  const clang::VarDecl* definition = variable->getInitializingDeclaration();
  if (definition == nullptr || definition->getInit() == nullptr) return false;
  if (definition->getType()->isDependentType() || definition->getInit()->isValueDependent()) return true;
  return !definition->hasConstantInitialization();
}

/// g++ and Clang disagree about the tags of variables that are local to functions with tags.
std::string without_abi_tags(std::string linker_name) {
  constexpr std::string_view tag = "B5cxx11";
  for (auto at = linker_name.find(tag); at != std::string::npos; at = linker_name.find(tag, at))
    linker_name.erase(at, tag.size());
  return linker_name;
}

/// Finds where variables of other objects are declared: a template's pattern is where its instances are.
class ForeignFinder : public TreeWalk {
 public:
  ForeignFinder(clang::ASTContext& context, const std::set<std::string>& linker_names) : generator_(context) {
    for (const std::string& name : linker_names) names_.insert(without_abi_tags(name));
  }
  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->hasGlobalStorage() && !variable->isTemplated() &&
        names_.contains(without_abi_tags(generator_.getName(variable))))
      places.insert(variable->getCanonicalDecl()->getLocation());
    return true;
  }
  std::set<clang::SourceLocation> places;

 private:
  std::set<std::string> names_;
  clang::ASTNameGenerator generator_;
};

class Decider {
 public:
  Decider(clang::Sema& sema, const FileMap& files, VariableFinder& found, const SharedNames& shared)
      : sema_(sema), files_(files), found_(found), openmp_words_(shared.openmp) {
    if (shared.foreign.empty()) return;
    ForeignFinder finder(sema.Context, shared.foreign);
    walk_user_files(finder, files, sema.Context);
    foreign_places_ = std::move(finder.places);
  }

  void decide() {
    for (Variable& variable : found_.variables) decide_alone(variable);
    std::vector<Variable*> open;
    for (Variable& variable : found_.variables) {
      if (variable.is_private) private_.insert(variable.canonical);
      if (variable.is_private || !variable.obstacle.empty() || stays(variable.canonical)) continue;
      if (const auto* definition = variable.canonical->getInitializingDeclaration())
        variable.named = named_in(definition->getInit());
      if (!variable.named.empty()) open.push_back(&variable);
    }
    // What refers to a private variable is private, which makes more so.
    for (bool changed = true; changed;) {
      changed = false;
      for (Variable* variable : open) {
        if (variable->is_private || !variable->obstacle.empty() || !names_private(*variable)) continue;
        variable->obstacle = why_shared(variable->canonical);
        if (!variable->obstacle.empty()) continue;
        variable->is_private = changed = true;
        private_.insert(variable->canonical);
      }
    }
    keep_together();
  }

 private:
  /// Variables of one declaration share its specifiers, `thread_local` among them: if one stays shared, all
  /// do.
  void keep_together() {
    std::map<clang::SourceLocation, const Variable*> shared;
    for (bool changed = true; changed;) {
      changed = false;
      for (const Variable& variable : found_.variables)
        if (!variable.is_private && (!variable.obstacle.empty() || is_opted_out(variable.canonical)))
          for (const auto* declaration : variable.declarations)
            shared.emplace(declaration->getInnerLocStart(), &variable);
      for (Variable& variable : found_.variables)
        for (const auto* declaration : variable.declarations) {
          const auto other = shared.find(declaration->getInnerLocStart());
          if (!variable.is_private || other == shared.end()) continue;
          variable.is_private = false;
          variable.obstacle = "it is declared together with '" + other->second->canonical->getNameAsString() +
                              "', which is one for the process";
          changed = true;
        }
    }
  }

  /// Returns true for variables that are never private, whatever they hold.
  bool stays(const clang::VarDecl* variable) const {
    return is_opted_out(variable) || is_declared_in_header(variable) || is_library_variable(variable);
  }

  bool is_users(const clang::VarDecl* declaration) const {
    std::uint32_t offset = 0;
    return files_.user_file(sema_.getSourceManager(), declaration->getLocation(), offset) != nullptr;
  }

  bool is_declared_in_header(const clang::VarDecl* variable) const {
    return !std::all_of(variable->redecls_begin(), variable->redecls_end(),
                        [&](const clang::VarDecl* declaration) { return is_users(declaration); });
  }

  /// Returns true for a variable that a system header declares for the program to define.
  bool is_defined_for_header(const clang::VarDecl* variable) const {
    const clang::VarDecl* definition = variable->getDefinition();
    return definition != nullptr && is_users(definition) && is_declared_in_header(variable) &&
           !is_opted_out(variable) && !is_library_variable(variable) && !belongs_to_library(variable);
  }

  static bool is_library_variable(const clang::VarDecl* variable) {
    const bool is_global = variable->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
                           variable->hasExternalFormalLinkage();
    return is_global && variable->getIdentifier() != nullptr &&
           std::find(library_variables.begin(), library_variables.end(), variable->getName().str()) !=
               library_variables.end();
  }

  void decide_alone(Variable& variable) {
    const clang::VarDecl* canonical = variable.canonical;
    const bool changes = may_change(canonical, sema_.Context);
    if (stays(canonical)) {
      if (changes && is_defined_for_header(canonical)) variable.obstacle = "a system header declares it";
      return;
    }
    const bool differs = changes || runs_initialiser(canonical);
    if (!differs && !is_seen_elsewhere(canonical)) return;
    const std::string why = why_shared(canonical);
    if (why.empty())
      variable.is_private = true;
    else if (differs && (!canonical->isExternC() || is_defined_here(canonical)))
      variable.obstacle = why;
  }

  static bool is_defined_here(const clang::VarDecl* variable) {
    return variable->hasDefinition() != clang::VarDecl::DeclarationOnly;
  }

  /// Why the variable cannot be private; empty if it can.
  std::string why_shared(const clang::VarDecl* canonical) const {
    if (canonical->isExternC()) return "it has C linkage";
    if (found_.addressed_in_constants.contains(canonical))
      return "its address is part of a constant expression";
    if (is_anonymous_union(canonical))
      return "it is an anonymous union, which Clang makes private to no thread";
    if (canonical->getIdentifier() != nullptr && openmp_words_.contains(canonical->getName().str()))
      return "an OpenMP directive may name it, which takes no thread_local variables";
    if (foreign_places_.contains(canonical->getLocation()))
      return "another object has it as one variable for the whole process";
    return {};
  }

  bool names_private(const Variable& variable) const {
    return std::any_of(variable.named.begin(), variable.named.end(), [&](const clang::VarDecl* named) {
      return private_.contains(named) || is_standard_stream(named);
    });
  }

  clang::Sema& sema_;
  const FileMap& files_;
  VariableFinder& found_;
  const std::set<std::string>& openmp_words_;
  std::set<clang::SourceLocation> foreign_places_;
  std::set<const clang::VarDecl*> private_;
};

/// The name by which the end of the translation unit can refer to the variable; empty if there is none.
std::string nameable(const clang::VarDecl* variable) {
  std::string name;
  if (const auto* decomposition = llvm::dyn_cast<clang::DecompositionDecl>(variable))
    name = decomposition->bindings().empty() ? "" : decomposition->bindings().front()->getName().str();
  else
    name = variable->getName().str();
  if (name.empty()) return {};
  if (variable->getAccess() == clang::AS_private || variable->getAccess() == clang::AS_protected) return {};
  for (const clang::DeclContext* context = variable->getDeclContext(); !context->isTranslationUnit();
       context = context->getParent()) {
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context)) {
      if (!space->isAnonymousNamespace() && !space->isInline()) name = space->getName().str() + "::" + name;
    } else if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(context)) {
      const bool open = record->getAccess() == clang::AS_public || record->getAccess() == clang::AS_none;
      if (!open || record->getName().empty() || llvm::isa<clang::ClassTemplateSpecializationDecl>(record))
        return {};
      name = record->getName().str() + "::" + name;
    } else if (!llvm::isa<clang::LinkageSpecDecl>(context)) {
      return {};
    }
  }
  return "::" + name;
}

class Writer {
 public:
  Writer(clang::Sema& sema, const FileMap& files, sema::Facts& facts)
      : sema_(sema), files_(files), facts_(facts) {}

  void write(const Variable& variable) {
    if (!variable.obstacle.empty()) obstacle(variable.declarations.front(), variable.obstacle);
    if (!variable.is_private) return;
    for (const auto* declaration : variable.declarations) {
      if (!private_declaration(declaration)) {
        obstacle(declaration, "a macro spells its declaration");
        continue;
      }
      if (declaration->isThisDeclarationADefinition() == clang::VarDecl::Definition) initialiser(declaration);
    }
  }

 private:
  /// The declaration that an instantiation was made from.
  static const clang::VarDecl* as_written(const clang::VarDecl* declaration) {
    const auto* instance = llvm::dyn_cast<clang::VarTemplateSpecializationDecl>(declaration);
    if (instance == nullptr || instance->isExplicitSpecialization() ||
        llvm::isa<clang::VarTemplatePartialSpecializationDecl>(declaration))
      return declaration;
    const clang::VarDecl* pattern = instance->getTemplateInstantiationPattern();
    return pattern != nullptr ? pattern : declaration;
  }

  bool private_declaration(const clang::VarDecl* declaration) {
    const clang::SourceManager& sources = sema_.getSourceManager();
    declaration = as_written(declaration);
    // The start of a variable template's specialisation is that of its template parameters.
    clang::SourceLocation begin = llvm::isa<clang::VarTemplateSpecializationDecl>(declaration)
                                      ? declaration->getTypeSpecStartLoc()
                                      : declaration->getInnerLocStart();
    if (begin.isMacroID()) {
      clang::SourceLocation expansion;
      if (sources.isMacroArgExpansion(begin))
        begin = sources.getFileLoc(begin);
      else if (clang::Lexer::isAtStartOfMacroExpansion(begin, sources, sema_.getLangOpts(), &expansion))
        begin = expansion;
      else
        return false;
    }
    std::uint32_t offset = 0;
    const auto* entry = files_.user_file(sources, begin, offset);
    const auto original = entry == nullptr ? std::nullopt : entry->original(offset);
    if (!original) return false;
    auto& list = facts_.files[static_cast<std::size_t>(entry->user_file)].private_declarations;
    // Several declarators share their specifiers.
    const auto known =
        std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.insert_at == *original; });
    if (known == list.end()) list.push_back({*original, declaration->getQualifiedNameAsString()});
    return true;
  }

  void initialiser(const clang::VarDecl* definition) {
    if (definition->isStaticLocal() || definition->getInit() == nullptr) return;
    if (definition->isTemplated() || llvm::isa<clang::VarTemplateSpecializationDecl>(definition)) {
      // Its instantiations have no names here, and g++ does not run the initialiser of a thread_local one
      // whose first use stands before it.
      if (runs_initialiser(definition)) facts_.has_unnamed_initialisers = true;
      return;
    }
    const bool is_destroyed =
        definition->needsDestruction(sema_.Context) == clang::QualType::DK_cxx_destructor;
    if (!is_destroyed &&
        (definition->getInit()->isValueDependent() || definition->hasConstantInitialization())) {
      // A constant address of a private variable is no constant any more.
      if (!definition->getType()->isPointerType() && !definition->getType()->isReferenceType()) return;
      if (named_in(definition->getInit()).empty()) return;
    }
    const std::string name = nameable(definition);
    if (name.empty())
      facts_.has_unnamed_initialisers = true;
    else
      facts_.initialisers.push_back(name);
  }

  void obstacle(const clang::VarDecl* declaration, const std::string& reason) {
    std::uint32_t offset = 0;
    const auto* entry = files_.user_file(sema_.getSourceManager(), declaration->getLocation(), offset);
    const auto begin = entry == nullptr ? std::nullopt : entry->original(offset);
    if (!begin) return;
    const Span span{*begin, *begin + static_cast<std::uint32_t>(declaration->getName().size())};
    facts_.add_obstacle({entry->source, span, declaration->getQualifiedNameAsString(), reason});
  }

  clang::Sema& sema_;
  const FileMap& files_;
  sema::Facts& facts_;
};

}  // namespace

void find_globals(clang::Sema& sema, const FileMap& files, const SharedNames& shared, sema::Facts& facts) {
  VariableFinder finder(sema, files);
  walk_user_files(finder, files, sema.Context);
  Decider(sema, files, finder, shared).decide();
  Writer writer(sema, files, facts);
  for (const Variable& variable : finder.variables) writer.write(variable);
  find_header_variables(sema, files, facts);
  for (auto& file : facts.files)
    std::sort(file.private_declarations.begin(), file.private_declarations.end(),
              [](const auto& a, const auto& b) { return a.insert_at < b.insert_at; });
}

}  // namespace kanor::host
