// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "host/facts/pieces.hpp"

namespace kanor::host {

/// Notes elements of containers that are still empty at the block, since nothing has filled them after their
/// declaration.
void find_empty_containers(clang::Sema& sema, const FileMap& files, const PieceTable& pieces,
                           sema::Facts& facts);

}  // namespace kanor::host
