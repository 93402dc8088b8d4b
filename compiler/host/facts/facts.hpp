#pragma once

#include <vector>

#include "host/discover/discover.hpp"
#include "host/shadow/shadow.hpp"
#include "sema/facts.hpp"
#include "text/diagnostic.hpp"

namespace kanor::host {

/// Parses the translation unit with the shadows in place of their files, and reports what Clang finds wrong
/// as host_error at the user's place, without emitted names. Bodies of functions in system headers are passed
/// over. The result refers to the discovery's sources. Not reentrant: one call at a time in a process.
sema::Facts analyse(const Invocation& invocation, const Discovery& discovery,
                    const std::vector<Shadow>& shadows, text::Diagnostics& diagnostics);

}  // namespace kanor::host
