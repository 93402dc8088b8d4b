// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/mpi_program.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "emit/line_writer.hpp"
#include "emit/message_pipelining.hpp"
#include "emit/own_messages.hpp"

namespace kanor::emit {

std::string emit_mpi_program(const text::Source& source, const std::vector<text::Renumbering>& renumberings,
                             const flow::FlowGraph& graph, const analysis::OwnMessages& passed,
                             const std::vector<analysis::MessagePipeline>& pipelines) {
  LineWriter out(source, renumberings);
  std::vector<SmallEdit> edits = spell_own_messages(source, graph, passed);
  std::vector<SmallEdit> more =
      spell_message_pipelines(source, graph, pipelines, [&](unsigned line) { return out.shown_line(line); });
  edits.insert(edits.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  std::stable_sort(edits.begin(), edits.end(),
                   [](const auto& a, const auto& b) { return a.span.begin < b.span.begin; });
  if (passed.any()) out.own_line("#include <kanor/abi/own_messages.h>");
  if (any(pipelines)) out.own_line("#include <kanor/abi/pipelined_messages.h>");
  out.begin_file();
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::uint32_t at = source.bytes().starts_with(byte_order_mark) ? 3 : 0;
  for (const SmallEdit& edit : edits) {
    out.user({at, edit.span.begin});
    out.words(edit.replacement);
    at = edit.span.end;
  }
  out.user({at, static_cast<std::uint32_t>(source.bytes().size())});
  return std::move(out).take();
}

}  // namespace kanor::emit
