// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/hidden_filters.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Sema/Sema.h>

#include <algorithm>

#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

/// Finds the types of what is declared at some places.
class TypeFinder : public TreeWalk {
 public:
  explicit TypeFinder(clang::SourceLocation name) : name_(name) {}

  bool is_bool = false;

 private:
  bool VisitVarDecl(clang::VarDecl* variable) override { return look(*variable); }
  bool VisitFieldDecl(clang::FieldDecl* field) override { return look(*field); }

  bool look(const clang::ValueDecl& value) {
    if (value.getLocation() != name_) return true;
    is_bool = value.getType().getNonReferenceType()->isBooleanType();
    return false;
  }

  clang::SourceLocation name_;
};

/// The name of a generator at an offset of the file, if the generator has another one behind it; else null.
const syntax::Name* name_before_others(const syntax::Block& block, std::uint32_t offset) {
  for (const auto& statement : block.statements)
    for (const auto& clause : statement.clauses) {
      const auto* const generator = std::get_if<syntax::Generator>(&clause);
      if (generator == nullptr) continue;
      const auto found = std::find_if(generator->names.begin(), generator->names.end(),
                                      [&](const syntax::Name& name) { return name.span.begin == offset; });
      if (found != generator->names.end()) return &*found == &generator->names.back() ? nullptr : &*found;
    }
  return nullptr;
}

}  // namespace

std::vector<text::Diagnostic> find_hidden_filters(clang::Sema& sema, const FileMap& files,
                                                  const std::vector<HidingName>& hiding) {
  std::vector<text::Diagnostic> found;
  for (const HidingName& one : hiding) {
    const FileMap::Entry* const entry = files.find(one.place.file);
    if (entry == nullptr || entry->shadow == nullptr) continue;
    const int block = entry->shadow->block_at(one.place.begin);
    const auto offset = entry->original(one.place.begin);
    if (block < 0 || !offset) continue;
    const syntax::Name* const name =
        name_before_others(entry->shadow->ast->blocks[static_cast<std::size_t>(block)], *offset);
    if (name == nullptr) continue;
    TypeFinder type(one.hidden);
    walk_user_files(type, files, sema.Context);
    if (!type.is_bool) continue;
    text::Diagnostic warning{text::Kind::hides_filter,
                             entry->source,
                             name->span,
                             "'" + name->text + "' is bound to the elements of the set, and hides a variable",
                             {}};
    std::uint32_t at = 0;
    const auto* const hidden = files.user_file(sema.getSourceManager(), one.hidden, at);
    if (const auto begin = hidden != nullptr ? hidden->original(at) : std::nullopt)
      warning.notes.push_back({hidden->source,
                               {*begin, *begin + static_cast<std::uint32_t>(name->text.size())},
                               "the variable is declared here"});
    warning.notes.push_back(
        {nullptr, {}, "if '" + name->text + "' is a filter, write '(" + name->text + ")'"});
    found.push_back(std::move(warning));
  }
  return found;
}

}  // namespace kanor::host
