// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library's hidden state, one for each rank: kanor/abi/hidden_state.hpp says of which functions.
#pragma once

#include <search.h>
#include <stdlib.h>
#include <time.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "c_library/own_signals.hpp"

namespace kanor::rt {

struct OwnStreams;

/// A rank's state, at first as the C library has it when a process starts. Immovable: parts refer to others.
/// The rank's threads share it, so each function holds the lock.
struct LibraryState {
  LibraryState();
  ~LibraryState();
  LibraryState(const LibraryState&) = delete;
  LibraryState& operator=(const LibraryState&) = delete;

  std::mutex lock;
  random_data random{};
  alignas(8) char random_table[128] = {};
  drand48_data drand48{};
  char* rest_of_tokens = nullptr;
  tm broken_down_time{};
  char time_text[114] = {};  ///< with the longest numbers that fit into a tm
  hsearch_data table{};

  std::timed_mutex line_lock;  ///< guards the fields below
  std::string line;            ///< written to standard output, and not yet whole
  bool has_lines = true;       ///< false: nothing waits there
  bool flushes_lines = false;
  bool fills_buffer = false;  ///< whole lines wait, too
  bool is_closed = false;     ///< the rank has closed its standard output

  std::once_flag streams_made;
  std::shared_ptr<OwnStreams> streams;  ///< made when the rank first names one

  OwnSignals signals;

  LibraryState* next = nullptr;  ///< the next of this process's states
};

/// The calling thread's state. In a process that is one rank, and outside ranks, all threads have the same.
LibraryState& library_state();
/// The same if it is not the process's; else null.
LibraryState* own_library_state();
/// The first of this process's states, which leads to the others: for visitors that may allocate nothing.
LibraryState* first_library_state();
/// Visits all states, while none is destroyed; one that is made meanwhile may be missed.
void for_each_library_state(const std::function<void(LibraryState&)>& visit);
/// Sets the calling thread's state, which must last for as long as it calls functions; null: the process's.
void enter_library_state(LibraryState* state);

}  // namespace kanor::rt
