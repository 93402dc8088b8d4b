// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/split_phase.hpp"

#include <algorithm>
#include <string>

namespace kanor::report {

void add_split(const syntax::Block& block, const text::Source& source, const analysis::Sharing& sharing,
               std::vector<Remark>& remarks) {
  const text::Span keyword = syntax::keyword_of(block, source);
  const auto split = std::find_if(
      sharing.splits.begin(), sharing.splits.end(),
      [&](const analysis::SplitPhase& one) { return one.source == &source && one.keyword == keyword; });
  if (split == sharing.splits.end()) return;
  const auto line = [&](std::uint32_t at) { return std::to_string(source.line(at)); };
  Remark remark{Remark::Kind::passed, "Split", keyword, {}};
  if (!split->is_split()) {
    remark.kind = Remark::Kind::missed;
    if (split->at.source == &source) remark.span = split->at.span;
    remark.parts = {words("the block at line "),
                    {"Line", line(keyword.begin)},
                    words(" is not split: "),
                    {"Reason", split->reason}};
    remarks.push_back(std::move(remark));
    return;
  }
  const auto& statements = sharing.graph.functions[static_cast<std::size_t>(split->function)].statements;
  const auto span_of = [&](int statement) { return statements[static_cast<std::size_t>(statement)].at.span; };
  remark.parts = {words("split: it ")};
  if (split->first >= 0) {
    remark.parts.push_back(words("starts before line "));
    remark.parts.push_back({"Line", line(span_of(split->first).begin)});
  }
  if (split->last >= 0) {
    remark.parts.push_back(
        words(split->first < 0 ? "is complete after line " : ", and is complete after line "));
    remark.parts.push_back({"Line", line(span_of(split->last).end - 1)});
    if (split->loop >= 0) remark.parts.push_back(words(", in the next iteration"));
  }
  remarks.push_back(std::move(remark));
}

}  // namespace kanor::report
