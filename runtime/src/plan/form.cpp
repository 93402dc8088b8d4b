// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/form.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace kanor::rt::plan {
namespace {

/// A recursive-descent parser, which reads nothing more after the first error.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  bool form() {
    do {
      item();
    } while (ok() && accept(";"));
    if (ok() && !at_end()) fail("expected ';'");
    return ok();
  }

  Form result;
  std::string error;

 private:
  struct Binary {
    std::string_view spelling;
    Operator op;
    int precedence;
  };
  // The longer spelling first where one begins another.
  static constexpr Binary binaries[] = {{"<<", Operator::shift_left, 4},  {">>", Operator::shift_right, 4},
                                        {"+", Operator::add, 5},          {"-", Operator::subtract, 5},
                                        {"*", Operator::multiply, 6},     {"/", Operator::divide, 6},
                                        {"%", Operator::modulo, 6},       {"&", Operator::bit_and, 3},
                                        {"^", Operator::exclusive_or, 2}, {"|", Operator::bit_or, 1}};
  struct Comparison {
    std::string_view spelling;
    Relation relation;
  };
  static constexpr Comparison comparisons[] = {
      {"==", Relation::equal},         {"!=", Relation::unequal},
      {"<=", Relation::less_or_equal}, {">=", Relation::greater_or_equal},
      {"<", Relation::less},           {">", Relation::greater}};
  static constexpr int most_depth = 200, most_leaves = 1000;

  bool ok() const { return error.empty(); }
  int fail(std::string_view what) {
    if (ok()) error = std::string(what) + " at character " + std::to_string(at_ + 1);
    return 0;
  }

  // Tokens.
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool at_end() {
    skip_spaces();
    return at_ == text_.size();
  }
  bool accept(std::string_view token) {
    skip_spaces();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (ok() && !accept(token)) fail("expected '" + std::string(token) + "'");
  }
  static bool is_word_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  }
  std::string_view word() {
    skip_spaces();
    std::size_t end = at_;
    while (end < text_.size() && is_word_character(text_[end])) ++end;
    const std::string_view found = text_.substr(at_, end - at_);
    at_ = end;
    return found;
  }
  std::int64_t number() {
    skip_spaces();
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (problem != std::errc()) return fail("expected a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  bool is_opaque() {
    const bool found = accept("?");
    if (found) result.is_closed = false;
    return found;
  }

  // Items.
  void item() {
    const std::size_t start = at_;
    const std::string_view first = word();
    // A name may be called `to`: then a colon follows.
    if (accept(":")) return set(first);
    if (first == "if") return filter();
    if (first == "to") return rank(result.to);
    if (first == "from") return rank(result.from);
    if (first == "is") {
      result.pattern = word();
      return;
    }
    at_ = start;
    fail("expected an item");
  }

  void set(std::string_view name) {
    if (name.empty() || result.names.size() == most_names) {
      fail(name.empty() ? "expected a name" : "too many names");
      return;
    }
    Form::Set fresh;
    if (is_opaque()) {
      fresh.kind = Form::Set::Kind::unknown;
    } else if (accept("{")) {
      fresh.kind = Form::Set::Kind::list;
      do {
        fresh.ends.push_back(expression());
      } while (ok() && accept(","));
      expect("}");
    } else {
      fresh.ends.push_back(expression());
      const bool stepped = accept("until");
      fresh.kind = stepped ? Form::Set::Kind::progression : Form::Set::Kind::interval;
      if (!stepped) expect("..");
      fresh.ends.push_back(expression());
      if (stepped) {
        expect("by");
        fresh.ends.push_back(expression());
      }
    }
    const auto number = static_cast<std::int64_t>(result.names.size());
    fresh.node = add({.kind = Node::Kind::name, .value = number, .names = NameMask{1} << number}, {});
    result.names.emplace_back(name);
    result.sets.push_back(std::move(fresh));
  }

  void filter() {
    if (is_opaque()) return;
    const int left = expression();
    skip_spaces();
    for (const Comparison& comparison : comparisons)
      if (accept(comparison.spelling)) {
        result.filters.push_back({comparison.relation, left, expression()});
        return;
      }
    fail("expected a comparison");
  }

  void rank(int& node) {
    if (!is_opaque()) node = expression();
  }

  // Expressions. All of them answer a node's number.
  int add(Node node, const std::vector<int>& operands) {
    node.first_operand = static_cast<int>(result.operands.size());
    node.operands = static_cast<int>(operands.size());
    for (const int operand : operands) {
      result.operands.push_back(operand);
      node.names |= result.nodes[static_cast<std::size_t>(operand)].names;
    }
    result.nodes.push_back(node);
    return static_cast<int>(result.nodes.size()) - 1;
  }

  int expression(int least_precedence = 1) {
    if (++depth_ > most_depth) return fail("too deep an expression");
    int left = operand();
    while (ok()) {
      const Binary* const binary = accept_binary(least_precedence);
      if (!binary) break;
      const int right = expression(binary->precedence + 1);
      if (ok()) left = add({.kind = Node::Kind::operation, .op = binary->op}, {left, right});
    }
    --depth_;
    return left;
  }

  const Binary* accept_binary(int least_precedence) {
    skip_spaces();
    for (const Binary& binary : binaries) {
      if (text_.substr(at_, binary.spelling.size()) != binary.spelling) continue;
      if (binary.precedence < least_precedence) return nullptr;
      at_ += binary.spelling.size();
      return &binary;
    }
    return nullptr;
  }

  int operand() {
    if (++depth_ > most_depth) return fail("too deep an expression");
    const int node = operand_of_any_kind();
    --depth_;
    return node;
  }

  int operand_of_any_kind() {
    if (accept("(")) {
      const int inner = expression();
      expect(")");
      return inner;
    }
    if (accept("-")) {
      const int inner = operand();
      return ok() ? add({.kind = Node::Kind::negation}, {inner}) : 0;
    }
    if (accept("$")) return leaf();
    skip_spaces();
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])))
      return add({.kind = Node::Kind::constant, .value = number()}, {});
    const std::size_t start = at_;
    const std::string_view name = word();
    // An inner name hides no outer one: a statement's names differ.
    const auto known = std::find(result.names.begin(), result.names.end(), name);
    if (known != result.names.end())
      return result.sets[static_cast<std::size_t>(known - result.names.begin())].node;
    at_ = start;
    return fail("expected an operand");
  }

  int leaf() {
    const std::int64_t number = this->number();
    if (number >= most_leaves) return fail("too many leaves");
    result.leaves = std::max(result.leaves, static_cast<int>(number) + 1);
    Node node{.kind = Node::Kind::leaf, .value = number};
    std::vector<int> operands;
    if (accept(".neighbor")) {
      node.kind = Node::Kind::neighbour;
      operands = arguments();
      if (ok() && operands.size() != 3) return fail("expected three arguments");
    } else if (accept(".coords")) {
      node.kind = Node::Kind::coordinate;
      operands = arguments();
      if (ok() && operands.size() != 1) return fail("expected one argument");
      expect("[");
      operands.push_back(expression());
      expect("]");
    } else if (accept("(")) {
      --at_;
      node.kind = Node::Kind::at;
      operands = arguments();
    }
    return ok() ? add(node, operands) : 0;
  }

  std::vector<int> arguments() {
    std::vector<int> nodes;
    expect("(");
    do {
      nodes.push_back(expression());
    } while (ok() && accept(","));
    expect(")");
    return nodes;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<Form> parse_form(std::string_view text, std::string& error) {
  Parser parser(text);
  if (parser.form()) return std::move(parser.result);
  error = parser.error;
  return {};
}

}  // namespace kanor::rt::plan
