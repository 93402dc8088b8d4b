// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "host/facts/file_map.hpp"
#include "host/facts/pieces.hpp"
#include "sema/facts.hpp"

namespace clang {
class Sema;
}

namespace kanor::host {

/// Writes the symbolic form of the statements' sets, filters and ranks to the facts. A template's statement
/// is described by the template's own text if that does not depend on the arguments; else, in the main file,
/// by what all its instantiations have in common; a header's template may have other instantiations in other
/// units.
void find_symbols(clang::Sema& sema, const FileMap& files, const PieceTable& table, sema::Facts& facts);

}  // namespace kanor::host
