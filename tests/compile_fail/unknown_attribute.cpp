// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output
// RUN: %kanorc -Wno-kanor-unknown-attribute -Werror -c %s -o %t.o
// Attributes that kanor does not have, beside those that it has.
#include <kanor/kanor.hpp>

[[kanor::shard]] int count = 0;
// CHECK:{{.*}}unknown_attribute.cpp:[[@LINE-1]]:3: warning: unknown attribute 'kanor::shard' ignored [-Wkanor-unknown-attribute]
// CHECK:kanorc: note: kanor's attributes are 'globalize', 'local', 'noescape', 'same_address_space', 'shared', 'uniform'
struct [[kanor::same_address_space]] Handle {
  void* place;
};
void look([[kanor::noescape]] const double* values, [[kanor::uniform]] int root);
int main() {
  [[maybe_unused, kanor::local]] double field[8] = {};
  @communicate { field@(i + 1) % world.size() <<= field@i where i in world }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
