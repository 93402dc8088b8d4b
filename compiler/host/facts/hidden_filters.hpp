// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "host/facts/file_map.hpp"
#include "text/diagnostic.hpp"

namespace clang {
class Sema;
}

namespace kanor::host {

/// Warns of names in `where a, b in set` that hide a variable of type bool: `a` may have been meant as a
/// filter, which a name of its own beside a generator is not. `hiding` has all names that hide others.
std::vector<text::Diagnostic> find_hidden_filters(clang::Sema& sema, const FileMap& files,
                                                  const std::vector<HidingName>& hiding);

}  // namespace kanor::host
