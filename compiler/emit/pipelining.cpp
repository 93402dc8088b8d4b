// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/pipelining.hpp"

#include <initializer_list>
#include <utility>

namespace kanor::emit {
namespace {

using analysis::Pipeline;

/// What a loop that is cut into strips does for blocks: it computes the values of some, and uses the places
/// of others.
struct Roles {
  std::vector<const Pipeline*> produces, consumes;
};

std::string numbers(std::initializer_list<long long> all) {
  std::string text;
  for (const long long one : all) text += ", " + std::to_string(one);
  return text;
}

void cut(const flow::Loop& loop, const flow::Location& at, const Roles& roles,
         std::vector<SmallEdit>& edits) {
  const std::string& counter = loop.spelling->counter;
  const int number = (roles.produces.empty() ? roles.consumes : roles.produces).front()->block;
  const std::string end = "kanor_end_" + std::to_string(number);
  std::string last = loop.spelling->limit, after;
  for (const Pipeline* one : roles.consumes) {
    const auto& [loop_number, around, factor, rest, least, reason, where] = one->consumer;
    last = name_of_delta(one->block) + ".arrived(" + counter + ", " + last + numbers({factor, rest, least}) +
           ')';
  }
  for (const Pipeline* one : roles.produces) {
    last = name_of_delta(one->block) + ".strip(" + counter + ", " + last + ')';
    after += ' ' + name_of_delta(one->block) + ".produced(" + counter +
             numbers({one->producer.factor, one->producer.rest}) + ");";
  }
  cut_loop(loop, at, {"const auto " + end + " = " + last + ";", end, after}, edits);
}

/// Declares the objects of blocks that are complete in the next iteration, and completes split blocks. A
/// block that is complete where it stands does so by itself.
void spell_splits(const analysis::Sharing& sharing, const text::Source& source, PipelinedLoops& made) {
  for (const analysis::SplitPhase& one : sharing.splits) {
    if (one.source != &source || !one.is_split()) continue;
    const auto& statements = sharing.graph.functions[static_cast<std::size_t>(one.function)].statements;
    const auto span_of = [&](int statement) {
      return statements[static_cast<std::size_t>(statement)].at.span;
    };
    const std::string name = name_of_pending(one.block);
    const auto insert = [&](std::uint32_t at, std::string words) {
      made.edits.push_back({{at, at}, std::move(words), false});
    };
    if (one.first >= 0) made.starts.emplace(span_of(one.first).begin, one.block);
    if (one.loop >= 0) {
      insert(span_of(one.loop).begin, "::kanor::pending " + name + "; ");
      insert(span_of(one.loop).end, " ; " + name + " = {};");
    }
    // The first iteration has nothing to complete.
    if (one.last >= 0) insert(span_of(one.last).end, " ; " + name + (one.loop >= 0 ? " = {};" : ".wait();"));
  }
}

}  // namespace

void cut_loop(const flow::Loop& loop, const flow::Location& at, const StripWords& words,
              std::vector<SmallEdit>& edits) {
  const auto& [counter, limit, length_of, step] = *loop.spelling;
  const std::string goes_on = counter + " < " + words.end;
  edits.push_back({{step.span.begin, step.span.begin},
                   ") { " + words.declarations + " { for (; " + goes_on + "; ",
                   false});
  edits.push_back({{at.span.end, at.span.end}, " }" + words.after + " if (" + goes_on + ") break; }", false});
}

std::string name_of_delta(int block) { return "kanor_delta_" + std::to_string(block); }

std::string name_of_pending(int block) { return "kanor_pending_" + std::to_string(block); }

PipelinedLoops spell_pipelines(const analysis::Sharing& sharing, const text::Source& source) {
  const flow::FlowGraph& graph = sharing.graph;
  const analysis::Pipelines& pipelines = sharing.pipelines;
  PipelinedLoops made;
  std::map<std::pair<int, int>, Roles> loops;
  for (const Pipeline& one : pipelines) {
    if (one.source != &source) continue;
    if (one.producer.loop >= 0) loops[{one.function, one.producer.loop}].produces.push_back(&one);
    if (one.consumer.loop >= 0) loops[{one.function, one.consumer.loop}].consumes.push_back(&one);
  }
  for (const auto& [where, roles] : loops) {
    const flow::Function& function = graph.functions[static_cast<std::size_t>(where.first)];
    const flow::Loop& loop = function.loops[static_cast<std::size_t>(where.second)];
    cut(loop, function.statements[static_cast<std::size_t>(loop.statement)].at, roles, made.edits);
  }
  for (const Pipeline& one : pipelines) {
    if (one.source != &source) continue;
    const auto& statements = graph.functions[static_cast<std::size_t>(one.function)].statements;
    const auto span_of = [&](int statement) {
      return statements[static_cast<std::size_t>(statement)].at.span;
    };
    if (one.producer.loop >= 0) made.starts.emplace(span_of(one.producer.around).begin, one.block);
    if (one.consumer.loop < 0) continue;
    const std::uint32_t end = span_of(one.consumer.around).end;
    // Clang's -Wmisleading-indentation takes an empty statement as the end of an `if` before it.
    made.edits.push_back({{end, end}, " ; " + name_of_delta(one.block) + ".complete();", false});
  }
  spell_splits(sharing, source, made);
  return made;
}

}  // namespace kanor::emit
