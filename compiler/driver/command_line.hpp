// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/sharing_decisions.hpp"
#include "plan/plan.hpp"
#include "report/explain.hpp"
#include "text/diagnostic.hpp"

/// kanorc's command line: the host compiler's own, and a few options more. Every word that kanorc does
/// not know belongs to the host compiler and keeps its place.
namespace kanor::driver {

/// A mistake of the user's, worded as the rest of a `kanorc: error: ` line.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The stage at which the compilation of a source stops.
enum class Stage { preprocess, check, assembly, object, program };

/// The host's commands that a flag belongs to. A compile command does not get link flags and the other way
/// round, because clang warns of flags that it does not use.
enum class Role { both, compile, link };

struct Flag {
  std::vector<std::string> words;  ///< one, or the flag and its separate argument
  Role role = Role::both;
};

/// The language of an input file, which decides the program that works on it.
enum class Language {
  cxx,     ///< C++ source: kanorc's pipeline
  header,  ///< C++ header: the host precompiles it if there is nothing for kanorc in it
  host,    ///< C, assembler, Fortran, preprocessed C++ ...: the host compiles it unchanged
  linker,  ///< object, archive, library, linker script
};

struct Input {
  std::string path;
  Language language = Language::linker;
  std::string forced;                              ///< the argument of the `-x` in force, or empty
  std::optional<std::string> text = std::nullopt;  ///< the text read from standard input
  /// A library of the form `-lfoo` is an input too: its place among the objects matters.
  bool is_library_flag() const { return path.starts_with("-l"); }
};

using Argument = std::variant<Flag, Input>;

/// `-MD`, `-MMD` and their companions. (`-M` and `-MM` alone only preprocess: Stage::preprocess.)
struct Dependencies {
  bool wanted = false;
  bool system_headers = true;        ///< false for -MMD
  bool phony_targets = false;        ///< -MP
  std::optional<std::string> file;   ///< -MF
  std::vector<std::string> targets;  ///< -MT, -MQ: as they are written into the rule
};

enum class Colour { automatic, always, never };

/// The effect of -W options on one kind of kanorc's warnings. By default it is shown, and an error if -Werror
/// makes all warnings errors.
struct WarningChoice {
  bool shown = true;
  std::optional<bool> is_error;
};

struct WarningOptions {
  bool none = false;        ///< -w
  bool are_errors = false;  ///< -Werror
  std::map<text::Kind, WarningChoice> choices;

  /// Return true if a warning of this kind is printed, and if it is an error.
  bool shows(text::Kind warning) const;
  bool is_error(text::Kind warning) const;
};

/// What kanorc prints instead of compiling.
struct Listing {
  bool emits_cpp = false;                ///< --emit-cpp
  std::optional<std::string> dump;       ///< --dump=PHASE
  std::optional<report::Style> explain;  ///< --explain
  int explain_ranks = 8;                 ///< --explain-ranks=N

  bool any() const { return emits_cpp || dump || explain; }
};

/// What the host compiler's flags mean to kanorc.
struct HostFlags {
  std::optional<std::string> standard;      ///< the last -std=
  bool links_library = false;               ///< -shared, -r: what is linked is not a whole program
  bool links_object = false;                ///< -r: it is linked once more
  bool intermediate_code = false;           ///< -flto
  bool saves_temporaries = false;           ///< -save-temps
  bool places_files_beside_object = false;  ///< the host writes .gcno, .dwo ... named after the object
  bool debug_information = false;           ///< -g and its variants, not -g0
};

/// What the ranks of an MPI program are: threads where they can be, or processes.
enum class MpiRanks { threads, processes };

/// Whether messages of an MPI program may pass their buffers' ownership, and what they may match.
enum class OwnMessages {
  no,
  program,  ///< any message of the program, so all of its sources must be in this command
  unit      ///< only messages of the same source, as the user says
};

/// The options for MPI programs.
struct MpiOptions {
  std::optional<MpiRanks> ranks;               ///< --mpi-ranks=: the sources are an MPI program's
  OwnMessages own_messages = OwnMessages::no;  ///< -fown-messages
};

struct CommandLine {
  enum class Action {
    build,     ///< compile, link
    ask_host,  ///< -print-..., -dumpversion ...: hand `words` to the host and end
    version,
    help,
  };

  Action action = Action::build;
  Stage stage = Stage::program;
  std::vector<std::string> host;    ///< the host compiler's command
  std::vector<Argument> arguments;  ///< in the user's order, without what the other members hold
  std::vector<std::string> words;   ///< everything for the host as the user gave it, response files expanded
  std::optional<std::string> output;  ///< -o; a listing has none for "-", which is standard output
  Dependencies dependencies;
  HostFlags host_flags;
  Listing listing;
  bool shows_commands = false;  ///< -###
  bool verbose = false;         ///< -v
  bool shares_globals = false;  ///< --globals=process
  MpiOptions mpi;
  plan::Options plan_options;                   ///< --no-sections, --no-hoisting
  analysis::Options analysis_options;           ///< --no-globalize, --globalize-from=, -fdelta
  std::vector<std::string> safe_libraries;      ///< --thread-safe-library=NAME[,NAME...]
  std::optional<std::string> compile_commands;  ///< --compile-commands=FILE
  Colour colour = Colour::automatic;
  WarningOptions warning_options;
  std::vector<std::string> warnings;  ///< about the command line itself

  std::vector<Input> inputs() const;
};

/// The names that --dump= knows, in the order of the pipeline.
const std::vector<std::string>& dump_phases();

/// `words` is the command line without the program's name. `default_host` is the host compiler's
/// command where --host-cxx does not say. Reads response files. Throws UsageError.
CommandLine parse_command_line(const std::vector<std::string>& words, std::string_view default_host);

/// The screen of --help.
std::string_view help_text();

}  // namespace kanor::driver
