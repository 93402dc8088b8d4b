// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starting a job's ranks and watching over them: one function for each kind of rank.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "platform/topology.hpp"
#include "world/facts.hpp"
#include "world/mpi_choice.hpp"
#include "world/options.hpp"
#include "world/rank_main.hpp"

namespace kanor::rt {

/// The exit status of a job that could not start.
inline constexpr int bad_launch = 2;

/// A lower rank that is ending too gets this long before a higher one's status counts.
inline constexpr std::int64_t status_grace_us = 100'000;
/// After a failure, others that fail at the same moment get this long to say so.
inline constexpr std::int64_t failure_grace_us = 20'000;
/// The time that processes which ranks have forked are waited for, once killed, when a job fails.
inline constexpr std::int64_t children_limit_us = 200'000;
/// The time for a crash that goes on to a handler which was there before, a sanitizer's perhaps, on a busy
/// machine.
inline constexpr std::int64_t handler_limit_us = 10'000'000;

/// The time between two looks at a network while nothing happens in this process.
inline constexpr std::int64_t network_look_us = 1'000;

/// Prints `kanor: <text>`, and ends this process with bad_launch.
[[noreturn]] void refuse(std::string_view text);

/// Makes a crash that nothing explains say how else ranks may run (empty: nothing to say), and what checked
/// mode would look at.
void advise_crashes(const std::string& other_ways, bool checked);

/// Prints the settings of the environment that have no effect; for one process of a job.
void say_unheeded_settings(bool under_launcher);
/// Prints why the tuning file is not used; for one process of each host, which `host` names if there may be
/// several.
void say_tuning_notice(const Options& options, const std::string& host = {});

/// The processors on which each rank of a job on this machine runs; empty where the system decides it alone.
/// Not for processes that an MPI launcher has started: binding is the launcher's (mpiexec -bind-to).
std::vector<Processors> places_of_ranks(const Options& options);

/// Runs the main of this process's ranks and waits for their end, once the program's initialisers have run.
/// Returns the process's exit status.
using RanksMain = std::function<int(const Arguments&)>;

/// Begins the job before the program's own initialisers run, so that those of variables which a process has
/// once run for each rank, too, where a rank has a process of its own: such a rank begins here. Chooses the
/// kind of rank; refuses what is impossible.
RanksMain begin_job(const Arguments& arguments);

/// Runs all ranks as threads of this process; the calling thread watches. Returns the job's exit status when
/// all ranks are over; where the job must end earlier, it ends the process.
int launch_threads(const Options& options, const Arguments& arguments);

/// Forks all ranks; the calling process watches them, and ends without returning. Returns in each rank.
RanksMain begin_processes(const Options& options, const Facts& facts);

/// Joins the job that an MPI launcher has started; this process's ranks are threads.
RanksMain begin_mpi(const MpiLauncher& launcher, const Options& options, const Facts& facts,
                    Arguments arguments);

/// The network of begin_mpi; null if there is none.
Network* active_network();

/// Makes the calling thread the one that watches over the rank threads of this process: failures and crashes
/// are its own from here on.
void watch_over_threads(Home& home, const Options& options);

/// The threads of one process: starts the ranks that `home.control` has, lets them run, and watches them.
/// `home.network` is driven meanwhile. `first` is the state of the only rank, if it has begun; else null.
/// Returns as launch_threads.
int run_rank_threads(Home& home, const Options& options, const Arguments& arguments,
                     std::unique_ptr<Rank> first);

}  // namespace kanor::rt
