// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <vector>

#include "host/discover/discover.hpp"
#include "host/shadow/shadow.hpp"
#include "sema/facts.hpp"
#include "text/diagnostic.hpp"

namespace kanor::host {

struct ParsedUnit;

/// Parses the translation unit with the shadows in place of their files, and reports what Clang finds wrong
/// as host_error at the user's place, without emitted names. Bodies of functions in system headers are passed
/// over. `also` may look at what Clang made of the unit, if Clang found no errors. The result refers to the
/// discovery's sources. If it has listed operands, nothing is reported: read them as sections, make new
/// shadows, and call again. Not reentrant: one call at a time in a process.
sema::Facts analyse(const Invocation& invocation, const Discovery& discovery,
                    const std::vector<Shadow>& shadows, text::Diagnostics& diagnostics,
                    const std::function<void(const ParsedUnit&)>& also = {});

}  // namespace kanor::host
