// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files in memory from which copies of a program are loaded.
#pragma once

#include <string_view>

namespace kanor::rt {

enum class DebugInformation { written, left_out };

/// Writes a shared library to an empty file. Debug information that is left out takes no memory: its sections
/// are holes in the file, and empty for debuggers. Returns false, with errno set, if it can't.
bool write_library(int file, std::string_view library, DebugInformation debug_information);

}  // namespace kanor::rt
