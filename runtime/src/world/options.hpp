// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the environment asks of a launch.
#pragma once

#include <cstddef>
#include <string>

#include "job/switches.hpp"

namespace kanor::rt {

enum class Mode { automatic, threads, processes };

/// The variables that a launch reads:
///
///     KANOR_RANKS         how many ranks, 1 … 4096; default: usable cores
///     KANOR_MODE          auto, threads or processes; default: auto
///     KANOR_THREADS       rank threads in each MPI process; default: 1
///     KANOR_INFLIGHT      bytes (K, M, G) on the way from one rank to another before the sender waits;
///                         default: 64M
///     KANOR_MEMORY        bytes (K, M, G, T) of message memory of all ranks of a machine, of which only
///                         what is used takes real memory; default: 4 times its main memory
///     KANOR_DELTA         bytes (K, M, G) of an increment of a delta send, default: as many as pay; or
///                         pages: deltas follow what is written and read; or both, with a comma
///     KANOR_CHECK         1: checked mode
///     KANOR_HANG_SECONDS  for how long ranks wait for a process that stands still until that is told, and in
///                         checked mode without progress until the job counts as hanging; 0: neither is
///                         looked at; default: 10
///     KANOR_HOST_SECONDS  over several hosts: after how long without an answer a host counts as lost; 0:
///                         never; default: 60
///     KANOR_REFERENCE     1: every block in the simplest literal way
///     KANOR_DISABLE       a comma list of plan, cache, patterns, inline, sharing, learning, repeat,
///                         node-memory, yield, huge-pages, binding, delta: optimisations that are switched
///                         off
///     KANOR_STATS         1: each rank prints lines of numbers at its end
///     KANOR_TUNING        the file of kanor-tune, or none; default: the user's (tuning_file.hpp)
///     KANOR_MPI_PLUGIN    the MPI transport to open; default: the launcher's (mpi_choice.hpp)
struct Options {
  int ranks = 1;
  bool ranks_are_given = false;
  Mode mode = Mode::automatic;
  int threads_per_process = 1;
  std::size_t inflight_bytes = 0;
  std::size_t memory_bytes = 0;
  Switches switches;
  int hang_seconds = 10;
  int host_seconds = 60;
  std::string mpi_plugin;
  std::string tuning_notice;  ///< a line for the user: why a tuning file is not used; or empty
};

inline constexpr int most_ranks = 4096;
inline constexpr std::size_t default_inflight_bytes = std::size_t{64} << 20;

/// Reads the environment. Returns false for a value that cannot be meant; then `error` is a line for the
/// user.
bool read_options(Options& options, std::string& error);

}  // namespace kanor::rt
