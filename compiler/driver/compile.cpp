// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/compile.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <sstream>
#include <utility>

#include "driver/dependency_file.hpp"
#include "driver/emitted_unit.hpp"
#include "driver/host_commands.hpp"
#include "driver/make_rule.hpp"
#include "driver/own_messages.hpp"
#include "driver/pipeline.hpp"
#include "driver/precompiled.hpp"
#include "driver/signals.hpp"
#include "driver/source_record.hpp"
#include "driver/standard_input.hpp"
#include "driver/terminal.hpp"
#include "driver/unseen_variables.hpp"
#include "emit/emit.hpp"
#include "emit/mpi_program.hpp"
#include "report/explain.hpp"
#include "report/messages.hpp"

namespace kanor::driver {
namespace {

std::string stem(const Input& input) {
  return input.text ? "-" : std::filesystem::path(input.path).stem().string();
}

CompiledSource run_host(const Session& session, const CompileJob& job) {
  const Command command = compile_command(session.line, session.installation, job);
  if (session.line.shows_commands || session.line.verbose) std::cerr << quoted(command) << '\n';
  CompiledSource result{0, job.output.value_or(""), {}};
  if (session.line.shows_commands) return result;
  PendingOutput pending(result.object);
  const Outcome outcome = run(command);
  result.status = outcome.status;
  if (outcome.signal != 0)
    print_error("'" + command[0] + "' was terminated by signal " + std::to_string(outcome.signal),
                session.line.colour);
  if (result.status == 0) pending.keep();
  return result;
}

/// The same for emitted files; the dependency file that is wanted names their originals.
CompiledSource run_host(const Session& session, CompileJob& job, const Input& input,
                        const EmittedUnit& emitted) {
  const Dependencies& dependencies = session.line.dependencies;
  if (!dependencies.wanted) return run_host(session, job);
  const std::string host_rule = session.workspace.path("rule.d");
  for (auto& flag :
       dependency_flags({true, dependencies.system_headers, false, {}, {}}, {host_rule, {"unit"}}))
    job.extra.push_back(std::move(flag));
  const CompiledSource result = run_host(session, job);
  if (result.status == 0)
    write_dependencies(dependencies, dependency_rule(session, input), emitted, host_rule);
  return result;
}

/// Has the host compile the original and write its dependency file.
CompiledSource compile_original(const Session& session, const Input& input, bool adds_note) {
  CompileJob job;
  job.file = input.path;
  if (input.text) {
    job.file = session.workspace.write(input.path, "# 1 \"" + input.path + "\"\n" + *input.text);
    job.front = {"-iquote", "."};
  }
  job.forced_language = input.forced;
  job.language = input.language;
  if (input.language != Language::header || session.line.output) job.output = output_path(session, input);
  job.adds_note = adds_note;
  job.copies = forced_copies(session.line, nullptr);
  if (session.line.dependencies.wanted)
    job.extra = dependency_flags(session.line.dependencies, dependency_rule(session, input));
  return run_host(session, job);
}

/// The note's source record, which the link needs if it finds that the unit's variables can't be private to
/// ranks.
std::string note_lines(const Session& session, const Input& input, const Unit& unit) {
  const bool has_private =
      std::any_of(unit.program.files.begin(), unit.program.files.end(),
                  [](const sema::CheckedFile& file) { return !file.private_declarations.empty(); });
  if (!has_private) return {};
  return "source\t" + print_record(make_record(session.line, input, unit.discovery)) + '\n';
}

/// Has the host compile the emitted files. No output names them.
CompiledSource compile_emitted(const Session& session, const Input& input, const Unit& unit) {
  const EmittedUnit emitted =
      write_unit(unit.plan, unit.sharing(), note_lines(session, input, unit), session.workspace);
  CompileJob job;
  job.file = emitted.main_file;
  job.forced_language = input.forced;
  job.output = output_path(session, input);
  job.front = emitted.include_flags;
  // What the host makes up for names without linkage must not be random; the user's own seed comes later.
  job.front.push_back("-frandom-seed=" + digest_of(unit.discovery));
  job.extra = emitted.map_flags;
  job.copies = forced_copies(session.line, &emitted);
  job.headers_of_copies = {"kanor/abi/block.hpp", "kanor/abi/globalised.hpp", "kanor/abi/own_stream.hpp"};
  if (unit.program.needs_cereal()) job.headers_of_copies.push_back("kanor/abi/cereal.hpp");
  if (const auto script = session.installation.debugger_script();
      session.line.host_flags.debug_information && std::filesystem::exists(script))
    job.extra.push_back("-DKANOR_ABI_DEBUGGER_SCRIPT=\"" + script + '"');
  const CompiledSource result = run_host(session, job, input, emitted);
  if (session.line.host_flags.saves_temporaries && !result.object.empty())
    std::filesystem::copy_file(emitted.main_file,
                               std::filesystem::path(result.object).replace_extension(".kanor.cpp"),
                               std::filesystem::copy_options::overwrite_existing);
  return result;
}

std::string emitted_text(const MessageUnit& unit) {
  const host::DiscoveredFile& file = unit.main_file();
  return emit::emit_mpi_program(*file.source, file.renumberings, unit.graph, unit.decisions, unit.pipelines);
}

/// Has the host compile a source of an MPI program that is emitted.
CompiledSource compile_messages(const Session& session, const Input& input, const MessageUnit& unit) {
  const std::string copy = session.workspace.path(input.path);
  write_file(copy, emitted_text(unit));
  const std::string directory = std::filesystem::path(input.path).parent_path().string();
  EmittedUnit emitted;
  emitted.main_file = copy;
  emitted.originals[std::filesystem::absolute(copy).lexically_normal().string()] = input.path;
  CompileJob job;
  job.file = copy;
  job.forced_language = input.forced;
  job.language = input.language;
  job.output = output_path(session, input);
  job.front = {"-iquote", directory.empty() ? "." : directory};
  job.extra = {"-idirafter", session.installation.include_directory,
               "-ffile-prefix-map=" + copy + "=" + input.path};
  job.copies = forced_copies(session.line, nullptr);
  return run_host(session, job, input, emitted);
}

CompiledSource show(const Session& session, const std::string& text) {
  if (session.line.output)
    write_file(*session.line.output, text);
  else
    std::cout << text;
  return {};
}

CompiledSource show_product(const Session& session, const Unit& unit) {
  std::ostringstream text;
  print_product(unit, phase_named(*session.line.listing.dump), text);
  return show(session, text.str());
}

CompiledSource show_explanation(const Session& session, const Unit& unit) {
  std::ostringstream text;
  report::explain(unit.plan, unit.sharing(), *session.line.listing.explain,
                  session.line.listing.explain_ranks, text);
  return show(session, text.str());
}

/// Names for the unit's files beside `output`, which is the main file's: the others get its name in front.
std::vector<std::string> names_beside(const std::string& output, const plan::CommPlan& plan) {
  const std::filesystem::path path(output);
  std::vector<std::string> names;
  for (const auto& file : plan.files) {
    const std::string original = std::filesystem::path(file.file->source->path()).filename().string();
    std::string name = file.file->is_main ? path.filename().string() : path.stem().string() + '.' + original;
    while (std::find(names.begin(), names.end(), name) != names.end())
      name.insert(path.stem().string().size(), "_");
    names.push_back(std::move(name));
  }
  return names;
}

/// Writes the emitted files: with -o the main file there and the headers beside it, so that they compile;
/// else all to standard output. A source that needs no edit is written as it is.
CompiledSource show_emitted(const Session& session, const Unit& unit) {
  if (!unit.needs_emission()) return show(session, std::string(unit.discovery.files.at(0).source->bytes()));
  const auto& output = session.line.output;
  if (!output || (std::filesystem::exists(*output) && !std::filesystem::is_regular_file(*output))) {
    std::ostringstream text;
    print(emit::emit(unit.plan, unit.sharing(), std::vector<std::string>(unit.plan.files.size())), text);
    return show(session, text.str());
  }
  const auto names = names_beside(*output, unit.plan);
  const emit::Emission emission = emit::emit(unit.plan, unit.sharing(), names);
  for (std::size_t at = 0; at < names.size(); ++at)
    write_file(std::filesystem::path(*output).replace_filename(names[at]).string(), emission.files[at].text);
  return {};
}

host::Invocation invocation(const Session& session, const Input& input) {
  host::Invocation result;
  const auto& host = session.line.host;
  // "ccache g++", "distcc clang++ --target=...": the compiler is the word behind the launcher.
  const bool launched = host.size() > 1 && !host[1].starts_with('-');
  result.main_file = input.path;
  result.host_compiler = host[launched ? 1 : 0];
  result.flags.assign(host.begin() + (launched ? 2 : 1), host.end());
  const auto flags = language_flags(session.line, session.installation);
  result.flags.insert(result.flags.end(), flags.begin(), flags.end());
  if (input.text)
    result.flags.insert(result.flags.end(), {"-ivfsoverlay", overlay_of(input, session.workspace)});
  result.foreign_variables = session.foreign_variables;
  return result;
}

/// Returns true for a source without blocks that Clang can't read, or whose standard has no thread_local: the
/// host alone compiles it and reports its errors. The object then has no note, so the link finds its
/// variables and makes ranks processes.
bool is_for_host_alone(const Session& session, const Unit& unit) {
  const CommandLine& line = session.line;
  if (line.listing.any() || unit.discovery.files.empty() || unit.may_have_blocks()) return false;
  const std::string standard = line.host_flags.standard.value_or("");
  return unit.diagnostics.has_errors() || standard.ends_with("98") || standard.ends_with("03");
}

/// Makes private variables shared again, and notes each as an obstacle for the link.
void share_globals(sema::Program& program, const std::string& reason) {
  for (auto& file : program.files) {
    for (const auto& declaration : file.private_declarations)
      program.obstacles.push_back(
          {declaration.name, reason,
           file.source->path() + ":" + std::to_string(file.source->line(declaration.insert_at))});
    file.private_declarations.clear();
  }
  program.initialisers.clear();
  program.has_unnamed_initialisers = false;
  program.has_private_variables = false;
}

CompiledSource compile_translated(const Session& session, const Input& input, const Unit& unit) {
  return unit.needs_emission() ? compile_emitted(session, input, unit)
                               : compile_original(session, input, true);
}

/// Precompiles a header if the host can read it as it is. Else, as kanorc has to rewrite it for each source,
/// writes only the placeholder file and the dependency rule that the build system expects.
CompiledSource precompile(const Session& session, const Input& input, const Unit& unit) {
  const std::optional<std::string> reason = unit.reason_to_emit();
  if (!reason) return compile_original(session, input, false);
  const CommandLine& line = session.line;
  const std::string output = line.output.value_or(input.path + ".gch");
  // A build system may compile another file, with the header ahead of it.
  const std::string header = std::filesystem::path(output).replace_extension().string();
  if (!line.warning_options.none)
    print_note("sources read '" + header + "' as text, not precompiled: " + *reason, line.colour);
  write_file(output, not_precompiled);
  if (!line.dependencies.wanted) return {};
  std::vector<std::string> names;
  for (const auto& file : unit.discovery.files)
    if (line.dependencies.system_headers || !file.is_system) names.push_back(file.source->path());
  const DependencyRule rule = dependency_rule(session, input);
  write_file(rule.file, make_rule(rule.targets, names, line.dependencies.phony_targets));
  return {};
}

/// Returns true if one source becomes a program together with libraries only, which don't know its names.
bool is_whole_program(const CommandLine& line) {
  const auto inputs = line.inputs();
  const auto files = std::count_if(inputs.begin(), inputs.end(),
                                   [](const Input& input) { return !input.is_library_flag(); });
  return line.stage == Stage::program && !line.host_flags.links_library && files == 1;
}

CompiledSource compile_cxx(const Session& session, const Input& input) {
  const CommandLine& line = session.line;
  if (line.shows_commands) return compile_original(session, input, true);
  tell_crashes(input.path.c_str());
  Unit unit;
  unit.invocation = invocation(session, input);
  unit.is_whole_program = is_whole_program(line);
  unit.plan_options = line.plan_options;
  unit.analysis_options = line.analysis_options;
  if (host::query_host(unit.invocation, unit.diagnostics))
    translate(unit, line.listing.dump ? phase_named(*line.listing.dump) : Phase::emit);
  if (is_for_host_alone(session, unit)) return compile_original(session, input, false);
  if (print_diagnostics(unit.diagnostics, line)) return {1, {}, {}};
  if (!session.shared_because.empty()) share_globals(unit.program, session.shared_because);
  if (line.listing.dump) return show_product(session, unit);
  if (line.listing.explain) return show_explanation(session, unit);
  if (line.listing.emits_cpp) return show_emitted(session, unit);
  if (input.language == Language::header) return precompile(session, input, unit);
  CompiledSource compiled = compile_translated(session, input, unit);
  const bool makes_object = line.stage == Stage::program || line.stage == Stage::object;
  if (compiled.status == 0 && makes_object)
    if (const auto unseen = unseen_variables(unit, compiled.object); !unseen.empty()) {
      auto& obstacles = unit.program.obstacles;
      obstacles.insert(obstacles.end(), unseen.begin(), unseen.end());
      compiled = compile_translated(session, input, unit);
    }
  compiled.digest = digest_of(unit.discovery);
  return compiled;
}

}  // namespace

std::string output_path(const Session& session, const Input& input) {
  const CommandLine& line = session.line;
  if (line.stage == Stage::program) {
    const std::string object = stem(input) + ".o";
    if (line.shows_commands) return "/tmp/kanorc-XXXXXX/" + object;
    if (!line.host_flags.places_files_beside_object) return session.workspace.path(object);
    return line.output.value_or("a") + "-" + object;
  }
  if (line.output) return *line.output;
  return stem(input) + (line.stage == Stage::assembly ? ".s" : ".o");
}

namespace {

/// Compiles, or shows, a source of an MPI program whose messages have been looked at.
CompiledSource compile_mpi(const Session& session, const Input& input, const MessageUnit& unit) {
  const Listing& listing = session.line.listing;
  std::ostringstream text;
  if (listing.explain) {
    report::explain_messages(unit.graph, unit.decisions, unit.pipelines, text);
    return show(session, text.str());
  }
  if (listing.dump) {
    print(unit.graph, text);
    return show(session, text.str());
  }
  if (listing.emits_cpp)
    return show(session,
                unit.needs_emission() ? emitted_text(unit) : std::string(unit.main_file().source->bytes()));
  return unit.needs_emission() ? compile_messages(session, input, unit)
                               : compile_original(session, input, false);
}

}  // namespace

CompiledSource compile(const Session& session, const Input& input) {
  if (session.messages != nullptr)
    if (const MessageUnit* unit = session.messages->of(input)) return compile_mpi(session, input, *unit);
  return input.language == Language::host ? compile_original(session, input, false)
                                          : compile_cxx(session, input);
}

}  // namespace kanor::driver
