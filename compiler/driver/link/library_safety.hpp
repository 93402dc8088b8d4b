// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/link/object_file.hpp"

/// The list of libraries that thread ranks may share. kanorc cannot look into code that it has not compiled,
/// so a library is safe only if the installed list or the command line says so.
namespace kanor::driver {

/// One line of the list.
struct LibraryEntry {
  std::string name;  ///< as `-l` has it, or of a system header's variable; one that ends in `*` is a prefix
  bool is_safe = false;
  std::string why;  ///< a clause about the library; empty for most safe ones

  bool operator==(const LibraryEntry&) const = default;
};

class LibraryList {
 public:
  /// `text` is the installed list, lines of NAME, `safe` or `unsafe`, and why; `#` begins a comment.
  /// `insisted` are the names of --thread-safe-library=, which win. Throws std::runtime_error for a line
  /// without a verdict.
  LibraryList(std::string_view text, const std::vector<std::string>& insisted);

  /// Returns true if ranks may share the library of this file or linker name, `libz.so.1` or
  /// `/usr/lib/libz.a`, or a variable of this C++ name.
  bool is_safe(std::string_view file) const;

  /// Why ranks cannot be threads beside this library, which is not safe.
  LinkObstacle obstacle(std::string_view file) const;

 private:
  const LibraryEntry* find(std::string_view file) const;

  std::vector<LibraryEntry> entries_;  ///< the first that fits decides
};

/// `z` for `libz.so.1` and `/usr/lib/libz.a`, `ld-linux` for `ld-linux.so.2`; other files' own name.
std::string library_name(std::string_view file);

/// Removes safe archives' variables and thread starters, and safe variables, from the facts of a linked
/// file's objects; adds an obstacle for each unsafe shared library that it needs (`needed`) and that has no
/// note.
void judge_libraries(const LibraryList& list, const std::vector<std::string>& needed,
                     std::vector<ObjectFacts>& objects);

}  // namespace kanor::driver
