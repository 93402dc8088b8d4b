// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections of program files that are not loaded.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>

namespace kanor::rt {

/// A section's place in a file; no bytes: there is none.
struct Section {
  off_t offset = 0;
  std::size_t bytes = 0;
};

/// Looks for a section in an open file.
Section find_section(int file, const char* name);

/// A section's bytes; empty if there is none, or the file can't be read.
std::string section_text(const char* path, const char* name);

}  // namespace kanor::rt
