// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace kanor::driver {

/// Does what a command line asks for and returns kanorc's exit status. `words` does not hold the program's
/// name. Every failure is printed, none is thrown.
int run_kanorc(const std::vector<std::string>& words);

}  // namespace kanor::driver
