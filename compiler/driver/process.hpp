// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

/// Runs the host compiler and other programs.
namespace kanor::driver {

using Command = std::vector<std::string>;

struct Outcome {
  int status = 0;      ///< the program's exit status; 1 if a signal ended it
  int signal = 0;      ///< the signal that ended it, or 0
  std::string output;  ///< what it wrote to the captured stream
};

enum class Capture { nothing, standard_output, standard_error };

/// Runs a program found through PATH and waits for it; what is not captured goes where kanorc's own
/// output goes. Throws std::system_error that names the program if it cannot be started.
Outcome run(const Command& command, Capture capture = Capture::nothing);

/// Every word in double quotes, as clang's -### prints it.
std::string quoted(const Command& command);

}  // namespace kanor::driver
