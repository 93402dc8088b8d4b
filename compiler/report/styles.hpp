// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iosfwd>

#include "analysis/decisions.hpp"
#include "plan/plan.hpp"

namespace kanor::report {

void print_text(const plan::CommPlan& plan, const analysis::Sharing& sharing, std::ostream& out);
void print_yaml(const plan::CommPlan& plan, const analysis::Sharing& sharing, std::ostream& out);
/// A page, with a picture of each block for a team of `ranks`.
void print_html(const plan::CommPlan& plan, const analysis::Sharing& sharing, int ranks, std::ostream& out);

}  // namespace kanor::report
