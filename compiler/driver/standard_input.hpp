#pragma once

#include "driver/command_line.hpp"

/// `-x c++ -`: the source is what comes in on standard input.
namespace kanor::driver {

/// Reads standard input to its end if the pipeline compiles it; the source is called `<stdin>` then, and what
/// it includes is looked for in the working directory. Throws std::system_error.
CommandLine with_standard_input(const CommandLine& line);

}  // namespace kanor::driver
