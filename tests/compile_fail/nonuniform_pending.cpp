// RUN: %not %kanorc -Werror=kanor-nonuniform -c %s -o %t.o 2>&1 | %FileCheck %s
// KIND: nonuniform
// Which exchanges have ended differs between ranks.
#include <kanor/kanor.hpp>

#include <cstddef>
#include <vector>

int main() {
  int mine = kanor::world.rank(), all = 0, more = 0;
  std::vector<kanor::pending> exchanges(1);
  @communicate (async = exchange) { all@i <<= mine@0 where i in world }
  const bool has_ended = exchange.test();
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: error: 'has_ended' in a filter may differ between ranks, but must be the same on all ranks
  @communicate { more@1 <<= mine@0 where (has_ended) }
  if (!has_ended) exchange.wait();
  const std::size_t index = kanor::wait_any(exchanges);
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: error: 'index' in a filter may differ between ranks, but must be the same on all ranks
  @communicate { more@1 <<= mine@0 where index == 1 }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
