// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of ranks that uses the runtime directly, for launch_test and failure_test: `probe WHAT
// [ARGUMENT...]`.
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <kanor/abi/globals.hpp>
#include <kanor/error.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "platform/core.hpp"
#include "platform/wait.hpp"
#include "transport/rank.hpp"

namespace {

using namespace kanor::rt;

thread_local std::string initialised;
const kanor::abi::rank_initialiser first_initialiser{[] { initialised += "a"; }};
const kanor::abi::rank_initialiser second_initialiser{[] { initialised += "b"; }};

void send_number(Rank& rank, int to, std::uint64_t sequence, std::int64_t number, std::size_t bytes = 8) {
  Buffer buffer = allocate_message(rank, bytes);
  std::memcpy(buffer.data(), &number, sizeof number);
  send(rank, to, 1, sequence, std::move(buffer));
}

std::int64_t receive_number(Rank& rank, int from, std::uint64_t sequence) {
  const Buffer buffer = receive(rank, from, 1, sequence);
  std::int64_t number = 0;
  std::memcpy(&number, buffer.data(), sizeof number);
  return number;
}

int argument(char** argv, int index) { return std::atoi(argv[index]); }

/// ring ROUNDS: a number travels around, and grows.
int ring(Rank& rank, char** argv) {
  const int rounds = argument(argv, 2), me = rank_number(rank), size = team_size(rank);
  std::int64_t number = 0;
  for (int round = 0; round < rounds; ++round) {
    const auto sequence = static_cast<std::uint64_t>(round);
    if (me == 0) send_number(rank, 1 % size, sequence, number + 1);
    number = receive_number(rank, (me + size - 1) % size, sequence);
    if (me != 0) send_number(rank, (me + 1) % size, sequence, number + 1);
  }
  std::printf("rank %d of %d: %lld\n", me, size, static_cast<long long>(number));
  return number == std::int64_t{rounds - 1} * size + (me == 0 ? size : me) ? 0 : 9;
}

/// exchange ROUNDS BYTES: everybody sends to everybody, itself included.
int exchange(Rank& rank, char** argv) {
  const int rounds = argument(argv, 2), me = rank_number(rank), size = team_size(rank);
  const auto bytes = static_cast<std::size_t>(argument(argv, 3));
  std::int64_t sum = 0;
  for (int round = 0; round < rounds; ++round) {
    const auto sequence = static_cast<std::uint64_t>(round);
    for (int peer = 0; peer < size; ++peer) send_number(rank, peer, sequence, me + round, bytes);
    for (int peer = size; peer-- > 0;) sum += receive_number(rank, peer, sequence);
  }
  std::int64_t expected = 0;
  for (int round = 0; round < rounds; ++round) expected += size * (size - 1) / 2 + round * size;
  return sum == expected ? 0 : 9;
}

/// ahead COUNT BYTES: rank 0 sends as fast as it can, while rank 1 sleeps first and takes them last to first
/// per ten.
int ahead(Rank& rank, char** argv) {
  const int count = argument(argv, 2), me = rank_number(rank);
  const auto bytes = static_cast<std::size_t>(argument(argv, 3));
  if (me == 0) {
    for (int i = 0; i < count; ++i) send_number(rank, 1, static_cast<std::uint64_t>(i), i, bytes);
    std::printf("peak %zu\n", inflight_peak_bytes(rank, 1));
  } else if (me == 1) {
    ::usleep(50'000);
    for (int i = 0; i < count; ++i)
      if (receive_number(rank, 0, static_cast<std::uint64_t>(i)) != i) return 9;
  }
  return 0;
}

/// show: what a rank finds.
int show(Rank& rank, int argc, char** argv) {
  char name[16] = "";
  ::pthread_getname_np(::pthread_self(), name, sizeof name);
  pthread_attr_t attributes;
  ::pthread_getattr_np(::pthread_self(), &attributes);
  std::size_t stack = 0;
  ::pthread_attr_getstacksize(&attributes, &stack);
  ::pthread_attr_destroy(&attributes);
  rlimit limit{};
  ::getrlimit(RLIMIT_STACK, &limit);
  argv[1][0] = static_cast<char>('a' + rank_number(rank));  // each has its own
  std::printf("[%d/%d] name '%s' initialised '%s' argc %d argv '%s' stack %s process %d\n", rank_number(rank),
              team_size(rank), name, initialised.c_str(), argc, argv[1],
              stack >= limit.rlim_cur || limit.rlim_cur == RLIM_INFINITY ? "enough" : "small", ::getpid());
  return 0;
}

volatile int zero = 0;
thread_local volatile int sink = 0;

__attribute__((noinline)) int overflow(int depth) {
  volatile char room[4096];
  room[0] = static_cast<char>(depth);
  return depth == -1 ? 0 : overflow(depth + 1) + room[0];
}

void die(const std::string& how) {
  if (how == "exception") throw std::runtime_error("no more\nfuel");
  if (how == "number") throw 7;
  if (how == "kanor") kanor::abort("gave up");
  if (how == "fail") fail("bad block");
  if (how == "abort") std::abort();
  if (how == "segv")
    *reinterpret_cast<volatile int*>(64 * static_cast<std::uintptr_t>(rank_number(here()) + 1 + zero)) = 1;
  if (how == "overflow") sink = overflow(0);
  if (how == "fpe") ::raise(SIGFPE);
  if (how == "ill") __builtin_trap();
  if (how == "bus") ::raise(SIGBUS);
  if (how == "kill") ::kill(::getpid(), SIGKILL);
  if (how == "terminate") std::terminate();
  if (how == "_exit") ::_exit(5);
  if (how == "memory") {
    std::vector<Buffer> all;
    for (;;) all.push_back(allocate_message(here(), 1 << 20));
  }
  if (how == "exit") std::exit(3);
}

/// fail HOW RANK OTHERS: RANK fails in a block, while the others wait, compute, print, or have finished. RANK
/// -1: all. Where the others compute it says so first: it gets a core late, and that is not the job's end.
int failing(Rank& rank, char** argv) {
  const std::string how = argv[2], others = argv[4];
  const int who = argument(argv, 3), me = rank_number(rank);
  enter_block(rank, "heat.cpp", 12);
  if (me == who || who == -1) {
    ::usleep(30'000);
    if (others == "compute") {
      std::printf("failing\n");
      std::fflush(stdout);
    }
    die(how);
    return 0;
  }
  leave_block(rank);
  if (others == "print") {
    std::printf("rank %d has printed this without a line end", me);
    receive(rank, who, 99, 0);
  }
  if (others == "wait") receive(rank, who, 99, 0);
  if (others == "compute")
    for (;;) sink = sink + 1;
  return 0;
}

/// status S...: rank i exits with the i-th status; "x" waits forever.
int status(Rank& rank, int argc, char** argv) {
  const int me = rank_number(rank);
  // Of statuses that come late, the first one counts: nobody ends before all have begun.
  for (int peer = 0; peer < team_size(rank); ++peer) send_number(rank, peer, 98, 0);
  for (int peer = 0; peer < team_size(rank); ++peer) receive_number(rank, peer, 98);
  if (me + 2 >= argc) return 0;
  if (argv[me + 2][0] == 'x') receive(rank, me, 99, 0);
  const int value = argument(argv, me + 2);
  if (me % 2) std::exit(value);
  return value;
}

struct Noisy {
  ~Noisy() { std::printf("automatic object destroyed\n"); }
};

/// leave: the even ranks leave main by exit(0) from below; handlers run once for each process.
int leave(Rank& rank) {
  if (rank_number(rank) == 0) std::atexit([] { std::printf("handler ran\n"); });
  const Noisy noisy;
  if (rank_number(rank) % 2 == 0) std::exit(0);
  return 0;
}

/// depart: each rank's thread ends by pthread_exit, rank 0's main returns.
int depart(Rank& rank) {
  if (rank_number(rank) != 0) ::pthread_exit(nullptr);
  return 0;
}

/// child: a process that a rank forks crashes, which is the rank's business alone.
int child(Rank& rank) {
  const pid_t process = ::fork();
  if (process == 0) ::raise(SIGSEGV);
  int how = 0;
  ::waitpid(process, &how, 0);
  std::printf("rank %d's child died of signal %d\n", rank_number(rank), WIFSIGNALED(how) ? WTERMSIG(how) : 0);
  return 0;
}

/// large ROUNDS BYTES: pairs of ranks exchange large messages, and say what they have read.
int large(Rank& rank, char** argv) {
  const int rounds = argument(argv, 2), partner = rank_number(rank) ^ 1;
  const auto bytes = static_cast<std::size_t>(argument(argv, 3));
  std::uint64_t sum = 0;
  for (int round = 0; round < rounds; ++round) {
    Buffer buffer = allocate_message(rank, bytes);
    std::memset(buffer.data(), rank_number(rank) + round, bytes);
    send(rank, partner, 1, static_cast<std::uint64_t>(round), std::move(buffer));
    const Buffer received = receive(rank, partner, 1, static_cast<std::uint64_t>(round));
    for (std::size_t i = 0; i < bytes; i += 1000)
      sum = 31 * sum + std::to_integer<unsigned>(received.data()[i]);
  }
  std::printf("rank %d has read %llu\n", rank_number(rank), static_cast<unsigned long long>(sum));
  return 0;
}

/// where: the processors that the rank may run on, and a thread that it starts.
int where(Rank& rank) {
  std::vector<int> own = usable_processors(), of_thread;
  std::thread([&] { of_thread = usable_processors(); }).join();
  std::string line = "rank " + std::to_string(rank_number(rank)) + (own == of_thread ? " on" : " alone on");
  for (const int processor : own) line += " " + std::to_string(processor);
  std::printf("%s\n", line.c_str());
  return 0;
}

/// stdin: rank 1 holds the lock of standard input while rank 0 fails.
int hold_input(Rank& rank) {
  if (rank_number(rank) == 1) {
    ::flockfile(stdin);
    for (;;) ::pause();
  }
  std::printf("printed before");
  ::usleep(20'000);
  kanor::abort("gave up");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  Rank& rank = here();
  if (what == "ring") return ring(rank, argv);
  if (what == "exchange") return exchange(rank, argv);
  if (what == "ahead") return ahead(rank, argv);
  if (what == "show") return show(rank, argc, argv);
  if (what == "fail") return failing(rank, argv);
  if (what == "status") return status(rank, argc, argv);
  if (what == "leave") return leave(rank);
  if (what == "depart") return depart(rank);
  if (what == "child") return child(rank);
  if (what == "large") return large(rank, argv);
  if (what == "where") return where(rank);
  if (what == "stdin") return hold_input(rank);
  if (what == "sleep") {
    std::printf("ready\n");
    ::sleep(60);
  }
  if (what == "wait") {
    std::printf("ready\n");
    receive(rank, rank_number(rank), 99, 0);
  }
  return 2;
}
