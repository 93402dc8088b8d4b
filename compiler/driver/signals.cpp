// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/signals.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>

namespace kanor::driver {
namespace {

constexpr std::array ending_signals{SIGINT, SIGTERM, SIGHUP};

std::atomic<const char*> tree{nullptr};
std::atomic<const char*> file{nullptr};
std::atomic<pid_t> running{0};

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

extern "C" void end_by_signal(int signal) {
  if (const pid_t process = running.load(); process != 0) {
    kill(process, signal);
    while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (const char* path = file.load()) unlink(path);
  if (const char* directory = tree.load()) remove_tree(directory);
  // The handler was installed with SA_RESETHAND, so this time the signal ends the process.
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
