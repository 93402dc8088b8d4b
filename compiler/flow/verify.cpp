// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <stdexcept>

#include "flow/flow_graph.hpp"
#include "flow/shape.hpp"

namespace kanor::flow {
namespace {

class Verifier {
 public:
  explicit Verifier(const FlowGraph& graph) : graph_(graph) {}

  void verify() const {
    for (const Function& function : graph_.functions) {
      for (const int variable : function.parameters) this->variable(variable);
      for (const int variable : function.results) this->variable(variable);
      require(is_index(function.entry, function.nodes) && is_index(function.exit, function.nodes),
              "a function without entry or exit");
      for (const Node& node : function.nodes) this->node(node, function);
      const auto levels = loop_levels(function);
      for (std::size_t at = 0; at < levels.size(); ++at)
        require(levels[at] == function.nodes[at].level, "the level of a node is not its loop's");
      for (const Candidate& candidate : function.candidates) {
        variable(candidate.variable);
        index_or_none(candidate.statement, function.statements, "there is no such statement");
      }
      for (const Message& message : function.messages) {
        index_or_none(message.candidate, function.candidates, "there is no such candidate");
        index_or_none(message.statement, function.statements, "there is no such statement");
      }
      for (const Exchange& exchange : function.exchanges) {
        index_or_none(exchange.statement, function.statements, "there is no such statement");
        for (const auto* all : {&exchange.places, &exchange.indices, &exchange.operands})
          for (const int one : *all) variable(one);
      }
      for (const CopyLoop& loop : function.copy_loops) {
        variable(loop.buffer);
        index_or_none(loop.statement, function.statements, "there is no such statement");
        for (const auto* all : {&loop.written, &loop.operands})
          for (const int one : *all) variable(one);
      }
      statements(function);
      if (!function.loops.empty() || !function.candidates.empty()) loops(function);
    }
  }

 private:
  static void require(bool holds, const char* what) {
    if (!holds) throw std::logic_error(std::string("flow graph: ") + what);
  }
  template <typename List>
  static bool is_index(int index, const List& list) {
    return index >= 0 && static_cast<std::size_t>(index) < list.size();
  }
  void variable(int index) const { require(is_index(index, graph_.variables), "there is no such variable"); }

  template <typename List>
  static void index_or_none(int index, const List& list, const char* what) {
    require(index == -1 || is_index(index, list), what);
  }

  void statements(const Function& function) const {
    for (const Statement& statement : function.statements) {
      for (const int callee : statement.runs)
        require(is_index(callee, graph_.functions), "there is no such function");
      std::size_t depth = 0;
      for (int around = statement.parent; around != -1;) {
        require(is_index(around, function.statements), "there is no such statement");
        require(++depth < function.statements.size(), "a statement is around itself");
        around = function.statements[static_cast<std::size_t>(around)].parent;
      }
    }
  }

  /// Checks that each natural loop's header has one loop, with the right parent. A loop of the source that is
  /// left in each iteration, or entered in the middle, is no natural one and adds no level.
  void loops(const Function& function) const {
    const auto natural = natural_loops(function);
    std::vector<int> of(function.nodes.size(), -1);
    for (std::size_t at = 0; at < function.loops.size(); ++at) {
      const Loop& loop = function.loops[at];
      require(is_index(loop.header, function.nodes), "a loop without header");
      index_or_none(loop.parent, function.loops, "there is no such loop");
      index_or_none(loop.statement, function.statements, "there is no such statement");
      index_or_none(loop.length_of, graph_.variables, "there is no such variable");
      if (loop.spelling)
        index_or_none(loop.spelling->length_of, graph_.variables, "there is no such variable");
      require(!loop.is_counted || loop.step != 0, "a loop that does not count");
      int& there = of[static_cast<std::size_t>(loop.header)];
      require(there == -1, "two loops with one header");
      there = static_cast<int>(at);
      const bool goes_back = std::any_of(natural.begin(), natural.end(),
                                         [&](const auto& one) { return one.first == loop.header; });
      int depth = goes_back ? 1 : 0;
      for (int around = loop.parent; is_index(around, function.loops); ++depth) {
        require(depth <= static_cast<int>(function.loops.size()), "a loop is around itself");
        around = function.loops[static_cast<std::size_t>(around)].parent;
      }
      require(function.nodes[static_cast<std::size_t>(loop.header)].level == depth,
              "a loop's header is not at its level");
    }
    for (const auto& [header, body] : natural)
      require(of[static_cast<std::size_t>(header)] >= 0, "a natural loop is not among the function's");
  }

  void access(const Access& access, const Function& function) const {
    variable(access.variable);
    index_or_none(access.statement, function.statements, "there is no such statement");
    index_or_none(access.message, function.messages, "there is no such message");
    for (const auto& subscript : access.subscripts) {
      if (!subscript) continue;
      int before = -1;
      for (const auto& [loop, coefficient] : subscript->terms) {
        require(is_index(loop, function.loops), "a subscript uses the counter of no loop");
        require(loop > before && coefficient != 0, "a subscript's terms are not in order");
        before = loop;
      }
    }
    index_or_none(access.callee, graph_.functions, "there is no such function");
    if (access.callee >= 0)
      require(
          is_index(access.parameter, graph_.functions[static_cast<std::size_t>(access.callee)].parameters),
          "an access does not fit its function");
  }

  void node(const Node& node, const Function& function) const {
    for (const int next : node.successors) require(is_index(next, function.nodes), "an edge leads nowhere");
    uses(node.condition);
    for (const int tried : node.interrupted)
      require(is_index(tried, function.nodes), "an exception comes from no node");
    for (const Access& access : node.accesses) this->access(access, function);
    for (const Event& event : node.events) {
      for_each_changed(event, [&](int changed) { variable(changed); });
      require(event.others.empty() || event.kind == EventKind::write,
              "only a write changes several variables");
      for (const int result : event.results) variable(result);
      require(event.callee == -1 || is_index(event.callee, graph_.functions), "there is no such function");
      if (event.callee >= 0) {
        const Function& callee = graph_.functions[static_cast<std::size_t>(event.callee)];
        require(event.arguments.size() == callee.parameters.size() &&
                    event.results.size() <= callee.results.size(),
                "a call does not fit its function");
      }
      uses(event.uses);
      team(event.team);
      for (const Argument& argument : event.arguments) {
        uses(argument.uses);
        team(argument.team);
        for (const int target : argument.variables) variable(target);
        require(!argument.is_whole || argument.variables.size() == 1,
                "a parameter stands for several variables");
      }
      for (const Judged& judged : event.judged) uses(judged.uses);
    }
  }

  void team(const Team& team) const {
    if (team.kind == Team::Kind::variable) variable(team.variable);
  }

  void uses(const Uses& uses) const {
    for (const Use& use : uses) {
      if (use.unknown == Unknown::no || use.unknown == Unknown::team_size) variable(use.variable);
      if (use.also >= 0) variable(use.also);
    }
  }

  const FlowGraph& graph_;
};

}  // namespace

void verify(const FlowGraph& graph) { Verifier(graph).verify(); }

}  // namespace kanor::flow
