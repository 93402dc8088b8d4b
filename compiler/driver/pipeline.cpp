// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/pipeline.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>

#include "analysis/wording.hpp"
#include "driver/kanor_header.hpp"
#include "emit/emit.hpp"
#include "host/cfg/cfg.hpp"
#include "host/facts/facts.hpp"
#include "sema/check.hpp"
#include "syntax/syntax.hpp"

namespace kanor::driver {
namespace {

constexpr std::array<std::string_view, 9> names{"discover", "parse", "shadow",   "facts", "flow",
                                                "sema",     "plan",  "analysis", "emit"};

/// Verifies the products in development builds: one that breaks its own rules is kanorc's mistake. Throws
/// std::logic_error.
template <class... Products>
void check_own([[maybe_unused]] const Products&... products) {
#ifndef NDEBUG
  verify(products...);
#endif
}

void parse_user_files(Unit& unit) {
  for (const auto& file : unit.discovery.files)
    if (!file.is_system && syntax::may_have_blocks(*file.source))
      unit.asts.push_back(syntax::parse(*file.source, file.inactive, unit.diagnostics));
}

/// Reads the operands that Clang took for wrong subscripts as sections.
void read_listed_sections(Unit& unit) {
  for (const sema::ListedOperand& listed : unit.facts.listed)
    for (syntax::Ast& ast : unit.asts) {
      if (ast.source != listed.source) continue;
      auto& block = ast.blocks[static_cast<std::size_t>(listed.block)];
      auto& statement = block.statements[static_cast<std::size_t>(listed.statement)];
      syntax::read_as_section(listed.is_place ? statement.place : statement.value);
    }
}

/// The standard that `-std=` names, if it is older than what blocks need.
std::string older_standard(const host::Invocation& invocation) {
  static const std::set<std::string, std::less<>> older{"98", "03", "0x", "11", "1y", "14", "1z", "17"};
  std::string found;
  for (const auto& flag : invocation.flags) {
    const auto plus = flag.find("++");
    if ((flag.starts_with("-std=") || flag.starts_with("--std=")) && plus != std::string::npos)
      found = older.contains(flag.substr(plus + 2)) ? flag : std::string();
  }
  return found;
}

void check_standard(Unit& unit) {
  const auto older = older_standard(unit.invocation);
  if (older.empty()) return;
  for (const auto& ast : unit.asts)
    if (!ast.blocks.empty())
      return unit.diagnostics.report(
          {text::Kind::command_line,
           ast.source,
           ast.blocks.front().span,
           "a block needs C++20 or later, but this file is compiled with '" + older + "'",
           {{nullptr, {}, "without '-std=', kanorc compiles C++20 ('-std=gnu++20')"}}});
}

/// Reports -fno-exceptions if cereal packs values, since it throws.
void check_exceptions(Unit& unit) {
  const auto& flags = unit.invocation.flags;
  const auto last = std::find_if(flags.rbegin(), flags.rend(), [](const std::string& flag) {
    return flag == "-fexceptions" || flag == "-fno-exceptions";
  });
  if (last == flags.rend() || *last == "-fexceptions") return;
  for (const flow::Location& value : unit.program.packed)
    unit.diagnostics.report({text::Kind::command_line,
                             value.source,
                             value.span,
                             "with '-fno-exceptions' this value cannot be sent: it is packed with exceptions",
                             {{nullptr,
                               {},
                               "numbers, plain structures, strings, and vectors of these need no exceptions; "
                               "nested containers, maps, and classes that own memory do"}}});
}

/// Reports include directives whose header a macro names: they can't be rewritten to name the emitted copy.
void check_includes(Unit& unit) {
  for (const auto& file : unit.program.files)
    for (const auto& include : file.includes)
      if (include.name.empty())
        unit.diagnostics.report(
            {text::Kind::not_yet_supported,
             nullptr,
             {},
             "'" + file.source->path() + "' includes '" +
                 unit.program.files[static_cast<std::size_t>(include.target_file)].source->path() +
                 "', which has blocks, global variables or classes that travel, by a name that a macro "
                 "spells",
             {}});
}

/// Reports values that cereal would pack if it is not installed: else the emitted code would not compile.
void check_cereal(Unit& unit) {
  if (!unit.program.needs_cereal() || !host::find_header(unit.invocation, "cereal/cereal.hpp").empty())
    return;
  const flow::Location& first = unit.program.packed.front();
  unit.diagnostics.report({text::Kind::host_error,
                           first.source,
                           first.span,
                           "a value of this type travels by way of the library cereal, which is not found",
                           {{nullptr, {}, "install cereal (on Debian: 'apt install libcereal-dev')"}}});
}

/// Decides which blocks start early, or are complete late.
void split_blocks(Unit& unit) {
  unit.splits = analysis::split_phases(
      unit.flow, unit.decisions, unit.pipelines,
      [&](const text::Source& source, int block) { return plan::is_pairwise(unit.plan, source, block); });
}

/// Says why blocks that ask to be pipelined are not.
void report_pipelines(Unit& unit) {
  for (const auto& file : unit.program.files)
    for (std::size_t at = 0; at < file.blocks.size(); ++at)
      if (const auto* delta = syntax::find_modifier(*file.blocks[at].syntax, syntax::ModifierKind::delta))
        analysis::report_pipeline(analysis::find(unit.pipelines, *file.source, static_cast<int>(at)),
                                  *file.source, delta->span, unit.diagnostics);
}

/// Decides what blocks, variables and loops become.
void decide(Unit& unit) {
  // Which blocks run at the same time as the loops around them.
  unit.pipelines = analysis::decide_pipelines(unit.flow);
  report_pipelines(unit);

  // Which variables ranks share instead of copying them. Nothing is wrong with a program that shares none,
  // unless it asks for what cannot be.
  unit.decisions = analysis::decide_sharing(unit.flow, unit.analysis_options, unit.pipelines);
  check_own(unit.flow, unit.decisions);

  split_blocks(unit);

  // Which loops that copy elements one by one a block makes needless.
  unit.loops = analysis::decide_replaced_loops(unit.flow, unit.decisions, unit.pipelines, unit.splits);
  analysis::report_impossible(unit.flow, unit.decisions, unit.diagnostics);
}

}  // namespace

bool Unit::may_have_blocks() const {
  return std::any_of(discovery.files.begin(), discovery.files.end(), [](const auto& file) {
    return !file.is_system && syntax::may_have_blocks(*file.source);
  });
}

std::optional<std::string> Unit::reason_to_emit() const {
  const auto in = [](const text::Source& source, std::uint32_t offset) {
    return " (" + source.path() + ":" + std::to_string(source.line(offset)) + ")";
  };
  for (const sema::CheckedFile& file : program.files) {
    if (!file.blocks.empty())
      return "it has a block" + in(*file.source, file.blocks.front().syntax->span.begin);
    if (!file.private_declarations.empty()) {
      const sema::PrivateDeclaration& first = file.private_declarations.front();
      return "each rank has a '" + first.name + "' of its own" + in(*file.source, first.insert_at);
    }
    if (!file.attributes.empty())
      return "it has an attribute of Kanor's" + in(*file.source, file.attributes.front().begin);
    if (!file.own_streams.empty())
      return "each rank has a stream of its own" + in(*file.source, file.own_streams.front().begin);
  }
  if (const auto& end = program.thread_end)
    return "'" + end->variable + "' is thread_local, and " + end->reason + " (" + end->location + ")";
  if (program.obstacles.empty()) return std::nullopt;
  const sema::Obstacle& first = program.obstacles.front();
  return "'" + first.variable + "' keeps ranks from being threads (" + first.location + ")";
}

Phase phase_named(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::out_of_range("no phase is called '" + std::string(name) + "'");
  return static_cast<Phase>(found - names.begin());
}

void translate(Unit& unit, Phase last) {
  const auto ends_after = [&](Phase phase) { return phase == last || unit.diagnostics.has_errors(); };

  // The preprocessor alone runs over the original files: it says which of them take part, and what it skips.
  unit.discovery = host::discover(unit.invocation, unit.diagnostics);
  if (ends_after(Phase::discover)) return;

  // From here the files are known. Blocks are found and parsed as text; C++ is not looked at yet.
  parse_user_files(unit);
  check_standard(unit);
  if (ends_after(Phase::parse)) return;
  for (const auto& ast : unit.asts) check_own(ast);

  do {
    // Each block becomes plain C++ that Clang can read, on the same lines.
    unit.shadows = host::make_shadows(unit.discovery, unit.asts);
    for (const auto& shadow : unit.shadows) check_own(shadow);
    if (ends_after(Phase::shadow)) return;

    // Clang parses the whole unit. From here on no phase sees Clang: what it found out are plain facts. Its
    // errors do not end the pipeline, because the blocks that it could read can still be checked.
    unit.facts = host::analyse(
        unit.invocation, unit.discovery, unit.shadows, unit.diagnostics, [&](const host::ParsedUnit& parsed) {
          unit.flow =
              host::build_flow_graph(parsed, {unit.is_whole_program, unit.analysis_options.pipelines_blocks,
                                              unit.analysis_options.replaces_loops});
        });
    // Only types tell sections of listed elements from subscripts.
    read_listed_sections(unit);
  } while (!unit.facts.listed.empty());
  if (!unit.diagnostics.has_errors()) check_own(unit.flow);
  if (last == Phase::facts || last == Phase::flow) return;

  unit.program = sema::check(unit.discovery, unit.asts, unit.facts, unit.diagnostics);
  unit.program.includes_kanor_first = includes_kanor_first(unit.discovery, unit.asts);
  check_includes(unit);
  check_exceptions(unit);
  check_cereal(unit);
  if (unit.diagnostics.has_errors()) return;

  // What ranks agree on is judged for programs that are right otherwise.
  unit.uniformity = sema::find_uniformity(unit.flow);
  sema::report_nonuniform(unit.flow, unit.uniformity, unit.diagnostics);
  if (ends_after(Phase::sema)) return;

  unit.plan = plan::plan(unit.program, unit.plan_options);
  check_own(unit.plan);
  if (last == Phase::plan) return;

  decide(unit);
}

void print_product(const Unit& unit, Phase phase, std::ostream& out) {
  switch (phase) {
    case Phase::discover:
      return print(unit.discovery, out);
    case Phase::parse:
      for (const auto& ast : unit.asts) print(ast, out);
      return;
    case Phase::shadow:
      for (const auto& shadow : unit.shadows) print(shadow, out);
      return;
    case Phase::facts:
      return print(unit.facts, out);
    case Phase::flow:
      return print(unit.flow, out);
    case Phase::sema:
      print(unit.program, out);
      return print(unit.uniformity, out);
    case Phase::plan:
      return print(unit.plan, out);
    case Phase::analysis:
      print(unit.flow, unit.pipelines, out);
      print(unit.flow, unit.decisions, out);
      print(unit.flow, unit.splits, out);
      return print(unit.flow, unit.loops, out);
    case Phase::emit:
      return print(emit::emit(unit.plan, unit.sharing(), std::vector<std::string>(unit.program.files.size())),
                   out);
  }
}

}  // namespace kanor::driver
