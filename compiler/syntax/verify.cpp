// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdexcept>
#include <string>
#include <variant>

#include "syntax/ast.hpp"

namespace kanor::syntax {
namespace {

[[noreturn]] void broken(const char* what, Span span) {
  throw std::logic_error("broken syntax tree: " + std::string(what) + " at bytes " +
                         std::to_string(span.begin) + " to " + std::to_string(span.end));
}

/// Checks the parts of one node in the order of the text: each must be inside the node and after the one
/// before.
class Parts {
 public:
  Parts(const char* what, Span whole) : what_(what), whole_(whole), end_(whole.begin) {
    if (whole.begin >= whole.end) broken(what, whole);
  }
  void next(Span part) {
    if (part.begin >= part.end || part.begin < end_ || part.end > whole_.end) broken(what_, part);
    end_ = part.end;
  }

 private:
  const char* what_;
  Span whole_;
  std::uint32_t end_;
};

void verify(const Operand& operand) {
  Parts parts("operand", operand.span);
  parts.next(operand.base);
  if (!operand.is_section() && operand.base != operand.span) broken("base", operand.base);
  for (const Dimension& dimension : operand.dimensions) {
    parts.next(dimension.span);
    Parts inner("dimension", dimension.span);
    const int forms = (dimension.first || dimension.stride ? 1 : 0) + (dimension.whole ? 1 : 0) +
                      (dimension.indices ? 1 : 0);
    if (forms != 1 || dimension.first.has_value() != dimension.count.has_value() ||
        (dimension.indices && &dimension != &operand.dimensions.back()))
      broken("dimension", dimension.span);
    for (const auto* part : syntax::parts(dimension))
      if (*part) inner.next((*part)->span);
  }
  if (!operand.subscript) return;
  if (operand.is_section()) broken("subscript", operand.span);
  Parts last("subscript", operand.span);
  last.next(operand.subscript->base);
  last.next(operand.subscript->span);
  Parts("subscript", operand.subscript->span).next(operand.subscript->index.span);
}

void verify(const Generator& generator) {
  Parts parts("generator", generator.span);
  if (generator.names.empty()) broken("generator", generator.span);
  for (const Name& name : generator.names) {
    if (name.text.empty()) broken("name", name.span);
    parts.next(name.span);
  }
  parts.next(generator.set.span);
  const Set& set = generator.set;
  const bool right_count = set.form == Set::Form::interval ? set.elements.size() == 2
                           : set.form == Set::Form::range  ? set.elements.size() == 1
                                                           : !set.elements.empty();
  if (!right_count) broken("set", set.span);
  Parts elements("set", set.span);
  for (const Expr& element : set.elements) elements.next(element.span);
}

void verify(const Let& let) {
  Parts parts("let", let.span);
  parts.next(let.name.span);
  parts.next(let.value.span);
}

void verify(const Filter& filter) { Parts("filter", filter.condition.span); }

Span span_of(const Clause& clause) {
  if (const auto* generator = std::get_if<Generator>(&clause)) return generator->span;
  if (const auto* let = std::get_if<Let>(&clause)) return let->span;
  return std::get<Filter>(clause).condition.span;
}

void verify(const Statement& statement) {
  Parts parts("statement", statement.span);
  parts.next(statement.place.span);
  parts.next(statement.receiver.span);
  parts.next(statement.arrow);
  parts.next(statement.value.span);
  parts.next(statement.sender.span);
  verify(statement.place);
  verify(statement.value);
  if ((statement.op == Operator::assign) != statement.callable.span.empty())
    broken("operation", statement.arrow);
  if (statement.op != Operator::assign) Parts("operation", statement.arrow).next(statement.callable.span);
  for (const Clause& clause : statement.clauses) {
    parts.next(span_of(clause));
    std::visit([](const auto& one) { verify(one); }, clause);
  }
}

}  // namespace

void verify(const Ast& ast) {
  if (ast.source == nullptr) throw std::logic_error("broken syntax tree: no source");
  if (ast.blocks.empty()) return;
  Parts blocks("file", {0, static_cast<std::uint32_t>(ast.source->bytes().size())});
  for (const Block& block : ast.blocks) {
    blocks.next(block.span);
    if (block.statements.empty()) broken("block", block.span);
    Parts parts("block", block.span);
    for (const Modifier& modifier : block.modifiers) {
      parts.next(modifier.span);
      if (!modifier.argument.span.empty()) Parts("modifier", modifier.span).next(modifier.argument.span);
    }
    for (const Statement& statement : block.statements) {
      parts.next(statement.span);
      verify(statement);
    }
  }
}

}  // namespace kanor::syntax
