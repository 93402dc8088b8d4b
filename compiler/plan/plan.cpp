// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/plan.hpp"

#include <algorithm>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "plan/wording.hpp"
#include "sema/names.hpp"

namespace kanor::plan {
namespace {

Inversion inversion(const sema::Symbolic& rank) {
  if (!sema::is_described(rank)) return Inversion::enumerated;
  return sema::names_of(rank).empty() ? Inversion::one_rank : Inversion::solved;
}

bool is_closed(const sema::SymbolicStatement& statement) {
  const auto has_set = [](const sema::SymbolicName& name) {
    return name.set.form != sema::SymbolicSet::Form::unknown;
  };
  const auto is_seen = [](const sema::SymbolicFilter& filter) {
    return sema::is_described(filter.left) && sema::is_described(filter.right);
  };
  return sema::is_described(statement.receiver) && sema::is_described(statement.sender) &&
         std::all_of(statement.names.begin(), statement.names.end(), has_set) &&
         std::all_of(statement.filters.begin(), statement.filters.end(), is_seen);
}

/// See StatementPlan::receiver_after. A described rank has no effect: it need not be evaluated as often as
/// the statement says.
std::optional<std::size_t> evaluated_after(const text::Source& source, const StatementPlan& planned,
                                           const sema::Symbolic& rank, text::Span span) {
  using Kind = sema::Symbolic::Kind;
  const bool costs_something = rank.kind == Kind::operation || rank.kind == Kind::grid_rank ||
                               rank.kind == Kind::grid_neighbor || rank.kind == Kind::grid_coordinate;
  if (!costs_something || !sema::is_described(rank) || planned.statement->hides_names) return std::nullopt;
  std::size_t after = 0;
  bool has_loop = false;
  const auto& clauses = planned.statement->syntax->clauses;
  for (std::size_t at = 0; at < clauses.size(); ++at) {
    const auto* generator = std::get_if<syntax::Generator>(&clauses[at]);
    const auto* let = std::get_if<syntax::Let>(&clauses[at]);
    const auto is_used = [&](const syntax::Name& name) {
      return sema::has_word(source.text(span), name.text);
    };
    const bool uses = generator != nullptr
                          ? std::any_of(generator->names.begin(), generator->names.end(), is_used)
                          : let != nullptr && is_used(let->name);
    const bool is_loop =
        generator != nullptr && !(planned.elements && planned.elements->generator == generator);
    has_loop = !uses && (has_loop || is_loop);
    if (uses) after = at + 1;
  }
  return has_loop ? std::optional(after) : std::nullopt;
}

StatementPlan plan_statement(const text::Source& source, const sema::CheckedStatement& statement,
                             const Options& options) {
  StatementPlan planned;
  planned.statement = &statement;
  if (options.element_sections) planned.elements = element_generator(statement);
  if (statement.symbols == nullptr) return planned;
  planned.recognition = recognise(*statement.symbols, statement.syntax->op != syntax::Operator::assign);
  planned.form = make_form(planned.elements ? without_elements(*statement.symbols) : *statement.symbols,
                           sema::Knows::both);
  if (planned.form.text.empty()) return planned;
  planned.receiver = inversion(statement.symbols->receiver);
  planned.sender = inversion(statement.symbols->sender);
  planned.is_closed = is_closed(*statement.symbols);
  if (!options.hoists_ranks) return planned;
  planned.receiver_after =
      evaluated_after(source, planned, statement.symbols->receiver, statement.syntax->receiver.span);
  planned.sender_after =
      evaluated_after(source, planned, statement.symbols->sender, statement.syntax->sender.span);
  return planned;
}

/// The plan of a statement that one side knows. It has no pattern, since ranks may evaluate its clauses
/// differently: a collective operation needs the same pattern on all ranks.
StatementPlan plan_one_sided(const sema::CheckedStatement& statement, sema::Knows knows) {
  StatementPlan planned;
  planned.statement = &statement;
  planned.recognition.obstacle = Obstacle::one_side_knows;
  const bool pushes = knows == sema::Knows::sender;
  (pushes ? planned.receiver : planned.sender) = Inversion::told;
  if (statement.symbols == nullptr) return planned;
  planned.form = make_form(*statement.symbols, knows);
  if (planned.form.text.empty() && !statement.symbols->names.empty()) return planned;
  if (pushes)
    planned.sender = inversion(statement.symbols->sender);
  else
    planned.receiver = inversion(statement.symbols->receiver);
  return planned;
}

BlockPlan plan_block(const text::Source& source, const sema::CheckedBlock& block, const Options& options) {
  BlockPlan result{&block, {}};
  const bool both_know = block.knows == sema::Knows::both;
  for (const auto& statement : block.statements)
    result.statements.push_back(both_know ? plan_statement(source, statement, options)
                                          : plan_one_sided(statement, block.knows));
  std::vector<Recognition*> recognitions;
  for (auto& planned : result.statements) recognitions.push_back(&planned.recognition);
  recognise_neighbours(recognitions);
  for (auto& planned : result.statements)
    if (!planned.form.text.empty() && planned.recognition.pattern != Pattern::general) {
      planned.form.text += "; is ";
      planned.form.text += word(planned.recognition.pattern);
    }
  return result;
}

std::string_view words(Inversion inversion) {
  switch (inversion) {
    case Inversion::one_rank:
      return "one rank";
    case Inversion::solved:
      return "solved for its names";
    case Inversion::enumerated:
      return "all bindings are gone through";
    case Inversion::told:
      return "told by the other side";
  }
  throw std::logic_error("unknown inversion");
}

void print_rank(const char* role, const sema::Symbolic& rank, Inversion inversion,
                const sema::SymbolicStatement& statement, std::ostream& out) {
  out << "      " << role << ' ' << in_words(rank, statement) << ": " << words(inversion);
  const auto* culprit = inversion == Inversion::told ? nullptr : sema::find_opaque(rank);
  if (culprit != nullptr) out << ", since it " << why(culprit->obscurity);
  out << '\n';
}

void print_statement(const StatementPlan& planned, std::ostream& out) {
  out << word(planned.recognition.pattern);
  if (planned.elements)
    out << ", all of '" << planned.elements->generator->names.back().text << "' as sections";
  if (planned.recognition.obstacle != Obstacle::none) out << ", since " << why(planned.recognition.obstacle);
  out << '\n';
  if (planned.form.text.empty()) out << "      every rank goes through all bindings\n";
  if (!planned.form.text.empty()) out << "      form " << planned.form.text << '\n';
  for (std::size_t at = 0; at < planned.form.leaves.size(); ++at)
    out << "      $" << at << " is " << spelling(planned.form.leaves[at]) << '\n';
  const auto* symbols = planned.statement->symbols;
  if (symbols == nullptr) return;
  print_rank("to", symbols->receiver, planned.receiver, *symbols, out);
  print_rank("from", symbols->sender, planned.sender, *symbols, out);
}

void expect(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

}  // namespace

bool is_one_sided(const StatementPlan& statement) {
  return statement.receiver == Inversion::told || statement.sender == Inversion::told;
}

bool is_pairwise(const CommPlan& plan, const text::Source& source, int block) {
  const auto file = std::find_if(plan.files.begin(), plan.files.end(),
                                 [&](const FilePlan& one) { return one.file->source == &source; });
  if (file == plan.files.end()) return false;
  const auto& statements = file->blocks.at(static_cast<std::size_t>(block)).statements;
  return std::all_of(statements.begin(), statements.end(), [](const StatementPlan& one) {
    using enum Pattern;
    const Pattern pattern = one.recognition.pattern;
    return pattern == general || pattern == point_to_point || pattern == shift || pattern == permutation ||
           pattern == neighbours;
  });
}

CommPlan plan(const sema::Program& program, const Options& options) {
  CommPlan result{&program, {}};
  for (const auto& file : program.files) {
    FilePlan planned{&file, {}};
    for (const auto& block : file.blocks) planned.blocks.push_back(plan_block(*file.source, block, options));
    result.files.push_back(std::move(planned));
  }
  return result;
}

void print(const CommPlan& plan, std::ostream& out) {
  for (const FilePlan& file : plan.files) {
    if (file.blocks.empty()) continue;
    const text::Source& source = *file.file->source;
    out << "file " << source.path() << '\n';
    for (const BlockPlan& block : file.blocks) {
      out << "  block at line " << source.line(block.block->syntax->span.begin) << '\n';
      for (const StatementPlan& planned : block.statements) {
        out << "    statement at line " << source.line(planned.statement->syntax->span.begin) << ": ";
        print_statement(planned, out);
      }
    }
  }
}

void verify(const CommPlan& plan) {
  expect(plan.program != nullptr, "a plan without a program");
  expect(plan.files.size() == plan.program->files.size(), "the plan's files are not the program's");
  for (std::size_t f = 0; f < plan.files.size(); ++f) {
    const FilePlan& file = plan.files[f];
    expect(file.file == &plan.program->files[f], "a file out of order");
    expect(file.blocks.size() == file.file->blocks.size(), "a file's blocks are not the program's");
    for (std::size_t b = 0; b < file.blocks.size(); ++b) {
      expect(file.blocks[b].block == &file.file->blocks[b], "a block out of order");
      expect(file.blocks[b].statements.size() == file.blocks[b].block->statements.size(),
             "a block's statements are not the program's");
      for (std::size_t s = 0; s < file.blocks[b].statements.size(); ++s)
        expect(file.blocks[b].statements[s].statement == &file.blocks[b].block->statements[s],
               "a statement out of order");
    }
  }
}

}  // namespace kanor::plan
