// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/thread/thread_transport.hpp"

namespace kanor::rt {

Capabilities ThreadTransport::capabilities(int from, int to) const {
  const bool here = local_.has(from) && local_.has(to);
  return {.shares_addresses = here, .shares_memory = here};
}

}  // namespace kanor::rt
