// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor-tune: measures this machine, and writes the file of limits that Kanor's programs read.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "platform/machine.hpp"
#include "platform/text.hpp"
#include "tune/measure.hpp"
#include "world/tuning_file.hpp"

using namespace kanor;
using tune::Failed;

namespace {

constexpr int bad_usage = 2, most_rounds = 1000;
constexpr const char* help = R"(usage: kanor-tune [--rounds N] [--output FILE | --dry-run]

Measures how two ranks of this machine exchange long messages best, and writes
the limits to a file that all Kanor programs read when they start. Takes about
ten seconds a round. Needs two cores, and nothing else that uses them.

  --rounds N      measure N times (default: 5)
  --output FILE   write FILE instead of the one that programs read
  --dry-run       only print what was measured
  -h, --help; --version   show this text; show the version

Programs read the file that KANOR_TUNING names, or kanor/tuning in the cache
folder ($XDG_CACHE_HOME, or ~/.cache), and none if KANOR_TUNING is none. Remove
the file to go back to the built-in limits.
)";

struct Options {
  int rounds = 5;
  std::string output;
  bool dry_run = false;
};

[[noreturn]] void complain(const std::string& text) {
  std::fprintf(stderr, "kanor-tune: %s (kanor-tune --help shows how)\n", text.c_str());
  std::exit(bad_usage);
}

Options parse(int argc, char** argv) {
  Options options;
  for (int at = 1; at < argc; ++at) {
    const std::string_view argument = argv[at];
    const auto value = [&] {
      if (at + 1 == argc) complain("a value is missing after " + std::string(argument));
      return std::string(argv[++at]);
    };
    if (argument == "-h" || argument == "--help") {
      std::fputs(help, stdout);
      std::exit(0);
    } else if (argument == "--version") {
      std::puts("kanor-tune " KANOR_VERSION);
      std::exit(0);
    } else if (argument == "--rounds") {
      const std::string text = value();
      const auto rounds = rt::parse_integer(text);
      if (!rounds || *rounds < 1 || *rounds > most_rounds)
        complain("--rounds is '" + text + "': expected 1 to " + std::to_string(most_rounds));
      options.rounds = static_cast<int>(*rounds);
    } else if (argument == "--output") {
      options.output = value();
    } else if (argument == "--dry-run") {
      options.dry_run = true;
    } else {
      complain("there is no option '" + std::string(argument) + "'");
    }
  }
  if (options.dry_run && !options.output.empty()) complain("--output and --dry-run exclude each other");
  return options;
}

volatile std::sig_atomic_t interrupted = 0;  ///< the signal

/// Makes signals that end a program be looked at by stop_if_interrupted(), so that no file is left behind.
void catch_signals() {
  struct sigaction action {};
  action.sa_handler = [](int signal) { interrupted = signal; };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::sigaction(signal, &action, nullptr);
}

void stop_if_interrupted() {
  if (interrupted) throw Failed("interrupted");
}

/// A file that replaces another one at once: a program that starts meanwhile reads the old one or the new
/// one. Until then it is a file beside it, which is removed if it comes to nothing.
class NewFile {
 public:
  explicit NewFile(std::string path)
      : path_(std::move(path)), part_(path_ + "." + std::to_string(::getpid())) {
    std::error_code error;
    const auto status = std::filesystem::status(path_, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
      throw Failed("'" + path_ + "' is no file that can be replaced");
    const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    write("");
  }
  ~NewFile() {
    std::error_code ignored;
    std::filesystem::remove(part_, ignored);
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void replace(const std::string& text) const {
    write(text);
    std::error_code error;
    std::filesystem::rename(part_, path_, error);
    if (error) throw Failed("cannot write '" + path_ + "': " + error.message());
  }

 private:
  void write(const std::string& text) const {
    std::ofstream out(part_);
    if (!(out << text) || !out.flush())
      throw Failed("cannot write '" + path_ + "': " + std::generic_category().message(errno));
  }

  const std::string path_, part_;
};

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::tm split{};
  std::strftime(text, sizeof text, "%Y-%m-%d", ::localtime_r(&now, &split));
  return text;
}

void warn_if_busy() {
  constexpr double busy = 0.5;  // processes that have run in the last minute, on the average
  double load = 0;
  if (::getloadavg(&load, 1) == 1 && load > busy)
    std::fprintf(stderr, "kanor-tune: other programs use the cores (load %.1f), so the limits may be wrong\n",
                 load);
}

void tune_machine(const Options& options) {
  const std::string path = options.output.empty() ? rt::tuning_path() : options.output;
  if (path.empty() && !options.dry_run)
    throw Failed(
        "there is no file to write ($HOME is not set, or KANOR_TUNING is none): name one with --output");
  if (rt::usable_cores() < 2) throw Failed("two ranks need two cores, and this process may use only one");
  std::optional<NewFile> file;
  if (!options.dry_run) file.emplace(path);
  warn_if_busy();
  const auto self = std::filesystem::read_symlink("/proc/self/exe");
  const tune::Probe probe(self.parent_path().string());
  const tune::Measured measured = tune::measure(probe, options.rounds, [&](int round) {
    stop_if_interrupted();
    if (::isatty(STDERR_FILENO))
      std::fprintf(stderr, "\r\033[Kkanor-tune: round %d of %d ", round + 1, options.rounds);
  });
  stop_if_interrupted();
  if (::isatty(STDERR_FILENO)) std::fputs("\r\033[K", stderr);
  std::fputs(measured.report.c_str(), stdout);
  if (!file) return;
  file->replace(
      rt::tuning_text(measured.tuning, rt::cpu_name(), "measured on " + today() + "\n" + measured.report));
  std::printf("%s\n", ("written to " + path).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  catch_signals();
  try {
    tune_machine(options);
  } catch (const std::exception& failure) {
    if (!interrupted) {
      std::fprintf(stderr, "%skanor-tune: %s\n", ::isatty(STDERR_FILENO) ? "\r\033[K" : "", failure.what());
      return 1;
    }
  }
  if (!interrupted) return 0;
  std::signal(interrupted, SIG_DFL);
  return ::raise(interrupted);
}
