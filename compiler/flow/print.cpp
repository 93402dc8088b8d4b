// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <ostream>

#include "flow/names.hpp"

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

  void function(const Function& function, const std::string& name) {
    out_ << "function " << name << " (";
    names(function.parameters, ", ");
    out_ << ")";
    if (!function.results.empty()) {
      out_ << " -> ";
      names(function.results, ", ");
    }
    out_ << (function.is_uniform ? " uniform" : "");
    if (function.other_callers != OtherCallers::none)
      out_ << ' ' << word(other_callers, function.other_callers);
    out_ << " entry " << function.entry << " exit " << function.exit << '\n';
    for (const Candidate& candidate : function.candidates) this->candidate(candidate);
    for (std::size_t at = 0; at < function.statements.size(); ++at) statement(function.statements[at], at);
    for (std::size_t at = 0; at < function.loops.size(); ++at) loop(function.loops[at], at);
    for (std::size_t at = 0; at < function.messages.size(); ++at) message(function.messages[at], at);
    for (const Exchange& exchange : function.exchanges) this->exchange(exchange);
    for (const CopyLoop& loop : function.copy_loops) copy_loop(loop);
    for (std::size_t at = 0; at < function.nodes.size(); ++at) node(function.nodes[at], at);
  }

  void message(const Message& message, std::size_t index) {
    out_ << "  message " << index << ' ' << word(message_roles, message.role) << ' ' << message.call;
    const auto number = [&](std::string_view key, const std::optional<long long>& value) {
      if (value) out_ << ' ' << key << ' ' << *value;
    };
    if (message.candidate >= 0) out_ << " of " << message.candidate;
    number("count", message.count.value);
    if (!message.count.words.empty()) {
      out_ << " counts";
      quote(message.count.words);
    }
    number("type", message.type);
    if (message.type_bytes > 0) out_ << " bytes " << message.type_bytes;
    number("tag", message.tag);
    number("comm", message.comm);
    out_ << (message.has_partner ? " somebody" : "") << (message.has_none ? " nobody" : "");
    if (!message.obstacle.empty()) {
      out_ << " because";
      quote(message.obstacle);
    }
    quote(message.at);
    in(message.statement);
    if (!message.undivided.empty()) {
      out_ << " undivided";
      quote(message.undivided);
    }
    if (message.condition.source != nullptr) {
      out_ << (message.is_otherwise ? " unless" : " if");
      quote(message.condition);
    }
    for (const Location& conflict : message.conflicts) {
      out_ << " before";
      quote(conflict);
    }
    out_ << '\n';
  }

  void exchange(const Exchange& exchange) {
    out_ << "  exchange " << exchange.block;
    quote(exchange.at);
    in(exchange.statement);
    list("updates", exchange.places);
    list("by", exchange.indices);
    list("uses", exchange.operands);
    why("because", exchange.obstacle, exchange.obstacle_at);
    why("late", exchange.late, exchange.late_at);
    out_ << '\n';
  }

  void list(std::string_view key, const std::vector<int>& variables) {
    for (const int one : variables) out_ << ' ' << key << ' ' << name(one);
  }
  void why(std::string_view key, const std::string& reason, const Location& at) {
    if (reason.empty()) return;
    out_ << ' ' << key;
    quote(reason);
    quote(at);
  }

  /// Prints what analyses need; how it is spelled, emission alone needs.
  void copy_loop(const CopyLoop& loop) {
    out_ << "  copy " << (loop.unpacks ? "out " : "into ") << name(loop.buffer) << " block " << loop.block;
    quote(loop.operand);
    quote(loop.at);
    in(loop.statement);
    out_ << (loop.is_exact ? " exact" : "") << (loop.is_steady ? " steady" : "")
         << (loop.is_fresh ? " fresh" : "") << (loop.by_all_ranks ? " everywhere" : "");
    list("beside", loop.written);
    list("uses", loop.operands);
    why("because", loop.obstacle, loop.obstacle_at);
    out_ << '\n';
  }

  void candidate(const Candidate& candidate) {
    out_ << "  candidate " << name(candidate.variable);
    for (const long long extent : candidate.extents) {
      out_ << '[';
      if (extent < 0)
        out_ << '?';
      else
        out_ << extent;
      out_ << ']';
    }
    if (candidate.bytes >= 0) out_ << " bytes " << candidate.bytes;
    out_ << (candidate.is_vector ? " vector" : "") << (candidate.moves_only ? " moves" : "")
         << (candidate.is_initialised ? " initialised" : "");
    if (const BufferMemory& memory = candidate.memory; memory.kind != BufferMemory::Kind::none) {
      out_ << " memory " << word(memory_kinds, memory.kind) << ' ' << memory.element_bytes
           << (memory.is_zeroed ? " zeroed" : "");
      if (!memory.extent.empty()) {
        out_ << " long";
        quote(memory.extent);
      }
    }
    if (candidate.asked != Candidate::Asked::no) out_ << " asked " << word(askings, candidate.asked);
    quote(candidate.declaration);
    in(candidate.statement);
    out_ << '\n';
    for (const auto* all : {&candidate.obstacles, &candidate.text_obstacles})
      for (const auto& [why, at] : *all) {
        out_ << (all == &candidate.obstacles ? "    obstacle" : "    obstacle text");
        quote(why);
        quote(at);
        out_ << '\n';
      }
  }

  void statement(const Statement& statement, std::size_t index) {
    out_ << "  statement " << index << (statement.is_loop ? " loop" : "")
         << (statement.ends_block ? " ends" : "") << (statement.needs_braces ? " bare" : "");
    quote(statement.at);
    in(statement.parent);
    if (!statement.effect.empty()) {
      out_ << " because";
      quote(statement.effect);
      quote(statement.effect_at);
    }
    for (const int function : statement.runs)
      out_ << " runs " << functions_[static_cast<std::size_t>(function)];
    out_ << '\n';
  }

  void loop(const Loop& loop, std::size_t index) {
    out_ << "  loop " << index << " header " << loop.header;
    if (loop.parent >= 0) out_ << " inside " << loop.parent;
    if (loop.is_counted) {
      const auto bound = [&](const std::optional<long long>& value) {
        if (value)
          out_ << *value;
        else
          out_ << '?';
      };
      out_ << " counts ";
      bound(loop.first);
      out_ << " to ";
      bound(loop.last);
      if (loop.step != 1) out_ << " by " << loop.step;
      if (loop.length_of >= 0) out_ << " along " << name(loop.length_of);
      if (!loop.end.empty()) {
        out_ << " until";
        quote(loop.end);
      }
      if (loop.spelling) {
        out_ << " written " << loop.spelling->counter << " below";
        quote(loop.spelling->limit);
        if (loop.spelling->length_of >= 0) out_ << " of " << name(loop.spelling->length_of);
        out_ << " step";
        quote(loop.spelling->step);
      }
    }
    in(loop.statement);
    out_ << '\n';
  }

  void in(int statement) {
    if (statement >= 0) out_ << " in " << statement;
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
      if (!node.interrupted.empty()) out_ << " from";
      for (const int tried : node.interrupted) out_ << ' ' << tried;
    }
    out_ << '\n';
    for (const Event& event : node.events) this->event(event);
    for (const Access& access : node.accesses) this->access(access);
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
    } else if (event.kind == EventKind::split) {
      if (event.team.kind != Team::Kind::world) {
        out_ << ' ';
        team(event.team);
      }
    } else {
      out_ << ' ' << name(event.variable);
      for (const int other : event.others) out_ << ", " << name(other);
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

  void access(const Access& access) {
    out_ << "    access " << flow::name(access.kind) << ' ' << name(access.variable);
    for (const auto& subscript : access.subscripts) this->subscript(subscript);
    if (access.only_length) out_ << " length";
    if (access.kind == AccessKind::call) {
      out_ << " to " << (access.callee < 0 ? "?" : functions_[static_cast<std::size_t>(access.callee)]);
      if (access.parameter >= 0) out_ << ' ' << access.parameter;
    }
    if (access.block >= 0) out_ << " block " << access.block << " part " << access.block_statement;
    if (access.message >= 0) out_ << " message " << access.message;
    if (access.by_all_ranks) out_ << " everywhere";
    if (access.is_replaced) out_ << " replaced";
    if (access.pipelining == Pipelining::with_either) out_ << " delta";
    if (access.pipelining == Pipelining::with_both) out_ << " delta_of_both";
    if (!access.reason.empty()) {
      out_ << " because";
      quote(access.reason);
    }
    quote(access.at);
    in(access.statement);
    out_ << '\n';
  }

  /// Prints a subscript; `i2` is the counter of loop 2.
  void subscript(const std::optional<Affine>& subscript) {
    out_ << '[';
    if (!subscript) {
      out_ << "?]";
      return;
    }
    bool first = true;
    const auto sign = [&](bool negative) {
      if (first)
        out_ << (negative ? "-" : "");
      else
        out_ << (negative ? " - " : " + ");
      first = false;
    };
    for (const auto& [loop, coefficient] : subscript->terms) {
      sign(coefficient < 0);
      if (coefficient != 1 && coefficient != -1) out_ << magnitude(coefficient) << '*';
      out_ << 'i' << loop;
    }
    if (first || subscript->constant != 0) {
      sign(subscript->constant < 0);
      out_ << magnitude(subscript->constant);
    }
    out_ << ']';
  }

  static unsigned long long magnitude(long long number) {
    const auto bits = static_cast<unsigned long long>(number);
    return number < 0 ? 0 - bits : bits;
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
    if (at.source != nullptr) quote(at.source->text(at.span));
  }

  void quote(std::string_view text) {
    out_ << " \"";
    for (const char c : text) {
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

}  // namespace

std::string_view name(VariableKind kind) { return word(variable_kinds, kind); }
std::string_view name(Unknown unknown) { return word(unknowns, unknown); }
std::string_view name(EventKind kind) { return word(event_kinds, kind); }
std::string_view name(AccessKind kind) { return word(access_kinds, kind); }

void print(const FlowGraph& graph, std::ostream& out) { Printer(graph, out).print(); }

}  // namespace kanor::flow
