// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/own_messages.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "driver/host_commands.hpp"
#include "driver/option_table.hpp"
#include "driver/signals.hpp"
#include "driver/terminal.hpp"
#include "host/cfg/message_flow.hpp"
#include "host/facts/facts.hpp"

namespace kanor::driver {
namespace {

/// Libraries of the C and C++ implementation, which send no messages.
constexpr std::array own_libraries{"-lm", "-lc", "-lrt", "-lpthread", "-lstdc++", "-latomic", "-lgcc"};

/// The language that the host compiler takes the source for; nothing if it is neither C nor C++.
enum class SourceLanguage { c, cxx };
std::optional<SourceLanguage> language_of_source(const CommandLine& line, const Input& input) {
  const std::string ending = std::filesystem::path(input.path).extension().string();
  const std::string host = std::filesystem::path(line.host.back()).filename().string();
  if (language_of(input.path, input.forced) == Language::cxx) return SourceLanguage::cxx;
  if (input.forced == "c") return SourceLanguage::c;
  if (!input.forced.empty() && input.forced != "none") return std::nullopt;
  if (ending != ".c") return std::nullopt;
  return host.find("++") != std::string::npos ? SourceLanguage::cxx : SourceLanguage::c;
}

bool has_flag(const CommandLine& line, std::string_view prefix) {
  return std::any_of(line.arguments.begin(), line.arguments.end(), [&](const Argument& argument) {
    const auto* flag = std::get_if<Flag>(&argument);
    return flag != nullptr && flag->words.front().starts_with(prefix);
  });
}

/// Returns why messages that no unit has may match those of the units; empty if none may.
std::string unseen_messages(const CommandLine& line, bool all_are_read) {
  if (line.mpi.own_messages == OwnMessages::unit) return {};
  if (line.stage != Stage::program || line.host_flags.links_library)
    return "messages of other files may match it: compile and link in one command, or give "
           "'-fown-messages=unit'";
  for (const Input& input : line.inputs()) {
    if (std::find(own_libraries.begin(), own_libraries.end(), input.path) != own_libraries.end()) continue;
    if (input.language == Language::linker || !language_of_source(line, input))
      return "messages of '" + input.path + "' may match it, and are not seen";
  }
  for (const std::string_view option : {"-Wl,", "-Xlinker", "-specs", "-T"})
    if (has_flag(line, option)) return "the linker's options may add messages that are not seen";
  if (!all_are_read) return "a source of the program can't be read, and may have messages that match it";
  return {};
}

host::Invocation invocation(const CommandLine& line, const Installation& installation, const Input& input,
                            SourceLanguage language) {
  host::Invocation made;
  const bool launched = line.host.size() > 1 && !line.host[1].starts_with('-');
  made.main_file = input.path;
  made.host_compiler = line.host[launched ? 1 : 0];
  made.flags.assign(line.host.begin() + (launched ? 2 : 1), line.host.end());
  for (const Argument& argument : line.arguments)
    if (const auto* flag = std::get_if<Flag>(&argument); flag != nullptr && flag->role != Role::link)
      made.flags.insert(made.flags.end(), flag->words.begin(), flag->words.end());
  for (auto& word : mpi_flags(line, installation)) made.flags.push_back(std::move(word));
  made.is_c = language == SourceLanguage::c;
  made.is_mpi_program = true;
  return made;
}

/// Returns true if Clang has read the source.
bool read(MessageUnit& unit, bool whole_program, bool pipelines) {
  bool is_read = false;
  if (!host::query_host(unit.invocation, unit.diagnostics)) return false;
  unit.discovery = host::discover(unit.invocation, unit.diagnostics);
  if (unit.diagnostics.has_errors() || unit.discovery.files.empty()) return false;
  host::analyse(unit.invocation, unit.discovery, {}, unit.diagnostics, [&](const host::ParsedUnit& parsed) {
    unit.graph = host::build_message_flow(parsed, whole_program, pipelines);
    is_read = true;
  });
  return is_read && !unit.diagnostics.has_errors();
}

/// Returns true if MPI's header is the one whose functions the emitted text calls.
bool includes_own_header(const host::Discovery& discovery) {
  return std::any_of(discovery.files.begin(), discovery.files.end(), [](const host::DiscoveredFile& file) {
    return file.source->path().ends_with("kanor/mpi_programs/mpi.h");
  });
}

}  // namespace

MessageUnits::MessageUnits(const CommandLine& line, const Installation& installation) {
  const auto inputs = line.inputs();
  const auto sources = std::count_if(inputs.begin(), inputs.end(), [&](const Input& input) {
    return language_of_source(line, input).has_value();
  });
  const bool pipelines = line.analysis_options.pipelines_blocks;
  bool all_are_read = true;
  for (const Input& input : inputs) {
    const auto language = language_of_source(line, input);
    if (!language || input.text) continue;
    tell_crashes(input.path.c_str());
    MessageUnit& unit = units_.emplace_back();
    unit.path = input.path;
    unit.invocation = invocation(line, installation, input, *language);
    const bool is_alone =
        sources == 1 && line.mpi.own_messages != OwnMessages::unit && unseen_messages(line, true).empty();
    if (read(unit, is_alone, pipelines)) {
      if (!includes_own_header(unit.discovery)) unit.graph = {};
      continue;
    }
    const auto& errors = unit.diagnostics.all();
    print_note("the messages of '" + input.path + "' stay as they are, because it can't be read" +
                   (errors.empty() ? std::string() : " (" + errors.front().message + ")"),
               line.colour);
    units_.pop_back();
    all_are_read = false;
  }
  const bool has_threads = has_flag(line, "-fopenmp") || has_flag(line, "-fopenacc");
  analysis::Units graphs;
  for (MessageUnit& unit : units_) {
    if (has_threads) unit.graph.message_obstacles.emplace_back(flow::Location{}, "OpenMP may start threads");
    graphs.push_back(&unit.graph);
  }
  if (line.mpi.own_messages != OwnMessages::no) {
    auto decisions = analysis::pass_ownership(graphs, unseen_messages(line, all_are_read));
    for (std::size_t at = 0; at < units_.size(); ++at) units_[at].decisions = std::move(decisions[at]);
  }
  if (!pipelines) return;
  for (MessageUnit& unit : units_) unit.pipelines = analysis::pipeline_messages(unit.graph, unit.decisions);
}

const MessageUnit* MessageUnits::of(const Input& input) const {
  const auto found = std::find_if(units_.begin(), units_.end(),
                                  [&](const MessageUnit& unit) { return unit.path == input.path; });
  return found == units_.end() ? nullptr : &*found;
}

}  // namespace kanor::driver
