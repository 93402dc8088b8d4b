// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "text/source.hpp"

/// The blocks of one file as the user wrote them. Every piece is a span of the Source; nothing is
/// looked up, typed or rewritten here. Spans of expressions have no blanks or comments at their ends.
namespace kanor::syntax {

using text::Span;

struct Expr {
  Span span;
};

struct Name {
  Span span;
  std::string text;
};

/// One `[first : count : stride]`, `[:]` or `[indices]` of a section.
struct Dimension {
  Span span;  ///< with its brackets
  std::optional<Expr> first, count, stride;
  bool whole = false;           ///< `[:]`
  std::optional<Expr> indices;  ///< a range; in the last dimension only
};

/// The expressions of a dimension, by the numbers that its parts have everywhere.
inline constexpr std::size_t parts_of_dimension = 3;
inline std::array<const std::optional<Expr>*, parts_of_dimension> parts(const Dimension& dimension) {
  return {dimension.indices ? &dimension.indices : &dimension.first, &dimension.count, &dimension.stride};
}

/// The last brackets of a C++ expression that ends with a subscript.
struct Subscript {
  Span base;
  Span span;  ///< with its brackets
  Expr index;
};

/// A place or a value: a C++ expression, or a section of a base.
struct Operand {
  Span span;
  Span base;  ///< the span without the dimensions; equals `span` where there are none
  std::vector<Dimension> dimensions;
  std::optional<Subscript> subscript;  ///< of an expression
  bool is_section() const { return !dimensions.empty(); }
};

/// Makes the expression `base[indices]` a section: the brackets' types, which are not known here, tell that
/// it is one. The operand must have a subscript.
inline void read_as_section(Operand& operand) {
  const Subscript last = *operand.subscript;
  Dimension dimension;
  dimension.span = last.span;
  dimension.indices = last.index;
  operand.base = last.base;
  operand.dimensions.push_back(std::move(dimension));
  operand.subscript.reset();
}

struct Set {
  enum class Form { interval, list, range };  ///< `{a ... b}`, `{a, b, c}`, a C++ range
  Form form = Form::range;
  Span span;
  std::vector<Expr> elements;  ///< interval: two; list: one or more; range: one
};

struct Generator {
  Span span;
  std::vector<Name> names;
  Set set;
};
struct Let {
  Span span;
  Name name;
  Expr value;
};
struct Filter {
  Expr condition;
};
using Clause = std::variant<Generator, Let, Filter>;

enum class Operator {
  assign,
  add,
  multiply,
  bit_and,
  bit_or,
  bit_xor,
  logical_and,
  logical_or,
  min,
  max,
  callable
};

struct Statement {
  Span span;
  Operand place;
  Expr receiver;
  Operator op = Operator::assign;
  Span arrow;     ///< `<<=`, or from the first `<<` to the second
  Expr callable;  ///< the op's text, for every reduction
  Operand value;
  Expr sender;
  std::vector<Clause> clauses;
};

enum class ModifierKind { team, async, knows, delta, copy };

struct Modifier {
  ModifierKind kind;
  Span span;
  Expr argument;  ///< team's expression, async's name, knows' word; empty otherwise
};

struct Block {
  enum class Spelling { at_sign, macro };  ///< `@communicate {...}`, `KANOR_COMMUNICATE(...)`
  Spelling spelling = Spelling::at_sign;
  /// From `@` or the macro's name to the closing brace or parenthesis; the macro's `;` is not part of it.
  Span span;
  std::vector<Modifier> modifiers;
  std::vector<Statement> statements;
};

/// Null if the block has none of this kind; it has at most one.
inline const Modifier* find_modifier(const Block& block, ModifierKind kind) {
  for (const Modifier& modifier : block.modifiers)
    if (modifier.kind == kind) return &modifier;
  return nullptr;
}

/// The block's first word: `@communicate`, or a macro's name.
inline Span keyword_of(const Block& block, const text::Source& source) {
  const auto length = source.text(block.span).find_first_of("({ \t\n");
  return {block.span.begin, block.span.begin + static_cast<std::uint32_t>(length)};
}

struct Ast {
  const text::Source* source = nullptr;
  std::vector<Block> blocks;  ///< in the order of the text
};

/// The golden format of `kanorc --dump=parse`.
void print(const Ast& ast, std::ostream& out);

/// Throws std::logic_error if a span lies outside the source, outside its parent, or out of order.
void verify(const Ast& ast);

}  // namespace kanor::syntax
