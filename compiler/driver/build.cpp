// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/build.hpp"

#include <llvm/Support/xxhash.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <system_error>

#include "driver/command_line.hpp"
#include "driver/compile.hpp"
#include "driver/compile_commands.hpp"
#include "driver/host_commands.hpp"
#include "driver/installation.hpp"
#include "driver/link/foreign_variables.hpp"
#include "driver/link/link.hpp"
#include "driver/own_messages.hpp"
#include "driver/process.hpp"
#include "driver/standard_input.hpp"
#include "driver/terminal.hpp"
#include "driver/workspace.hpp"

namespace kanor::driver {
namespace {

constexpr std::string_view version = "kanorc " KANOR_VERSION;

int hand_to_host(const CommandLine& line, const Command& command) {
  if (line.shows_commands || line.verbose) std::cerr << quoted(command) << '\n';
  return line.shows_commands ? 0 : run(command).status;
}

Command with_words(const CommandLine& line) {
  Command command = line.host;
  command.insert(command.end(), line.words.begin(), line.words.end());
  return command;
}

/// Prints kanorc's version, then the host's own lines, in which build systems look for a compiler they know.
int print_version(const CommandLine& line) {
  std::cout << version << "\nhost compiler: " << std::flush;
  Command command = line.host;
  command.push_back("--version");
  return run(command).status;
}

/// Returns true if all inputs can be read. Names all missing files before anything is compiled, as g++ and
/// clang do.
bool inputs_are_readable(const CommandLine& line) {
  bool ok = true;
  const auto complain = [&](const std::string& message) {
    print_error(message, line.colour);
    ok = false;
  };
  for (const Input& input : line.inputs()) {
    if (input.is_library_flag()) continue;
    std::error_code error;
    if (input.path == "-") {
      if (input.language == Language::linker)
        complain("'-x c++' or '-E' is needed when the input is standard input");
      continue;
    }
    if (!std::filesystem::exists(input.path, error))
      complain("no such file or directory: '" + input.path + "'");
    else if (std::filesystem::is_directory(input.path, error))
      complain("'" + input.path + "' is a directory");
    else if (access(input.path.c_str(), R_OK) != 0)
      complain("cannot read '" + input.path + "': " + std::strerror(errno));
  }
  return ok;
}

void warn_of_unused(const CommandLine& line) {
  if (line.stage == Stage::program) return;
  for (const Input& input : line.inputs())
    if (input.language == Language::linker && !input.is_library_flag())
      print_warning("'" + input.path + "' is not used, because nothing is linked", line.colour);
}

/// The part of a link that kanorc's pipeline does not compile.
std::vector<LinkInput> foreign(const std::vector<Input>& inputs, const std::vector<LinkInput>& objects) {
  std::vector<LinkInput> result;
  for (std::size_t at = 0; at < inputs.size(); ++at)
    if (inputs[at].language != Language::cxx) result.push_back(objects[at]);
  return result;
}

/// A hash of the words that determine the temporary files' contents, without paths, which differ between
/// checkouts.
std::uint64_t workspace_key(const CommandLine& line) {
  std::string all;
  const auto add = [&](std::string_view word) {
    if (word.find('/') == std::string_view::npos) all += std::string(word) + '\n';
  };
  for (const auto& word : line.host) add(word);
  for (const Argument& argument : line.arguments) {
    if (const auto* flag = std::get_if<Flag>(&argument))
      for (const auto& word : flag->words) add(word);
    const auto* input = std::get_if<Input>(&argument);
    if (input == nullptr || input->language != Language::cxx) continue;
    add(std::filesystem::path(input->path).filename().string());
    all += input->text ? *input->text : read_file(input->path);
    all += '\n';
  }
  return llvm::xxh3_64bits(all);
}

CommandLine without_warnings(CommandLine line) {
  line.warning_options.none = true;
  line.arguments.emplace_back(Flag{{"-w"}, Role::compile});
  return line;
}

/// Returns true if calls of MPI may have to be emitted in another form.
bool changes_messages(const CommandLine& line) {
  return line.mpi.own_messages != OwnMessages::no ||
         (line.mpi.ranks && line.analysis_options.pipelines_blocks);
}

int build(const CommandLine& given) {
  const auto named = given.inputs();
  const bool has_files =
      std::any_of(named.begin(), named.end(), [](const Input& input) { return !input.is_library_flag(); });
  const Installation installation = find_installation();
  if (given.stage == Stage::preprocess) return hand_to_host(given, preprocess_command(given, installation));
  if (!has_files && given.verbose) {
    std::cerr << version << '\n';
    return hand_to_host(given, with_words(given));
  }
  if (!has_files) throw UsageError("no input files");
  if (!inputs_are_readable(given)) return 1;
  if (given.compile_commands) note_compile_commands(*given.compile_commands, given, installation);

  const CommandLine line = with_standard_input(given);
  const auto inputs = line.inputs();
  Workspace workspace(workspace_key(line));
  Session session{line, installation, workspace, {}, {}, nullptr};
  if (line.shares_globals) session.shared_because = "it was compiled with '--globals=process'";
  std::vector<LinkInput> objects;
  for (const Input& input : inputs)
    objects.push_back({input.path, input.path, input.language == Language::cxx});
  int status = 0;
  const bool links = line.stage == Stage::program && !line.listing.any();
  // Objects beside the program, so that what the compiler writes beside them stays.
  std::vector<std::unique_ptr<PendingOutput>> temporaries;
  const auto compile_all = [&](Language language, const Session& by) {
    for (std::size_t at = 0; at < inputs.size(); ++at) {
      if (inputs[at].language != language) continue;
      const CompiledSource compiled = compile(by, inputs[at]);
      if (status == 0) status = compiled.status;
      objects[at].path = compiled.object;
      const HostFlags& flags = line.host_flags;
      if (links && flags.places_files_beside_object && !flags.saves_temporaries && !compiled.object.empty())
        temporaries.push_back(std::make_unique<PendingOutput>(compiled.object));
    }
  };
  warn_of_unused(line);
  std::optional<MessageUnits> messages;
  if (changes_messages(line) && !line.shows_commands)
    session.messages = &messages.emplace(line, installation);
  // What the host compiles alone comes first, because its variables, and those of the given objects, must be
  // known when C++ that refers to them is compiled.
  compile_all(Language::host, session);
  if (links && status == 0) session.foreign_variables = foreign_variables(line, foreign(inputs, objects));
  compile_all(Language::header, session);
  compile_all(Language::cxx, session);
  if (status != 0 || !links) return status;
  LinkResult linked = link_program(session, objects);
  const CommandLine quiet = without_warnings(line);  // which have been given
  while (!linked.shared_because.empty()) {
    session.shared_because = linked.shared_because;
    Session again{quiet,           installation, workspace, session.foreign_variables, session.shared_because,
                  session.messages};
    compile_all(Language::cxx, again);
    if (status != 0) return status;
    linked = link_program(session, objects);
  }
  return linked.status;
}

}  // namespace

int run_kanorc(const std::vector<std::string>& words) {
  Colour colour = Colour::automatic;
  try {
    const char* host = std::getenv("KANOR_HOST_CXX");
    const CommandLine line = parse_command_line(words, host != nullptr && *host != '\0' ? host : "g++");
    colour = line.colour;
    for (const auto& warning : line.warnings) print_warning(warning, colour);
    switch (line.action) {
      case CommandLine::Action::help:
        std::cout << help_text();
        return 0;
      case CommandLine::Action::version:
        return print_version(line);
      case CommandLine::Action::ask_host:
        return hand_to_host(line, with_words(line));
      case CommandLine::Action::build:
        break;
    }
    return build(line);
  } catch (const std::exception& error) {
    print_error(error.what(), colour);
    return 1;
  }
}

}  // namespace kanor::driver
