// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "analysis/decisions.hpp"
#include "report/remarks.hpp"

namespace kanor::report {

/// Adds where the block starts and where it is complete, or why it is not split; nothing if nobody has asked.
void add_split(const syntax::Block& block, const text::Source& source, const analysis::Sharing& sharing,
               std::vector<Remark>& remarks);

}  // namespace kanor::report
