// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/workspace.hpp"

#include <fcntl.h>
#include <llvm/ADT/StringExtras.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "driver/signals.hpp"

namespace kanor::driver {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

std::string_view base_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

const std::string& Workspace::directory() {
  if (!directory_.empty()) return directory_;
  const char* wanted = std::getenv("TMPDIR");
  const std::string root = wanted != nullptr && *wanted != '\0' ? wanted : "/tmp";
  const std::string name = root + "/kanorc-" + llvm::utohexstr(key_);
  constexpr int most_at_once = 64;
  hold_ending_signals();
  for (int number = 0; number < most_at_once && directory_.empty(); ++number) {
    std::string path = number == 0 ? name : name + '-' + std::to_string(number);
    if (take(path)) directory_ = std::move(path);
  }
  // A file system without locks, or without such a directory.
  std::string made = root + "/kanorc-XXXXXX";
  if (directory_.empty() && mkdtemp(made.data()) != nullptr) directory_ = std::move(made);
  if (!directory_.empty()) remove_tree_on_signal(directory_.c_str());
  release_ending_signals();
  if (directory_.empty()) fail("cannot make a temporary directory in '" + root + "'");
  return directory_;
}

bool Workspace::take(const std::string& path) {
  const bool is_new = mkdir(path.c_str(), 0700) == 0;
  if (!is_new && errno != EEXIST) return false;
  const int opened = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0) return false;
  // The lock ends with the process. Who held it before may have removed the directory that was opened.
  struct stat locked {
  }, named{};
  const bool is_ours = flock(opened, LOCK_EX | LOCK_NB) == 0 && fstat(opened, &locked) == 0 &&
                       lstat(path.c_str(), &named) == 0 && locked.st_ino == named.st_ino &&
                       locked.st_dev == named.st_dev && locked.st_uid == geteuid() &&
                       (locked.st_mode & (S_IRWXG | S_IRWXO)) == 0;
  if (!is_ours) {
    close(opened);
    return false;
  }
  lock_ = opened;
  // What a process left that was killed.
  if (!is_new)
    for (const auto& entry : std::filesystem::directory_iterator(path))
      std::filesystem::remove_all(entry.path());
  return true;
}

Workspace::~Workspace() {
  if (directory_.empty()) return;
  hold_ending_signals();
  remove_tree(directory_.c_str());
  remove_tree_on_signal(nullptr);
  release_ending_signals();
  if (lock_ >= 0) close(lock_);
}

std::string Workspace::path(std::string_view name) {
  const std::string own = directory() + '/' + std::to_string(next_++);
  if (mkdir(own.c_str(), 0700) != 0) fail("cannot make '" + own + "'");
  return own + '/' + std::string(base_name(name));
}

std::string Workspace::write(std::string_view name, std::string_view text) {
  std::string file = path(name);
  write_file(file, text);
  return file;
}

void write_file(const std::string& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) fail("cannot write '" + path + "'");
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!in) fail("cannot read '" + path + "'");
  if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (in.bad()) fail("cannot read '" + path + "'");
  return std::move(text).str();
}

PendingOutput::PendingOutput(std::string path) : path_(std::move(path)) {
  struct stat status {};
  if (stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) path_.clear();
  if (!path_.empty()) remove_file_on_signal(path_.c_str());
}

void PendingOutput::keep() {
  if (!path_.empty()) remove_file_on_signal(nullptr);
  path_.clear();
}

PendingOutput::~PendingOutput() {
  if (path_.empty()) return;
  unlink(path_.c_str());
  remove_file_on_signal(nullptr);
}

}  // namespace kanor::driver
