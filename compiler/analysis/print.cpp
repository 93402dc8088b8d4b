// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <ostream>

#include "analysis/replaced_loops.hpp"
#include "analysis/split_phase.hpp"

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

void print(std::string_view role, const flow::Function& function, const Strips& strips, std::ostream& out) {
  out << "    " << role;
  if (strips.loop < 0) {
    out << " none" << (strips.reason.empty() ? "" : ": ") << strips.reason;
    quote(strips.at, out);
  } else {
    out << " loop " << strips.loop << " in " << strips.around << ": below " << strips.factor << "*i + "
        << strips.rest;
    if (strips.least > 0) out << ", and " << strips.least;
    quote(function.statements[static_cast<std::size_t>(strips.around)].at, out);
  }
  out << '\n';
}

}  // namespace

void print(const flow::FlowGraph& graph, const Pipelines& pipelines, std::ostream& out) {
  for (const Pipeline& one : pipelines) {
    const flow::Function& function = graph.functions[static_cast<std::size_t>(one.function)];
    out << "pipeline block " << one.block << " of " << function.name;
    if (!one.reason.empty()) out << ": " << one.reason;
    out << '\n';
    if (!one.reason.empty()) continue;
    print("producer", function, one.producer, out);
    print("consumer", function, one.consumer, out);
  }
}

void print(const flow::FlowGraph& graph, const SharingDecisions& decisions, std::ostream& out) {
  int before = -1;
  for (const SharingDecision& decision : decisions) {
    const flow::Function& function = graph.functions[static_cast<std::size_t>(decision.function)];
    const flow::Candidate& candidate = candidate_of(graph, decision);
    if (decision.function != before) out << "function " << function.name << '\n';
    before = decision.function;
    out << "  candidate " << graph.variables[static_cast<std::size_t>(candidate.variable)].name << ": "
        << (decision.is_globalised ? "globalised"
            : candidate.moves_only ? "moves only"
                                   : "not globalised")
        << '\n';
    for (const Reason& reason : decision.reasons) {
      out << "    " << name(reason.kind);
      if (reason.kind == Reason::Kind::too_small) out << ": " << reason.number << " bytes";
      if (!reason.text.empty()) out << ": " << reason.text;
      quote(reason.at, out);
      out << '\n';
    }
    if (!decision.locking_set.empty()) {
      out << "    locking set";
      print(decision.locking_set, out);
      out << '\n';
    }
    for (const Component& component : decision.components) {
      out << "    component";
      print(component.nodes, out);
      print(" in", component.entries, out);
      print(" out", component.exits, out);
      out << '\n';
    }
    for (const Insertion& insertion : decision.insertions) {
      out << "    " << name(insertion.action) << (insertion.after ? " after " : " before ")
          << insertion.statement;
      quote(function.statements[static_cast<std::size_t>(insertion.statement)].at, out);
      out << '\n';
    }
    for (const Handover& handover : decision.handovers) {
      out << "    hand over in block " << handover.block << " part " << handover.block_statement;
      quote(handover.at, out);
      out << '\n';
    }
  }
}

void print(const flow::FlowGraph& graph, const SplitPhases& splits, std::ostream& out) {
  for (const SplitPhase& one : splits) {
    const flow::Function& function = graph.functions[static_cast<std::size_t>(one.function)];
    out << "split block " << one.block << " of " << function.name;
    if (!one.is_split()) {
      out << ": no, " << one.reason;
      quote(one.at, out);
      out << '\n';
      continue;
    }
    out << '\n';
    const auto beside = [&](std::string_view where, int number) {
      if (number < 0) return;
      out << "    " << where << ' ' << number;
      quote(function.statements[static_cast<std::size_t>(number)].at, out);
      out << '\n';
    };
    beside("starts before", one.first);
    beside(one.loop < 0 ? "complete after" : "complete in the next iteration after", one.last);
    beside("complete after the loop", one.loop);
  }
}

void print(const flow::FlowGraph& graph, const ReplacedLoops& loops, std::ostream& out) {
  for (const ReplacedLoop& one : loops) {
    const flow::Function& function = graph.functions[static_cast<std::size_t>(one.function)];
    const flow::CopyLoop& loop = loop_of(graph, one);
    out << "loop " << (loop.unpacks ? "out of " : "into ")
        << graph.variables[static_cast<std::size_t>(loop.buffer)].name << ", block " << one.block << " of "
        << function.name << ": ";
    if (one.is_replaced())
      out << "replaced";
    else
      out << "no, " << one.reason;
    quote(one.is_replaced() ? loop.at : one.at, out);
    out << '\n';
  }
}

}  // namespace kanor::analysis
