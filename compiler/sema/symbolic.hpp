// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/source.hpp"

/// The symbolic form of a statement's sets, filters and ranks: expressions in its names and in values that do
/// not depend on them. Plain data, found by host/facts, read by plan. Numbers are mathematical integers: what
/// C++ would have wrapped or narrowed is opaque.
namespace kanor::sema {

using text::Span;

/// Why an expression is opaque.
enum class Obscurity {
  none,
  call,              ///< of a function that is not looked into
  element,           ///< of an array or container, chosen by a name
  conditional,       ///< `?:`, `||` or a comparison in arithmetic
  may_wrap,          ///< unsigned arithmetic
  may_change,        ///< a conversion to a type that may not hold the value
  not_integer,       ///< a type that is no integer
  guarded,           ///< evaluated only where an earlier clause lets it be, and not safe elsewhere
  in_macro,          ///< a macro's body spells it
  set_of_values,     ///< a list, or a range whose members no two ends tell
  too_long,          ///< lets within lets have made it too long to write down
  instantiations,    ///< they disagree
  template_argument  ///< it depends on the arguments of a template in a header
};

enum class Operation {
  add,
  subtract,
  multiply,
  divide,
  remainder,
  bit_xor,
  bit_and,
  bit_or,
  shift_left,
  shift_right,
  negate
};

/// The operation's value for as many numbers as it has operands, as C++ computes it for every integer type
/// that holds them. Nothing where C++ gives one of these types no value or another, as shifts beyond 32 bits
/// do, and where 64 bits are too few.
std::optional<std::int64_t> evaluate(Operation operation, std::span<const std::int64_t> operands);

struct Symbolic {
  enum class Kind {
    integer,          ///< `value`
    name,             ///< the statement's name number `value`
    leaf,             ///< the statement's leaf number `value`
    team_size,        ///< in what a leaf means: the size of the block's team
    operation,        ///< of one or two operands
    grid_rank,        ///< operands: the grid's leaf, the coordinates
    grid_neighbor,    ///< operands: the grid's leaf, rank, dimension, offset
    grid_coordinate,  ///< operands: the grid's leaf, rank, dimension
    opaque            ///< operands: the names it uses
  };
  Kind kind = Kind::opaque;
  std::int64_t value = 0;
  Operation operation = Operation::add;
  std::vector<Symbolic> operands;
  Obscurity obscurity = Obscurity::none;  ///< of an opaque one, with the span of the culprit
  Span span;

  bool operator==(const Symbolic&) const = default;
  bool is(Kind which) const { return kind == which; }
  bool is_integer(std::int64_t number) const { return kind == Kind::integer && value == number; }
};

Symbolic integer(std::int64_t value);
Symbolic name(int index);
Symbolic leaf(int index);
Symbolic operation(Operation operation, Symbolic left, Symbolic right);
Symbolic negated(Symbolic operand);
Symbolic opaque(Obscurity why, Span span, const std::vector<int>& names);

/// Returns true if no part of it is opaque.
bool is_described(const Symbolic& expression);
/// The first opaque part, or null.
const Symbolic* find_opaque(const Symbolic& expression);
/// The names in it, those of opaque parts too, in ascending order without repetition.
std::vector<int> names_of(const Symbolic& expression);

/// An integer or a grid that does not depend on the statement's names.
struct Leaf {
  std::string text;            ///< as the user wrote it, in the block or in a macro's body
  bool size_of_range = false;  ///< the text names a team: the leaf is its size
  bool is_grid = false;
  std::vector<Symbolic>
      meaning;  ///< its value for every team size: one expression, none if that is not known

  bool operator==(const Leaf&) const = default;
};

enum class Relation { equal, not_equal, less, less_equal, greater, greater_equal };
Relation negated(Relation relation);

/// `left relation right`; opaque if `left` is.
struct SymbolicFilter {
  Symbolic left;
  Relation relation = Relation::not_equal;
  Symbolic right;
  Span span;

  bool operator==(const SymbolicFilter&) const = default;
};

/// The set that a name ranges over.
struct SymbolicSet {
  enum class Form { interval, progression, list, unknown };
  Form form = Form::unknown;
  /// Interval: both ends, included. Progression: the first, the end, which is not reached, and the step,
  /// which may be negative. List: all. Unknown: one, opaque.
  std::vector<Symbolic> members;
  Span span;

  bool operator==(const SymbolicSet&) const = default;
};

/// first, first + step, …: `count` numbers.
struct Members {
  std::int64_t first = 0, step = 1;
  std::uint64_t count = 0;
};

/// The members of an interval or a progression that these numbers describe. Nothing for other sets, without a
/// step, and where 64 bits do not count them.
std::optional<Members> members_of(SymbolicSet::Form form, std::span<const std::int64_t> numbers);

/// Returns true if the set is 0 … P - 1, P being the size of the block's team.
bool is_whole_team(const SymbolicSet& set, const std::vector<Leaf>& leaves);

struct SymbolicName {
  std::string text;
  SymbolicSet set;

  bool operator==(const SymbolicName&) const = default;
};

/// One statement. Lets are written out; `&&` and `!` have become filters of their own.
struct SymbolicStatement {
  std::vector<Leaf> leaves;
  std::vector<SymbolicName> names;  ///< the generators', in the order of the text
  std::vector<SymbolicFilter> filters;
  Symbolic receiver, sender;
  std::vector<int> place_names, value_names;  ///< the names that the place and the value use, by lets too

  bool operator==(const SymbolicStatement&) const = default;
};

/// The ranks that receive a statement's values, and so agree on them afterwards. False where it cannot be
/// told. The patterns of plan/ do not say it: a broadcast may leave its root out, an all-gather leaves the
/// same everywhere too, and they are of all instantiations of a template together.
struct Reach {
  bool everyone = false;  ///< each rank of the team gets values, and all of them the same
  bool certain = false;   ///< whatever the sizes and conditions are: at least one value
};
Reach reach(const SymbolicStatement& statement);

/// Returns true if each rank of the team receives at least one value, perhaps a different one. False if that
/// cannot be told.
bool everyone_receives(const SymbolicStatement& statement);

/// Returns true if each binding's receiver is a rank and never no_rank, unless the program is in error.
bool always_has_receiver(const SymbolicStatement& statement);

}  // namespace kanor::sema
