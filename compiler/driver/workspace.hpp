// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// kanorc's temporary and output files, which are removed when a signal ends it.
namespace kanor::driver {

/// A private directory under $TMPDIR (or /tmp), made on first use. It is removed with everything in it
/// when the object is destroyed, and when SIGINT, SIGTERM or SIGHUP ends the process. One per process.
class Workspace {
 public:
  /// Equal keys give equal directories, so that equal compilations run equal commands and a compiler cache
  /// knows them again. Where another process uses the directory it is the next of a fixed series.
  explicit Workspace(std::uint64_t key) : key_(key) {}
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// The directory's path. Throws std::system_error if it cannot be made.
  const std::string& directory();
  /// Writes a file of that name into a subdirectory of its own, so that names never clash; returns its path.
  /// Throws std::system_error.
  std::string write(std::string_view name, std::string_view text);
  /// A path in a subdirectory of its own that does not exist yet.
  std::string path(std::string_view name);

 private:
  /// Takes `path` for this process unless another process, or another user, has it.
  bool take(const std::string& path);

  std::uint64_t key_;
  std::string directory_;
  int lock_ = -1;
  int next_ = 0;
};

/// Writes a whole file. Throws std::system_error that names it.
void write_file(const std::string& path, std::string_view text);
/// Reads a whole file. Throws std::system_error that names it.
std::string read_file(const std::string& path);

/// An output that must not stay half-written: it is removed when the object goes away, or a signal ends
/// the process, unless keep() was called. Anything that is no ordinary file (/dev/null) is left alone.
class PendingOutput {
 public:
  explicit PendingOutput(std::string path);
  ~PendingOutput();
  PendingOutput(const PendingOutput&) = delete;
  PendingOutput& operator=(const PendingOutput&) = delete;
  void keep();

 private:
  std::string path_;
};

}  // namespace kanor::driver
