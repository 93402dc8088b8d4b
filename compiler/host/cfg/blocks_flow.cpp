// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/blocks_flow.hpp"

#include <clang/Sema/Sema.h>

#include <algorithm>

#include "host/facts/statement_symbols.hpp"

namespace kanor::host {
namespace {

using flow::Event;
using flow::EventKind;
using flow::Unknown;
using flow::Uses;

bool is_one_sided(const syntax::Block& block, const text::Source& source) {
  const auto* knows = syntax::find_modifier(block, syntax::ModifierKind::knows);
  return knows != nullptr && source.text(knows->argument.span) != "both";
}

}  // namespace

bool BlocksFlow::everyone_receives(const StatementKey& key, const StatementPieces& pieces) {
  const auto& block = key.file->shadow->ast->blocks[static_cast<std::size_t>(key.block)];
  if (is_one_sided(block, *key.file->source)) return false;
  const auto symbols =
      statement_symbols(unit_.sema, unit_.files, key, pieces, unit_.pieces.team_of(key), steady_, {});
  return symbols && sema::everyone_receives(*symbols);
}

BlocksFlow::BlocksFlow(const ParsedUnit& unit, Values& values)
    : unit_(unit), values_(values), steady_(unit.sema.getSourceManager(), unit.files) {
  const auto& all = unit.pieces.all();
  for (std::size_t at = 0; at < all.size(); ++at) {
    const StatementKey& key = all[at].first;
    if (key.function != nullptr)
      index_[{key.file, key.block, key.function->getCanonicalDecl()}].push_back(at);
  }
}

void BlocksFlow::find_team(const clang::Expr* expression) {
  team_ = expression;
  team_variables_.clear();
  const bool is_named = expression == nullptr || values_.team_of(expression).kind != flow::Team::Kind::other;
  if (!is_named) team_variables_ = values_.roots(expression);
}

/// Drops the uses of the variables that name the block's team `*t`: its members agree on it.
Uses BlocksFlow::without_team(Uses uses) const {
  const auto& named = team_variables_;
  uses.erase(std::remove_if(uses.begin(), uses.end(),
                            [&](const flow::Use& use) {
                              return std::find(named.begin(), named.end(), use.variable) != named.end();
                            }),
             uses.end());
  return uses;
}

void BlocksFlow::judge(const StatementPieces& pieces, int statement, Event& event) {
  const auto add = [&](const char* role, const clang::Expr* expression) {
    event.judged.push_back(
        {role, statement, values_.at(expression), without_team(values_.value(expression))});
  };
  for (const auto& [clause, call] : pieces.sets)
    for (const auto* element : call->arguments()) {
      const auto* set = element->IgnoreImplicit();
      flow::Uses uses = is_handle(set->getType()) ? values_.reached(set) : values_.value(set);
      append(uses, values_.length(set));
      event.judged.push_back({"set", statement, values_.at(set), without_team(uses)});
    }
  for (const auto& [clause, let] : pieces.lets) add("let", let);
  for (const auto& [clause, filter] : pieces.filters) add("filter", filter);
  if (pieces.receiver != nullptr) add("receiver", pieces.receiver);
  if (pieces.sender != nullptr) add("sender", pieces.sender);
}

void BlocksFlow::receive(const StatementKey& key, const StatementPieces& pieces) {
  if (pieces.place == nullptr || pieces.value == nullptr || pieces.receiver == nullptr ||
      pieces.sender == nullptr)
    return;
  const auto at = values_.at(pieces.place);
  const auto symbols = statement_symbols(unit_.sema, unit_.files, key, pieces, team_, steady_, {});
  const sema::Reach reach = symbols ? sema::reach(*symbols) : sema::Reach{};
  if (!reach.everyone) {
    const Uses received{{-1, -1, Unknown::received, at}};
    // Who sends is another rank for each, but what all senders agree on holds for all receivers.
    const bool is_whole = symbols && sema::everyone_receives(*symbols) &&
                          values_.whole_variable(pieces.value) >= 0 && has_length(pieces.value->getType());
    const Uses length = is_whole ? values_.length(pieces.value) : received;
    const Uses inner = is_whole ? values_.inner_lengths(pieces.value) : received;
    values_.assign(pieces.place, {received, length, inner}, false, at, EventKind::write);
    return;
  }
  Uses uses = values_.value(pieces.sender);
  for (const auto& [clause, call] : pieces.sets)
    for (const auto* element : call->arguments()) {
      append(uses, values_.value(element->IgnoreImplicit()));
      append(uses, values_.length(element->IgnoreImplicit()));
    }
  for (const auto& [clause, filter] : pieces.filters) append(uses, values_.value(filter));
  for (const auto& [clause, let] : pieces.lets) append(uses, values_.value(let));
  const auto& block = key.file->shadow->ast->blocks[static_cast<std::size_t>(key.block)];
  const auto& place = block.statements[static_cast<std::size_t>(key.statement)].place;
  const bool whole = reach.certain && !place.is_section();
  values_.assign(pieces.place, {uses, uses, uses}, whole, at, whole ? EventKind::receive : EventKind::write);
}

void BlocksFlow::lower(const FileMap::Entry* file, int block, const clang::FunctionDecl* function,
                       std::vector<Event>& events) {
  const auto found = index_.find({file, block, function->getCanonicalDecl()});
  if (found == index_.end()) return;
  const auto& syntax = file->shadow->ast->blocks[static_cast<std::size_t>(block)];
  const bool one_sided = is_one_sided(syntax, *file->source);
  find_team(unit_.pieces.team_of(unit_.pieces.all()[found->second.front()].first));
  Event event;
  event.kind = EventKind::block;
  event.block = block;
  event.team = team_ == nullptr ? flow::Team{flow::Team::Kind::world, -1} : values_.team_of(team_);
  event.at = {file->source, syntax::keyword_of(syntax, *file->source)};
  if (!one_sided)
    for (const std::size_t at : found->second)
      judge(unit_.pieces.all()[at].second, unit_.pieces.all()[at].first.statement, event);
  events.push_back(std::move(event));
  for (const std::size_t at : found->second) {
    const auto& [key, pieces] = unit_.pieces.all()[at];
    receive(key, pieces);
  }
}

}  // namespace kanor::host
