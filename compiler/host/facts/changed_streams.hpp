// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "host/facts/file_map.hpp"
#include "sema/facts.hpp"

namespace clang {
class Sema;
}

namespace kanor::host {

/// Notes as obstacles the places where user files do more with `stdin`, `stdout` and `stderr` than read these
/// variables: an assignment changes them for all thread ranks.
void find_changed_streams(clang::Sema& sema, const FileMap& files, sema::Facts& facts);

}  // namespace kanor::host
