// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/pipelining.hpp"

#include <algorithm>
#include <string>

#include "analysis/wording.hpp"

namespace kanor::report {
namespace {

/// The decision on the block, which begins there; null if there is none.
const analysis::Pipeline* pipeline_of(const syntax::Block& block, const text::Source& source,
                                      const analysis::Sharing& sharing) {
  for (const analysis::Pipeline& one : sharing.pipelines) {
    const auto& statements = sharing.graph.functions[static_cast<std::size_t>(one.function)].statements;
    if (one.source == &source && one.statement >= 0 &&
        statements[static_cast<std::size_t>(one.statement)].at.span.begin == block.span.begin)
      return &one;
  }
  return nullptr;
}

void add_loop(const flow::Function& function, const analysis::Strips& strips, const text::Source& source,
              const char* what, Remark& remark) {
  if (strips.loop < 0) return;
  const int statement = function.loops[static_cast<std::size_t>(strips.loop)].statement;
  const auto begin = function.statements[static_cast<std::size_t>(statement)].at.span.begin;
  remark.parts.push_back(words(remark.parts.size() == 1 ? "the loop at line " : ", and the loop at line "));
  remark.parts.push_back({"Line", std::to_string(source.line(begin))});
  remark.parts.push_back(words(what));
}

}  // namespace

void add_pipelining(const syntax::Block& block, const text::Source& source, const analysis::Sharing& sharing,
                    std::vector<Remark>& remarks) {
  const auto* const delta = syntax::find_modifier(block, syntax::ModifierKind::delta);
  const analysis::Pipeline* const pipeline = pipeline_of(block, source, sharing);
  if (delta == nullptr && pipeline == nullptr) return;
  const text::Span where = delta != nullptr ? delta->span : syntax::keyword_of(block, source);
  Remark remark{Remark::Kind::passed, "Pipelining", where, {}};
  const auto reasons = analysis::why_not_pipelined(pipeline);
  if (reasons.empty()) {
    const auto& function = sharing.graph.functions[static_cast<std::size_t>(pipeline->function)];
    remark.parts = {words("pipelined with ")};
    add_loop(function, pipeline->producer, source, ", which computes the value", remark);
    add_loop(function, pipeline->consumer, source, ", which uses the place", remark);
  } else {
    remark.kind = Remark::Kind::missed;
    remark.parts = {words("not pipelined: "), {"Reason", reasons.front().text}};
    for (std::size_t at = 1; at < reasons.size(); ++at) {
      remark.parts.push_back(words("; "));
      remark.parts.push_back({"Reason", reasons[at].text});
    }
  }
  remarks.push_back(std::move(remark));
}

}  // namespace kanor::report
