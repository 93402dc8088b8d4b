// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/process/process_transport.hpp"

namespace kanor::rt {

Capabilities ProcessTransport::capabilities(int from, int to) const {
  return {.shares_addresses = from == to, .shares_memory = local_.has(from) && local_.has(to)};
}

}  // namespace kanor::rt
