// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "host/facts/file_map.hpp"
#include "host/facts/pieces.hpp"
#include "sema/facts.hpp"

namespace clang {
class Sema;
}

namespace kanor::host {

/// Writes down what the statements' sets, filters and ranks compute. One in a template is described by the
/// template's own text where that does not depend on the arguments, else, in the main file, by what all its
/// instantiations have in common; what a header's template is in one unit says nothing of another.
void find_symbols(clang::Sema& sema, const FileMap& files, const PieceTable& table, sema::Facts& facts);

}  // namespace kanor::host
