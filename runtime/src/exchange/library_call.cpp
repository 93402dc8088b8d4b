// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kanor/abi/library_call.hpp>

#include "transport/rank.hpp"
#include "transport/rank_state.hpp"

namespace kanor::abi {

library_call::library_call(const char* function, const char* file, unsigned line) noexcept {
  rt::Rank* const rank = rt::here_or_null();
  if (!rank || rank->library_call.function) return;
  rank->library_call = {function, file, static_cast<int>(line)};
  is_outermost_ = true;
}

void library_call::leave() noexcept {
  if (rt::Rank* const rank = rt::here_or_null()) rank->library_call = {};
}

}  // namespace kanor::abi
