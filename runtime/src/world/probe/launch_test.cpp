// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jobs that start, run and end, and jobs that cannot start.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <kanor/abi/program_facts.hpp>
#include <set>
#include <string>

#include "world/probe/run_program.hpp"

namespace kanor::rt::test {
namespace {

const std::string probe = KANOR_PROBE;
const std::string kanorrun = KANOR_RUN;

Outcome run(std::vector<std::string> arguments, Environment environment) {
  arguments.insert(arguments.begin(), probe);
  return Program(std::move(arguments), std::move(environment)).finish();
}

/// The processes of the ranks that `show` printed lines of.
std::set<std::string> processes_of(const Outcome& outcome) {
  std::set<std::string> processes;
  for (const std::string& line : lines(outcome.output)) processes.insert(line.substr(line.rfind(' ')));
  return processes;
}

class Launch : public ::testing::TestWithParam<std::string> {
 protected:
  Environment ranks(int number) const {
    return {{"KANOR_MODE", GetParam()}, {"KANOR_RANKS", std::to_string(number)}};
  }
};

INSTANTIATE_TEST_SUITE_P(Modes, Launch, ::testing::Values("threads", "processes"),
                         [](const auto& mode) { return mode.param; });

TEST_P(Launch, PassesMessagesAround) {
  for (const int number : {1, 2, 3, 4, 8}) {
    const Outcome outcome = run({"ring", "50"}, ranks(number));
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(lines(outcome.output).size(), static_cast<std::size_t>(number)) << outcome.output;
    EXPECT_FALSE(outcome.left_processes);
  }
}

TEST_P(Launch, ManyMoreRanksThanCoresAreQuick) {
  for (const int number : {16, 64}) {
    const Outcome outcome = run({"ring", "20"}, ranks(number));
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    // Ranks that spin while others have the cores take minutes.
    EXPECT_LT(outcome.duration_ms, 30'000);
  }
}

TEST_P(Launch, ExchangesSmallAndLargeMessages) {
  EXPECT_EQ(run({"exchange", "30", "64"}, ranks(4)).status, 0);
  EXPECT_EQ(run({"exchange", "5", "3000000"}, ranks(4)).status, 0);
}

TEST_P(Launch, KeepsMemoryBoundedWhenASenderRunsAhead) {
  Environment environment = ranks(2);
  environment["KANOR_INFLIGHT"] = "1M";
  environment["KANOR_MEMORY"] = "16M";
  environment["KANOR_STATS"] = "1";
  const Outcome outcome = run({"ahead", "500", "100000"}, environment);  // 50 MB in all
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  const int peak = std::stoi(outcome.output.substr(5));
  EXPECT_LE(peak, 1 << 20);
  EXPECT_GT(peak, (1 << 20) - 200'000);
  EXPECT_NE(outcome.errors.find("kanor: rank 0: at most " + std::to_string(peak) +
                                " bytes in flight to one rank, limit 1048576"),
            std::string::npos)
      << outcome.errors;
}

TEST_P(Launch, GivesEachRankWhatIsItsOwn) {
  const Outcome outcome = run({"show"}, ranks(3));
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  for (int rank = 0; rank < 3; ++rank) {
    const std::string number = std::to_string(rank);
    const std::string head = "[" + number + "/3] name 'rank " + number + "' initialised 'ab' argc 2 argv '" +
                             static_cast<char>('a' + rank) + "how'";
    EXPECT_NE(outcome.output.find(head), std::string::npos) << outcome.output;
  }
  EXPECT_EQ(processes_of(outcome).size(), GetParam() == "threads" ? 1u : 3u);
  if (GetParam() == "threads") {
    EXPECT_EQ(count(outcome.output, "stack enough"), 3);
  }
}

TEST_P(Launch, ExitEndsARankAlone) {
  const Outcome outcome = run({"leave"}, ranks(4));
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(count(outcome.output, "automatic object destroyed"), 2);
  EXPECT_EQ(count(outcome.output, "handler ran"), 1);
}

TEST_P(Launch, PthreadExitEndsARankToo) {
#ifdef __SANITIZE_THREAD__
  if (GetParam() == "processes") GTEST_SKIP() << "ThreadSanitizer's own thread keeps such a process alive";
#endif
  const Outcome outcome = run({"depart"}, ranks(3));
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_LT(outcome.duration_ms, 5'000);
}

TEST_P(Launch, AProcessThatARankForksIsNoRank) {
  const Outcome outcome = run({"child"}, ranks(2));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(count(outcome.output, "child died of signal " + std::to_string(SIGSEGV)), 2) << outcome.output;
}

TEST_P(Launch, TheLowestRanksStatusCounts) {
  EXPECT_EQ(run({"status", "0", "0", "0"}, ranks(3)).status, 0);
  EXPECT_EQ(run({"status", "5", "6", "7"}, ranks(3)).status, 5);
  EXPECT_EQ(run({"status", "0", "6", "7"}, ranks(3)).status, 6);
  EXPECT_EQ(run({"status", "0", "256", "7"}, ranks(3)).status, 7);
}

TEST_P(Launch, AStatusEndsRanksThatWait) {
  struct Case {
    std::vector<std::string> arguments;
    int rank, status;
  };
  for (const Case& test : {Case{{"status", "x", "4", "x"}, 1, 4}, Case{{"status", "3", "x", "x"}, 0, 3}}) {
    const Outcome outcome = run(test.arguments, ranks(3));
    EXPECT_EQ(outcome.status, test.status);
    const std::string message = "kanor: rank " + std::to_string(test.rank) + ": ended with exit status " +
                                std::to_string(test.status);
    EXPECT_EQ(outcome.errors.substr(0, message.size()), message);
    EXPECT_EQ(lines(outcome.errors).size(), 1u) << outcome.errors;
    EXPECT_LT(outcome.duration_ms, 3'000);
    EXPECT_FALSE(outcome.left_processes);
  }
}

TEST(LaunchOptions, DefaultsToTheUsableCores) {
  EXPECT_EQ(lines(run({"show"}, {}).output).size(),
            static_cast<std::size_t>(::sysconf(_SC_NPROCESSORS_ONLN)));
}

TEST(LaunchOptions, BadValuesAreSaid) {
  const std::pair<Environment, std::string> cases[] = {
      {{{"KANOR_RANKS", "0"}}, "kanor: KANOR_RANKS is '0': expected a whole number from 1 to 4096\n"},
      {{{"KANOR_RANKS", "abc"}}, "kanor: KANOR_RANKS is 'abc': expected a whole number from 1 to 4096\n"},
      {{{"KANOR_RANKS", "100000"}},
       "kanor: KANOR_RANKS is '100000': expected a whole number from 1 to 4096\n"},
      {{{"KANOR_MODE", "fast"}}, "kanor: KANOR_MODE is 'fast': expected auto, threads or processes\n"},
      {{{"KANOR_THREADS", "-1"}}, "kanor: KANOR_THREADS is '-1': expected a whole number from 1 to 4096\n"},
      {{{"KANOR_INFLIGHT", "64MB"}},
       "kanor: KANOR_INFLIGHT is '64MB': expected a number of bytes such as 65536, 512K, 64M or 2G\n"},
      {{{"KANOR_MEMORY", "0"}},
       "kanor: KANOR_MEMORY is '0': expected a number of bytes such as 65536, 512K, 64M or 2G, at least "
       "4194304\n"},
      {{{"KANOR_CHECK", "yes"}}, "kanor: KANOR_CHECK is 'yes': expected 1 or 0\n"},
  };
  for (const auto& [environment, message] : cases) {
    const Outcome outcome = run({"show"}, environment);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.errors, message);
    EXPECT_EQ(outcome.output, "");
  }
}

TEST(LaunchOptions, AnMpiLauncherNeedsThePlugIn) {
  const Outcome without = run({"show"}, {{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}});
  EXPECT_EQ(without.status, 2);
  EXPECT_EQ(without.errors.rfind("kanor: MPICH's mpiexec started this program (PMI_RANK is set), but Kanor's "
                                 "transport for MPICH cannot be opened (libkanor_mpi_mpich.so: ",
                                 0),
            0u)
      << without.errors;
  EXPECT_NE(without.errors.find("install libmpich-dev and build Kanor with it, set KANOR_MPI_PLUGIN to the "
                                "transport's path, or start the program with kanorrun\n"),
            std::string::npos);
  const Outcome open_mpi = run({"show"}, {{"OMPI_COMM_WORLD_RANK", "0"}, {"PMIX_RANK", "0"}});
  EXPECT_EQ(open_mpi.status, 2);
  EXPECT_EQ(
      open_mpi.errors.rfind("kanor: Open MPI's mpirun started this program (OMPI_COMM_WORLD_RANK is set), "
                            "but Kanor's transport for Open MPI cannot be opened (libkanor_mpi_openmpi.so: ",
                            0),
      0u)
      << open_mpi.errors;
  EXPECT_NE(open_mpi.errors.find("install libopenmpi-dev"), std::string::npos);
  const Outcome missing = run({"show"}, {{"PMI_RANK", "0"}, {"KANOR_MPI_PLUGIN", "/nonexistent/plugin.so"}});
  EXPECT_EQ(missing.status, 2);
  EXPECT_NE(missing.errors.find("/nonexistent/plugin.so"), std::string::npos);
}

TEST(LaunchOptions, TooManyThreadsToStartAreSaid) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer cannot live with a stack limit that no thread can have";
#endif
  const Outcome outcome =
      Program({probe, "show"}, {{"KANOR_MODE", "threads"}, {"KANOR_RANKS", "3"}}, std::size_t{1} << 46)
          .finish();
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find("kanor: cannot start rank 0 of 3 as a thread with 68719476"),
            std::string::npos)
      << outcome.errors;
  EXPECT_EQ(outcome.output, "");
}

TEST(LaunchOptions, TooManyProcessesToStartAreSaid) {
  const Outcome outcome =
      Program({probe, "show"}, {{"KANOR_MODE", "processes"}, {"KANOR_RANKS", "30"}}, 0, 20).finish();
  if (outcome.status == 127) GTEST_SKIP() << "cannot become another user";
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find(" of 30 as a process: Resource temporarily unavailable\n"), std::string::npos)
      << outcome.errors;
  EXPECT_EQ(outcome.output, "");
  EXPECT_FALSE(outcome.left_processes);
}

/// A copy of the probe into which other facts were written, as kanorc does after linking; removed when
/// destroyed.
class ProbeWithFacts {
 public:
  explicit ProbeWithFacts(const std::string& facts) : path_(probe + "-with-facts") {
    std::ifstream original(probe, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(original), {}};
    const std::size_t at = bytes.find(KANOR_PROGRAM_FACTS_UNSET);
    EXPECT_NE(at, std::string::npos);
    EXPECT_EQ(bytes.find(KANOR_PROGRAM_FACTS_UNSET, at + 1), std::string::npos);
    bytes.replace(at, facts.size(), facts);
    std::ofstream(path_, std::ios::binary) << bytes;
    ::chmod(path_.c_str(), 0755);
  }
  ~ProbeWithFacts() { ::unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(LaunchFacts, AutoMeansThreadsWhereNothingIsInTheWay) {
  const ProbeWithFacts program(KANOR_PROGRAM_FACTS_HEADER);
  const Outcome outcome = Program({program.path(), "show"}, {{"KANOR_RANKS", "2"}}).finish();
  EXPECT_EQ(lines(outcome.output).size(), 2u);
  EXPECT_EQ(processes_of(outcome).size(), 1u);
  EXPECT_EQ(outcome.errors, "");
}

TEST(LaunchFacts, AutoMeansProcessesWhereKanorcDidNotLink) {
  const Outcome outcome = run({"show"}, {{"KANOR_RANKS", "2"}});
  EXPECT_EQ(processes_of(outcome).size(), 2u);
  EXPECT_EQ(outcome.errors, "");
}

TEST(LaunchFacts, ObstaclesMakeAutoChooseProcessesAndThreadsImpossible) {
  const ProbeWithFacts program(
      KANOR_PROGRAM_FACTS_HEADER
      "obstacle\tcounter\tc.o\tvariable 'counter' in c.o is shared by all threads\n");
  const Outcome automatic = Program({program.path(), "show"}, {{"KANOR_RANKS", "2"}}).finish();
  EXPECT_EQ(automatic.status, 0);
  EXPECT_EQ(automatic.errors,
            "kanor: running ranks as processes: variable 'counter' in c.o is shared by all threads\n");
  EXPECT_EQ(processes_of(automatic).size(), 2u);

  const Outcome asked = Program({program.path(), "show"}, {{"KANOR_MODE", "processes"}}).finish();
  EXPECT_EQ(asked.status, 0);
  EXPECT_EQ(asked.errors, "");

  const Outcome refused = Program({program.path(), "show"}, {{"KANOR_MODE", "threads"}}).finish();
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(
      refused.errors,
      "kanor: KANOR_MODE is 'threads', but ranks cannot be threads: variable 'counter' in c.o is shared by "
      "all threads\n");
  EXPECT_EQ(refused.output, "");

  const Outcome two_threads =
      Program({program.path(), "show"}, {{"PMI_RANK", "0"}, {"KANOR_THREADS", "2"}}).finish();
  EXPECT_EQ(two_threads.status, 2);
  EXPECT_EQ(two_threads.errors.rfind("kanor: KANOR_THREADS is 2, but ranks cannot be threads: ", 0), 0u);
}

TEST(LaunchFacts, ThePlugInIsLookedForWhereKanorcSays) {
  const ProbeWithFacts program(KANOR_PROGRAM_FACTS_HEADER "plugins\t/nonexistent/kanor\n");
  const Outcome outcome = Program({program.path(), "show"}, {{"PMI_RANK", "0"}}).finish();
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find("/nonexistent/kanor/libkanor_mpi_mpich.so"), std::string::npos)
      << outcome.errors;
}

TEST(Kanorrun, SetsTheEnvironmentAndBecomesTheProgram) {
  for (const std::string mode : {"threads", "processes"}) {
    const Outcome outcome = Program({kanorrun, "-n", "3", "--mode", mode, probe, "ring", "5"}, {}).finish();
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(count(outcome.output, " of 3: "), 3);
  }
  EXPECT_EQ(
      lines(Program({kanorrun, "-n2", "--mode=processes", "--", probe, "show"}, {}).finish().output).size(),
      2u);
  EXPECT_EQ(Program({kanorrun, "--ranks=3", probe, "status", "0", "8"}, {}).finish().status, 8);
}

TEST(Kanorrun, BadCommandLinesAreSaid) {
  const std::tuple<std::vector<std::string>, int, std::string> cases[] = {
      {{"-n", "0", probe}, 2, "-n is '0': expected a whole number from 1 to 4096"},
      {{"-n", "abc", probe}, 2, "-n is 'abc': expected a whole number from 1 to 4096"},
      {{"-n", "99999", probe}, 2, "-n is '99999'"},
      {{"-n"}, 2, "a value is missing after -n"},
      {{"-n", "2"}, 2, "a program to run is missing"},
      {{}, 2, "a program to run is missing"},
      {{"--fast", probe}, 2, "unknown option '--fast' (kanorrun --help shows how)"},
      {{"--rank=2", probe}, 2, "unknown option '--rank=2'; did you mean '--ranks'? (kanorrun --help"},
      {{"--mode", "mpi", probe}, 2, "--mode is 'mpi': expected auto, threads or processes"},
      {{"--threads-per-process=x", probe}, 2, "--threads-per-process is 'x'"},
      {{"--inflight=5Q", probe}, 2, "--inflight is '5Q'"},
      {{"-n", "2", "/nonexistent/program"},
       127,
       "cannot run '/nonexistent/program': No such file or directory"},
      {{"-n", "2", "no-such-program-anywhere"}, 127, "cannot run 'no-such-program-anywhere'"},
      {{"-n", "2", "/etc/passwd"}, 126, "cannot run '/etc/passwd': Permission denied"},
      {{"-n", "2", "/"}, 126, "cannot run '/': it is a directory"},
  };
  for (const auto& [arguments, status, message] : cases) {
    std::vector<std::string> command = arguments;
    command.insert(command.begin(), kanorrun);
    const Outcome outcome = Program(command, {}).finish();
    EXPECT_EQ(outcome.status, status) << message;
    EXPECT_EQ(outcome.errors.rfind("kanorrun: " + message, 0), 0u) << outcome.errors;
    EXPECT_EQ(lines(outcome.errors).size(), 1u) << outcome.errors;
  }
}

TEST(Kanorrun, HelpFitsAScreen) {
  const Outcome outcome = Program({kanorrun, "--help"}, {}).finish();
  EXPECT_EQ(outcome.status, 0);
  const std::vector<std::string> all = lines(outcome.output);
  EXPECT_LE(all.size(), 24u);
  for (const std::string& line : all) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_EQ(Program({kanorrun, "--version"}, {}).finish().output.rfind("kanorrun ", 0), 0u);
}

}  // namespace
}  // namespace kanor::rt::test
