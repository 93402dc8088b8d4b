// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A statement's clauses and ranks in symbols, as kanorc writes them into programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/operators.hpp"

namespace kanor::rt::plan {

inline constexpr int most_names = 16;

/// A set of names: a bit for each name.
using NameMask = std::uint32_t;

/// One operation of an expression. Its operands stand before it in Form::nodes.
struct Node {
  enum class Kind : unsigned char {
    constant,    ///< `value`
    leaf,        ///< number `value` of the leaves: an integer
    name,        ///< number `value` of the names
    operation,   ///< `op` of operands 0 and 1
    negation,    ///< of operand 0
    neighbour,   ///< of leaf `value`, a grid: rank, dimension, offset
    at,          ///< of leaf `value`, a grid: the rank at the operands' coordinates
    coordinate,  ///< of leaf `value`, a grid: rank, dimension
  };
  Kind kind = Kind::constant;
  Operator op = Operator::add;
  int first_operand = 0;  ///< in Form::operands
  int operands = 0;
  std::int64_t value = 0;
  NameMask names = 0;  ///< the names that the node depends on
};

enum class Relation : unsigned char { equal, unequal, less, less_or_equal, greater, greater_or_equal };

/// kanorc's description of a statement. Node numbers are -1 for what it did not describe.
///
///     form  := item {"; " item}
///     item  := NAME ": " expr " .. " expr          the name's set: an interval, both ends included
///            | NAME ": " expr " until " expr " by " expr     the name's set: the first number, and so on in
///                                               steps, down if they are negative, before the second is
///                                               reached
///            | NAME ": {" expr {", " expr} "}"     the name's set: these numbers
///            | NAME ": ?"                          a set that is not described
///            | "if " expr REL expr                 holds for each binding; REL is one of == != < <= > >=
///            | "if ?"                              a condition that is not described
///            | "to " rank | "from " rank           receiver and sender
///            | "is " WORD                          the pattern; the last item
///     rank  := expr | "?"
///     expr  := C++'s integer expressions from numbers, $k (leaf k), names that stand before, + - * / % ^ & |
///              << >> unary - and parentheses; for a grid leaf $k.neighbor(expr, expr, expr), $k(expr, …) and
///              $k.coords(expr)[expr]
///
/// Spaces may stand between any two tokens. An expression's value in C++ must be the mathematical one, except
/// that << may lose bits. A set's members and their order are the program's; the form may describe more
/// members.
struct Form {
  struct Set {
    enum class Kind : unsigned char { unknown, interval, progression, list };
    Kind kind = Kind::unknown;
    std::vector<int> ends;  ///< nodes: two ends, or the first, the end and the step, or the members
    int node = -1;          ///< the name itself
  };
  struct Filter {
    Relation relation;
    int left, right;
  };

  std::vector<Node> nodes;
  std::vector<int> operands;
  std::vector<std::string> names;
  std::vector<Set> sets;  ///< one for each name
  std::vector<Filter> filters;
  int to = -1;
  int from = -1;
  int leaves = 0;  ///< the highest leaf's number plus 1
  /// Everything is described: the bindings depend on the leaves and the team alone.
  bool is_closed = true;
  std::string pattern;
};

/// Reads a form; returns nothing for an invalid one, and `error` says why and where.
std::optional<Form> parse_form(std::string_view text, std::string& error);

}  // namespace kanor::rt::plan
