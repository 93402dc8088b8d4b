// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

#include "host/discover/invocation.hpp"

namespace kanor::host {

/// The header, as `<vector>` or `<kanor/std/sort.hpp>`, that declares the name which Clang's message misses
/// in namespace std or kanor; empty if the message is about something else, or no header is known. For names
/// in kanor it reads the headers of Kanor's standard library.
std::string missing_header(std::string_view message, const Invocation& invocation);

}  // namespace kanor::host
