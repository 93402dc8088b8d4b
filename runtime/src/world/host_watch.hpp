// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Agreeing, at the start of a job over several hosts, on how their watchers watch each other.
#pragma once

#include "transport/transport.hpp"
#include "world/host_beats.hpp"

namespace kanor::rt {

/// Has the watcher of this host's first process take part: makes the plan and the socket, and gives them to
/// it by `watcher`, which start_watcher has returned, and which is closed. Collective over the processes,
/// before any message. The first process's `host_seconds` counts for all; 0: nobody watches.
void watch_hosts(Network& network, int watcher, int host_seconds);

/// Sends a plan, and its socket, over that connection.
bool give_plan(int connection, const BeatPlan& plan, int socket);
/// Receives a plan, and returns its socket; -1: nothing has come, and nothing will.
int take_plan(int connection, BeatPlan& plan);

}  // namespace kanor::rt
