// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/pipelining.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "analysis/calls.hpp"
#include "analysis/steps.hpp"

namespace kanor::analysis {
namespace {

using flow::Access;
using flow::AccessKind;
using flow::Function;
using flow::Location;

class BlockPipeline {
 public:
  BlockPipeline(const flow::FlowGraph& graph, const Calls& calls, Pipeline& made)
      : graph_(graph),
        calls_(calls),
        function_(graph.functions[static_cast<std::size_t>(made.function)]),
        made_(made) {}

  void decide() {
    if (const auto no = obstacle()) {
      made_.reason = no->reason;
      made_.at = no->at;
      return;
    }
    const LoopSearch search(graph_, function_, made_.statement);
    auto no = search.find_producer(candidate(made_.value).variable, made_.producer);
    settle(made_.producer, no ? no : starts_early(search, made_.producer.around));
    settle(made_.consumer, search.find_consumer(candidate(made_.place).variable, made_.consumer));
    if (made_.wanted == flow::Pipelining::with_both) keep_if_it_pays();
  }

 private:
  static void settle(Strips& strips, const std::optional<WhyNot>& no) {
    if (!no) return;
    strips = {};
    strips.reason = no->reason;
    strips.at = no->at;
  }

  /// Takes back what nobody has asked for unless there are both loops, and some ranks may be in only one of
  /// them: where all ranks compute at the same time, and then all use, there is nothing to gain.
  void keep_if_it_pays() {
    Strips &producer = made_.producer, &consumer = made_.consumer;
    if (producer.loop >= 0 && consumer.loop >= 0) {
      if (statement_of(producer.loop) != producer.around || statement_of(consumer.loop) != consumer.around)
        return;
      settle(producer, WhyNot{"all ranks execute this loop at the same time", statement(producer.around).at});
    }
    producer.loop = consumer.loop = -1;
  }

  const flow::Candidate& candidate(int number) const {
    return function_.candidates[static_cast<std::size_t>(number)];
  }
  const flow::Statement& statement(int number) const {
    return function_.statements[static_cast<std::size_t>(number)];
  }
  std::uint32_t begin_of(int statement) const { return this->statement(statement).at.span.begin; }

  /// Why neither loop can be.
  std::optional<WhyNot> obstacle() const {
    const flow::Candidate &value = candidate(made_.value), &place = candidate(made_.place);
    if (made_.value == made_.place) return WhyNot{"its place is also its value", value.declaration};
    if (value.is_vector != place.is_vector || value.extents != place.extents ||
        value.element != place.element)
      return WhyNot{"its place has another type than its value", place.declaration};
    if (made_.wanted == flow::Pipelining::with_both)
      if (const auto no = why_not_unasked(value, place)) return no;
    for (const flow::Candidate* one : {&value, &place}) {
      const std::string name = name_of(one->variable);
      if (one->moves_only) return WhyNot{name + " is moved out of", one->declaration};
      if (!one->obstacles.empty()) {
        const auto& [why, at] = one->obstacles.front();
        return WhyNot{"of " + name + ", " + why, at.source ? at : one->declaration};
      }
      const Steps steps(function_, *one, calls_);
      for (const Access* escape : steps.escapes)
        return WhyNot{
            "of " + name + ", " + (escape->reason.empty() ? "a function may keep it" : escape->reason),
            escape->at};
    }
    if (made_.statement < 0 || !is_the_block(made_.statement))
      return WhyNot{"nothing can be put beside it", {}};
    return why_nothing_beside(function_, made_.statement);
  }

  /// The same for a block that does not ask to be pipelined.
  std::optional<WhyNot> why_not_unasked(const flow::Candidate& value, const flow::Candidate& place) const {
    if (value.bytes >= 0 && value.bytes < least_pipelined_bytes)
      return WhyNot{"the " + std::to_string(value.bytes) + " bytes of " + name_of(value.variable) +
                        " travel faster at once",
                    value.declaration};
    for (const flow::Candidate* one : {&value, &place})
      if (one->asked == flow::Candidate::Asked::globalize)
        return WhyNot{name_of(one->variable) + " is to be shared ([[kanor::globalize]])", one->declaration};
    return std::nullopt;
  }

  bool is_the_block(int number) const {
    return statement(number).at.source == made_.source && is_block(statement(number));
  }

  std::string name_of(int variable) const {
    return "'" + graph_.variables[static_cast<std::size_t>(variable)].name + "'";
  }

  int statement_of(int loop) const { return function_.loops[static_cast<std::size_t>(loop)].statement; }

  /// Why the block's ranks and sets cannot be evaluated before the statement instead of after it.
  std::optional<WhyNot> starts_early(const LoopSearch& search, int around) const {
    const Location& begin = statement(around).at;
    if (touches_another(statement(around))) return WhyNot{"the loop touches another statement", begin};
    for (const int number : {made_.value, made_.place})
      if (!search.is_declared_before(candidate(number).variable, begin))
        return WhyNot{"it is declared after the loop", candidate(number).declaration};
    const flow::Event* const block = event();
    if (block == nullptr) return WhyNot{"kanorc does not know what its ranks depend on", {}};
    std::set<int> used;
    for (const flow::Judged& judged : block->judged)
      for (const flow::Use& use : judged.uses) {
        using enum flow::Unknown;
        if (use.unknown != no && use.unknown != rank && use.unknown != team_size)
          return WhyNot{"a loop before it might change its ranks or sets", judged.at};
        if (use.unknown == no)
          for (const int variable : {use.variable, use.also})
            if (variable >= 0) used.insert(variable);
      }
    for (const int variable : used)
      if (!search.is_declared_before(variable, begin))
        return WhyNot{"its ranks or sets use what is declared after the loop", begin};
    return changes(used, begin);
  }

  const flow::Event* event() const {
    for (const flow::Node& node : function_.nodes)
      for (const flow::Event& event : node.events)
        if (event.kind == flow::EventKind::block && event.block == made_.block &&
            (event.at.source == nullptr || event.at.source == made_.source))
          return &event;
    return nullptr;
  }

  /// An event from `begin` up to the block that may change one of the variables.
  std::optional<WhyNot> changes(const std::set<int>& variables, const Location& begin) const {
    const std::uint32_t end = begin_of(made_.statement);
    const bool others_may_write = std::any_of(variables.begin(), variables.end(), [&](int number) {
      const flow::Variable& one = graph_.variables[static_cast<std::size_t>(number)];
      return one.escapes || one.other_files ||
             (one.kind != flow::VariableKind::local && one.kind != flow::VariableKind::parameter);
    });
    for (const flow::Node& node : function_.nodes)
      for (const flow::Event& event : node.events) {
        const bool is_elsewhere = event.at.source == begin.source &&
                                  (event.at.span.begin < begin.span.begin || event.at.span.begin >= end);
        if (is_elsewhere) continue;
        bool does = event.kind == flow::EventKind::call && others_may_write;
        flow::for_each_changed(event, [&](int variable) { does = does || variables.contains(variable); });
        for (const flow::Argument& argument : event.arguments)
          for (const int variable : argument.variables) does = does || variables.contains(variable);
        if (does) return WhyNot{"this may change its ranks or sets", event.at};
      }
    return std::nullopt;
  }

  const flow::FlowGraph& graph_;
  const Calls& calls_;
  const Function& function_;
  Pipeline& made_;
};

/// The function's candidate that the variable is; -1: none.
int candidate_of(const Function& function, int variable) {
  for (std::size_t at = 0; at < function.candidates.size(); ++at)
    if (function.candidates[at].variable == variable) return static_cast<int>(at);
  return -1;
}

/// Notes the ends of the function's blocks that are to be pipelined.
void collect(const Function& function, int number, Pipelines& all) {
  for (const flow::Node& node : function.nodes)
    for (const Access& access : node.accesses) {
      if (access.pipelining == flow::Pipelining::no) continue;
      auto made = std::find_if(all.begin(), all.end(), [&](const Pipeline& one) {
        return one.source == access.at.source && one.block == access.block;
      });
      if (made == all.end()) {
        made = all.emplace(all.end());
        made->source = access.at.source;
        made->block = access.block;
        made->function = number;
      }
      if (made->function != number) {
        made->reason = "its function is a template";
        continue;
      }
      made->statement = access.statement;
      made->wanted = access.pipelining;
      (access.kind == AccessKind::send ? made->value : made->place) = candidate_of(function, access.variable);
    }
}

}  // namespace

Pipelines decide_pipelines(const flow::FlowGraph& graph) {
  Pipelines all;
  for (std::size_t at = 0; at < graph.functions.size(); ++at)
    collect(graph.functions[at], static_cast<int>(at), all);
  std::erase_if(all, [](const Pipeline& one) { return one.value < 0 || one.place < 0; });
  const Calls calls(graph);
  for (Pipeline& one : all)
    if (one.reason.empty()) BlockPipeline(graph, calls, one).decide();
  return all;
}

}  // namespace kanor::analysis
