// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/signals.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace kanor::driver {
namespace {

constexpr std::array ending_signals{SIGINT, SIGTERM, SIGHUP};

std::atomic<const char*> tree{nullptr};
std::atomic<const char*> file{nullptr};
std::atomic<pid_t> running{0};
std::atomic<const char*> compiled{nullptr};

/// The kernel's directory entry: readdir() allocates and so is not safe in a handler.
struct KernelEntry {
  std::uint64_t inode;
  std::int64_t offset;
  unsigned short length;
  unsigned char type;
  char name[1];
};

void empty_directory(int directory, int depth) {
  constexpr int deepest = 32;
  alignas(KernelEntry) std::array<char, 4096> entries;
  // Entries vanish while they are listed, so the listing starts again until it removes nothing.
  for (bool removed = true; removed;) {
    removed = false;
    lseek(directory, 0, SEEK_SET);
    long length = 0;
    while ((length = syscall(SYS_getdents64, directory, entries.data(), entries.size())) > 0) {
      for (long at = 0; at < length;) {
        const auto* entry = reinterpret_cast<const KernelEntry*>(entries.data() + at);
        at += entry->length;
        const char* name = entry->name;
        if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0) continue;
        const int inner =
            depth < deepest ? openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
        if (inner >= 0) {
          empty_directory(inner, depth + 1);
          close(inner);
        }
        if (unlinkat(directory, name, inner >= 0 ? AT_REMOVEDIR : 0) == 0) removed = true;
      }
    }
  }
}

void remove_all() {
  if (const char* path = file.load()) unlink(path);
  if (const char* directory = tree.load()) remove_tree(directory);
}

extern "C" void end_by_signal(int signal) {
  if (const pid_t process = running.load(); process != 0) {
    kill(process, signal);
    while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  remove_all();
  // The handler was installed with SA_RESETHAND, so this time the signal ends the process.
  raise(signal);
}

void say(std::string_view words) {
  if (write(STDERR_FILENO, words.data(), words.size()) < 0) return;  // nobody reads it
}

/// Returns true if the address is so near the stack pointer that a fault there means a stack overflow.
bool is_beside_stack(const void* address, const ucontext_t& context) {
  constexpr std::uintptr_t most_frame_bytes = std::uintptr_t{1} << 20;
#if defined(__x86_64__)
  const auto top = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  const auto top = static_cast<std::uintptr_t>(context.uc_mcontext.sp);
#endif
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  return at < top + most_frame_bytes && top < at + most_frame_bytes;
}

extern "C" void tell_crash(int signal, siginfo_t* info, void* context) {
  const bool overflow = is_beside_stack(info->si_addr, *static_cast<const ucontext_t*>(context));
  say("kanorc: error: ");
  say(overflow ? "the compiler's stack has overflowed" : "the compiler has crashed");
  if (const char* source = compiled.load()) {
    say(" while it compiled '");
    say(source);
    say("'");
  }
  say(overflow ? ": an expression or a nesting is too long; split it, or raise the limit (ulimit -s)\n"
               : "; this is a bug of kanorc: please report it, with the source\n");
  remove_all();
  if (overflow) _exit(1);
  raise(signal);
}

sigset_t ending_set() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : ending_signals) sigaddset(&set, signal);
  return set;
}

}  // namespace

void handle_ending_signals() {
  for (const int signal : ending_signals) {
    struct sigaction old {};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler != SIG_DFL) continue;
    struct sigaction action {};
    action.sa_handler = end_by_signal;
    action.sa_flags = SA_RESETHAND;
    action.sa_mask = ending_set();
    sigaction(signal, &action, nullptr);
  }
}

void tell_crashes(const char* source) {
  compiled.store(source);
  static std::array<char, 64 << 10> stack;
  const stack_t other{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_sigaction = tell_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGSEGV, SIGBUS}) sigaction(signal, &action, nullptr);
}

void remove_tree_on_signal(const char* directory) {
  handle_ending_signals();
  tree.store(directory);
}

void remove_file_on_signal(const char* path) {
  handle_ending_signals();
  file.store(path);
}

void forward_signals_to(pid_t process) {
  handle_ending_signals();
  running.store(process);
}

void hold_ending_signals() {
  const sigset_t set = ending_set();
  sigprocmask(SIG_BLOCK, &set, nullptr);
}

void release_ending_signals() {
  const sigset_t set = ending_set();
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

void remove_tree(const char* directory) {
  const int opened = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0) return;
  empty_directory(opened, 0);
  close(opened);
  rmdir(directory);
}

}  // namespace kanor::driver
