#pragma once

#include "host/facts/file_map.hpp"
#include "sema/facts.hpp"

namespace clang {
class Sema;
}

namespace kanor::host {

/// Finds the blocks' expressions in Clang's tree, in each instantiation of the functions around them, and
/// notes what they are. Statements in which something could not be typed have no entry.
void find_block_facts(clang::Sema& sema, const FileMap& files, sema::Facts& facts);

}  // namespace kanor::host
