// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An MPI program's copies, of which each rank that is a thread has one (driver/link/image.hpp).
#pragma once

#include <string>

#include "world/program_end.hpp"

namespace kanor::rt {

/// A copy of the program: code and variables that no other rank has. The dynamic linker tells files apart by
/// their numbers, so each copy is a file in memory (memfd_create) with the same bytes. Belongs to one rank,
/// which loads it and runs the constructors of its variables. Stays until the process ends: what a rank has
/// started may outlive it.
class Image {
 public:
  using Main = int (*)(int argc, char** argv, char** envp);

  /// Returns true if the running program has an image.
  static bool is_there();

  /// Loads a copy, for rank `rank`. Ends the job if it can't.
  explicit Image(int rank);
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  Main main() const { return main_; }
  /// What atexit() has been given, and the destructors of the copy's variables.
  ProgramEnd& end() const { return *end_; }

 private:
  [[noreturn]] static void refuse_copy(int rank, const std::string& why);

  int file_ = -1;  ///< open as long as the copy is there: debuggers read it as /proc/PID/fd/N
  void* library_ = nullptr;
  Main main_ = nullptr;
  ProgramEnd* end_ = nullptr;
  const Image* earlier_ = nullptr;  ///< all copies are found from the latest one: they are no leaks
};

}  // namespace kanor::rt
