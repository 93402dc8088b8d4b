// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "report/remarks.hpp"

namespace kanor::report {

/// Adds remarks on the sharing of variables that are the whole place or value of one of the block's
/// statements.
void add_sharing(const syntax::Block& block, const syntax::Statement& statement, const text::Source& source,
                 const analysis::Sharing& sharing, std::vector<Remark>& remarks);

}  // namespace kanor::report
