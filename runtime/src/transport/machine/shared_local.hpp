// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One Local for processes of a machine that have not forked each other.
#pragma once

#include <memory>

#include "transport/local.hpp"
#include "transport/transport.hpp"

namespace kanor::rt {

/// Makes a Local for all ranks of the processes of this machine, or attaches to it: the first process makes
/// it, the others map the same memory at the same address. Null, in all of them, where that cannot be or one
/// of them is not `willing`. Collective over the processes of the machine, before any message; waits for
/// them.
///
/// `own` are the sizes of a Local for this process's ranks alone; memory_bytes and inflight_bytes are the
/// first process's. Nothing has a name, and no descriptor stays open.
std::unique_ptr<Local> share_local(Network& network, const Local::Sizes& own, bool willing);

}  // namespace kanor::rt
