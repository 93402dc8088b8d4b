#pragma once

#include <vector>

#include "report/remarks.hpp"

namespace kanor::report {

/// Adds what becomes of the variables that are all of the statement's place or value.
void add_sharing(const plan::StatementPlan& statement, const text::Source& source,
                 const analysis::Sharing& sharing, std::vector<Remark>& remarks);

}  // namespace kanor::report
