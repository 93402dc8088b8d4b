// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "driver/signals.hpp"

extern char** environ;

namespace kanor::driver {
namespace {

/// The attributes of a new process: the signals that kanorc blocks are unblocked in it.
class Attributes {
 public:
  Attributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK);
  }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

std::string read_to_end(int file) {
  std::string text;
  std::array<char, 65536> part;
  for (ssize_t length = 0; (length = read(file, part.data(), part.size())) != 0;) {
    if (length > 0)
      text.append(part.data(), static_cast<std::size_t>(length));
    else if (errno != EINTR)
      break;
  }
  return text;
}

}  // namespace

Outcome run(const Command& command, Capture capture) {
  std::vector<char*> words;
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);

  std::array<int, 2> channel{-1, -1};
  if (capture != Capture::nothing && pipe2(channel.data(), O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  if (capture != Capture::nothing)
    posix_spawn_file_actions_adddup2(&files, channel[1],
                                     capture == Capture::standard_output ? STDOUT_FILENO : STDERR_FILENO);

  pid_t process = 0;
  hold_ending_signals();
  const int error = posix_spawnp(&process, words[0], &files, Attributes().get(), words.data(), environ);
  if (error == 0) forward_signals_to(process);
  release_ending_signals();
  posix_spawn_file_actions_destroy(&files);
  if (channel[1] >= 0) close(channel[1]);
  if (error != 0) {
    if (channel[0] >= 0) close(channel[0]);
    throw std::system_error(error, std::generic_category(), "cannot run '" + command[0] + "'");
  }

  Outcome outcome;
  if (channel[0] >= 0) {
    outcome.output = read_to_end(channel[0]);
    close(channel[0]);
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  forward_signals_to(0);
  outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  outcome.status = outcome.signal != 0 ? 1 : WEXITSTATUS(status);
  return outcome;
}

std::string quoted(const Command& command) {
  std::string line;
  for (const auto& word : command) {
    line += " \"";
    for (const char c : word) {
      if (c == '"' || c == '\\' || c == '$' || c == '`') line += '\\';
      line += c;
    }
    line += '"';
  }
  return line;
}

}  // namespace kanor::driver
