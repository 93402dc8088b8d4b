// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/message_pipelining.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "analysis/calls.hpp"
#include "analysis/steps.hpp"

namespace kanor::analysis {
namespace {

using flow::Location;
using Role = flow::Message::Role;

/// Returns true if a line of the text, but for the first, is a directive.
bool has_directive(std::string_view text) {
  for (auto line = text.find('\n'); line != std::string_view::npos; line = text.find('\n', line + 1)) {
    const auto first = text.find_first_not_of(" \t", line + 1);
    if (first != std::string_view::npos && text[first] == '#') return true;
  }
  return false;
}

class OneMessage {
 public:
  OneMessage(const flow::FlowGraph& graph, const Calls& calls, const OwnMessages& passed,
             MessagePipeline& made)
      : graph_(graph),
        calls_(calls),
        passed_(passed),
        function_(graph.functions[static_cast<std::size_t>(made.function)]),
        message_(function_.messages[static_cast<std::size_t>(made.message)]),
        made_(made) {}

  void decide() {
    auto no = obstacle();
    if (!no) no = find_loop();
    if (!no) return;
    made_.strips = {};
    made_.choice = -1;
    made_.reason = std::move(no->reason);
    made_.at = no->at;
  }

 private:
  const flow::Candidate& buffer() const {
    return function_.candidates[static_cast<std::size_t>(message_.candidate)];
  }
  std::string name() const {
    return "'" + graph_.variables[static_cast<std::size_t>(buffer().variable)].name + "'";
  }
  const flow::Statement& statement(int number) const {
    return function_.statements[static_cast<std::size_t>(number)];
  }

  /// What the message itself has against it, whatever stands around it.
  std::optional<WhyNot> obstacle() {
    if (!message_.undivided.empty()) return WhyNot{message_.undivided, {}};
    if (!graph_.message_obstacles.empty()) {
      const auto& [at, why] = graph_.message_obstacles.front();
      return WhyNot{why, at};
    }
    if (graph_.errors_return) return WhyNot{"calls of MPI that fail may return to the program", {}};
    if (std::binary_search(passed_.buffers.begin(), passed_.buffers.end(),
                           std::pair(made_.function, message_.candidate)))
      return WhyNot{name() + " changes hands", {}};
    if (message_.has_none) return WhyNot{"it is with MPI_PROC_NULL, and does nothing", {}};
    if (auto no = other_use()) return no;
    const long long bytes = message_.count.value ? *message_.count.value * message_.type_bytes : -1;
    if (bytes >= 0 && bytes < least_pipelined_bytes)
      return WhyNot{"its " + std::to_string(bytes) + " bytes travel faster at once", {}};
    made_.element_bytes = buffer().memory.element_bytes;
    for (std::size_t at = 1; at < buffer().extents.size(); ++at) made_.element_bytes *= buffer().extents[at];
    if (made_.element_bytes <= 0) return WhyNot{"the size of the elements is not known", {}};
    return why_nothing_beside(function_, message_.statement);
  }

  /// How the buffer may be used otherwise than by its name, in any function.
  std::optional<WhyNot> other_use() const {
    for (const flow::Function& function : graph_.functions)
      for (const flow::Candidate& one : function.candidates) {
        if (one.variable != buffer().variable) continue;
        if (!one.obstacles.empty()) {
          const auto& [why, at] = one.obstacles.front();
          return WhyNot{why + " (" + name() + ")", at};
        }
        const Steps steps(function, one, calls_);
        for (const flow::Access* escape : steps.escapes) {
          const std::string& why =
              escape->kind == flow::AccessKind::call ? calls_.of(*escape).reason : escape->reason;
          return WhyNot{name() + " may be used in another way: " + why, escape->at};
        }
      }
    return std::nullopt;
  }

  std::optional<WhyNot> find_loop() {
    auto no = find_loop(message_.statement);
    if (!no || made_.strips.around >= 0 || message_.condition.source == nullptr) return no;
    made_.choice = statement(message_.statement).parent;
    made_.strips = {};
    auto nothing_beside = why_nothing_beside(function_, made_.choice);
    return nothing_beside ? nothing_beside : find_loop(made_.choice);
  }

  /// The same beside the call, or beside the statement in a branch of which it is.
  std::optional<WhyNot> find_loop(int middle) {
    const LoopSearch search(graph_, function_, middle);
    const bool sends = message_.role == Role::send;
    const int variable = buffer().variable;
    auto no =
        sends ? search.find_producer(variable, made_.strips) : search.find_consumer(variable, made_.strips);
    if (!no) no = why_not_across(middle, search.neighbours(sends));
    if (!no && sends && !search.is_declared_before(variable, statement(made_.strips.around).at))
      no = WhyNot{"it is declared after the loop", buffer().declaration};
    return no;
  }

  /// Why a part of the call can't move across the loop and what stands between: the statements beside the
  /// middle one, the nearest first.
  std::optional<WhyNot> why_not_across(int middle, const std::vector<int>& beside) const {
    const Location& call = statement(middle).at;
    text::Span crossed = call.span;
    for (const int number : beside) {
      const flow::Statement& one = statement(number);
      if (!one.effect.empty()) return WhyNot{one.effect, one.effect_at.source ? one.effect_at : one.at};
      for (const int callee : one.runs)
        for (const flow::Candidate& used : graph_.functions[static_cast<std::size_t>(callee)].candidates)
          if (used.variable == buffer().variable)
            return WhyNot{"a function that uses " + name() + " may be called here", one.at};
      crossed = {std::min(crossed.begin, one.at.span.begin), std::max(crossed.end, one.at.span.end)};
      if (number == made_.strips.around) break;
    }
    for (const Location& conflict : message_.conflicts)
      if (conflict.source == call.source && crossed.begin <= conflict.span.begin &&
          conflict.span.begin < crossed.end)
        return WhyNot{message_.role == Role::send ? "its arguments change here" : "its status is used here",
                      conflict};
    if (has_directive(call.source->text(crossed)))
      return WhyNot{"a directive stands between it and the loop", {}};
    return std::nullopt;
  }

  const flow::FlowGraph& graph_;
  const Calls& calls_;
  const OwnMessages& passed_;
  const flow::Function& function_;
  const flow::Message& message_;
  MessagePipeline& made_;
};

}  // namespace

std::vector<MessagePipeline> pipeline_messages(const flow::FlowGraph& graph, const OwnMessages& passed) {
  std::vector<MessagePipeline> made;
  const Calls calls(graph);
  for (std::size_t function = 0; function < graph.functions.size(); ++function)
    for (std::size_t message = 0; message < graph.functions[function].messages.size(); ++message) {
      MessagePipeline& one = made.emplace_back();
      one.function = static_cast<int>(function);
      one.message = static_cast<int>(message);
      OneMessage(graph, calls, passed, one).decide();
    }
  return made;
}

bool any(const std::vector<MessagePipeline>& pipelines) {
  return std::any_of(pipelines.begin(), pipelines.end(),
                     [](const MessagePipeline& one) { return one.reason.empty(); });
}

}  // namespace kanor::analysis
