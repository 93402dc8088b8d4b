// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/changed_streams.hpp"

#include <clang/AST/Expr.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

constexpr std::array<std::string_view, 3> names{"stdin", "stdout", "stderr"};

const clang::DeclRefExpr* named(const clang::Expr* expression) {
  return llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParens());
}

class ChangeFinder : public TreeWalk {
 public:
  ChangeFinder(clang::Sema& sema, const FileMap& files, sema::Facts& facts)
      : sources_(sema.getSourceManager()), files_(files), facts_(facts) {}

  /// Skips operands that are not evaluated.
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) override { return true; }

  bool VisitDecltype(clang::Expr* operand) override {
    if (const auto* name = named(operand)) read_.insert(name);
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_LValueToRValue)
      if (const auto* name = named(cast->getSubExpr())) read_.insert(name);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable != nullptr && is_stream(variable) && !read_.contains(name))
      note(name->getLocation(), variable);
    return true;
  }

 private:
  static bool is_stream(const clang::VarDecl* variable) {
    return variable->isExternC() && variable->getIdentifier() != nullptr &&
           std::find(names.begin(), names.end(), std::string_view(variable->getName())) != names.end();
  }

  void note(clang::SourceLocation location, const clang::VarDecl* variable) {
    std::uint32_t offset = 0;
    const auto* entry = files_.user_file(sources_, location, offset);
    const auto begin = entry == nullptr ? std::nullopt : entry->original(offset);
    if (!begin) return;
    const std::string name = variable->getNameAsString();
    const Span span{*begin, *begin + static_cast<std::uint32_t>(name.size())};
    facts_.add_obstacle({entry->source, span, name, "the program may assign to it"});
  }

  const clang::SourceManager& sources_;
  const FileMap& files_;
  sema::Facts& facts_;
  std::set<const clang::Expr*> read_;
};

}  // namespace

void find_changed_streams(clang::Sema& sema, const FileMap& files, sema::Facts& facts) {
  ChangeFinder finder(sema, files, facts);
  walk_user_files(finder, files, sema.Context);
}

}  // namespace kanor::host
