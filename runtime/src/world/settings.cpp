// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "platform/page_faults.hpp"
#include "platform/text.hpp"

namespace kanor::rt {
namespace {

constexpr std::string_view prefix = "KANOR_";

/// The known variables without the prefix. The last ones are those of kanorrun, kanorc and MPI's compilers.
constexpr std::string_view known[] = {"RANKS",    "MODE",       "THREADS",      "INFLIGHT",     "MEMORY",
                                      "DELTA",    "CHECK",      "HANG_SECONDS", "HOST_SECONDS", "REFERENCE",
                                      "DISABLE",  "STATS",      "TUNING",       "MPI_PLUGIN",   "MPIEXEC",
                                      "HOST_CXX", "MPICC_HOST", "MPICXX_HOST"};

/// The number of tasks of this one's Slurm step, if it is the first, which speaks for all; else 0.
int slurm_tasks() {
  const char* const number = std::getenv("SLURM_PROCID");
  const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  return number && tasks && std::string_view(number) == "0" ? std::atoi(tasks) : 0;
}

}  // namespace

std::vector<std::string> unheeded_settings(bool under_launcher) {
  std::vector<std::string> lines;
  for (char** setting = environ; *setting != nullptr; ++setting) {
    const std::string_view whole = *setting;
    if (!whole.starts_with(prefix)) continue;
    const std::string_view name = whole.substr(0, whole.find('=')).substr(prefix.size());
    if (std::find(std::begin(known), std::end(known), name) != std::end(known)) continue;
    std::string line = "KANOR_" + std::string(name) + " is not a variable of Kanor";
    if (const auto meant = nearest(name, known); !meant.empty())
      line += "; did you mean KANOR_" + std::string(meant) + "?";
    lines.push_back(std::move(line));
  }
  const char* const delta = std::getenv("KANOR_DELTA");
  if (delta && std::string_view(delta).starts_with("pages") && has_thread_sanitizer())
    lines.push_back(
        "KANOR_DELTA=" + std::string(delta) +
        " has no effect on pages with ThreadSanitizer, which allows nothing in a handler of page faults");
  if (const char* const ranks = std::getenv("KANOR_RANKS"); ranks != nullptr && under_launcher)
    lines.push_back("KANOR_RANKS=" + std::string(ranks) +
                    " has no effect under an MPI launcher: the launcher's option -n sets the number of "
                    "processes, and KANOR_THREADS the ranks of each");
  else if (const auto tasks = slurm_tasks(); tasks > 1 && ranks == nullptr && !under_launcher)
    lines.push_back(
        "srun has started " + std::to_string(tasks) +
        " tasks without MPI, so each task is a job of its own: to make them ranks of one job, use "
        "srun --mpi=pmi2 or --mpi=pmix");
  return lines;
}

}  // namespace kanor::rt
