// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <ostream>
#include <set>
#include <string>

#include "report/matrix.hpp"
#include "report/remarks.hpp"
#include "report/styles.hpp"
#include "report/volume.hpp"

namespace kanor::report {
namespace {

constexpr std::string_view head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Communication blocks</title>
<style>
body { font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; }
pre { background: #f4f4f4; padding: 0.6em; overflow-x: auto; }
section { display: flow-root; border-top: 1px solid #ccc; margin-top: 1.5em; }
figure { float: right; margin: 0 0 1em 1em; }
figcaption { font-size: 80%; color: #555; max-width: 14em; }
li.passed::marker { content: "\2713  "; color: #187a2f; }
li.missed::marker { content: "\2717  "; color: #b02a1a; }
li.analysis::marker { content: "\2022  "; }
</style>
</head>
<body>
<h1>Communication blocks</h1>
)";

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

/// The sum of a block's statements, a row for each sender, a column for each receiver.
struct Picture {
  std::vector<int> values;
  std::set<std::string> unknown;
  bool is_partial = false;
};

Picture picture_of(const plan::BlockPlan& block, int ranks) {
  Picture picture{
      std::vector<int>(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks)), {}, false};
  for (const auto& statement : block.statements) {
    const Matrix matrix = communication_matrix(statement, ranks);
    for (std::size_t at = 0; at < matrix.values.size(); ++at) picture.values[at] += matrix.values[at];
    if (!matrix.unknown.empty()) picture.unknown.insert(matrix.unknown);
    picture.is_partial |= matrix.is_partial;
  }
  return picture;
}

void print_svg(const Picture& picture, int ranks, std::ostream& out) {
  const int cell = std::clamp(200 / ranks, 1, 20), size = cell * ranks, edge = 20;
  const int most = std::max(1, *std::max_element(picture.values.begin(), picture.values.end()));
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << size + edge + 1 << "\" height=\""
      << size + edge + 1 << "\" role=\"img\" aria-label=\"communication matrix\">\n"
      << "<text x=\"" << edge << "\" y=\"14\" font-size=\"11\">receiver</text>\n"
      << "<text x=\"14\" y=\"" << edge << "\" font-size=\"11\" transform=\"rotate(90 6 " << edge
      << ")\">sender</text>\n"
      << "<rect x=\"" << edge << "\" y=\"" << edge << "\" width=\"" << size << "\" height=\"" << size
      << "\" fill=\"" << (picture.unknown.empty() ? "#fff" : "#bbb") << "\" stroke=\"#888\"/>\n";
  for (int from = 0; from < ranks; ++from)
    for (int to = 0; to < ranks; ++to) {
      const int count = picture.values[static_cast<std::size_t>(from * ranks + to)];
      if (count == 0) continue;
      out << "<rect x=\"" << edge + to * cell << "\" y=\"" << edge + from * cell << "\" width=\"" << cell
          << "\" height=\"" << cell << "\" fill=\"" << (from == to ? "#9aa7b5" : "#1f5fa8")
          << "\" fill-opacity=\""
          << (most == 1       ? "1"
              : count == most ? "1"
                              : "0.6")
          << "\"><title>rank " << from << " to rank " << to << ": " << count << "</title></rect>\n";
    }
  out << "</svg>\n";
}

void print_block(const plan::BlockPlan& block, const text::Source& source, const analysis::Sharing& sharing,
                 int ranks, std::ostream& out) {
  const auto at = source.line_column(block.block->syntax->span.begin);
  out << "<section>\n<h2>" << escaped(source.path()) << ':' << at.line << "</h2>\n";
  if (!block.block->function.empty())
    out << "<p>in <code>" << escaped(block.block->function) << "</code></p>\n";
  const Picture picture = picture_of(block, ranks);
  out << "<figure>\n";
  print_svg(picture, ranks, out);
  out << "<figcaption>" << ranks << " ranks";
  for (const auto& what : picture.unknown) out << "; grey: known only at run time: " << escaped(what);
  if (picture.is_partial) out << "; filters known only at run time may exclude some";
  out << "</figcaption>\n</figure>\n<pre>" << escaped(source.text(block.block->syntax->span)) << "</pre>\n";
  for (const auto& statement : block.statements) {
    out << "<p><code>" << escaped(source.text(statement.statement->syntax->span)) << "</code></p>\n<ul>\n";
    for (const auto& remark : remarks(block, statement, source, sharing)) {
      const auto kind = remark.kind == Remark::Kind::passed   ? "passed"
                        : remark.kind == Remark::Kind::missed ? "missed"
                                                              : "analysis";
      out << "<li class=\"" << kind << "\">" << escaped(remark.message()) << "</li>\n";
    }
    out << "</ul>\n";
  }
  out << "</section>\n";
}

}  // namespace

void print_html(const plan::CommPlan& plan, const analysis::Sharing& sharing, int ranks, std::ostream& out) {
  out << head;
  for (const auto& file : plan.files)
    for (const auto& block : file.blocks) print_block(block, *file.file->source, sharing, ranks, out);
  out << "</body>\n</html>\n";
}

}  // namespace kanor::report
