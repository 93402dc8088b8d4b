// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "host/facts/file_map.hpp"
#include "sema/facts.hpp"

namespace clang {
class Sema;
}

namespace kanor::host {

/// Notes as an obstacle to thread ranks each place where only one of the process's threads may be (`omp
/// critical`) and that holds a block, or a call of a function that may execute one: the ranks that wait for
/// the lock could not take part. A function whose body is not seen may execute blocks, unless it is the
/// standard library's or one of Kanor's that exchange nothing.
void find_locked_blocks(clang::Sema& sema, const FileMap& files, sema::Facts& facts);

}  // namespace kanor::host
