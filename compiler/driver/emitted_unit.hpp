// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/workspace.hpp"
#include "emit/emit.hpp"

/// The emitted files of one unit, written where the host compiler reads them.
namespace kanor::driver {

struct EmittedUnit {
  std::string main_file;
  /// Path of each written file -> path of its original.
  std::map<std::string, std::string> originals;
  /// Flags that stand before the user's: headers beside the originals are still found beside them.
  std::vector<std::string> include_flags;
  /// Flags that make debug information and `__BASE_FILE__` name the originals.
  std::vector<std::string> map_flags;
};

/// Emits the plan and writes every file into the workspace; `note_lines` go into the note for the link.
/// Throws std::system_error.
EmittedUnit write_unit(const plan::CommPlan& plan, const analysis::Sharing& sharing,
                       const std::string& note_lines, Workspace& workspace);

/// Translates a path in the dependencies of the emitted unit to that in those of the original.
std::string original_path(const EmittedUnit& unit, const std::string& path);

}  // namespace kanor::driver
