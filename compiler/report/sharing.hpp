// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "report/remarks.hpp"

namespace kanor::report {

/// Adds what becomes of the variables that are all of the place or value of one of the block's statements.
void add_sharing(const syntax::Block& block, const syntax::Statement& statement, const text::Source& source,
                 const analysis::Sharing& sharing, std::vector<Remark>& remarks);

}  // namespace kanor::report
