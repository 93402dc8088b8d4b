// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "host/facts/file_map.hpp"
#include "sema/facts.hpp"

namespace clang {
class Sema;
}

namespace kanor::host {

/// Notes in the facts which exchanges are certain to be pending when a block is executed, and which are
/// waited for a second time. Only looks at the statements of one compound statement: an exchange that is
/// named in any other, or that a jump may have bypassed, is checked at run time.
void find_pending_exchanges(clang::Sema& sema, const FileMap& files, sema::Facts& facts);

}  // namespace kanor::host
