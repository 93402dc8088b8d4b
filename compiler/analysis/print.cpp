// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <ostream>

#include "analysis/verdicts.hpp"

namespace kanor::analysis {
namespace {

std::string_view name(Reason::Kind kind) {
  switch (kind) {
    case Reason::Kind::not_asked:
      return "not asked";
    case Reason::Kind::obstacle:
      return "obstacle";
    case Reason::Kind::escapes:
      return "escapes";
    case Reason::Kind::not_exclusive:
      return "not exclusive";
    case Reason::Kind::too_small:
      return "too small";
    case Reason::Kind::not_in_loop:
      return "not in a loop";
    case Reason::Kind::much_reuse:
      return "much reuse";
    case Reason::Kind::never_sent:
      break;
  }
  return "never sent";
}

std::string_view name(Action action) {
  switch (action) {
    case Action::acquire:
      return "acquire";
    case Action::overwrite:
      return "overwrite";
    case Action::release:
      break;
  }
  return "release";
}

/// Prints the text at the location, on one line.
void quote(const flow::Location& at, std::ostream& out) {
  if (at.source == nullptr) return;
  const std::string_view text = at.source->text(at.span);
  const auto end = text.find('\n');
  out << " \"" << text.substr(0, end) << (end == std::string_view::npos ? "\"" : " ...\"");
}

void print(const std::vector<int>& nodes, std::ostream& out) {
  for (const int node : nodes) out << ' ' << node;
}

void print(std::string_view label, const std::vector<std::pair<int, int>>& edges, std::ostream& out) {
  if (edges.empty()) return;
  out << label;
  for (const auto& [from, to] : edges) out << ' ' << from << "->" << to;
}

}  // namespace

void print(const flow::FlowGraph& graph, const Verdicts& verdicts, std::ostream& out) {
  int before = -1;
  for (const Verdict& verdict : verdicts.all) {
    const flow::Function& function = graph.functions[static_cast<std::size_t>(verdict.function)];
    const flow::Candidate& candidate = function.candidates[static_cast<std::size_t>(verdict.candidate)];
    if (verdict.function != before) out << "function " << function.name << '\n';
    before = verdict.function;
    out << "  candidate " << graph.variables[static_cast<std::size_t>(candidate.variable)].name << ": "
        << (verdict.is_globalised  ? "globalised"
            : candidate.moves_only ? "moves only"
                                   : "not globalised")
        << '\n';
    for (const Reason& reason : verdict.reasons) {
      out << "    " << name(reason.kind);
      if (reason.kind == Reason::Kind::too_small) out << ": " << reason.number << " bytes";
      if (!reason.text.empty()) out << ": " << reason.text;
      quote(reason.at, out);
      out << '\n';
    }
    if (!verdict.locking_set.empty()) {
      out << "    locking set";
      print(verdict.locking_set, out);
      out << '\n';
    }
    for (const Component& component : verdict.components) {
      out << "    component";
      print(component.nodes, out);
      print(" in", component.entries, out);
      print(" out", component.exits, out);
      out << '\n';
    }
    for (const Insertion& insertion : verdict.insertions) {
      out << "    " << name(insertion.action) << (insertion.after ? " after " : " before ")
          << insertion.statement;
      quote(function.statements[static_cast<std::size_t>(insertion.statement)].at, out);
      out << '\n';
    }
    for (const Handover& handover : verdict.handovers) {
      out << "    hand over in block " << handover.block << " part " << handover.block_statement;
      quote(handover.at, out);
      out << '\n';
    }
  }
}

}  // namespace kanor::analysis
