// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/explain.hpp"

#include <stdexcept>
#include <string>

#include "report/styles.hpp"

namespace kanor::report {

Style style_named(std::string_view name) {
  if (name == "text") return Style::text;
  if (name == "yaml") return Style::yaml;
  if (name == "html") return Style::html;
  throw std::out_of_range("no style of reports is called '" + std::string(name) + "'");
}

void explain(const plan::CommPlan& plan, const analysis::Sharing& sharing, Style style, int ranks,
             std::ostream& out) {
  switch (style) {
    case Style::text:
      return print_text(plan, sharing, out);
    case Style::yaml:
      return print_yaml(plan, sharing, out);
    case Style::html:
      return print_html(plan, sharing, ranks, out);
  }
}

}  // namespace kanor::report
