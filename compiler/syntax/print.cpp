// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ostream>
#include <string>
#include <string_view>

#include "syntax/ast.hpp"

namespace kanor::syntax {
namespace {

constexpr std::string_view operator_name(Operator op) {
  switch (op) {
    case Operator::assign:
      return "assign";
    case Operator::add:
      return "add";
    case Operator::multiply:
      return "multiply";
    case Operator::bit_and:
      return "bit_and";
    case Operator::bit_or:
      return "bit_or";
    case Operator::bit_xor:
      return "bit_xor";
    case Operator::logical_and:
      return "logical_and";
    case Operator::logical_or:
      return "logical_or";
    case Operator::min:
      return "min";
    case Operator::max:
      return "max";
    case Operator::callable:
      return "callable";
  }
  return {};
}

constexpr std::string_view modifier_name(ModifierKind kind) {
  switch (kind) {
    case ModifierKind::team:
      return "team";
    case ModifierKind::async:
      return "async";
    case ModifierKind::knows:
      return "knows";
    case ModifierKind::delta:
      return "delta";
    case ModifierKind::copy:
      return "copy";
  }
  return {};
}

constexpr std::string_view set_name(Set::Form form) {
  switch (form) {
    case Set::Form::interval:
      return "interval";
    case Set::Form::list:
      return "list";
    case Set::Form::range:
      return "range";
  }
  return {};
}

/// One line a node: two blanks a level, what it is, where it is, and the user's text where it is a leaf.
class Printer {
 public:
  Printer(const Ast& ast, std::ostream& out) : source_(*ast.source), out_(out) {}

  void block(const Block& block) {
    line(0, "block", block.span, block.spelling == Block::Spelling::macro ? "macro" : "at_sign");
    for (const auto& modifier : block.modifiers) {
      line(1, "modifier", modifier.span, modifier_name(modifier.kind));
      if (!modifier.argument.span.empty()) leaf(2, "argument", modifier.argument.span);
    }
    for (const auto& one : block.statements) statement(one);
  }

 private:
  void statement(const Statement& statement) {
    line(1, "statement", statement.span, operator_name(statement.op));
    operand("place", statement.place);
    leaf(2, "receiver", statement.receiver.span);
    leaf(2, "arrow", statement.arrow);
    if (!statement.callable.span.empty()) leaf(3, "operation", statement.callable.span);
    operand("value", statement.value);
    leaf(2, "sender", statement.sender.span);
    for (const auto& clause : statement.clauses) std::visit([&](const auto& one) { print(one); }, clause);
  }
  void operand(std::string_view what, const Operand& operand) {
    leaf(2, what, operand.span);
    if (!operand.is_section()) return;
    leaf(3, "base", operand.base);
    for (const auto& dimension : operand.dimensions) {
      line(3, "dimension", dimension.span, dimension.whole ? "whole" : "");
      if (dimension.indices) leaf(4, "indices", dimension.indices->span);
      if (dimension.first) leaf(4, "first", dimension.first->span);
      if (dimension.count) leaf(4, "count", dimension.count->span);
      if (dimension.stride) leaf(4, "stride", dimension.stride->span);
    }
  }
  void print(const Generator& generator) {
    line(2, "generator", generator.span, "");
    for (const auto& name : generator.names) this->name(name);
    line(3, "set", generator.set.span, set_name(generator.set.form));
    for (const auto& element : generator.set.elements) leaf(4, "element", element.span);
  }
  void print(const Let& let) {
    line(2, "let", let.span, "");
    name(let.name);
    leaf(3, "value", let.value.span);
  }
  void print(const Filter& filter) { leaf(2, "filter", filter.condition.span); }
  void name(const Name& name) { line(3, "name", name.span, "`" + name.text + "`"); }

  void leaf(int level, std::string_view what, Span span) {
    line(level, what, span, "`" + on_one_line(span) + "`");
  }
  void line(int level, std::string_view what, Span span, std::string_view detail) {
    const auto begin = source_.line_column(span.begin), end = source_.line_column(span.end);
    out_ << std::string(static_cast<std::size_t>(2 * level), ' ') << what << ' ' << begin.line << ':'
         << begin.column << '-' << end.line << ':' << end.column << (detail.empty() ? "" : " ") << detail
         << '\n';
  }
  std::string on_one_line(Span span) const {
    std::string text(source_.text(span));
    for (char& c : text)
      if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    return text;
  }

  const text::Source& source_;
  std::ostream& out_;
};

}  // namespace

void print(const Ast& ast, std::ostream& out) {
  for (const auto& block : ast.blocks) Printer(ast, out).block(block);
}

}  // namespace kanor::syntax
