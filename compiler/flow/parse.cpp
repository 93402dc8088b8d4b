// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <map>
#include <sstream>

#include "flow/line.hpp"
#include "flow/names.hpp"

namespace kanor::flow {
namespace {

class Parser {
 public:
  explicit Parser(const text::Source& source) : source_(source) {}

  FlowGraph parse(std::string_view text) {
    std::istringstream first{std::string(text)}, second{std::string(text)};
    for (std::string line; std::getline(first, line);) declare(Line(line, source_));
    for (std::string line; std::getline(second, line);) this->line(Line(line, source_));
    complete_calls();
    return std::move(graph_);
  }

 private:
  /// Gives a call written as `()` its argument, if the callee has one parameter: an empty argument prints
  /// nothing.
  void complete_calls() {
    for (Function& function : graph_.functions)
      for (Node& node : function.nodes)
        for (Event& event : node.events)
          if (event.callee >= 0 && event.arguments.empty() &&
              graph_.functions[static_cast<std::size_t>(event.callee)].parameters.size() == 1)
            event.arguments.emplace_back();
  }

  /// Declares the names of a line before any is read, as they may be used ahead of it.
  void declare(Line line) {
    if (line.take("variable")) {
      const std::string name = line.word();
      variables_.emplace(name, static_cast<int>(graph_.variables.size()));
      graph_.variables.emplace_back().name = name;
    } else if (line.take("function")) {
      const std::string name = line.word();
      functions_.emplace(name, static_cast<int>(graph_.functions.size()));
      graph_.functions.emplace_back().name = name;
    }
  }

  void line(Line line) {
    if (line.at_end()) return;
    if (line.take("variable"))
      variable(line);
    else if (line.take("function"))
      function(line);
    else if (line.take("node"))
      node(line);
    else if (function_ == nullptr)
      line.fail();
    else if (line.take("candidate"))
      candidate(line);
    else if (line.take("obstacle"))
      obstacle(line);
    else if (line.take("statement"))
      statement(line);
    else if (line.take("loop"))
      loop(line);
    else if (line.take("message"))
      message(line);
    else if (line.take("exchange"))
      exchange(line);
    else if (line.take("copy"))
      copy_loop(line);
    else if (function_->nodes.empty())
      line.fail();
    else if (line.take("access"))
      access(line);
    else
      event(line);
    if (!line.at_end()) line.fail();
  }

  /// The key whose spelling is `word`.
  template <typename Table>
  static auto key_of(const std::string& word, const Table& table, const Line& line) {
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.second == word; });
    if (found == table.end()) line.fail();
    return found->first;
  }
  static int index_of(const std::string& word, const std::map<std::string, int>& names, const Line& line) {
    const auto found = names.find(word);
    if (found == names.end()) line.fail();
    return found->second;
  }
  int variable_named(Line& line) { return index_of(line.word(), variables_, line); }
  int function_named(Line& line) { return index_of(line.word(), functions_, line); }

  void variable(Line& line) {
    Variable& variable = graph_.variables[static_cast<std::size_t>(variable_named(line))];
    variable.kind = key_of(line.word(), variable_kinds, line);
    if (line.take("of")) variable.function = function_named(line);
    variable.is_uniform = line.take("uniform");
    variable.other_files = line.take("elsewhere");
    variable.escapes = line.take("escapes");
    const auto begin = source_.bytes().find(variable.name);
    if (begin != std::string_view::npos)
      variable.declared = {
          &source_,
          {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + variable.name.size())}};
  }

  void function(Line& line) {
    function_ = &graph_.functions[static_cast<std::size_t>(function_named(line))];
    line.expect("(");
    while (!line.take(")")) {
      function_->parameters.push_back(variable_named(line));
      line.take(",");
    }
    if (line.take("->")) {
      do function_->results.push_back(variable_named(line));
      while (line.take(","));
    }
    function_->is_uniform = line.take("uniform");
    for (const auto& [callers, word] : other_callers)
      if (line.take(word)) function_->other_callers = callers;
    line.expect("entry");
    function_->entry = line.number();
    line.expect("exit");
    function_->exit = line.number();
  }

  void node(Line& line) {
    if (function_ == nullptr || line.number() != static_cast<int>(function_->nodes.size())) line.fail();
    Node& node = function_->nodes.emplace_back();
    if (line.take("level")) node.level = line.number();
    line.expect(":");
    while (line.at_number()) node.successors.push_back(line.number());
    if (!line.take("if")) return;
    node.condition = uses(line);
    node.condition_at = line.location();
    if (line.take("from"))
      while (line.at_number()) node.interrupted.push_back(line.number());
  }

  void candidate(Line& line) {
    Candidate& candidate = function_->candidates.emplace_back();
    candidate.variable = variable_named(line);
    while (line.take("[")) {
      candidate.extents.push_back(line.take("?") ? -1 : line.signed_number());
      line.expect("]");
    }
    if (line.take("bytes")) candidate.bytes = line.signed_number();
    candidate.is_vector = line.take("vector");
    candidate.moves_only = line.take("moves");
    candidate.is_initialised = line.take("initialised");
    if (line.take("memory")) {
      candidate.memory.kind = key_of(line.word(), memory_kinds, line);
      candidate.memory.element_bytes = line.signed_number();
      candidate.memory.is_zeroed = line.take("zeroed");
      if (line.take("long")) candidate.memory.extent = line.quoted();
    }
    if (line.take("asked")) candidate.asked = key_of(line.word(), askings, line);
    candidate.declaration = line.location();
    candidate.statement = in(line);
  }

  void obstacle(Line& line) {
    if (function_->candidates.empty()) line.fail();
    flow::Candidate& candidate = function_->candidates.back();
    auto& obstacles = line.take("text") ? candidate.text_obstacles : candidate.obstacles;
    std::string why = line.quoted();
    obstacles.emplace_back(std::move(why), line.location());
  }

  void statement(Line& line) {
    if (line.number() != static_cast<int>(function_->statements.size())) line.fail();
    Statement& statement = function_->statements.emplace_back();
    statement.is_loop = line.take("loop");
    statement.ends_block = line.take("ends");
    statement.needs_braces = line.take("bare");
    statement.at = line.location();
    statement.parent = in(line);
    if (line.take("because")) {
      statement.effect = line.quoted();
      statement.effect_at = line.location();
    }
    while (line.take("runs")) statement.runs.push_back(function_named(line));
  }

  void loop(Line& line) {
    if (line.number() != static_cast<int>(function_->loops.size())) line.fail();
    Loop& loop = function_->loops.emplace_back();
    line.expect("header");
    loop.header = line.number();
    if (line.take("inside")) loop.parent = line.number();
    loop.is_counted = line.take("counts");
    if (loop.is_counted) {
      if (!line.take("?")) loop.first = line.signed_number();
      line.expect("to");
      if (!line.take("?")) loop.last = line.signed_number();
      if (line.take("by")) loop.step = line.signed_number();
      if (line.take("along")) loop.length_of = variable_named(line);
      if (line.take("until")) loop.end = line.quoted();
      if (line.take("written")) loop.spelling = spelling(line);
    }
    loop.statement = in(line);
  }

  Loop::Spelling spelling(Line& line) {
    Loop::Spelling made;
    made.counter = line.word();
    line.expect("below");
    made.limit = line.quoted();
    if (line.take("of")) made.length_of = variable_named(line);
    line.expect("step");
    made.step = line.location();
    return made;
  }

  void message(Line& line) {
    if (line.number() != static_cast<int>(function_->messages.size())) line.fail();
    Message& message = function_->messages.emplace_back();
    message.role = key_of(line.word(), message_roles, line);
    message.call = line.word();
    if (line.take("of")) message.candidate = line.number();
    if (line.take("count")) message.count.value = line.signed_number();
    if (line.take("counts")) message.count.words = line.quoted();
    if (line.take("type")) message.type = line.signed_number();
    if (line.take("bytes")) message.type_bytes = line.number();
    if (line.take("tag")) message.tag = line.signed_number();
    if (line.take("comm")) message.comm = line.signed_number();
    message.has_partner = line.take("somebody");
    message.has_none = line.take("nobody");
    if (line.take("because")) message.obstacle = line.quoted();
    message.at = line.location();
    message.statement = in(line);
    if (line.take("undivided")) message.undivided = line.quoted();
    message.is_otherwise = line.take("unless");
    if (message.is_otherwise || line.take("if")) message.condition = line.location();
    while (line.take("before")) message.conflicts.push_back(line.location());
  }

  void exchange(Line& line) {
    Exchange& exchange = function_->exchanges.emplace_back();
    exchange.block = line.number();
    exchange.at = line.location();
    exchange.statement = in(line);
    while (line.take("updates")) exchange.places.push_back(variable_named(line));
    while (line.take("by")) exchange.indices.push_back(variable_named(line));
    while (line.take("uses")) exchange.operands.push_back(variable_named(line));
    why(line, "because", exchange.obstacle, exchange.obstacle_at);
    why(line, "late", exchange.late, exchange.late_at);
  }

  static void why(Line& line, std::string_view key, std::string& reason, Location& at) {
    if (!line.take(key)) return;
    reason = line.quoted();
    at = line.location();
  }

  void copy_loop(Line& line) {
    CopyLoop& loop = function_->copy_loops.emplace_back();
    loop.unpacks = line.take("out");
    if (!loop.unpacks) line.expect("into");
    loop.buffer = variable_named(line);
    line.expect("block");
    loop.block = line.number();
    loop.operand = line.location();
    loop.at = line.location();
    loop.statement = in(line);
    loop.is_exact = line.take("exact");
    loop.is_steady = line.take("steady");
    loop.is_fresh = line.take("fresh");
    loop.by_all_ranks = line.take("everywhere");
    while (line.take("beside")) loop.written.push_back(variable_named(line));
    while (line.take("uses")) loop.operands.push_back(variable_named(line));
    why(line, "because", loop.obstacle, loop.obstacle_at);
  }

  static int in(Line& line) { return line.take("in") ? line.number() : -1; }

  void access(Line& line) {
    Access& access = function_->nodes.back().accesses.emplace_back();
    access.kind = key_of(line.word(), access_kinds, line);
    access.variable = variable_named(line);
    while (line.take("[")) access.subscripts.push_back(subscript(line));
    access.only_length = line.take("length");
    if (line.take("to")) {
      if (!line.take("?")) access.callee = function_named(line);
      if (line.at_number()) access.parameter = line.number();
    }
    if (line.take("block")) {
      access.block = line.number();
      line.expect("part");
      access.block_statement = line.number();
    }
    if (line.take("message")) access.message = line.number();
    access.by_all_ranks = line.take("everywhere");
    access.is_replaced = line.take("replaced");
    if (line.take("delta")) access.pipelining = Pipelining::with_either;
    if (line.take("delta_of_both")) access.pipelining = Pipelining::with_both;
    if (line.take("because")) access.reason = line.quoted();
    access.at = line.location();
    access.statement = in(line);
  }

  static std::optional<Affine> subscript(Line& line) {
    if (line.take("?")) {
      line.expect("]");
      return std::nullopt;
    }
    Affine affine;
    while (!line.take("]")) {
      line.take("+");
      const bool negative = line.take("-");
      const auto counter = [&] {
        const std::string word = line.word();
        if (word.size() < 2 || word[0] != 'i') line.fail();
        return line.number<int>(word.substr(1));
      };
      if (line.next() == 'i') {
        affine.terms.emplace_back(counter(), negative ? -1 : 1);
        continue;
      }
      const long long number = line.number_after(negative);
      if (line.take("*"))
        affine.terms.emplace_back(counter(), number);
      else
        affine.constant = number;
    }
    return affine;
  }

  void event(Line& line) {
    auto& events = function_->nodes.back().events;
    for (const auto& [kind, word] : event_kinds) {
      if (!line.take(word)) continue;
      Event& event = events.emplace_back();
      event.kind = kind;
      if (kind == EventKind::call)
        call(line, event);
      else if (kind == EventKind::block)
        block(line, event);
      else if (kind == EventKind::split)
        event.team = team(line, Team::Kind::world);
      else
        change(line, event);
      event.at = line.location();
      return;
    }
    if (events.empty()) line.fail();
    Judged& judged = events.back().judged.emplace_back();
    judged.role = line.word();
    judged.statement = line.number();
    if (line.take("<-")) judged.uses = uses(line);
    judged.at = line.location();
  }

  void change(Line& line, Event& event) {
    event.variable = variable_named(line);
    while (event.kind == EventKind::write && line.take(",")) event.others.push_back(variable_named(line));
    event.team = team(line, Team::Kind::other);
    if (line.take("<-")) event.uses = uses(line);
  }

  void call(Line& line, Event& event) {
    std::vector<std::string> words;
    bool has_results = false;
    while (line.next() != '(') {
      if (line.take("="))
        has_results = true;
      else
        words.push_back(line.take("?") ? "?" : line.word());
    }
    if (words.empty() || (words.size() > 1) != has_results) line.fail();
    const std::string callee = words.back();
    words.pop_back();
    for (const std::string& word : words) event.results.push_back(index_of(word, variables_, line));
    if (callee != "?") event.callee = index_of(callee, functions_, line);
    line.expect("(");
    if (line.take(")")) return;
    do {
      Argument& argument = event.arguments.emplace_back();
      argument.team = team(line, Team::Kind::other);
      argument.uses = uses(line);
      argument.is_whole = line.take("=>");
      if (argument.is_whole || line.take(">"))
        while (line.next() != ';' && line.next() != ')') argument.variables.push_back(variable_named(line));
    } while (line.take(";"));
    line.expect(")");
  }

  void block(Line& line, Event& event) {
    event.block = line.number();
    event.team = team(line, Team::Kind::world);
  }

  Team team(Line& line, Team::Kind otherwise) {
    if (!line.take("@")) return {otherwise, -1};
    if (line.take("?")) return {Team::Kind::other, -1};
    if (line.take("!world")) return {Team::Kind::world, -1};
    return {Team::Kind::variable, variable_named(line)};
  }

  Uses uses(Line& line) {
    Uses found;
    if (line.at_end() || std::string_view(">;)\"").find(line.next()) != std::string_view::npos) return found;
    do {
      Use& use = found.emplace_back();
      if (line.take("!")) {
        const std::string kind = line.word();
        for (const auto& [value, word] : unknowns)
          if (word == kind) use.unknown = value;
        if (use.unknown == Unknown::no) line.fail();
        if (use.unknown == Unknown::team_size) use.variable = variable_named(line);
        use.at = line.location();
      } else {
        use.variable = variable_named(line);
        use.at = graph_.variables[static_cast<std::size_t>(use.variable)].declared;
        if (line.take("/")) use.also = variable_named(line);
      }
    } while (line.take(","));
    return found;
  }

  const text::Source& source_;
  FlowGraph graph_;
  std::map<std::string, int> variables_, functions_;
  Function* function_ = nullptr;
};

}  // namespace

FlowGraph parse(std::string_view text, const text::Source& source) { return Parser(source).parse(text); }

}  // namespace kanor::flow
