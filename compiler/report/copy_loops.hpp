// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "analysis/decisions.hpp"
#include "report/remarks.hpp"

namespace kanor::report {

/// Adds which loops beside the statement's block it makes needless, and why others run as they are written.
void add_copy_loops(const syntax::Statement& statement, const text::Source& source,
                    const analysis::Sharing& sharing, std::vector<Remark>& remarks);

}  // namespace kanor::report
