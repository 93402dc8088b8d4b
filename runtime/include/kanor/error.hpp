// Ending a whole job from one rank.
#pragma once

#include <string_view>

namespace kanor {

/// Ends the whole job, on all ranks: prints `kanor: rank R: <message>` with the block the rank was last in to stderr
/// as one line, and makes the job's exit status 1. From any thread. Automatic objects are not destroyed.
[[noreturn]] void abort(std::string_view message);

}  // namespace kanor
