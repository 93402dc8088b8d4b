// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanorrun: sets the environment that a Kanor program reads at its start, and becomes that program, or has an
// MPI launcher start it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/machine.hpp"
#include "platform/text.hpp"
#include "world/kanorrun/complain.hpp"
#include "world/kanorrun/hosts.hpp"
#include "world/kanorrun/mpi_job.hpp"
#include "world/kanorrun/program.hpp"
#include "world/options.hpp"

using namespace kanor::run;

namespace {

constexpr const char* help = R"(usage: kanorrun [OPTION...] PROGRAM [ARGUMENT...]

Runs a program compiled by kanorc on several ranks, of this machine or others.

  -n, -np, --ranks RANKS       number of ranks (default: the usable cores)
  --mode MODE                  threads, processes, or auto (default): threads
                               if the program allows them, otherwise processes
  --hosts a,b or a:3,b:1       over MPI on these hosts; with numbers of ranks
                               (-n: their sum or less) or dealt evenly
  --mpi                        over MPI on this host alone
  --threads-per-process COUNT  thread ranks in each process over MPI
  --inflight BYTES             limit of bytes in flight from rank to rank,
                               may end in K, M, G (default: 64M)
  --stats                      each rank prints statistics when it ends
  -h, --help; --version        show this text; show the version

Environment: KANOR_RANKS, KANOR_MODE, KANOR_THREADS, KANOR_INFLIGHT and
KANOR_STATS do the same; KANOR_MPIEXEC names the MPI launcher.

Exit status: the program's. If a rank fails or ends with a non-zero status, the
job ends with that status, or with 128 + N if signal N ended the rank. 2: the
job could not start. 126: PROGRAM cannot be run. 127: PROGRAM was not found.
)";

/// The command line; an option's value is in `--name=value`, `-nvalue` or the next argument.
class Arguments {
 public:
  Arguments(int argc, char** argv) : argc_(argc), argv_(argv) {}

  bool done() const { return at_ >= argc_; }
  std::string_view current() const { return argv_[at_]; }
  char** rest() const { return argv_ + at_; }
  void skip() { ++at_; }

  /// The value of this option, if it is the current argument, and skips both; else nothing.
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

/// The hosts that the ranks run on; empty without MPI.
std::vector<Host> hosts_of(const std::string& list, bool here) {
  if (list.empty() && !here) return {};
  if (!list.empty() && here) complain_usage("--mpi is for this host alone, and --hosts names others");
  const auto number_in = [](const char* name, int otherwise) {
    const char* const text = std::getenv(name);
    return text ? std::atoi(count(name, text).c_str()) : otherwise;
  };
  const int threads = number_in("KANOR_THREADS", 1);
  const int ranks =
      number_in("KANOR_RANKS", here ? std::max(kanor::rt::usable_cores() / threads, 1) * threads : 0);
  std::string error;
  auto hosts = parse_hosts(here ? "localhost" : list, error);
  if (!hosts || !deal_ranks(*hosts, ranks, threads, error)) complain_usage(error);
  // The launcher is told, not the program.
  ::unsetenv("KANOR_RANKS");
  return *hosts;
}

/// The options that are not settings of the environment.
struct Where {
  std::string hosts;
  bool mpi_here = false, names_mode = false;
};

/// Ends kanorrun for an unknown option, and names the nearest long one.
[[noreturn]] void refuse(std::string_view argument) {
  constexpr std::string_view names[] = {"ranks",    "mode",  "hosts", "mpi",    "threads-per-process",
                                        "inflight", "stats", "help",  "version"};
  const std::string_view word = argument.substr(0, argument.find('='));
  const std::string_view meant =
      word.starts_with("--") ? kanor::rt::nearest(word.substr(2), names) : std::string_view();
  complain_usage("unknown option '" + std::string(argument) + "'" +
                 (meant.empty() ? "" : "; did you mean '--" + std::string(meant) + "'?"));
}

/// Takes the current option, and its value.
void take_option(Arguments& arguments, Where& where) {
  const std::string_view argument = arguments.current();
  if (argument == "--stats") {
    ::setenv("KANOR_STATS", "1", 1);
    arguments.skip();
  } else if (argument == "--mpi") {
    where.mpi_here = true;
    arguments.skip();
  } else if (const auto list = arguments.value_of("--hosts")) {
    where.hosts = *list;
    std::string error;
    if (!parse_hosts(where.hosts, error)) complain_usage(error);
  } else if (const auto mode = arguments.value_of("--mode")) {
    if (*mode != "auto" && *mode != "threads" && *mode != "processes")
      complain_usage("--mode is '" + *mode + "': expected auto, threads or processes");
    ::setenv("KANOR_MODE", mode->c_str(), 1);
    where.names_mode = true;
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
    refuse(argument);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments(argc, argv);
  Where where;
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
    take_option(arguments, where);
  }
  if (arguments.done()) complain_usage("a program to run is missing");

  char** const command = arguments.rest();
  const std::vector<Host> hosts = hosts_of(where.hosts, where.mpi_here);
  if (!hosts.empty() && where.names_mode)
    complain_usage("--mode has no effect over MPI, where ranks are processes");
  check_program(command);
  if (hosts.empty()) become(command);
  const char* const threads = std::getenv("KANOR_THREADS");
  run_mpi_job(hosts, threads ? std::atoi(threads) : 1, command);
}
