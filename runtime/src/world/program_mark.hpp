// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How kanorrun knows a Kanor program without running it.
#pragma once

namespace kanor::rt {

/// Stands in the data of every program that is linked with the runtime, stripped ones too.
#define KANOR_PROGRAM_MARK "kanor: this program starts its own ranks"

}  // namespace kanor::rt
