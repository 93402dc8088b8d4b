// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: whose memory is it?
#pragma once

#include "ownership/passing.hpp"

namespace kanor::rt {

/// Whether the pointer is to a buffer of the rank's.
inline bool is_owned(Rank& rank, const void* elements) {
  try {
    owned(rank, elements, "use", {});
    return true;
  } catch (const PassingError&) {
    return false;
  }
}

}  // namespace kanor::rt
