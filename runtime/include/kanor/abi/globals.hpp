// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For emitted code alone: initialisers of private global variables.
#pragma once

namespace kanor::abi {

/// Registers a function that every rank runs before its main, in the order of registration. Constructed as a
/// namespace-scope object, so registration happens before any rank starts; the object registers itself, and
/// must live as long as the program.
class rank_initialiser {
 public:
  explicit rank_initialiser(void (*function)());
  rank_initialiser(const rank_initialiser&) = delete;
  rank_initialiser& operator=(const rank_initialiser&) = delete;

  /// Runs all registered functions on the calling thread.
  static void run_all();

 private:
  void (*function_)();
  rank_initialiser* next_ = nullptr;
};

/// Returns true. Its body is out of sight, so that a variable initialised with it counts as dynamically
/// initialised: whoever uses that variable makes all thread-local variables of its unit ready.
bool touch();

}  // namespace kanor::abi
