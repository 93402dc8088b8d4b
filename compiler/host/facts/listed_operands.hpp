// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "host/facts/file_map.hpp"
#include "sema/facts.hpp"

namespace kanor::host {

/// Returns true if the message says that brackets subscript nothing.
bool is_of_subscript(const ClangMessage& message);

/// Finds the places and values `base[indices]` whose last brackets Clang finds to subscript nothing: these
/// are sections, or wrong. To tell, Clang has to parse their pieces apart.
std::vector<sema::ListedOperand> find_listed_operands(const std::vector<ClangMessage>& messages,
                                                      const FileMap& files);

}  // namespace kanor::host
