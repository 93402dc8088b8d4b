// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kanor/abi/library_call.hpp>

#include "transport/rank.hpp"
#include "transport/rank_state.hpp"

namespace kanor::abi {

// Plain blocks do nothing for this: the call that has ended says that no block has been executed since.
library_call::library_call(const char* function, const char* file, unsigned line) noexcept {
  rt::Rank* const rank = rt::here_or_null();
  if (!rank || rank->page.in_function.load(std::memory_order_relaxed)) return;
  rank->page.function.file.store(file, std::memory_order_relaxed);
  rank->page.function.line.store(static_cast<int>(line), std::memory_order_relaxed);
  rank->page.function.name.store(function, std::memory_order_relaxed);
  rank->page.in_function.store(true, std::memory_order_relaxed);
  is_outermost_ = true;
}

void library_call::leave() noexcept {
  rt::Rank* const rank = rt::here_or_null();
  if (!rank) return;
  rank->page.file.store(nullptr, std::memory_order_relaxed);
  rank->page.in_function.store(false, std::memory_order_relaxed);
}

}  // namespace kanor::abi
