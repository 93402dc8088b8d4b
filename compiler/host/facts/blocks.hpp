// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "host/facts/pieces.hpp"
#include "sema/facts.hpp"

namespace clang {
class Sema;
}

namespace kanor::host {

/// Notes the types and properties of the blocks' expressions, in each instantiation of the functions around
/// them. Statements with an expression that could not be typed have no entry.
void find_block_facts(clang::Sema& sema, const FileMap& files, const PieceTable& pieces, sema::Facts& facts);

}  // namespace kanor::host
