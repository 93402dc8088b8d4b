// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/command_line.hpp"

#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/Error.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>
#include <sstream>

#include "driver/make_rule.hpp"
#include "driver/option_table.hpp"

namespace kanor::driver {
namespace {

std::vector<std::string> expand_response_files(const std::vector<std::string>& words) {
  llvm::BumpPtrAllocator memory;
  llvm::SmallVector<const char*, 64> arguments;
  for (const auto& word : words) arguments.push_back(word.c_str());
  llvm::cl::ExpansionContext context(memory, llvm::cl::TokenizeGNUCommandLine);
  if (auto error = context.expandResponseFiles(arguments)) throw UsageError(llvm::toString(std::move(error)));
  return {arguments.begin(), arguments.end()};
}

std::vector<std::string> split_command(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

constexpr std::string_view launch = "--launch", launch_with = "--launch=";

bool is_launch(std::string_view word) { return word == launch || word.starts_with(launch_with); }

/// Takes the compiler's words from `--launch COMPILER ...`, the command that a build system would run without
/// kanorc. `--launch=ccache COMPILER ...`: with a launcher of its own ahead (its words, between commas).
std::vector<std::string> take_launched(std::vector<std::string>& words) {
  if (words.size() < 2 || words[1].starts_with('-'))
    throw UsageError("'--launch' must be followed by the host compiler's command");
  std::string ahead = words[0].substr(std::min(words[0].size(), launch_with.size()));
  std::replace(ahead.begin(), ahead.end(), ',', ' ');
  std::vector<std::string> host = split_command(ahead);
  host.push_back(words[1]);
  words.erase(words.begin(), words.begin() + 2);
  return host;
}

/// Walks the words once, from left to right; each `take_` function returns true if it has consumed the word
/// at the cursor, with its argument.
class Parser {
 public:
  Parser(std::vector<std::string> words, CommandLine& out) : words_(std::move(words)), out_(out) {}

  void run() {
    while (at_ < words_.size()) {
      const std::size_t begin = at_;
      const std::string word = words_[at_];
      if (take_own(word)) continue;
      if (!take_stage(word) && !take_output(word) && !take_dependency(word) && !take_language(word) &&
          !take_input(word))
        take_flag(word);
      out_.words.insert(out_.words.end(), words_.begin() + static_cast<std::ptrdiff_t>(begin),
                        words_.begin() + static_cast<std::ptrdiff_t>(at_));
    }
    if (out_.mpi.ranks) leave_to_host();
    const auto inputs = out_.inputs();
    if (std::any_of(inputs.begin(), inputs.end(),
                    [](const Input& input) { return input.language == Language::header; }))
      out_.stage = std::min(out_.stage, Stage::object);
    if (only_preprocess_ || (makes_rule_only_ && !out_.dependencies.wanted)) out_.stage = Stage::preprocess;
  }

 private:
  /// The argument of a flag: what is joined to it, or the next word.
  std::string argument(std::string_view flag) {
    const std::string& word = words_[at_++];
    if (word.size() > flag.size()) return word.substr(flag.size());
    if (at_ == words_.size()) throw UsageError("argument to '" + std::string(flag) + "' is missing");
    return words_[at_++];
  }

  /// Takes an option that the host does not know.
  bool take_own(const std::string& word) {
    if (!take_switch(word) && !take_value(word) && !take_warning(word)) {
      refuse_misspelt(word);
      return false;
    }
    ++at_;
    return true;
  }

  bool take_switch(const std::string& word) {
    if (word == "--help")
      out_.action = CommandLine::Action::help;
    else if (word == "--version")
      out_.action = CommandLine::Action::version;
    else if (word == "--emit-cpp")
      out_.listing.emits_cpp = true;
    else if (word == "--explain")
      out_.listing.explain = report::Style::text;
    else if (word == "--no-sections")
      out_.plan_options.element_sections = false;
    else if (word == "--no-hoisting")
      out_.plan_options.hoists_ranks = false;
    else if (word == "-fdelta" || word == "-fno-delta")
      out_.analysis_options.pipelines_blocks = word == "-fdelta";
    else if (word == "--no-copy-loops")
      out_.analysis_options.replaces_loops = false;
    else if (word == "--no-globalize")
      out_.analysis_options.globalize = false;
    else if (word == "--globals=rank" || word == "--globals=process")
      out_.shares_globals = word == "--globals=process";
    else if (word == "-fown-messages" || word == "-fown-messages=program")
      out_.mpi.own_messages = OwnMessages::program;
    else if (word == "-fown-messages=unit")
      out_.mpi.own_messages = OwnMessages::unit;
    else if (word == "-fno-own-messages")
      out_.mpi.own_messages = OwnMessages::no;
    else if (word == "-###")
      out_.shows_commands = true;
    else
      return false;
    return true;
  }

  /// Takes `--option=value`.
  bool take_value(const std::string& word) {
    const auto equals = word.find('=');
    if (!word.starts_with("--") || equals == std::string::npos) return false;
    const std::string option = word.substr(0, equals), value = word.substr(equals + 1);
    if (option == "--globalize-from") {
      out_.analysis_options.least_bytes =
          number(word, value, 0, std::numeric_limits<long long>::max(), "a number of bytes");
    } else if (option == "--thread-safe-library") {
      std::istringstream in(not_empty(option, value));
      for (std::string name; std::getline(in, name, ',');) out_.safe_libraries.push_back(name);
    } else if (option == "--host-cxx") {
      out_.host = split_command(value);
      if (out_.host.empty()) not_empty(option, "");
    } else if (option == "--dump") {
      const auto& known = dump_phases();
      if (std::find(known.begin(), known.end(), value) == known.end()) {
        std::string list;
        for (const auto& name : known) list += (list.empty() ? "" : ", ") + name;
        throw UsageError("unknown phase '" + value + "' in '" + word + "' (phases are " + list + ")");
      }
      out_.listing.dump = value;
    } else if (option == "--explain") {
      if (value != "text" && value != "html" && value != "yaml")
        throw UsageError("'" + word + "' must be '--explain=text', '--explain=html' or '--explain=yaml'");
      out_.listing.explain = report::style_named(value);
    } else if (option == "--explain-ranks") {
      out_.listing.explain_ranks =
          static_cast<int>(number(word, value, 1, 512, "a number of ranks from 1 to 512"));
    } else if (option == "--mpi-ranks") {
      if (value != "threads" && value != "processes")
        throw UsageError("'" + word + "' must be '--mpi-ranks=threads' or '--mpi-ranks=processes'");
      out_.mpi.ranks = value == "threads" ? MpiRanks::threads : MpiRanks::processes;
    } else if (option == "--compile-commands") {
      out_.compile_commands = not_empty(option, value);
    } else {
      return false;
    }
    return true;
  }

  static const std::string& not_empty(const std::string& option, const std::string& value) {
    if (value.empty()) throw UsageError("argument to '" + option + "=' is missing");
    return value;
  }

  static long long number(const std::string& word, const std::string& value, long long least, long long most,
                          const char* what) {
    long long number = 0;
    const auto end = std::from_chars(value.data(), value.data() + value.size(), number);
    if (end.ec != std::errc() || end.ptr != value.data() + value.size() || number < least || number > most)
      throw UsageError("'" + word + "' must be " + what);
    return number;
  }

  /// Throws if the word is one of kanorc's options, but not as it is written, or is nearly one.
  static void refuse_misspelt(const std::string& word) {
    if (word.starts_with("-fown-messages"))
      throw UsageError("'" + word + "' must be '-fown-messages' or '-fown-messages=unit'");
    if (word.starts_with("--globals"))
      throw UsageError("'" + word + "' must be '--globals=rank' or '--globals=process'");
    if (is_launch(word))
      throw UsageError("'--launch' must be the first option, followed by the host compiler's command");
    if (word == "--host-cxx" || word == "--dump" || word == "--compile-commands" ||
        word == "--globalize-from" || word == "--thread-safe-library")
      throw UsageError("'" + word + "' is written '" + word + "='");
    if (const auto meant = nearest_own_option(word); !meant.empty())
      throw UsageError("unknown option '" + word + "'; did you mean '" + std::string(meant) + "'?");
  }

  /// Takes `-Wkanor-...` and its variants, which the host does not know.
  bool take_warning(std::string_view word) {
    struct Form {
      std::string_view prefix;
      std::optional<bool> shown, is_error;
    };
    static constexpr std::string_view own = "kanor-";
    static const std::array forms{Form{"-W", true, {}}, Form{"-Wno-", false, {}},
                                  Form{"-Werror=", true, true}, Form{"-Wno-error=", {}, false}};
    for (const Form& form : forms) {
      if (!word.starts_with(form.prefix) || !word.substr(form.prefix.size()).starts_with(own)) continue;
      const auto kind = text::warning_of_option(word.substr(form.prefix.size()));
      if (!kind) {
        out_.warnings.push_back("unknown warning option '" + std::string(word) + "'");
        return true;
      }
      WarningChoice& choice = out_.warning_options.choices[*kind];
      if (form.shown) choice.shown = *form.shown;
      if (form.is_error) choice.is_error = form.is_error;
      return true;
    }
    return false;
  }

  bool take_stage(const std::string& word) {
    if (word == "-E") {
      only_preprocess_ = true;
    } else if (word == "-M" || word == "-MM") {
      makes_rule_only_ = true;
    } else if (word == "-fsyntax-only" || word == "-S" || word == "-c") {
      out_.stage = std::min(out_.stage, word == "-c"   ? Stage::object
                                        : word == "-S" ? Stage::assembly
                                                       : Stage::check);
    } else {
      return false;
    }
    ++at_;
    return true;
  }

  bool take_output(const std::string& word) {
    if (word.starts_with("-o")) {
      if (word.starts_with("-objc")) return false;
      out_.output = argument("-o");
    } else if (word.starts_with("--output=")) {
      out_.output = argument("--output=");
    } else {
      return false;
    }
    return true;
  }

  bool take_dependency(const std::string& word) {
    auto& dependencies = out_.dependencies;
    if (word == "-MD" || word == "-MMD") {
      dependencies.wanted = true;
      dependencies.system_headers = word == "-MD";
      ++at_;
    } else if (word == "-MP") {
      dependencies.phony_targets = true;
      ++at_;
    } else if (word.starts_with("-MF")) {
      dependencies.file = argument("-MF");
    } else if (word.starts_with("-MT")) {
      dependencies.targets.push_back(argument("-MT"));
    } else if (word.starts_with("-MQ")) {
      dependencies.targets.push_back(quote_for_make(argument("-MQ")));
    } else if (word.starts_with("-Wp,-MD,") || word.starts_with("-Wp,-MMD,")) {
      dependencies.wanted = true;
      dependencies.system_headers = word[6] == 'D';
      dependencies.file = argument(dependencies.system_headers ? "-Wp,-MD," : "-Wp,-MMD,");
    } else {
      return false;
    }
    return true;
  }

  bool take_language(const std::string& word) {
    if (word.starts_with("-x")) {
      forced_ = argument("-x");
    } else if (word.starts_with("--language=")) {
      forced_ = argument("--language=");
    } else {
      return false;
    }
    return true;
  }

  bool take_input(const std::string& word) {
    const bool library = word.starts_with("-l");
    if (!library && word.size() > 1 && word[0] == '-') return false;
    if (library)
      out_.arguments.push_back(Input{"-l" + argument("-l"), Language::linker, {}});
    else
      out_.arguments.push_back(
          Input{words_[at_++], language_of(word, forced_), forced_ == "none" ? std::string() : forced_});
    return true;
  }

  void take_flag(const std::string& word) {
    if (asks_host(word)) out_.action = CommandLine::Action::ask_host;
    note(word);
    const FlagShape shape = shape_of(word);
    Flag flag{{word}, shape.role};
    ++at_;
    if (shape.takes_next_word) {
      if (at_ == words_.size()) throw UsageError("argument to '" + word + "' is missing");
      flag.words.push_back(words_[at_++]);
    }
    out_.arguments.push_back(std::move(flag));
  }

  /// An MPI program's sources have no blocks: the host compiles them, each in its own language.
  void leave_to_host() {
    for (Argument& argument : out_.arguments)
      if (auto* const input = std::get_if<Input>(&argument); input && input->language != Language::linker)
        input->language = Language::host;
  }

  /// Notes the effect on kanorc of flags that go to the host as well.
  void note(const std::string& word) {
    const auto starts = [&](std::string_view prefix) { return word.starts_with(prefix); };
    if (starts("-std=")) out_.host_flags.standard = word.substr(5);
    if (starts("--std=")) out_.host_flags.standard = word.substr(6);
    if (word == "-v") out_.verbose = true;
    if (word == "-shared" || word == "-r" || word == "-Wl,-r" || word == "-Wl,-shared")
      out_.host_flags.links_library = true;
    if (word == "-r" || word == "-Wl,-r") out_.host_flags.links_object = true;
    if (word == "-g0") out_.host_flags.debug_information = false;
    if (word == "-g" || word == "-g1" || word == "-g2" || word == "-g3" || starts("-ggdb") ||
        starts("-gdwarf") || starts("-glldb"))
      out_.host_flags.debug_information = true;
    if (word == "-w") out_.warning_options.none = true;
    if (word == "-Werror") out_.warning_options.are_errors = true;
    if (word == "-Wno-error") out_.warning_options.are_errors = false;
    if (starts("-flto")) out_.host_flags.intermediate_code = true;
    if (word == "-fno-lto") out_.host_flags.intermediate_code = false;
    if (starts("-save-temps") || starts("--save-temps")) out_.host_flags.saves_temporaries = true;
    for (std::string_view prefix :
         {"-save-temps", "--save-temps", "--coverage", "-coverage", "-ftest-coverage", "-fprofile-arcs",
          "-fprofile-generate", "-fprofile-use", "-gsplit-dwarf", "-fstack-usage", "-fdump-",
          "-fcallgraph-info", "-ftime-trace", "-fsave-optimization-record"})
      if (starts(prefix)) out_.host_flags.places_files_beside_object = true;
    if (word == "-fdiagnostics-color" || word == "-fdiagnostics-color=always" ||
        word == "-fcolor-diagnostics")
      out_.colour = Colour::always;
    if (word == "-fno-diagnostics-color" || word == "-fdiagnostics-color=never" ||
        word == "-fno-color-diagnostics")
      out_.colour = Colour::never;
    if (word == "-fdiagnostics-color=auto") out_.colour = Colour::automatic;
  }

  std::vector<std::string> words_;
  CommandLine& out_;
  std::size_t at_ = 0;
  std::string forced_;
  bool only_preprocess_ = false, makes_rule_only_ = false;
};

void check(const CommandLine& line) {
  if (line.action != CommandLine::Action::build) return;
  if (line.mpi.own_messages != OwnMessages::no && !line.mpi.ranks)
    throw UsageError("'-fown-messages' is for MPI programs: kanor-mpicc, kanor-mpicxx, or '--mpi-ranks='");
  std::size_t sources = 0;
  for (const Input& input : line.inputs()) sources += input.language != Language::linker ? 1 : 0;
  if (line.listing.explain && (line.listing.emits_cpp || line.listing.dump))
    throw UsageError("'--explain' and '--emit-cpp' or '--dump=' cannot be combined");
  if (line.listing.explain && line.output && sources > 1)
    throw UsageError("cannot specify '-o' with '--explain' and several source files");
  if (line.listing.emits_cpp && line.listing.dump)
    throw UsageError("'--emit-cpp' and '--dump=' cannot be combined");
  if (!line.output || sources < 2) return;
  if (line.listing.emits_cpp)
    throw UsageError("cannot specify '-o' with '--emit-cpp' and several source files");
  if (line.stage == Stage::preprocess || line.stage == Stage::assembly || line.stage == Stage::object)
    throw UsageError("cannot specify '-o' with '-c', '-S' or '-E' and several source files");
}

}  // namespace

std::vector<Input> CommandLine::inputs() const {
  std::vector<Input> found;
  for (const Argument& argument : arguments)
    if (const auto* input = std::get_if<Input>(&argument)) found.push_back(*input);
  return found;
}

bool WarningOptions::shows(text::Kind warning) const {
  const auto found = choices.find(warning);
  return !none && (found == choices.end() || found->second.shown);
}

bool WarningOptions::is_error(text::Kind warning) const {
  const auto found = choices.find(warning);
  return found == choices.end() ? are_errors : found->second.is_error.value_or(are_errors);
}

const std::vector<std::string>& dump_phases() {
  static const std::vector<std::string> phases{"discover", "parse", "shadow",   "facts", "flow",
                                               "sema",     "plan",  "analysis", "emit"};
  return phases;
}

CommandLine parse_command_line(const std::vector<std::string>& words, std::string_view default_host) {
  CommandLine line;
  line.host = split_command(default_host);
  auto expanded = expand_response_files(words);
  if (!expanded.empty() && is_launch(expanded.front())) line.host = take_launched(expanded);
  Parser(std::move(expanded), line).run();
  check(line);
  if (line.listing.any() && line.output == "-") line.output.reset();
  return line;
}

std::string_view help_text() {
  return R"(usage: kanorc [options] file...

Compiles and links C++ programs with @communicate blocks, as g++ does plain C++.
Every option that is not listed here goes to the host compiler.

  -c, -S, -E, -fsyntax-only  stop after that stage; -o FILE: output file
  --emit-cpp, --dump=PHASE   print the C++ for the host; or a phase's result
  --explain[=STYLE]          report how blocks are compiled: text, yaml, html;
                             --explain-ranks=N: team size in html's pictures
  --no-globalize             share no variables (--globalize-from=N: min. bytes)
  --no-sections, --no-hoisting, --no-copy-loops  turn that transformation off
  -fdelta                    overlap blocks, and MPI messages, with computation
  --globals=process          leave global variables unchanged; process ranks
  --mpi-ranks=KIND           an MPI program, with threads or processes as ranks
  -fown-messages[=unit]      pass its messages' buffers instead of copying them
  --thread-safe-library=NAME let thread ranks share this library's state
  --compile-commands=FILE    add the sources to FILE (compile_commands.json)
  --host-cxx=COMMAND         host compiler (default: $KANOR_HOST_CXX, or g++)
  --launch COMMAND ...       translate, and run the host compiler's COMMAND
  -###, -v                   print the host's commands; -v also runs them
  --help, --version          print this text; the versions of kanorc and host

Without -std=, the standard is C++20 with the host's extensions (-std=gnu++20).
Example: kanorc ring.cpp -o ring && kanorrun -n 4 ./ring    (or mpiexec)
)";
}

}  // namespace kanor::driver
