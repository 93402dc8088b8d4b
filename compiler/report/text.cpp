// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cctype>
#include <ostream>
#include <string>

#include "report/remarks.hpp"
#include "report/styles.hpp"

namespace kanor::report {
namespace {

std::string_view flag(Remark::Kind kind) {
  switch (kind) {
    case Remark::Kind::passed:
      return "-Rpass=kanor";
    case Remark::Kind::missed:
      return "-Rpass-missed=kanor";
    case Remark::Kind::analysis:
      break;
  }
  return "-Rpass-analysis=kanor";
}

}  // namespace

void print(const Remark& remark, const text::Source& source, std::ostream& out) {
  const auto at = source.line_column(remark.span.begin);
  const auto line = source.line_text(at.line);
  const auto lines = remark.lines();
  out << source.path() << ':' << at.line << ':' << at.column << ": remark: " << lines.front() << " ["
      << flag(remark.kind) << "]\n"
      << line << '\n';
  for (const char c : line.substr(0, at.column - 1)) out << (c == '\t' ? '\t' : ' ');
  const auto length = remark.span.end - remark.span.begin;
  const auto room = static_cast<std::uint32_t>(line.size()) - (at.column - 1);
  out << '^' << std::string(std::min(std::max(length, 1u), std::max(room, 1u)) - 1, '~') << '\n';
  for (std::size_t i = 1; i < lines.size(); ++i) out << "kanorc: note: " << lines[i] << '\n';
}

void print_text(const plan::CommPlan& plan, const analysis::Sharing& sharing, std::ostream& out) {
  for (const auto& file : plan.files)
    for (const auto& block : file.blocks)
      for (const auto& statement : block.statements)
        for (const auto& remark : remarks(block, statement, *file.file->source, sharing))
          print(remark, *file.file->source, out);
}

}  // namespace kanor::report
