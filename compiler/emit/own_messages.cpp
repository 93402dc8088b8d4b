// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/own_messages.hpp"

#include <string_view>
#include <utility>

namespace kanor::emit {
namespace {

using text::Span;
using Kind = flow::BufferMemory::Kind;

/// The function in place of one of MPI's, malloc, calloc or free.
std::string_view own_name(std::string_view name) {
  if (name.starts_with("std::")) name.remove_prefix(5);
  if (name.starts_with("::")) name.remove_prefix(2);
  constexpr std::pair<std::string_view, std::string_view> names[]{
      {"MPI_Send", "kanor_own_send"},   {"MPI_Isend", "kanor_own_isend"}, {"MPI_Recv", "kanor_own_recv"},
      {"MPI_Irecv", "kanor_own_irecv"}, {"malloc", "kanor_own_malloc"},   {"calloc", "kanor_own_calloc"},
      {"free", "kanor_own_free"}};
  for (const auto& [original, own] : names)
    if (original == name) return own;
  return name;
}

class Edits {
 public:
  Edits(const text::Source& source, const flow::FlowGraph& graph) : source_(source), graph_(graph) {}

  void add_buffer(const flow::Candidate& buffer) {
    const std::string name = name_of(buffer);
    for (const flow::Location& call : buffer.memory.calls)
      replace(call.span, std::string(own_name(source_.text(call.span))));
    for (const flow::Location& size : buffer.memory.sizes)
      replace(size.span, "((__SIZE_TYPE__)" + std::to_string(buffer.bytes) + ")");
    if (buffer.memory.kind == Kind::automatic) declare(buffer, name);
    if (buffer.memory.kind == Kind::lasting) keep_home(buffer, name);
  }

  void add_message(const flow::Message& message, const flow::Candidate& buffer) {
    const std::string name = name_of(buffer);
    const bool has_home = buffer.memory.kind == Kind::lasting;
    replace(message.name.span, std::string(own_name(message.call)));
    replace(message.buffer.span, "&" + name + (has_home ? ", kanor_home_" + name : std::string(", 0")) +
                                     ", " + std::to_string(has_home ? buffer.bytes : 0));
  }

  std::vector<SmallEdit> take() { return std::move(edits_); }

 private:
  const std::string& name_of(const flow::Candidate& buffer) const {
    return graph_.variables[static_cast<std::size_t>(buffer.variable)].name;
  }
  void replace(Span span, std::string words) { edits_.push_back({span, std::move(words), false}); }

  /// The declarator of a pointer to what the array's first dimension counts: `*a`, `(*a)[8]`.
  std::string pointer(const flow::Candidate& buffer, const std::string& name) const {
    const Span inner = buffer.spelling.declarators.front().suffix;
    return inner.empty() ? "*" + name : "(*" + name + ")" + std::string(source_.text(inner));
  }

  /// A local array becomes a pointer to a buffer that it has until its scope ends.
  void declare(const flow::Candidate& buffer, const std::string& name) {
    const std::string bytes = std::to_string(buffer.bytes);
    replace(buffer.spelling.declarators.front().all,
            pointer(buffer, name) + " __attribute__((__cleanup__(kanor_own_leave))) = (__typeof__(" + name +
                "))" + (buffer.memory.is_zeroed ? "kanor_own_zeros(" : "kanor_own_new(") + bytes + ")");
  }

  /// A static array stays, behind a pointer that begins there.
  void keep_home(const flow::Candidate& buffer, const std::string& name) {
    const auto& declarator = buffer.spelling.declarators.front();
    replace({declarator.name.begin, declarator.name.begin}, "kanor_home_");
    replace({declarator.all.end, declarator.all.end}, ", " + pointer(buffer, name) + " = kanor_home_" + name);
  }

  const text::Source& source_;
  const flow::FlowGraph& graph_;
  std::vector<SmallEdit> edits_;
};

}  // namespace

std::vector<SmallEdit> spell_own_messages(const text::Source& source, const flow::FlowGraph& graph,
                                          const analysis::OwnMessages& decisions) {
  Edits edits(source, graph);
  const auto buffer_at = [&](int function, int candidate) -> const flow::Candidate& {
    return graph.functions[static_cast<std::size_t>(function)]
        .candidates[static_cast<std::size_t>(candidate)];
  };
  for (const auto& [function, candidate] : decisions.buffers)
    edits.add_buffer(buffer_at(function, candidate));
  for (const analysis::MessageDecision& decision : decisions.messages) {
    if (!decision.reason.empty()) continue;
    const auto& message = graph.functions[static_cast<std::size_t>(decision.function)]
                              .messages[static_cast<std::size_t>(decision.message)];
    edits.add_message(message, buffer_at(decision.function, message.candidate));
  }
  return edits.take();
}

}  // namespace kanor::emit
