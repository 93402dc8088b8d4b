// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "report/remarks.hpp"

namespace kanor::report {

/// Adds a remark on a block that is to be pipelined: the loops that it is pipelined with, or why there are
/// none.
void add_pipelining(const syntax::Block& block, const text::Source& source, const analysis::Sharing& sharing,
                    std::vector<Remark>& remarks);

}  // namespace kanor::report
