// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/words.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/Sema/Lookup.h>
#include <clang/Sema/Sema.h>

#include <algorithm>

namespace kanor::host {
namespace {

/// Declares `int name(...)`, a function of which nothing else is known.
clang::FunctionDecl* unknown_function(clang::ASTContext& context, clang::DeclarationName name) {
  clang::FunctionProtoType::ExtProtoInfo info;
  info.Variadic = true;
  auto* function = clang::FunctionDecl::Create(
      context, context.getTranslationUnitDecl(), clang::SourceLocation(), clang::SourceLocation(), name,
      context.getFunctionType(context.IntTy, {}, info), nullptr, clang::SC_Extern);
  function->setImplicit();
  return function;
}

}  // namespace

bool Words::LookupUnqualified(clang::LookupResult& result, clang::Scope*) {
  if (result.isForRedeclaration() || !result.getLookupName().isIdentifier()) return false;
  const llvm::StringRef word = result.getLookupName().getAsIdentifierInfo()->getName();
  const bool is_builtin = word.starts_with("__builtin_");
  if (!is_builtin && word != "world" && word != "range" && word != "no_rank") return false;
  clang::Sema& sema = result.getSema();
  std::uint32_t offset = 0;
  const auto* entry = files_.user_file(sema.getSourceManager(), result.getNameLoc(), offset);
  if (is_builtin) {
    if (entry != nullptr && entry->shadow != nullptr && entry->shadow->block_at(offset) >= 0) return false;
    result.addDecl(unknown_function(sema.Context, result.getLookupName()));
    result.resolveKind();
    return true;
  }
  if (entry == nullptr || entry->shadow == nullptr) return false;
  const int block = entry->shadow->block_at(offset);
  if (block < 0) return false;
  for (clang::NamedDecl* kanor :
       sema.Context.getTranslationUnitDecl()->lookup(&sema.Context.Idents.get("kanor"))) {
    auto* space = llvm::dyn_cast<clang::NamespaceDecl>(kanor);
    if (space == nullptr) continue;
    for (clang::NamedDecl* found : space->lookup(result.getLookupName()))
      result.addDecl(found->getUnderlyingDecl());
  }
  if (result.empty()) {
    missing.push_back({entry->shadow, offset});
    return false;
  }
  result.resolveKind();
  auto& words = facts_.block(entry->user_file, block).words;
  if (std::find(words.begin(), words.end(), word.str()) == words.end()) {
    words.push_back(word.str());
    std::sort(words.begin(), words.end());
  }
  return true;
}

}  // namespace kanor::host
