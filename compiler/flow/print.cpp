#include <algorithm>
#include <ostream>
#include <stdexcept>

#include "flow/names.hpp"
#include "flow/shape.hpp"

namespace kanor::flow {
namespace {

template <typename Table, typename Key>
std::string_view word(const Table& table, Key key) {
  return std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.first == key; })->second;
}

class Printer {
 public:
  Printer(const FlowGraph& graph, std::ostream& out) : graph_(graph), out_(out) {
    Words variables, functions;
    for (const Variable& variable : graph.variables) variables_.push_back(variables.unique(variable.name));
    for (const Function& function : graph.functions) functions_.push_back(functions.unique(function.name));
  }

  void print() {
    for (std::size_t at = 0; at < graph_.variables.size(); ++at)
      variable(graph_.variables[at], variables_[at]);
    for (std::size_t at = 0; at < graph_.functions.size(); ++at)
      function(graph_.functions[at], functions_[at]);
  }

 private:
  const std::string& name(int variable) const { return variables_.at(static_cast<std::size_t>(variable)); }

  void variable(const Variable& variable, const std::string& word) {
    out_ << "variable " << word << ' ' << flow::name(variable.kind);
    if (variable.function >= 0) out_ << " of " << functions_[static_cast<std::size_t>(variable.function)];
    out_ << (variable.is_uniform ? " uniform" : "") << (variable.other_files ? " elsewhere" : "")
         << (variable.escapes ? " escapes" : "") << '\n';
  }

  void function(const Function& function, const std::string& word) {
    out_ << "function " << word << " (";
    names(function.parameters, ", ");
    out_ << ")";
    if (!function.results.empty()) {
      out_ << " -> ";
      names(function.results, ", ");
    }
    out_ << (function.is_uniform ? " uniform" : "") << (function.called_elsewhere ? " elsewhere" : "")
         << " entry " << function.entry << " exit " << function.exit << '\n';
    for (std::size_t at = 0; at < function.nodes.size(); ++at) node(function.nodes[at], at);
  }

  void names(const std::vector<int>& variables, std::string_view separator) {
    std::string_view before;
    for (const int variable : variables) {
      out_ << before << name(variable);
      before = separator;
    }
  }

  void node(const Node& node, std::size_t index) {
    out_ << "  node " << index;
    if (node.level > 0) out_ << " level " << node.level;
    out_ << ':';
    for (const int successor : node.successors) out_ << ' ' << successor;
    if (node.successors.size() > 1) {
      out_ << " if ";
      uses(node.condition);
      quote(node.condition_at);
    }
    out_ << '\n';
    for (const Event& event : node.events) this->event(event);
  }

  void event(const Event& event) {
    out_ << "    " << flow::name(event.kind);
    if (event.kind == EventKind::call) {
      if (!event.results.empty()) {
        out_ << ' ';
        names(event.results, " ");
        out_ << " =";
      }
      out_ << ' ' << (event.callee < 0 ? "?" : functions_[static_cast<std::size_t>(event.callee)]) << " (";
      std::string_view before;
      for (const Argument& argument : event.arguments) {
        out_ << before;
        if (argument.team.kind != Team::Kind::other) {
          team(argument.team);
          out_ << ' ';
        }
        uses(argument.uses);
        if (!argument.variables.empty()) {
          out_ << (argument.is_whole ? " => " : " > ");
          names(argument.variables, " ");
        }
        before = "; ";
      }
      out_ << ')';
    } else if (event.kind == EventKind::block) {
      out_ << ' ' << event.block;
      if (event.team.kind != Team::Kind::world) {
        out_ << ' ';
        team(event.team);
      }
    } else {
      out_ << ' ' << name(event.variable);
      if (event.team.kind != Team::Kind::other) {
        out_ << ' ';
        team(event.team);
      }
      if (!event.uses.empty()) out_ << " <- ";
      uses(event.uses);
    }
    if (event.kind != EventKind::block) quote(event.at);
    out_ << '\n';
    for (const Judged& judged : event.judged) {
      out_ << "      " << judged.role << ' ' << judged.statement;
      if (!judged.uses.empty()) out_ << " <- ";
      uses(judged.uses);
      quote(judged.at);
      out_ << '\n';
    }
  }

  void team(const Team& team) {
    if (team.kind == Team::Kind::variable)
      out_ << '@' << name(team.variable);
    else
      out_ << (team.kind == Team::Kind::world ? "@!world" : "@?");
  }

  void uses(const Uses& uses) {
    std::string_view before;
    for (const Use& use : uses) {
      out_ << before;
      before = ", ";
      if (use.unknown != Unknown::no) {
        out_ << '!' << flow::name(use.unknown);
        if (use.unknown == Unknown::team_size) out_ << ' ' << name(use.variable);
        quote(use.at);
        continue;
      }
      out_ << name(use.variable);
      if (use.also >= 0) out_ << '/' << name(use.also);
    }
  }

  void quote(const Location& at) {
    if (at.source == nullptr) return;
    out_ << " \"";
    for (const char c : at.source->text(at.span)) {
      if (c == '"' || c == '\\') out_ << '\\';
      if (c == '\n')
        out_ << "\\n";
      else
        out_ << c;
    }
    out_ << '"';
  }

  const FlowGraph& graph_;
  std::ostream& out_;
  std::vector<std::string> variables_, functions_;
};

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

  void node(const Node& node, const Function& function) const {
    for (const int next : node.successors) require(is_index(next, function.nodes), "an edge leads nowhere");
    uses(node.condition);
    for (const Event& event : node.events) {
      if (event.kind != EventKind::block && event.kind != EventKind::call) variable(event.variable);
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
        require(!argument.is_whole || argument.variables.size() == 1, "a parameter stands for several variables");
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

std::string_view name(VariableKind kind) { return word(variable_kinds, kind); }
std::string_view name(Unknown unknown) { return word(unknowns, unknown); }
std::string_view name(EventKind kind) { return word(event_kinds, kind); }

void print(const FlowGraph& graph, std::ostream& out) { Printer(graph, out).print(); }

void verify(const FlowGraph& graph) { Verifier(graph).verify(); }

}  // namespace kanor::flow
