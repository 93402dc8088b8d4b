// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// For the rooms of host/ alone: the unit as Clang has parsed it, for those that look at more than blocks.

#include "host/facts/file_map.hpp"
#include "host/facts/pieces.hpp"

namespace clang {
class Sema;
}

namespace kanor::host {

/// The parsed translation unit, which exists while analyse() runs.
struct ParsedUnit {
  clang::Sema& sema;
  const FileMap& files;
  const PieceTable& pieces;
};

}  // namespace kanor::host
