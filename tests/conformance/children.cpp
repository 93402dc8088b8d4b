// A process that a rank forks is no rank: its exit is the C library's, and leaves the job alone; a block or a call of
// Kanor's in it is an error of that process.
//
// RUN: %kanorc %s -o %t
// RUN: %run_everywhere --ranks 1,3 %t > %t.out
// RUN: %FileCheck %s < %t.out
// RUN: %kanorrun -n 2 --mode threads %t 2>&1 | %FileCheck %s --check-prefix=ERRORS
// RUN: %kanorrun -n 2 --mode processes %t 2>&1 | %FileCheck %s --check-prefix=ERRORS
// CHECK: ranks: 3
// CHECK-DAG: {{^}}exit 7
// CHECK-DAG: {{^}}return 5
// CHECK-DAG: {{^}}_exit 6
// CHECK-DAG: {{^}}_Exit 4
// CHECK-DAG: {{^}}quick_exit 9 after its handler
// CHECK-DAG: {{^}}exception by signal 6
// CHECK-DAG: {{^}}exec 3
// CHECK-DAG: {{^}}vfork 11
// CHECK-DAG: {{^}}system 12
// CHECK-DAG: {{^}}popen 13
// CHECK-DAG: {{^}}block 1
// CHECK-DAG: {{^}}call 1
// CHECK-DAG: {{^}}window 14
// CHECK-DAG: {{^}}pending 1
// CHECK-DAG: {{^}}writes 0
// CHECK-DAG: {{^}}rewrites 4, 1
// CHECK-DAG: {{^}}rank 0 of {{[0-9]}} goes on
// ERRORS-DAG: kanor: a block was executed in a process that a rank has forked, which is not a rank
// ERRORS-DAG: kanor: kanor::team::rank() was called in a process that a rank has forked
#include <kanor/kanor.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

/// Runs on each exit of a process by exit().
struct AtEnd {
  ~AtEnd() { std::fflush(nullptr); }
};
AtEnd at_end;

void say(const char* what, int how, const char* more = "") {
  if (kanor::world.rank() != 0) return;
  if (WIFSIGNALED(how)) std::printf("%s by signal %d\n", what, WTERMSIG(how));
  else std::printf("%s %d%s\n", what, WEXITSTATUS(how), more);
  std::fflush(stdout);
}

template <class Function> int in_child(Function function) {
  const pid_t child = fork();
  if (child == 0) function();
  int how = 0;
  waitpid(child, &how, 0);
  return how;
}

int main_of_child(int status) { return status; }

}  // namespace

int main(int argc, char**) {
  const int n = kanor::world.size();
  const int me = kanor::world.rank();
  std::vector<long> values(5000), got(5000);
  std::iota(values.begin(), values.end(), 1000 * me);
  @communicate { got@(i + 1) % n <<= values@i where i in world }

  // All of a variable that ranks share is written in a child.
  std::array<double, 8192> mine{}, all{};
  int rewrites = 0;
  for (int turn = 0; turn < 2; ++turn) {
    @communicate { all@i <<= mine@turn % n where i in world }
    const int how = in_child([&] {
      for (double& cell : all) cell = -3;
      _exit(all[8191] == -3 ? 2 : 0);
    });
    rewrites += WIFEXITED(how) ? WEXITSTATUS(how) : 100;
    mine.fill(all[0] + 1);
  }
  if (me == 0) std::printf("rewrites %d, %g\n", rewrites, all[17]);
  std::fflush(stdout);  // or the next child has it, too

  say("exit", in_child([] { std::exit(7); }));
  const pid_t child = fork();
  if (child == 0) return main_of_child(argc + 4);
  int how = 0;
  waitpid(child, &how, 0);
  say("return", how);
  say("_exit", in_child([] { _exit(6); }));
  say("_Exit", in_child([] { std::_Exit(4); }));
  int ends[2];
  if (pipe(ends) != 0) return 1;
  static int pipe_of_handler;
  pipe_of_handler = ends[1];
  at_quick_exit([] { (void)!write(pipe_of_handler, " after its handler", 19); });
  how = in_child([] { std::quick_exit(9); });
  char more[20] = "";
  (void)!read(ends[0], more, 19);
  say("quick_exit", how, more);
  if (me == 0) say("exception", in_child([] { throw std::runtime_error("of a child"); }));
  say("exec", in_child([] { execl("/bin/sh", "sh", "-c", "exit 3", nullptr); }));
  const pid_t shared = vfork();
  if (shared == 0) {
    execlp("no-such-program", "no-such-program", nullptr);
    _exit(11);
  }
  waitpid(shared, &how, 0);
  say("vfork", how);
  say("system", std::system("exit 12"));
  std::FILE* const pipe = popen("exit 13", "r");
  say("popen", pclose(pipe));
  say("block", in_child([&] {
    @communicate { got@0 <<= values@n - 1 }
    _exit(0);
  }));
  say("call", in_child([] { _exit(kanor::world.rank()); }));
  {  // a child closes no window, although puts wait for their fence
    int memory = -1;
    kanor::window<int> window(&memory, 1);
    window.put((me + 1) % n, 0, me);
    say("window", in_child([&] {
      { kanor::window<int> closed(std::move(window)); }
      _exit(14);
    }));
    window.fence();
    if (memory != (me + n - 1) % n) return 1;
  }
  {
    @communicate (async = exchange) { got@(i + 1) % n <<= values@i where i in world }
    say("pending", in_child([&] {
      exchange.wait();
      _exit(0);
    }));
  }
  // What the child writes is its own, shared or not; what it destroys stays the rank's.
  say("writes", in_child([&] {
    got[3] = values[3] = -1;
    values = std::vector<long>(7, 7);
    got.clear();
    std::exit(values.size() == 7 ? 0 : 1);
  }));
  @communicate { got@(i + 1) % n <<= values@i where i in world }
  const int left = (me + n - 1) % n;
  for (int k = 0; k < 5000; ++k)
    if (got[static_cast<unsigned>(k)] != 1000 * left + k || values[static_cast<unsigned>(k)] != 1000 * me + k) return 20;
  if (me == 0) std::printf("rank %d of %d goes on\n", me, n);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
