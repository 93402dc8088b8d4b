// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "host/facts/file_map.hpp"
#include "sema/facts.hpp"

namespace clang {
class Sema;
}

namespace kanor::host {

/// Notes in the facts which exchanges are pending whenever a block is executed, and which are waited for a
/// second time. Looks at the statements of one pair of braces: an exchange whose name stands in any other of
/// them, or that a jump may have led past, is left to the run.
void find_pending_exchanges(clang::Sema& sema, const FileMap& files, sema::Facts& facts);

}  // namespace kanor::host
