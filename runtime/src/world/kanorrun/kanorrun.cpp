// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanorrun: sets the environment that a Kanor program reads at its start, and becomes that program.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "platform/text.hpp"
#include "world/options.hpp"

namespace {

constexpr int bad_usage = 2;
constexpr int not_executable = 126;
constexpr int not_found = 127;

constexpr const char* help = R"(usage: kanorrun [-n RANKS] [--mode MODE] PROGRAM [ARGUMENT...]

Runs a program compiled by kanorc on several ranks of this machine.

  -n, -np, --ranks RANKS       number of ranks (default: the usable cores)
  --mode MODE                  threads, processes, or auto (default): threads if
                               the program allows them, otherwise processes
  --threads-per-process COUNT  thread ranks in each process under mpiexec
  --inflight BYTES             limit of bytes in flight from rank to rank,
                               may end in K, M, G (default: 64M)
  --stats                      each rank prints statistics when it ends
  -h, --help                   show this text
  --version                    show the version

Environment variables with the same effect: KANOR_RANKS, KANOR_MODE,
KANOR_THREADS, KANOR_INFLIGHT, KANOR_STATS. To run on several machines, use
mpiexec -n PROCESSES PROGRAM.

Exit status: the program's. If a rank fails or ends with a non-zero status, the
job ends with that status, or with 128 + N if signal N ended the rank. 2: the
job could not start. 126: PROGRAM cannot be run. 127: PROGRAM was not found.
)";

[[noreturn]] void complain(const std::string& text, int status) {
  std::fprintf(stderr, "kanorrun: %s\n", text.c_str());
  std::exit(status);
}

[[noreturn]] void complain_usage(const std::string& text) {
  complain(text + " (kanorrun --help shows how)", bad_usage);
}

/// An option's value, from `--name=value`, `-nvalue` or the next argument.
class Arguments {
 public:
  Arguments(int argc, char** argv) : argc_(argc), argv_(argv) {}

  bool done() const { return at_ >= argc_; }
  std::string_view current() const { return argv_[at_]; }
  char** rest() const { return argv_ + at_; }
  void skip() { ++at_; }

  /// Whether the current argument is this option; then its value, and both are behind us.
  std::optional<std::string> value_of(std::string_view name) {
    const std::string_view argument = current();
    if (argument == name) {
      if (at_ + 1 >= argc_) complain_usage("a value is missing after " + std::string(name));
      at_ += 2;
      return argv_[at_ - 1];
    }
    const bool is_long = name.starts_with("--");
    if (!argument.starts_with(name) || (is_long && argument[name.size()] != '=')) return std::nullopt;
    ++at_;
    return std::string(argument.substr(name.size() + (is_long ? 1 : 0)));
  }

 private:
  int argc_;
  char** argv_;
  int at_ = 1;
};

std::string count(const std::string& option, const std::string& value) {
  const auto number = kanor::rt::parse_integer(value);
  if (!number || *number < 1 || *number > kanor::rt::most_ranks)
    complain_usage(option + " is '" + value + "': expected a whole number from 1 to " +
                   std::to_string(kanor::rt::most_ranks));
  return value;
}

void check_program(const char* program) {
  // A name without a slash is looked up in PATH, which execvp does.
  if (!std::strchr(program, '/')) return;
  struct stat status {};
  if (::stat(program, &status) != 0)
    complain(std::string("cannot run '") + program + "': " + std::strerror(errno), not_found);
  if (S_ISDIR(status.st_mode))
    complain(std::string("cannot run '") + program + "': it is a directory", not_executable);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments(argc, argv);
  while (!arguments.done() && arguments.current().starts_with('-')) {
    const std::string_view argument = arguments.current();
    if (argument == "--help" || argument == "-h") {
      std::fputs(help, stdout);
      return 0;
    }
    if (argument == "--version") {
      std::puts("kanorrun " KANOR_VERSION);
      return 0;
    }
    if (argument == "--") {
      arguments.skip();
      break;
    }
    if (argument == "--stats") {
      ::setenv("KANOR_STATS", "1", 1);
      arguments.skip();
    } else if (const auto mode = arguments.value_of("--mode")) {
      if (*mode != "auto" && *mode != "threads" && *mode != "processes")
        complain_usage("--mode is '" + *mode + "': expected auto, threads or processes");
      ::setenv("KANOR_MODE", mode->c_str(), 1);
    } else if (const auto threads = arguments.value_of("--threads-per-process")) {
      ::setenv("KANOR_THREADS", count("--threads-per-process", *threads).c_str(), 1);
    } else if (const auto inflight = arguments.value_of("--inflight")) {
      if (kanor::rt::parse_bytes(*inflight).value_or(0) == 0)
        complain_usage("--inflight is '" + *inflight +
                       "': expected a number of bytes such as 65536, 512K, 64M or 2G");
      ::setenv("KANOR_INFLIGHT", inflight->c_str(), 1);
    } else if (const auto long_ranks = arguments.value_of("--ranks")) {
      ::setenv("KANOR_RANKS", count("--ranks", *long_ranks).c_str(), 1);
    } else if (const auto as_mpiexec = arguments.value_of("-np")) {
      ::setenv("KANOR_RANKS", count("-np", *as_mpiexec).c_str(), 1);
    } else if (const auto ranks = arguments.value_of("-n")) {
      ::setenv("KANOR_RANKS", count("-n", *ranks).c_str(), 1);
    } else {
      complain_usage("unknown option '" + std::string(argument) + "'");
    }
  }
  if (arguments.done()) complain_usage("a program to run is missing");

  char** const command = arguments.rest();
  check_program(command[0]);
  ::execvp(command[0], command);
  const int error = errno;
  complain(std::string("cannot run '") + command[0] + "': " + std::strerror(error),
           error == ENOENT ? not_found : not_executable);
}
