// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

namespace kanor::host {

/// A hash of a file's tokens and of the lines that its directives end at. Comments and blanks do not count,
/// as they do not for a compiler cache, which returns an object of the code as it was.
std::uint64_t code_digest(std::string_view bytes);

}  // namespace kanor::host
