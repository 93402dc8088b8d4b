// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that a rank starts belong to that rank.
#pragma once

namespace kanor::rt {

/// Does nothing; whoever calls it has the program's pthread_create defined by libkanor, also where a
/// sanitizer's library has one already.
void keep_rank_of_started_threads();

}  // namespace kanor::rt
