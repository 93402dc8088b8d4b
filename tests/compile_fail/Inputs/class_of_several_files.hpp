#pragma once

struct Shared {
  int root = 0;
  void run();
};

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
