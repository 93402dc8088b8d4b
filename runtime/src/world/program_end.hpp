// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is called at the end of an MPI program that a rank thread runs: by the rank, while it still is one.
#pragma once

#include <link.h>

#include <cstddef>
#include <vector>

#include "world/facts.hpp"

namespace kanor::rt {

/// The handlers of the executable or of a copy, and the functions that the dynamic linker would call after
/// them (.fini_array). Once there is such an object, its call() calls them, and never the C library, with two
/// exceptions: handlers of a library are called when it is closed, and those of a process's only rank when
/// the process ends without call(), because another thread has called exit().
class ProgramEnd {
 public:
  /// That of the executable, and of its shared libraries that are parts of copies.
  static ProgramEnd& of_executable(const Facts& facts, bool is_only_rank);
  /// That of a copy, as dlopen() has returned it. Returns null, with dlerror(), if it is no copy.
  static ProgramEnd* of_copy(void* library);

  /// Calls what is left to call, each once. A function that leaves by a jump has been called.
  void call(int status);

 private:
  using CallHandlers = void (*)(int status);
  using Function = void (*)();

  explicit ProgramEnd(CallHandlers handlers) : call_handlers_(handlers) {}
  /// Takes the final functions of a loaded object over from the dynamic linker.
  void take_functions(const void* object_base, const void* dynamic_section);
  static int take_own(dl_phdr_info* object, std::size_t, void* taker);

  CallHandlers call_handlers_;
  std::vector<Function> functions_;  ///< the last is called first
};

}  // namespace kanor::rt
