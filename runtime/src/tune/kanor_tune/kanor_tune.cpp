// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor-tune: measures this machine, and writes the file of limits that Kanor's programs read.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "platform/machine.hpp"
#include "platform/text.hpp"
#include "tune/measure.hpp"
#include "world/tuning_file.hpp"

using namespace kanor;
using tune::Failed;

namespace {

constexpr int bad_usage = 2, most_rounds = 1000;
constexpr const char* help = R"(usage: kanor-tune [--rounds N] [--output FILE | --dry-run]

Measures how two ranks of this machine exchange long messages best, which takes
about a minute, and writes the limits to a file that all Kanor programs read
when they start. Needs two cores, and nothing else that uses them.

  --rounds N      measure N times (default: 5)
  --output FILE   write FILE instead of kanor/tuning in the cache folder
                  ($XDG_CACHE_HOME, or ~/.cache)
  --dry-run       only print what was measured
  -h, --help; --version   show this text; show the version

Programs read the file of KANOR_TUNING instead, if it is set; with
KANOR_TUNING=none, none. Remove the file to go back to the built-in limits.
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

/// Replaces the file at once: a program that starts meanwhile reads the old one or the new one.
void write(const std::string& path, const std::string& text) {
  const std::filesystem::path file(path);
  const std::string part = path + "." + std::to_string(::getpid());
  std::error_code error;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
  if (std::ofstream out(part); !(out << text) || !out.flush()) {
    std::filesystem::remove(part, error);
    throw Failed("cannot write '" + path + "'");
  }
  std::filesystem::rename(part, path, error);
  if (!error) return;
  const std::string reason = error.message();
  std::filesystem::remove(part, error);
  throw Failed("cannot write '" + path + "': " + reason);
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::tm split{};
  std::strftime(text, sizeof text, "%Y-%m-%d", ::localtime_r(&now, &split));
  return text;
}

void tune_machine(const Options& options) {
  const std::string path = options.output.empty() ? rt::tuning_path() : options.output;
  if (path.empty() && !options.dry_run)
    throw Failed("there is no cache folder ($HOME is not set): name a file with --output");
  if (rt::usable_cores() < 2) throw Failed("two ranks need two cores, and this process may use only one");
  const auto self = std::filesystem::read_symlink("/proc/self/exe");
  const tune::Probe probe(self.parent_path().string());
  const bool shows = ::isatty(STDERR_FILENO) != 0;
  const tune::Measured measured = tune::measure(probe, options.rounds, [&](int round) {
    if (shows) std::fprintf(stderr, "\rkanor-tune: round %d of %d", round + 1, options.rounds);
  });
  if (shows) std::fputs("\r\033[K", stderr);
  std::fputs(measured.report.c_str(), stdout);
  if (options.dry_run) return;
  write(path,
        rt::tuning_text(measured.tuning, rt::cpu_name(), "measured on " + today() + "\n" + measured.report));
  std::printf("%s\n", ("written to " + path).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  // The probe is in this process's group and ends with it; then its folder is removed.
  std::signal(SIGINT, [](int) {});
  std::signal(SIGTERM, [](int) {});
  try {
    tune_machine(options);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "kanor-tune: %s\n", failure.what());
    return 1;
  }
  return 0;
}
