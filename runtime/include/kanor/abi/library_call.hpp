// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone, as that of Kanor's standard library: which of its functions the program has
/// called.
#pragma GCC system_header

namespace kanor::abi {

/// While it lives, messages about the blocks that this rank executes name this call, "kanor::sort at
/// a.cpp:12", where they would name the block of the library. Of calls within each other the outermost
/// counts. The strings must live as long as the program. Costs a few loads and stores. For the thread that
/// executes the rank's blocks; no effect outside of ranks.
class library_call {
 public:
  library_call(const char* function, const char* file, unsigned line) noexcept;
  ~library_call() {
    if (is_outermost_) leave();
  }
  library_call(const library_call&) = delete;
  library_call& operator=(const library_call&) = delete;

 private:
  static void leave() noexcept;

  bool is_outermost_ = false;
};

}  // namespace kanor::abi
