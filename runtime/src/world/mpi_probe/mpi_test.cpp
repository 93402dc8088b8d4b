// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks under MPICH's and Open MPI's launchers, in the memory of one machine, of two that are simulated, and
// over the network alone: what arrives, how it ends, what it leaves.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "platform/machine.hpp"
#include "transport/transport.hpp"
#include "world/probe/run_program.hpp"

namespace kanor::rt::test {
namespace {

/// Processes of one machine with message memory in common; so, but two machines; each with memory of its own;
/// each on a machine of its own, as far as MPICH knows. The first and the third over Open MPI.
enum class Wire { shared, machines, apart, tcp, openmpi, openmpi_apart };
/// Those over which everything is tried; what goes through shared memory alone is the same for every MPI.
constexpr Wire all_wires[] = {Wire::shared, Wire::machines, Wire::apart, Wire::tcp, Wire::openmpi_apart};

std::string name_of(Wire wire) {
  constexpr const char* names[] = {"shared", "machines", "apart", "tcp", "openmpi", "openmpi_apart"};
  return names[static_cast<int>(wire)];
}

bool is_openmpi(Wire wire) { return wire == Wire::openmpi || wire == Wire::openmpi_apart; }

/// Of the probe that uses MPI itself, and so is linked with it.
std::string raw_probe(Wire wire) {
  return is_openmpi(wire) ? KANOR_OPENMPI_RAW_PROBE : KANOR_MPICH_RAW_PROBE;
}

constexpr const char* openmpi_as_root = "OMPI_ALLOW_RUN_AS_ROOT";

Environment environment(Wire wire, int threads = 1) {
  Environment all{{"KANOR_MPI_PLUGIN", is_openmpi(wire) ? KANOR_OPENMPI_PLUGIN : KANOR_MPICH_PLUGIN},
                  {"KANOR_THREADS", std::to_string(threads)}};
  // MPI libraries leak; crashes are looked at as a user sees them.
  all["ASAN_OPTIONS"] =
      "detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0";
  if (wire == Wire::machines)
    all.insert({{"MPIR_CVAR_NUM_CLIQUES", "2"}, {"MPIR_CVAR_CLIQUES_BY_BLOCK", "1"}});
  if (wire == Wire::apart || wire == Wire::openmpi_apart) all["KANOR_DISABLE"] = "node-memory";
  if (wire == Wire::tcp) all.insert({{"MPIR_CVAR_NOLOCAL", "1"}, {"UCX_TLS", "tcp,self"}});
  if (is_openmpi(wire))
    all.insert({{openmpi_as_root, "1"},
                {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                {"OMPI_MCA_rmaps_base_oversubscribe", "1"}});
  return all;
}

const char* launcher(const Environment& environment) {
  return environment.contains(openmpi_as_root) ? KANOR_MPIRUN : KANOR_MPIEXEC;
}

using Paths = std::set<std::filesystem::path>;

/// MPICH's and Open MPI's files in /dev/shm.
Paths shared_files() {
  Paths found;
  for (const auto& file : std::filesystem::directory_iterator("/dev/shm"))
    for (const char* const name : {"mpich", "vader"})
      if (file.path().string().find(name) != std::string::npos) found.insert(file.path());
  return found;
}

/// Of those that are there now and were not before: one that is still there seconds later. Others may be of
/// jobs of somebody else's, which run at the same time or were killed earlier.
std::string left_file(const Paths& before) {
  Paths found = shared_files();
  std::erase_if(found, [&](const auto& path) { return before.contains(path); });
  for (int tenths = 0; tenths < 50 && !found.empty(); ++tenths) {
    std::erase_if(found, [](const auto& path) { return !std::filesystem::exists(path); });
    if (!found.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return found.empty() ? "" : found.begin()->string();
}

Outcome under_mpi(int processes, std::vector<std::string> program, const Environment& environment) {
  std::vector<std::string> command{launcher(environment), "-n", std::to_string(processes)};
  command.insert(command.end(), program.begin(), program.end());
  const Paths before = shared_files();
  const Outcome outcome = Program(command, environment).finish();
  EXPECT_FALSE(outcome.left_processes);
  EXPECT_EQ(left_file(before), "");
  return outcome;
}

void expect_content(const Outcome& outcome, int ranks) {
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.errors, "");
  EXPECT_EQ(count(outcome.output, "is content\n"), ranks) << outcome.output;
}

struct Layout {
  Wire wire;
  int processes, threads;
};

std::string layout_name(const testing::TestParamInfo<Layout>& info) {
  return name_of(info.param.wire) + "_" + std::to_string(info.param.processes) + "x" +
         std::to_string(info.param.threads);
}

class Exchange : public testing::TestWithParam<Layout> {};

TEST_P(Exchange, RandomMessagesArriveWhole) {
  const auto [wire, processes, threads] = GetParam();
  expect_content(under_mpi(processes, {KANOR_MPI_PROBE, "random", "15", "1"}, environment(wire, threads)),
                 processes * threads);
}

std::vector<Layout> layouts() {
  std::vector<Layout> all{{Wire::openmpi, 1, 1}, {Wire::openmpi, 4, 2}};
  for (const Wire wire : all_wires)
    for (const int processes : {1, 2, 3, 4, 8})
      for (const int threads : {1, 2}) all.push_back({wire, processes, threads});
  return all;
}

INSTANTIATE_TEST_SUITE_P(layouts, Exchange, testing::ValuesIn(layouts()), layout_name);

class OverWire : public testing::TestWithParam<Wire> {};

TEST_P(OverWire, LargeMessages) {
  expect_content(under_mpi(3, {KANOR_MPI_PROBE, "around", "3", "8388608"}, environment(GetParam())), 3);
}

TEST_P(OverWire, ManyTinyMessages) {
  expect_content(under_mpi(2, {KANOR_MPI_PROBE, "around", "20000", "5"}, environment(GetParam())), 2);
}

TEST_P(OverWire, RankThatEndsStillSends) {
  for (const char* bytes : {"10", "8388608"})
    expect_content(under_mpi(4, {KANOR_MPI_PROBE, "early", bytes}, environment(GetParam())), 4);
}

TEST_P(OverWire, EndIsToldAfterLongMessagesThatOthersOvertake) {
  for (const char* bytes : {"10", "10000", "67108864"})
    expect_content(under_mpi(2, {KANOR_MPI_PROBE, "overtaken", bytes, "0"}, environment(GetParam(), 2)), 4);
}

TEST_P(OverWire, EndIsToldAlthoughOthersOfItsProcessGoOn) {
  const Outcome outcome =
      under_mpi(2, {KANOR_MPI_PROBE, "overtaken", "67108864", "1"}, environment(GetParam(), 2));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("waits for data from rank 2, which has ended"), std::string::npos)
      << outcome.errors;
}

TEST_P(OverWire, SenderThatRunsAheadIsBounded) {
  Environment small = environment(GetParam());
  small["KANOR_INFLIGHT"] = "1M";
  const Outcome outcome = under_mpi(2, {KANOR_PROBE, "ahead", "300", "100000"}, small);
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  unsigned long peak = 0;
  ASSERT_EQ(std::sscanf(outcome.output.c_str(), "peak %lu", &peak), 1) << outcome.output;
  EXPECT_GE(peak, 500'000u);
  EXPECT_LE(peak, 1u << 20);
}

TEST_P(OverWire, MessagesLargerThanTheLimitGoOneByOne) {
  Environment small = environment(GetParam());
  small["KANOR_INFLIGHT"] = "10K";
  expect_content(under_mpi(3, {KANOR_MPI_PROBE, "around", "1", "1000000"}, small), 3);
  const Outcome outcome = under_mpi(2, {KANOR_PROBE, "ahead", "20", "1000000"}, small);
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
}

TEST_P(OverWire, SixteenProcessesShareTwoCores) {
  const Outcome outcome = under_mpi(16, {KANOR_PROBE, "exchange", "10", "1000"}, environment(GetParam()));
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_LT(outcome.duration_ms, 15'000);
}

TEST_P(OverWire, ProgramUsesMpiItself) {
  expect_content(under_mpi(3, {raw_probe(GetParam())}, environment(GetParam())), 3);
}

/// How a message begins: with the host if MPI says that there are several.
std::string rank_text(int rank, Wire wire) {
  const bool several = wire == Wire::machines || wire == Wire::tcp;
  return "kanor: rank " + std::to_string(rank) + (several ? " (host " + host_name() + ")" : "");
}

TEST_P(OverWire, FailureIsToldOnceAndEndsTheJob) {
  for (const char* others : {"wait", "compute"}) {
    const Outcome outcome =
        under_mpi(3, {KANOR_PROBE, "fail", "kanor", "1", others}, environment(GetParam()));
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.errors, rank_text(1, GetParam()) + ": gave up (in the block at heat.cpp:12)\n");
    EXPECT_LT(outcome.duration_ms, 5'000);
  }
}

TEST_P(OverWire, StatusIsTheProgramsOwn) {
  const Outcome outcome = under_mpi(4, {KANOR_PROBE, "fail", "exit", "2", "wait"}, environment(GetParam()));
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.errors,
            rank_text(2, GetParam()) + ": ended with exit status 3 (in the block at heat.cpp:12)\n");
}

TEST_P(OverWire, ExitWithZeroEndsARankAlone) {
  const Outcome outcome = under_mpi(3, {KANOR_PROBE, "leave"}, environment(GetParam()));
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
}

TEST_P(OverWire, LibraryThatExitsEndsItsRankOrTheJob) {
  expect_content(under_mpi(3, {KANOR_MPI_PROBE, "exit", "0", "1"}, environment(GetParam())), 2);
  const Outcome outcome = under_mpi(3, {KANOR_MPI_PROBE, "exit", "4", "1"}, environment(GetParam()));
  EXPECT_EQ(outcome.status, 4);
  EXPECT_EQ(outcome.errors, "");
  EXPECT_LT(outcome.duration_ms, 5'000);
}

std::string wire_name(const testing::TestParamInfo<Wire>& info) { return name_of(info.param); }

INSTANTIATE_TEST_SUITE_P(wires, OverWire, testing::ValuesIn(all_wires), wire_name);

class Crash : public testing::TestWithParam<Wire> {};

TEST_P(Crash, IsToldAndEndsTheJob) {
  for (const auto& [how, words] : std::map<std::string, std::string>{
           {"segv", "kanor: rank 1: segmentation fault (in the block at heat.cpp:12)\n"},
           {"abort", "kanor: rank 1: aborted (SIGABRT) (in the block at heat.cpp:12)\n"}}) {
    // Starting three processes beside ranks that compute without end takes most of the time, on a busy
    // machine seconds; what is bounded is how long the job lasts after the crash.
    const Environment all = environment(GetParam(), 2);
    Program program({launcher(all), "-n", "3", KANOR_PROBE, "fail", how, "1", "compute"}, all);
    EXPECT_TRUE(program.wait_output("failing", 1));
    const auto crash = std::chrono::steady_clock::now();
    const Outcome outcome = program.finish();
    EXPECT_LT(std::chrono::steady_clock::now() - crash, std::chrono::seconds(5));
    EXPECT_NE(outcome.status, 0);
    // Open MPI's launcher tells between lines of its own that the process has died.
    EXPECT_EQ(outcome.errors.substr(0, outcome.errors.find("-----")),
              words +
                  "kanor: the ranks of a process are threads; without KANOR_THREADS each is a process with "
                  "libraries of its own; with KANOR_CHECK=1 blocks check elements and lengths\n");
    EXPECT_FALSE(outcome.left_processes);
  }
}

INSTANTIATE_TEST_SUITE_P(wires, Crash, testing::Values(Wire::shared, Wire::openmpi), wire_name);

TEST_P(OverWire, KilledProcessEndsTheJob) {
  const Outcome outcome = under_mpi(3, {KANOR_PROBE, "fail", "kill", "1", "wait"}, environment(GetParam()));
  EXPECT_NE(outcome.status, 0);
  EXPECT_LT(outcome.duration_ms, 5'000);
}

TEST(Start, MissingPlugInSaysWhatToDo) {
  Environment all = environment(Wire::shared);
  all["KANOR_MPI_PLUGIN"] = "/nowhere/libkanor_mpi.so";
  const Outcome outcome = under_mpi(2, {KANOR_PROBE, "show", "x"}, all);
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.errors.find("'/nowhere/libkanor_mpi.so', which KANOR_MPI_PLUGIN names, cannot be opened"),
            std::string::npos)
      << outcome.errors;
  EXPECT_NE(outcome.errors.find("unset it"), std::string::npos) << outcome.errors;
}

TEST(Start, ForeignLibraryIsNoPlugIn) {
  Environment all = environment(Wire::shared);
  all["KANOR_MPI_PLUGIN"] = "libm.so.6";
  const Outcome outcome = under_mpi(1, {KANOR_PROBE, "show", "x"}, all);
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.errors.find("'libm.so.6' is not an MPI transport of Kanor"), std::string::npos)
      << outcome.errors;
}

/// The loader tells to whom MPI's calls of UCX go. (That jobs compute the same without is tested by random
/// programs.)
TEST(Start, MpisOwnWaitsCanYield) {
  Environment all = environment(Wire::shared);
  all["LD_DEBUG"] = "bindings";
  const Outcome outcome = under_mpi(1, {KANOR_PROBE, "show", "x"}, all);
  EXPECT_EQ(outcome.status, 0);
  int ours = 0, calls = 0;
  for (const std::string& line : lines(outcome.errors)) {
    if (line.find("libmpich") == std::string::npos || line.find("`ucp_worker_progress'") == std::string::npos)
      continue;
    ++calls;
    ours += line.find("to " KANOR_MPICH_PLUGIN) != std::string::npos;
  }
  if (calls == 0) GTEST_SKIP() << "this MPI library does not use UCX";
  EXPECT_EQ(ours, calls);
}

TEST(Start, PlugInOfAnotherVersionSaysSo) {
  void* const plugin = ::dlopen(KANOR_MPICH_PLUGIN, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(plugin, nullptr) << ::dlerror();
  const auto open = reinterpret_cast<NetworkOpen*>(::dlsym(plugin, network_open_symbol));
  ASSERT_NE(open, nullptr);
  char error[500] = "";
  EXPECT_EQ(open(network_interface_version + 1, 1, true, nullptr, nullptr, error, sizeof error), nullptr);
  EXPECT_NE(std::string(error).find("of another version of Kanor"), std::string::npos) << error;
}

TEST(Start, ProcessesMustAgreeOnThreads) {
  const Outcome outcome =
      Program({KANOR_MPIEXEC, "-n", "1", "-env", "KANOR_THREADS", "1", KANOR_PROBE, "show", "x", ":", "-n",
               "1", "-env", "KANOR_THREADS", "3", KANOR_PROBE, "show", "x"},
              environment(Wire::shared))
          .finish();
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.errors.find("KANOR_THREADS must be the same"), std::string::npos) << outcome.errors;
}

}  // namespace
}  // namespace kanor::rt::test
