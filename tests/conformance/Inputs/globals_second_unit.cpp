#include "globals.hpp"

namespace {
int triple_rank() { return 3 * kanor::world.rank(); }
int initialised = triple_rank();
}  // namespace

namespace second_unit {
int external_plus_one() { return ::external + 1; }
int in_header_plus_one() { return in_header + 1; }
int declared_count() { return Declared::count; }
int counted_there() { return header_counter(); }
int own_initialised() { return initialised; }
}  // namespace second_unit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
