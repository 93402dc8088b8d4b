// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/symbols.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Sema/Sema.h>

#include <map>
#include <tuple>

#include "host/facts/statement_symbols.hpp"

namespace kanor::host {
namespace {

using Instances = std::vector<const std::pair<StatementKey, StatementPieces>*>;

bool is_pattern(const StatementKey& key) {
  return key.function != nullptr && key.function->isDependentContext();
}

const text::Source* main_file(const clang::Sema& sema, const FileMap& files) {
  const auto& sources = sema.getSourceManager();
  const auto* entry = files.find(sources.getFileEntryForID(sources.getMainFileID()));
  return entry == nullptr ? nullptr : entry->source;
}

/// A statement without a description: each rank is opaque.
sema::SymbolicStatement undescribed(sema::Obscurity why, const syntax::Statement& statement) {
  sema::SymbolicStatement result;
  result.receiver = sema::opaque(why, statement.receiver.span, {});
  result.sender = sema::opaque(why, statement.sender.span, {});
  return result;
}

}  // namespace

void find_symbols(clang::Sema& sema, const FileMap& files, const PieceTable& table, sema::Facts& facts) {
  std::map<std::tuple<const FileMap::Entry*, int, int>, Instances> statements;
  for (const auto& entry : table.all())
    statements[{entry.first.file, entry.first.block, entry.first.statement}].push_back(&entry);
  SteadyVariables variables(sema.getSourceManager(), files);
  for (const auto& [where, instances] : statements) {
    const auto& [file, block, statement] = where;
    const auto& syntax = file->shadow->ast->blocks[static_cast<std::size_t>(block)]
                             .statements[static_cast<std::size_t>(statement)];
    const auto read = [&](const std::pair<StatementKey, StatementPieces>& instance, bool folds) {
      return statement_symbols(sema, files, instance.first, instance.second, table.team_of(instance.first),
                               variables, {folds});
    };
    std::optional<sema::SymbolicStatement> found;
    bool in_template = false;
    for (const auto* instance : instances)
      if (is_pattern(instance->first)) {
        in_template = true;
        found = read(*instance, true);
      }
    auto why = sema::Obscurity::template_argument;
    if (!found && (!in_template || file->source == main_file(sema, files))) {
      for (const auto* instance : instances) {
        if (is_pattern(instance->first)) continue;
        auto one = read(*instance, !in_template);
        if (found && one != found) {
          found.reset();
          why = sema::Obscurity::instantiations;
          break;
        }
        found = std::move(one);
      }
    }
    facts.block(file->user_file, block).symbols[static_cast<std::size_t>(statement)] =
        found ? std::move(*found) : undescribed(why, syntax);
  }
}

}  // namespace kanor::host
