// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace kanor::sema {

/// The number of something in a flow graph, where vectors have what is noted of it.
inline std::size_t index(int number) { return static_cast<std::size_t>(number); }

}  // namespace kanor::sema
