// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kanor/abi/globals.hpp>

namespace kanor::abi {
namespace {

// Constant-initialised, so registration works from any translation unit's initialisers.
constinit rank_initialiser* first = nullptr;
constinit rank_initialiser* last = nullptr;

}  // namespace

rank_initialiser::rank_initialiser(void (*function)()) : function_(function) {
  (last ? last->next_ : first) = this;
  last = this;
}

bool touch() { return true; }

void rank_initialiser::run_all() {
  for (const rank_initialiser* one = first; one; one = one->next_) one->function_();
}

}  // namespace kanor::abi
