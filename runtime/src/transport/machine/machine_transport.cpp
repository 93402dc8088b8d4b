// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/machine/machine_transport.hpp"

namespace kanor::rt {

Capabilities MachineTransport::capabilities(int from, int to) const {
  return {.shares_addresses = from / ranks_per_process_ == to / ranks_per_process_,
          .shares_memory = local_.has(from) && local_.has(to)};
}

}  // namespace kanor::rt
