// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/messages.hpp"

#include <algorithm>
#include <ostream>
#include <utility>

#include "report/remarks.hpp"

namespace kanor::report {
namespace {

std::string place(const flow::Location& where) {
  return where.source->path() + ":" + std::to_string(where.source->line(where.span.begin));
}

/// The remarks on a unit's messages.
class Remarks {
 public:
  explicit Remarks(const flow::FlowGraph& graph) : graph_(graph) {}

  void add(const analysis::MessageDecision& decision) {
    const flow::Message& message = begin("OwnMessage", decision.function, decision.message);
    if (!decision.reason.empty()) return refuse(" copies: ", decision.reason, decision.where, message);
    const bool sends = message.role == flow::Message::Role::send;
    add_part("String", sends ? " gives '" : " takes the sender's buffer for '");
    add_part("Buffer", buffer_of(decision.function, message));
    add_part("String", sends ? "' away" : "'");
  }

  void add(const analysis::MessagePipeline& pipeline) {
    const flow::Message& message = begin("Pipelining", pipeline.function, pipeline.message);
    if (!pipeline.reason.empty()) return refuse(" is not pipelined: ", pipeline.reason, pipeline.at, message);
    const flow::Function& function = graph_.functions[static_cast<std::size_t>(pipeline.function)];
    const int loop = function.loops[static_cast<std::size_t>(pipeline.strips.loop)].statement;
    const flow::Location& at = function.statements[static_cast<std::size_t>(loop)].at;
    const bool sends = message.role == flow::Message::Role::send;
    add_part("String", " is pipelined with the loop at line ");
    add_part("Line", std::to_string(at.source->line(at.span.begin)));
    add_part("String", sends ? ", which computes '" : ", which uses '");
    add_part("Buffer", buffer_of(pipeline.function, message));
    add_part("String", "'");
  }

  void print(std::ostream& out) {
    std::stable_sort(all_.begin(), all_.end(), [](const auto& one, const auto& other) {
      return one.second.span.begin < other.second.span.begin;
    });
    for (const auto& [source, remark] : all_)
      if (source != nullptr) report::print(remark, *source, out);
  }

 private:
  const flow::Message& begin(const char* what, int function, int number) {
    const flow::Message& message =
        graph_.functions[static_cast<std::size_t>(function)].messages[static_cast<std::size_t>(number)];
    all_.emplace_back(message.at.source, Remark{Remark::Kind::passed, what, message.at.span, {}});
    add_part("Call", "'" + message.call + "'");
    return message;
  }
  void add_part(const char* key, std::string text) {
    all_.back().second.parts.push_back({key, std::move(text)});
  }
  void refuse(const char* what, const std::string& reason, const flow::Location& where,
              const flow::Message& message) {
    all_.back().second.kind = Remark::Kind::missed;
    add_part("String", what);
    add_part("Reason", reason);
    if (where.source != nullptr && !(where == message.at)) add_part("Where", " (" + place(where) + ")");
  }
  std::string buffer_of(int function, const flow::Message& message) const {
    const auto& candidates = graph_.functions[static_cast<std::size_t>(function)].candidates;
    const auto& buffer = candidates[static_cast<std::size_t>(message.candidate)];
    return graph_.variables[static_cast<std::size_t>(buffer.variable)].name;
  }

  const flow::FlowGraph& graph_;
  std::vector<std::pair<const text::Source*, Remark>> all_;
};

}  // namespace

void explain_messages(const flow::FlowGraph& graph, const analysis::OwnMessages& decisions,
                      const std::vector<analysis::MessagePipeline>& pipelines, std::ostream& out) {
  Remarks remarks(graph);
  for (const auto& decision : decisions.messages) remarks.add(decision);
  for (const auto& pipeline : pipelines) remarks.add(pipeline);
  remarks.print(out);
}

}  // namespace kanor::report
