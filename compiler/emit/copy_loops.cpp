// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/copy_loops.hpp"

#include "emit/spelling.hpp"

namespace kanor::emit {
namespace {

using flow::CopyLoop;

std::string argument(const std::string& text) { return has_top_level_comma(text) ? '(' + text + ')' : text; }

/// The call that says what the loop copies. A counter that is declared before the loop has a parameter of its
/// name, of which the host compiler must not warn.
std::string call(const CopyLoop& loop, const std::string& name, const std::string& earlier) {
  std::string counters, parameters;
  bool shadows = false;
  for (const CopyLoop::Counter& one : loop.spelling.counters) {
    counters += (counters.empty() ? "" : ", ") + ("::kanor::abi::counts<" + one.type + ">(") +
                argument(one.first) + ", " + argument(one.limit) + ", " + std::to_string(one.step) +
                (one.is_inclusive ? ", true)" : ", false)");
    parameters += (parameters.empty() ? "" : ", ") + ("[[maybe_unused]] const " + one.type + ' ' + one.name);
    shadows = shadows || one.is_outside;
  }
  std::string element = loop.spelling.element;
  if (!loop.spelling.running.empty())
    element +=
        '[' + (loop.spelling.running_at.empty() ? loop.spelling.running : loop.spelling.running_at) + ']';
  // By value: a number whose address is taken makes the loop itself slower.
  std::string captures = "[&";
  for (const std::string& number : loop.spelling.numbers) captures += ", " + number;
  std::string words = name + (loop.unpacks ? ".replaces_updates({" : ".replaces({") + counters + "}, " +
                      (loop.spelling.running.empty() ? "false" : "true") + ", " + captures + "](" +
                      parameters + ") { return " + name + ".of(" + argument(element) + ", " +
                      argument(loop.spelling.other) + "); }" + earlier + ");";
  if (shadows)
    words = R"(_Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"") )" + words +
            R"( _Pragma("GCC diagnostic pop"))";
  return words;
}

/// Statements that give variables the values that they have behind the loop.
std::string values_behind(const CopyLoop& loop, const std::string& name) {
  std::string words;
  const auto assign = [&](const std::string& variable, const char* op, const std::string& value) {
    words += ' ' + variable + op + "static_cast<decltype(" + variable + ")>(" + name + value + ");";
  };
  if (!loop.spelling.running.empty()) assign(loop.spelling.running, " += ", ".total()");
  for (std::size_t at = 0; at < loop.spelling.counters.size(); ++at)
    if (loop.spelling.counters[at].is_outside)
      assign(loop.spelling.counters[at].name, " = ", ".end(" + std::to_string(at) + ")");
  return words;
}

}  // namespace

SpelledCopyLoops spell_copy_loops(const analysis::Sharing& sharing, const plan::FilePlan& file) {
  SpelledCopyLoops made;
  const text::Source& source = *file.file->source;
  std::map<int, std::string> earlier;  // loops behind a block, in their order
  int number = 0;
  for (const analysis::ReplacedLoop& one : sharing.loops) {
    if (one.source != &source || !one.is_replaced()) continue;
    const CopyLoop& loop = analysis::loop_of(sharing.graph, one);
    const auto& statements = sharing.graph.functions[static_cast<std::size_t>(one.function)].statements;
    const text::Span span = statements[static_cast<std::size_t>(loop.statement)].at.span;
    const std::string name = "kanor_copy_" + std::to_string(number++);
    const auto insert = [&](std::uint32_t at, std::string words) {
      made.edits.push_back({{at, at}, std::move(words), false});
    };
    const std::string object =
        "::kanor::abi::copy_loop<" + std::to_string(loop.spelling.counters.size()) + "> " + name + "; ";
    std::string before;
    if (loop.unpacks) {
      std::string conditions;
      for (const std::string& condition : loop.spelling.conditions)
        conditions += (conditions.empty() ? "if ((" : ") && (") + condition;
      if (!conditions.empty()) conditions += ")) ";
      const std::uint32_t block = file.blocks[static_cast<std::size_t>(one.block)].block->syntax->span.begin;
      insert(block, object + conditions + "{ " + call(loop, name, earlier[one.block]) + " } ");
      earlier[one.block] += ", " + name;
    } else {
      insert(loop.beside.span.begin, object);
      before = call(loop, name, {}) + ' ';
    }
    const std::string done = name + (loop.unpacks ? ".is_done()" : ".is_replaced()");
    const std::string after = values_behind(loop, name);
    const bool needs_braces = span.begin != loop.beside.span.begin;
    insert(span.begin,
           (needs_braces ? "{ " : "") + before +
               (after.empty() ? "if (!" + done + ") " : "if (" + done + ") {" + after + " } else "));
    if (needs_braces) insert(span.end, " }");
    made.functions[loop.operand.span.begin] = name + (loop.unpacks ? ".place" : ".value");
  }
  return made;
}

}  // namespace kanor::emit
