#include "driver/workspace.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
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
  std::string made = root + "/kanorc-XXXXXX";
  hold_ending_signals();
  const bool ok = mkdtemp(made.data()) != nullptr;
  if (ok) {
    directory_ = std::move(made);
    remove_tree_on_signal(directory_.c_str());
  }
  release_ending_signals();
  if (!ok) fail("cannot make a temporary directory in '" + root + "'");
  return directory_;
}

Workspace::~Workspace() {
  if (directory_.empty()) return;
  hold_ending_signals();
  remove_tree(directory_.c_str());
  remove_tree_on_signal(nullptr);
  release_ending_signals();
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
