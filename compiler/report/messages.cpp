// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/own_messages.hpp"

#include <algorithm>
#include <ostream>

#include "report/remarks.hpp"

namespace kanor::report {
namespace {

std::string place(const flow::Location& where) {
  return where.source->path() + ":" + std::to_string(where.source->line(where.span.begin));
}

}  // namespace

void explain_messages(const flow::FlowGraph& graph, const analysis::OwnMessages& decisions,
                      std::ostream& out) {
  struct Line {
    const flow::Message* message;
    const analysis::MessageDecision* decision;
    std::string buffer;
  };
  std::vector<Line> lines;
  for (const analysis::MessageDecision& decision : decisions.messages) {
    const auto& function = graph.functions[static_cast<std::size_t>(decision.function)];
    const auto& message = function.messages[static_cast<std::size_t>(decision.message)];
    std::string buffer;
    if (message.candidate >= 0) {
      const auto& candidate = function.candidates[static_cast<std::size_t>(message.candidate)];
      buffer = graph.variables[static_cast<std::size_t>(candidate.variable)].name;
    }
    lines.push_back({&message, &decision, std::move(buffer)});
  }
  std::stable_sort(lines.begin(), lines.end(), [](const Line& one, const Line& other) {
    return one.message->at.span.begin < other.message->at.span.begin;
  });
  for (const auto& [message, decision, buffer] : lines) {
    if (message->at.source == nullptr) continue;
    Remark remark{Remark::Kind::passed, "OwnMessage", message->at.span, {}};
    const Remark::Part call{"Call", "'" + message->call + "'"};
    if (decision->reason.empty()) {
      const bool sends = message->role == flow::Message::Role::send;
      remark.parts = {call,
                      {"String", sends ? " gives '" : " takes the sender's buffer for '"},
                      {"Buffer", buffer},
                      {"String", sends ? "' away" : "'"}};
    } else {
      remark.kind = Remark::Kind::missed;
      remark.parts = {call, {"String", " copies: "}, {"Reason", decision->reason}};
      if (decision->where.source != nullptr && !(decision->where == message->at))
        remark.parts.push_back({"Where", " (" + place(decision->where) + ")"});
    }
    print(remark, *message->at.source, out);
  }
}

}  // namespace kanor::report
