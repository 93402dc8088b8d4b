// Each rank prints where it runs, and what it reads.
#include <kanor/kanor.hpp>

#include <cstdio>
#include <unistd.h>

int main() {
  char host[100] = "", word[100] = "";
  gethostname(host, sizeof host);
  const bool reads = kanor::world.rank() == 0 && std::scanf("%99s", word) == 1;
  std::printf("rank %d of %d on %s%s%s\n", kanor::world.rank(), kanor::world.size(), host, reads ? " reads " : "", word);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
