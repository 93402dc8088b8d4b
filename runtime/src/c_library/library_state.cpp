// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_library/library_state.hpp"

#include <atomic>

#include "c_library/streams.hpp"

extern "C" {
int __wrap_rand() noexcept;
int __wrap_kill(pid_t process, int signal) noexcept;
}

// Brings the functions into every program: shared libraries call them, too.
[[gnu::used]] static auto* const brings_functions = &__wrap_rand;
[[gnu::used]] static auto* const brings_signals = &__wrap_kill;
[[gnu::used]] static auto* const brings_streams = &kanor::rt::keep_own_streams;

namespace kanor::rt {
namespace {

thread_local LibraryState* state_of_thread = nullptr;
// Who visits them takes no lock, which a crash or a fork may have left locked: a rank may be made meanwhile,
// so release pairs with the visitor's acquire.
std::atomic<LibraryState*> all_states{nullptr};
std::mutex states_lock;

}  // namespace

LibraryState::LibraryState() {
  // What the C library starts with is srandom(1).
  ::initstate_r(1, random_table, sizeof random_table, &random);
  const std::lock_guard guard(states_lock);
  next = all_states.load(std::memory_order_relaxed);
  all_states.store(this, std::memory_order_release);
}

LibraryState::~LibraryState() {
  const std::lock_guard guard(states_lock);
  LibraryState* before = all_states.load(std::memory_order_relaxed);
  if (before == this) {
    all_states.store(next, std::memory_order_relaxed);
    return;
  }
  while (before->next != this) before = before->next;
  before->next = next;
}

LibraryState* first_library_state() { return all_states.load(std::memory_order_acquire); }

void for_each_library_state(const std::function<void(LibraryState&)>& visit) {
  for (LibraryState* state = first_library_state(); state; state = state->next) visit(*state);
}

LibraryState* own_library_state() { return state_of_thread; }

LibraryState& library_state() {
  if (state_of_thread) return *state_of_thread;
  static LibraryState& process = *new LibraryState;  // for handlers that run at exit, too
  return process;
}

void enter_library_state(LibraryState* state) { state_of_thread = state; }

}  // namespace kanor::rt
