// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps through the members that a plan selects: kanor/abi/candidates.hpp, which emitted code walks.
#include "kanor/abi/candidates.hpp"

namespace kanor::abi {

void member_cursor::step() noexcept {
  const candidate_run& run = *rest.first;
  // Unsigned, so that the sums wrap.
  value = static_cast<long long>(static_cast<unsigned long long>(run.first) +
                                 static_cast<unsigned long long>(run.step) *
                                     static_cast<unsigned long long>(index));
  if (rest.noted) *rest.noted = value;
  if (++index == run.count) {
    ++rest.first;
    --rest.runs;
    index = 0;
  }
}

}  // namespace kanor::abi
