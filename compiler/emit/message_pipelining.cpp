// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/message_pipelining.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "emit/pipelining.hpp"

namespace kanor::emit {
namespace {

using analysis::MessagePipeline;
using Role = flow::Message::Role;

class PipelineEdits {
 public:
  PipelineEdits(const text::Source& source, const flow::FlowGraph& graph,
                const std::vector<MessagePipeline>& pipelines,
                const std::function<unsigned(unsigned)>& shown_line)
      : source_(source), graph_(graph), pipelines_(pipelines), shown_line_(shown_line) {}

  std::vector<SmallEdit> make() {
    std::map<std::pair<int, int>, std::vector<int>> loops;
    for (std::size_t at = 0; at < pipelines_.size(); ++at)
      if (const MessagePipeline& one = pipelines_[at]; one.reason.empty())
        loops[{one.function, one.strips.loop}].push_back(static_cast<int>(at));
    for (auto& [where, numbers] : loops) cut(where.first, where.second, numbers);
    for (const Role role : {Role::receive, Role::send})
      for (std::size_t at = 0; at < pipelines_.size(); ++at)
        if (pipelines_[at].reason.empty() && message(pipelines_[at]).role == role)
          role == Role::send ? divide_send(static_cast<int>(at)) : divide_receive(static_cast<int>(at));
    return std::move(edits_);
  }

 private:
  const MessagePipeline& pipeline(int number) const { return pipelines_[static_cast<std::size_t>(number)]; }
  const flow::Function& function(int number) const {
    return graph_.functions[static_cast<std::size_t>(number)];
  }
  const flow::Message& message(const MessagePipeline& one) const {
    return function(one.function).messages[static_cast<std::size_t>(one.message)];
  }
  /// Those that wait for elements come first: what is here bounds the strip whose elements are then sent.
  void cut(int function_number, int loop_number, std::vector<int>& numbers) {
    const flow::Function& in = function(function_number);
    const flow::Loop& loop = in.loops[static_cast<std::size_t>(loop_number)];
    std::stable_partition(numbers.begin(), numbers.end(),
                          [&](int number) { return message(pipeline(number)).role == Role::receive; });
    const std::string& counter = loop.spelling->counter;
    // A comma in the limit is not one between a macro's arguments.
    const std::string& written = loop.spelling->limit;
    StripWords words{{}, written.find(',') == std::string::npos ? written : "(" + written + ")", {}};
    for (const int number : numbers) {
      const analysis::Strips& strips = pipeline(number).strips;
      const std::string name = name_of_delta(number),
                        linear = ", " + std::to_string(strips.factor) + ", " + std::to_string(strips.rest);
      const bool receives = message(pipeline(number)).role == Role::receive;
      const std::string limit = std::exchange(words.end, "kanor_end_" + std::to_string(number));
      words.declarations +=
          (words.declarations.empty() ? "const __typeof__(" : " const __typeof__(") + counter + ") " +
          words.end + " = " + (receives ? "KANOR_DELTA_ARRIVED(" : "KANOR_DELTA_STRIP(") + name + ", " +
          counter + ", " + limit + (receives ? linear + ", " + std::to_string(strips.least) : "") + ");";
      if (!receives) words.after += " KANOR_DELTA_COMPUTED(" + name + ", " + counter + linear + ");";
    }
    cut_loop(loop, in.statements[static_cast<std::size_t>(loop.statement)].at, words, edits_);
  }

  text::Span statement(const MessagePipeline& one, int number) const {
    return function(one.function).statements[static_cast<std::size_t>(number)].at.span;
  }
  void insert(std::uint32_t at, std::string words) { edits_.push_back({{at, at}, std::move(words), false}); }

  /// Puts other words in place of the call's name and the parenthesis behind it.
  void begin_call(const flow::Message& call, std::string words) {
    const auto open = source_.bytes().find('(', call.name.span.end);
    edits_.push_back({{call.name.span.begin, static_cast<std::uint32_t>(open + 1)}, std::move(words), false});
  }

  void divide_receive(int number) {
    const MessagePipeline& one = pipeline(number);
    const flow::Message& call = message(one);
    const std::string name = name_of_delta(number), bytes = ", " + std::to_string(one.element_bytes) + ", ";
    if (one.choice >= 0) insert(statement(one, one.choice).begin, "KANOR_DELTA_NONE(" + name + "); ");
    begin_call(call, (one.choice >= 0 ? "KANOR_DELTA_RECV_INTO(" : "KANOR_DELTA_RECV(") + name + bytes);
    // Clang's -Wmisleading-indentation takes an empty statement as the end of an `if` before it.
    insert(statement(one, one.strips.around).end, " ; kanor_delta_received(" + name + ");");
  }

  void divide_send(int number) {
    const MessagePipeline& one = pipeline(number);
    const flow::Message& call = message(one);
    const auto open = static_cast<std::uint32_t>(source_.bytes().find('(', call.name.span.end) + 1);
    const std::string name = name_of_delta(number);
    const std::string where = name + ", " + std::to_string(one.element_bytes) + ", " +
                              std::to_string(shown_line_(source_.line(call.at.span.begin))) + ", ";
    const std::string arguments = in_one_line({open, call.at.span.end});
    if (one.choice < 0) {
      insert(statement(one, one.strips.around).begin, "KANOR_DELTA_SEND(" + where + arguments + "; ");
    } else {
      const std::string condition = (call.is_otherwise ? "!(" : "(") + in_one_line(call.condition.span) + ")";
      insert(statement(one, one.strips.around).begin,
             "KANOR_DELTA_SEND_IF(" + condition + ", " + where + arguments + "; ");
    }
    begin_call(call, "KANOR_DELTA_SENT(" + name + ", ");
  }

  std::string in_one_line(text::Span span) const {
    std::string words(source_.text(span));
    std::replace_if(
        words.begin(), words.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return words;
  }

  const text::Source& source_;
  const flow::FlowGraph& graph_;
  const std::vector<MessagePipeline>& pipelines_;
  const std::function<unsigned(unsigned)>& shown_line_;
  std::vector<SmallEdit> edits_;
};

}  // namespace

std::vector<SmallEdit> spell_message_pipelines(const text::Source& source, const flow::FlowGraph& graph,
                                               const std::vector<MessagePipeline>& pipelines,
                                               const std::function<unsigned(unsigned)>& shown_line) {
  return PipelineEdits(source, graph, pipelines, shown_line).make();
}

}  // namespace kanor::emit
