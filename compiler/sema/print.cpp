// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <ostream>
#include <string_view>
#include <utility>

#include "sema/facts.hpp"
#include "sema/program.hpp"

namespace kanor::sema {
namespace {

constexpr std::string_view name(Travel travel) {
  switch (travel) {
    case Travel::flat:
      return "flat";
    case Travel::contiguous:
      return "contiguous";
    case Travel::structural:
      return "structural";
    case Travel::same_address_space:
      return "same address space";
    case Travel::cannot:
      break;
  }
  return "cannot";
}

constexpr std::string_view name(PlaceKind place) {
  switch (place) {
    case PlaceKind::modifiable:
      return "modifiable";
    case PlaceKind::proxy:
      return "proxy";
    case PlaceKind::constant:
      return "constant";
    case PlaceKind::bit_field:
      return "bit-field";
    case PlaceKind::temporary:
      return "temporary";
    case PlaceKind::function:
      break;
  }
  return "function";
}

constexpr std::string_view name(Fold fold) {
  switch (fold) {
    case Fold::whole:
      return "whole";
    case Fold::elementwise:
      return "elementwise";
    case Fold::none:
      return "none";
    case Fold::names_a_type:
      break;
  }
  return "names a type";
}

void print_rank(std::string_view label, const RankFacts& rank, std::ostream& out) {
  out << "      " << label << ' ' << rank.type;
  if (rank.constant) out << " = " << *rank.constant;
  out << (rank.is_integer ? "" : " not an integer") << (rank.is_no_rank ? " no rank" : "") << '\n';
}

void print_clause(const ClauseFacts& clause, std::ostream& out) {
  out << "      clause " << clause.index;
  if (clause.element >= 0) out << '.' << clause.element;
  out << ' ' << clause.type;
  if (!clause.element_type.empty()) out << " of " << clause.element_type;
  out << (clause.is_range ? "" : " not a range") << (clause.is_integer ? "" : " not integers")
      << (clause.is_condition ? "" : " not a condition") << '\n';
}

constexpr std::string_view name(RowKind row) {
  switch (row) {
    case RowKind::fixed:
      return "fixed";
    case RowKind::vector:
      return "vector";
    case RowKind::span:
      return "span";
    case RowKind::pointer:
      return "pointer";
    case RowKind::shape:
      return "shape";
    case RowKind::none:
      break;
  }
  return "none";
}

void print_section(const SectionFacts& section, std::ostream& out) {
  for (const DimensionFacts& dimension : section.dimensions) {
    out << "        of " << dimension.row_type << ' ' << name(dimension.row);
    if (dimension.indices)
      out << ", listed by " << dimension.indices_type << (dimension.indices->is_range ? "" : " no range")
          << (dimension.indices->is_integer ? "" : " not of integers");
    for (const auto* part : {&dimension.first, &dimension.count, &dimension.stride})
      if (*part) {
        out << ", " << (*part)->type << ((*part)->is_integer ? "" : " not an integer");
        if ((*part)->constant) out << " = " << *(*part)->constant;
      }
    out << '\n';
  }
}

void print_let(const LetFacts& let, std::ostream& out) {
  out << "      let " << let.index << ' ' << let.type << ' ' << name(let.travel.verdict) << '\n';
}

void print_statement(const StatementFacts& facts, std::ostream& out) {
  if (!facts.instantiation.name.empty()) out << "      in " << facts.instantiation.name << '\n';
  out << "      place " << facts.place.type << ' ' << name(facts.place_kind) << '\n';
  if (facts.place.section) print_section(*facts.place.section, out);
  out << "      value " << facts.value.type << ' ' << name(facts.travel.verdict) << '\n';
  if (facts.value.section) print_section(*facts.value.section, out);
  if (facts.fit == Fit::no_assignment) out << "      no assignment\n";
  if (facts.fit == Fit::lengths_differ)
    out << "      lengths " << facts.place.length << " and " << facts.value.length << '\n';
  print_rank("receiver", facts.receiver, out);
  print_rank("sender", facts.sender, out);
  out << "      fold " << name(facts.folding.fold)
      << (facts.folding.callable_is_overload_set ? " of an overload set" : "");
  if (facts.folding.list_levels) out << " combines lists of " << *facts.folding.list_levels << " levels";
  out << '\n';
  for (const ClauseFacts& clause : facts.clauses) print_clause(clause, out);
  for (const LetFacts& let : facts.lets) print_let(let, out);
}

void print_block(const BlockFacts& block, std::ostream& out) {
  out << "  block" << (block.outside_function ? " outside of a function" : "")
      << (block.has_errors ? " with errors" : "");
  if (!block.evaluated_by_compiler.empty()) out << " in a " << block.evaluated_by_compiler << " function";
  for (const auto& word : block.words) out << ' ' << word;
  out << '\n';
  for (const TeamFacts& team : block.teams)
    out << "    team " << team.type << (team.is_team ? "" : " is none") << '\n';
  for (const auto& instances : block.statements) {
    out << "    statement\n";
    for (const StatementFacts& facts : instances) print_statement(facts, out);
  }
  for (const int earlier : block.pending) out << "    block " << earlier << " is pending\n";
  for (const SideEffect& effect : block.side_effects) out << "    side effect " << effect.what << '\n';
  for (const Uncapturable& name : block.uncapturable)
    out << "    cannot capture " << (name.is_array ? "an array of variable length" : "a member of a union")
        << '\n';
}

std::string where_called(const std::string& linker_words) {
  return linker_words.empty() ? "" : ", where the object has '" + linker_words + "'";
}

void print_aggregates(const std::vector<AggregateParts>& aggregates, const text::Source& source,
                      std::ostream& out) {
  for (const AggregateParts& parts : aggregates) {
    out << "  parts of " << parts.name << " line " << source.line(parts.insert_at) << ':';
    for (const auto& base : parts.bases) out << ' ' << base;
    for (const auto& member : parts.members)
      out << ' ' << member.name << (member.is_bit_field ? " (bits)" : "");
    out << '\n';
  }
}

}  // namespace

void Facts::add_obstacle(VariableObstacle obstacle) {
  const bool is_known = std::any_of(obstacles.begin(), obstacles.end(), [&](const VariableObstacle& one) {
    return one.source == obstacle.source && one.span == obstacle.span;
  });
  if (!is_known) obstacles.push_back(std::move(obstacle));
}

const FileFacts* Facts::find(const text::Source* source) const {
  for (const FileFacts& file : files)
    if (file.source == source) return &file;
  return nullptr;
}

void print(const Facts& facts, std::ostream& out) {
  for (const FileFacts& file : facts.files) {
    out << "file " << file.source->path() << '\n';
    for (const BlockFacts& block : file.blocks) print_block(block, out);
    for (const SecondWait& wait : file.second_waits)
      out << "  second wait for " << wait.name << " line " << file.source->line(wait.span.begin) << '\n';
    for (const auto& declaration : file.private_declarations)
      out << "  private " << declaration.name << " line " << file.source->line(declaration.insert_at) << '\n';
    print_aggregates(file.aggregates, *file.source, out);
    for (const Span attribute : file.attributes)
      out << "  attribute " << file.source->text(attribute) << " line " << file.source->line(attribute.begin)
          << '\n';
    for (const Span stream : file.own_streams)
      out << "  own " << file.source->text(stream) << " line " << file.source->line(stream.begin) << '\n';
  }
  for (const auto& expression : facts.initialisers) out << "initialiser " << expression << '\n';
  if (facts.has_unnamed_initialisers) out << "initialisers without a name\n";
  for (const auto& obstacle : facts.obstacles)
    out << "obstacle " << obstacle.variable << ": " << obstacle.reason << ", " << obstacle.source->path()
        << ':' << obstacle.source->line(obstacle.span.begin) << where_called(obstacle.linker_words) << '\n';
  if (const auto& end = facts.thread_end)
    out << "destroyed with its thread: " << end->variable << ", " << end->source->path() << ':'
        << end->source->line(end->at) << '\n';
}

void print(const Program& program, std::ostream& out) {
  for (const CheckedFile& file : program.files) {
    out << "file " << file.source->path() << (file.is_main ? " main" : "") << '\n';
    for (const CheckedBlock& block : file.blocks) {
      out << "  block line " << file.source->line(block.syntax->span.begin);
      if (block.knows != Knows::both)
        out << (block.knows == Knows::sender ? " sender knows" : " receiver knows");
      for (const auto& word : block.kanor_words) out << ' ' << word;
      out << '\n';
      for (const CheckedStatement& statement : block.statements) {
        out << "    " << file.source->text(statement.syntax->span)
            << (statement.callable_is_overload_set ? " (overload set)" : "");
        if (statement.list_levels) out << " combines lists of " << *statement.list_levels << " levels";
        for (const auto& name : statement.carried) out << " carries " << name;
        out << '\n';
      }
    }
    for (const auto& declaration : file.private_declarations)
      out << "  private " << declaration.name << " line " << file.source->line(declaration.insert_at) << '\n';
    print_aggregates(file.aggregates, *file.source, out);
    for (const Span stream : file.own_streams)
      out << "  own " << file.source->text(stream) << " line " << file.source->line(stream.begin) << '\n';
    for (const auto& include : file.includes)
      out << "  include " << file.source->text(include.name) << " is file " << include.target_file << '\n';
  }
  for (const auto& initialiser : program.initialisers)
    out << "initialiser " << initialiser.expression << '\n';
  if (program.has_unnamed_initialisers) out << "initialisers without a name\n";
  for (const auto& obstacle : program.obstacles)
    out << "obstacle " << obstacle.variable << ": " << obstacle.reason << ", " << obstacle.location
        << where_called(obstacle.linker_words) << '\n';
  if (program.has_private_variables) out << "has private variables\n";
  if (program.needs_cereal()) out << "needs cereal\n";
}

}  // namespace kanor::sema
