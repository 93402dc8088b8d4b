// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iosfwd>
#include <string_view>

#include "analysis/decisions.hpp"
#include "plan/plan.hpp"

/// `--explain`: what the compiler made of each block, for the user.
namespace kanor::report {

enum class Style {
  text,  ///< as a compiler prints remarks
  yaml,  ///< LLVM's optimisation remarks, which opt-viewer reads
  html   ///< a page that needs nothing else, with a picture of each block's messages
};

/// The styles' names: "text", "html", "yaml". Throws std::out_of_range for another one.
Style style_named(std::string_view name);

/// Explains a unit's blocks, in the order of the text. `ranks`: the size of the team in pictures, at least 1.
/// Costs what the bindings of such a team cost.
void explain(const plan::CommPlan& plan, const analysis::Sharing& sharing, Style style, int ranks,
             std::ostream& out);

}  // namespace kanor::report
