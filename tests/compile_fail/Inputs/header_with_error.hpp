#pragma once

inline int exchanged(int mine) {
  int got = 0;
  @communicate { got@0 <<= mine@1; got@0 <<= main@1 }
  @communicate { got@i <<= mein@i where i in world }
  return got;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
