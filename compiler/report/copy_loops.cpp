// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/copy_loops.hpp"

#include <string>

namespace kanor::report {

void add_copy_loops(const syntax::Statement& statement, const text::Source& source,
                    const analysis::Sharing& sharing, std::vector<Remark>& remarks) {
  for (const analysis::ReplacedLoop& one : sharing.loops) {
    const flow::CopyLoop& loop = analysis::loop_of(sharing.graph, one);
    const text::Span operand = loop.unpacks ? statement.place.span : statement.value.span;
    if (one.source != &source || loop.operand.span != operand) continue;
    const auto& variable = sharing.graph.variables[static_cast<std::size_t>(loop.buffer)];
    const std::string line = std::to_string(source.line(loop.at.span.begin));
    Remark remark{Remark::Kind::passed, "CopyLoop", operand, {}};
    if (one.is_replaced()) {
      remark.parts = {words(loop.unpacks ? "updates itself what the loop at line "
                                         : "sends itself what the loop at line "),
                      {"Line", line},
                      words(loop.unpacks ? " copies from '" : " copies to '"),
                      {"Buffer", variable.name},
                      words("', from 8 KiB on")};
    } else {
      remark.kind = Remark::Kind::missed;
      if (one.at.source == &source) remark.span = one.at.span;
      remark.parts = {
          words("the loop at line "),    {"Line", line},        words(" copies '"), {"Buffer", variable.name},
          words("' as it is written: "), {"Reason", one.reason}};
    }
    remarks.push_back(std::move(remark));
  }
}

}  // namespace kanor::report
