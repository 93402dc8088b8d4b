#include <charconv>
#include <map>
#include <sstream>
#include <stdexcept>

#include "flow/names.hpp"

namespace kanor::flow {
namespace {

/// One line: words, quoted texts, and punctuation by the character.
class Line {
 public:
  Line(std::string text, const text::Source& source) : text_(std::move(text)), source_(source) { skip(); }

  [[noreturn]] void fail() const { throw std::invalid_argument("flow graph: cannot read '" + text_ + "'"); }
  bool at_end() const { return at_ == text_.size(); }
  char next() const { return at_end() ? '\0' : text_[at_]; }

  bool take(std::string_view token) {
    const std::size_t end = at_ + token.size();
    if (text_.compare(at_, token.size(), token) != 0) return false;
    if (is_word(token.back()) && end < text_.size() && is_word(text_[end])) return false;
    at_ = end;
    skip();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) fail();
  }
  std::string word() {
    const std::size_t begin = at_;
    while (!at_end() && is_word(text_[at_])) ++at_;
    if (begin == at_) fail();
    const std::string found = text_.substr(begin, at_ - begin);
    skip();
    return found;
  }
  bool at_number() const { return next() >= '0' && next() <= '9'; }
  int number() {
    const std::string digits = word();
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) fail();
    return value;
  }
  /// A quoted text, if one is next: where it first stands in the source.
  Location location() {
    if (next() != '"') return {};
    std::string text;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
      text += text_[at_] == 'n' && text_[at_ - 1] == '\\' ? '\n' : text_[at_];
    }
    ++at_;
    skip();
    const auto begin = source_.bytes().find(text);
    if (begin == std::string_view::npos) fail();
    return {&source_, {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + text.size())}};
  }

 private:
  static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '#';
  }
  void skip() {
    while (!at_end() && text_[at_] == ' ') ++at_;
  }

  std::string text_;
  const text::Source& source_;
  std::size_t at_ = 0;
};

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
  /// Of a single argument that nothing is said of, `()` is all that is written.
  void complete_calls() {
    for (Function& function : graph_.functions)
      for (Node& node : function.nodes)
        for (Event& event : node.events)
          if (event.callee >= 0 && event.arguments.empty() &&
              graph_.functions[static_cast<std::size_t>(event.callee)].parameters.size() == 1)
            event.arguments.emplace_back();
  }

  /// Names may be used ahead of their lines.
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
    else
      event(line);
    if (!line.at_end()) line.fail();
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
    const std::string kind = line.word();
    bool known = false;
    for (const auto& [value, word] : variable_kinds)
      if (word == kind) variable.kind = value, known = true;
    if (!known) line.fail();
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
    function_->called_elsewhere = line.take("elsewhere");
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
  }

  void event(Line& line) {
    if (function_ == nullptr || function_->nodes.empty()) line.fail();
    auto& events = function_->nodes.back().events;
    for (const auto& [kind, word] : event_kinds) {
      if (!line.take(word)) continue;
      Event& event = events.emplace_back();
      event.kind = kind;
      if (kind == EventKind::call)
        call(line, event);
      else if (kind == EventKind::block)
        block(line, event);
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
