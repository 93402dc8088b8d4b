#pragma once
#include <kanor/kanor.hpp>

extern int external;
inline int in_header = 40 + kanor::world.rank();
inline constexpr int shared_constant = 3;

struct Declared {
  static int count;
  static Declared instance;
  int value;
};

inline int header_counter() {
  static int calls;
  return ++calls;
}

namespace second_unit {
int external_plus_one();
int in_header_plus_one();
int declared_count();
int counted_there();
int own_initialised();
}  // namespace second_unit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
