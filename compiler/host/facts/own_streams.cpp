// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/own_streams.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

constexpr std::array<std::string_view, 4> names{"cin", "cout", "cerr", "clog"};

class StreamFinder : public TreeWalk {
 public:
  StreamFinder(clang::Sema& sema, const FileMap& files) : sources_(sema.getSourceManager()), files_(files) {}

  /// Skips constant expressions, which use the process's one stream.
  bool TraverseDecl(clang::Decl* declaration) override {
    if (declaration == nullptr || llvm::isa<clang::StaticAssertDecl>(declaration)) return true;
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration))
      if (variable->isConstexpr() || variable->hasAttr<clang::ConstInitAttr>()) return true;
    if (const auto* function = declaration->getAsFunction())
      if (function->isConstexprSpecified()) return true;
    return TreeWalk::TraverseDecl(declaration);
  }
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) override { return true; }
  bool TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc&) override { return true; }

  /// Notes a decltype's operand: the type of a name differs from that of a call.
  bool VisitDecltype(clang::Expr* expression) override {
    types_of_.insert(expression);
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable != nullptr && is_standard_stream(variable) && !types_of_.contains(name)) add(*name);
    return true;
  }

  std::set<std::pair<const FileMap::Entry*, std::pair<std::uint32_t, std::uint32_t>>> found;

 private:
  void add(const clang::DeclRefExpr& name) {
    const clang::SourceLocation begin = name.getBeginLoc(), end = name.getLocation();
    // Spelled in one piece, by the file or by one macro.
    if (sources_.getFileID(begin) != sources_.getFileID(end)) return;
    std::uint32_t from = 0, to = 0;
    const auto* entry = files_.user_file(sources_, sources_.getSpellingLoc(begin), from);
    if (entry == nullptr || files_.user_file(sources_, sources_.getSpellingLoc(end), to) != entry) return;
    to += static_cast<std::uint32_t>(name.getNameInfo().getName().getAsString().size());
    if (entry->shadow != nullptr) {
      const auto first = entry->shadow->original(from), last = entry->shadow->original(to - 1);
      if (!first || !last) return;
      from = *first;
      to = *last + 1;
    }
    if (from < to && is_name(entry->source->bytes().substr(from, to - from)))
      found.insert({entry, {from, to}});
  }

  /// Returns true if the text is a name with its scopes, without comments and line splices.
  static bool is_name(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || std::isspace(c) != 0 || c == '_' || c == ':';
    });
  }

  const clang::SourceManager& sources_;
  const FileMap& files_;
  std::set<const clang::Expr*> types_of_;
};

}  // namespace

bool is_standard_stream(const clang::VarDecl* variable) {
  return variable->isInStdNamespace() && variable->getIdentifier() != nullptr &&
         std::find(names.begin(), names.end(), std::string_view(variable->getName())) != names.end();
}

void find_own_streams(clang::Sema& sema, const FileMap& files, sema::Facts& facts) {
  StreamFinder finder(sema, files);
  walk_user_files(finder, files, sema.Context);
  for (const auto& [entry, range] : finder.found)
    facts.files[static_cast<std::size_t>(entry->user_file)].own_streams.push_back(
        {range.first, range.second});
  for (auto& file : facts.files)
    std::sort(file.own_streams.begin(), file.own_streams.end(),
              [](Span a, Span b) { return a.begin < b.begin; });
}

}  // namespace kanor::host
