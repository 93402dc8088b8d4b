#include <kanor/kanor.hpp>

#include <cstdio>

int main() { std::printf("rank %d of %d\n", kanor::world.rank(), kanor::world.size()); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
