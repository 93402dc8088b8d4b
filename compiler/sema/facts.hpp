// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sema/symbolic.hpp"
#include "text/source.hpp"

/// C++ facts about the expressions in blocks and the variables around them. Plain data, found by host/facts,
/// worded by sema. A statement in a template has one entry for each instantiation; one that is never
/// instantiated has none.
namespace kanor::sema {

using text::Span;

enum class Travel {
  flat,                ///< its bytes
  contiguous,          ///< a vector or string of flat elements
  structural,          ///< through cereal between ranks that share no addresses
  same_address_space,  ///< only between ranks that share addresses
  cannot
};

/// Why a type can't travel, at the innermost type that can't.
enum class Hindrance {
  none,
  pointer,
  untyped_pointer,   ///< `void *`, `nullptr`
  function_pointer,  ///< or one to a member
  iterator,
  reference,
  view,
  smart_pointer,
  team,  ///< or a grid
  not_copyable,
  function,
  nothing,
  unknown_class,
  closed_functions,  ///< a class whose functions for cereal are not public
  standard_class,
  policy,  ///< a container's order, hash or allocator that is more than its type
  same_base_twice,
  out_of_reach,  ///< an aggregate that kanorc has to add to, where it cannot write
  no_default_constructor,
  constant_member,  ///< of a class that is put together from its parts
  incomplete,
  union_member,
  anonymous_union  ///< in an aggregate that is not flat
};

struct TravelFacts {
  Travel verdict = Travel::flat;
  Hindrance hindrance = Hindrance::none;
  std::string type;         ///< the type that can't, as the user would write it
  std::string member;       ///< the member that has this type or holds it, empty if none
  std::string owner;        ///< the class of that member
  std::string member_type;  ///< `std::vector<int *>` where `type` is `int *`
};

enum class PlaceKind { modifiable, proxy, constant, bit_field, temporary, function };

struct RankFacts {
  std::string type;
  bool is_integer = true;
  bool is_no_rank = false;
  std::optional<std::int64_t> constant;
};

/// The kind of rows that one dimension of a section ranges over.
enum class RowKind {
  fixed,  ///< an array or a std::array: its type says its length
  vector,
  span,
  pointer,
  shape,  ///< one dimension of a base that has several (kanor::shape_of)
  none    ///< has no sections
};

/// One first element, count or stride of a section.
struct SectionPartFacts {
  std::string type;
  bool is_integer = true;
  std::optional<std::int64_t> constant;
};

/// A C++ range that a generator or a section goes through.
struct RangeFacts {
  bool is_range = true;
  std::string element_type;  ///< empty if it is no range
  bool is_integer = true;    ///< its elements
};

struct DimensionFacts {
  RowKind row = RowKind::none;
  std::string row_type;
  std::optional<std::uint64_t> length;                   ///< of fixed rows
  std::optional<SectionPartFacts> first, count, stride;  ///< those that are written
  std::optional<RangeFacts> indices;                     ///< those that it lists
  std::string indices_type;                              ///< of the expression that lists them
  bool is_one_index = false;                             ///< that expression is an integer
};

/// A place or value that is a section. Ends with the first dimension whose rows have no sections; of a base
/// with a shape there are all dimensions that it has, whatever is written.
struct SectionFacts {
  std::vector<DimensionFacts> dimensions;
  std::string element_type;
  std::optional<std::uint64_t> count;  ///< of all elements, where it is known
};

enum class Fit { fits, no_assignment, lengths_differ };

/// The reason why objects of a class cannot be assigned to.
struct AssignmentObstacle {
  enum class Kind { none, constant, reference, deleted, inaccessible, moves };
  Kind kind = Kind::none;
  std::string member;  ///< the member that is constant or a reference
  std::string owner;   ///< the class that has it, or the operator
};

enum class Fold { whole, elementwise, none, names_a_type };

/// One integer set, let or filter. `index` counts the statement's clauses.
struct ClauseFacts {
  int index = 0;
  int element = -1;          ///< its index in an interval or a list; -1 for a range, let or filter
  std::string type;          ///< of the expression
  bool is_range = true;      ///< sets of the form range
  bool is_world = false;     ///< ranges: kanor::world itself
  std::string element_type;  ///< of a range's elements
  bool is_integer = true;    ///< interval, list: this element; range: its elements
  bool is_condition = true;  ///< filters: contextually convertible to bool
  std::optional<std::int64_t> constant;  ///< of an interval's or list's element
};

/// A `let` of a block that one side knows: its value may have to travel to the other.
struct LetFacts {
  int index = 0;  ///< counts the statement's clauses
  std::string type;
  TravelFacts travel;
};

/// The function template specialisation around a piece of code; the name is empty outside of templates.
struct Instantiation {
  std::string name;
  const text::Source* source = nullptr;  ///< the file that asks for it; null if it is no user's file
  Span asked;
  /// If another instantiation asks for it: that one, then the one that asks for that, and so on.
  std::vector<Instantiation> outer;
};

/// `base[index]` in a place or value, of an array or a container that knows how many elements it has.
struct CheckedElement {
  Span whole, base, index;

  bool operator==(const CheckedElement&) const = default;
};

/// The stride of elements that follow each other in no fixed distance: the index lists them.
inline constexpr std::int64_t listed = 0;

/// A place or a value.
struct OperandFacts {
  std::string type;  ///< for a section, its elements' type
  std::optional<SectionFacts> section;
  /// The number of elements by which it, a subscript like the other operand, advances with the last name of
  /// the last generator, or `listed`. Nothing where it is something else, where the name is used for anything
  /// else, or where the place of a reduction is listed or depends on another name.
  std::optional<std::int64_t> stride;
  std::uint64_t length = 0;  ///< elements, if the lengths differ
  /// Local variables that are only read in it, so that copies of them can be used.
  std::set<std::string> reads;
  std::uint32_t variable = 0;  ///< which variable of the program it is; 0 for all else
};

/// How a reduction combines two values.
struct FoldFacts {
  Fold fold = Fold::whole;
  std::string culprit;  ///< the type that has no fold, if there is none
  bool callable_is_overload_set = false;
  /// For values that are lists and a callable that is an overload set or has a call operator template: how
  /// many levels the lists have that it combines whole; 0 if it combines their innermost elements.
  std::optional<int> list_levels;
};

struct StatementFacts {
  Instantiation instantiation;
  OperandFacts place, value;
  std::uint64_t value_bytes = 0;  ///< of a value whose length the type tells; 0 if it does not
  bool value_is_string_literal = false;
  PlaceKind place_kind = PlaceKind::modifiable;
  TravelFacts travel;
  Fit fit = Fit::fits;
  AssignmentObstacle obstacle;  ///< if nothing of the value's type can be assigned to one of the same
  RankFacts receiver, sender;
  FoldFacts folding;
  bool value_lasts = false;  ///< it is a variable, or a part of one, that is there after the block
  bool value_is_readable_in_place = false;  ///< the same, and it does not change until the block ends
  bool hides_names = false;        ///< a macro names in the place, a rank or a clause what a clause binds
  bool value_hides_names = false;  ///< the same in the value
  std::set<std::string> static_locals;   ///< plain ones that the place or the value names
  std::vector<CheckedElement> elements;  ///< by offset, the outer ones first
  std::vector<ClauseFacts> clauses;
  std::vector<LetFacts> lets;  ///< in blocks that one side knows
};

/// The type of a block's team argument, in one instantiation.
struct TeamFacts {
  Instantiation instantiation;
  std::string type;
  bool is_team = true;
};

struct SideEffect {
  Span span;
  std::string what;  ///< `++`, `=`, …
};

/// A local variable that code inside of a lambda cannot name, which is what a block becomes.
struct Uncapturable {
  Span span;
  bool is_array = false;  ///< it is an array of variable length; else a member of an anonymous union
};

/// A structured binding that is a bit-field, used in a block: no lambda can refer to it.
struct BoundBitField {
  Span span;
  std::string name;
};

/// A place or value that is an element of a container which has none yet.
struct EmptyContainer {
  int statement = 0;
  bool is_place = true;
  std::string name;
  Span declared;  ///< in the block's file
};

/// A variable that is read or written, whole or in part, while an exchange is sure to be pending.
struct PendingTouch {
  Span span;
  std::string name;
  std::uint32_t variable = 0;  ///< as in the facts of statements
  bool writes = false;
};

/// `name.wait()` where the same exchange has been waited for on every way that leads there.
struct SecondWait {
  Span span, first;
  std::string name;
};

struct BlockFacts {
  bool outside_function = false;
  bool is_substatement = false;  ///< of an `if`, a loop or a label, without braces: declares nothing there
  std::string function;          ///< it stands in, qualified
  std::string evaluated_by_compiler;  ///< `constexpr` or `consteval`, of the function it stands in
  bool has_errors = false;  ///< Clang has reported something inside; what it could not type is missing here
  std::vector<std::string> words;  ///< those of `world`, `range`, `no_rank` that mean Kanor's own here
  std::vector<std::vector<StatementFacts>> statements;  ///< [statement][instantiation]
  std::vector<TeamFacts> teams;                         ///< empty if the block names none
  std::vector<SymbolicStatement> symbols;               ///< [statement]; what all instantiations agree on
  std::vector<SideEffect> side_effects;
  std::vector<SideEffect> suspensions;  ///< `co_await` and `co_yield`
  std::vector<BoundBitField> bound_bit_fields;
  std::vector<Uncapturable> uncapturable;
  std::vector<EmptyContainer> empty_containers;
  /// Earlier blocks of the file whose exchange, when this block is executed, has always been started and not
  /// ended.
  std::vector<int> pending;
  /// For a block that starts an exchange: what every rank that executes it touches before it waits.
  std::vector<PendingTouch> touches;
};

struct VariableDeclaration {
  std::uint32_t insert_at = 0;  ///< where `thread_local ` goes, in the original
  std::string name;
};

/// A class that travels member by member, and whose members cannot be found from outside: its definition gets
/// a function that visits them.
struct AggregateParts {
  struct Member {
    std::string name;
    bool is_bit_field = false;
  };
  std::uint32_t insert_at = 0;  ///< behind the definition's opening brace, in the original
  std::string name;
  bool may_have_templates = true;  ///< not in a function, nor where the linkage is C's
  bool begins_private = false;     ///< `class`
  std::vector<std::string> bases;  ///< as the class can name them; `Bases...` of a pack
  std::vector<Member> members;     ///< those of unnamed structures among them
};

struct VariableObstacle {
  const text::Source* source = nullptr;
  Span span;
  std::string variable;
  std::string reason;
  std::string linker_words = {};  ///< as in Obstacle (sema/program.hpp)
};

/// A thread_local variable whose destructor may use other variables.
struct ThreadEnd {
  const text::Source* source = nullptr;
  std::uint32_t at = 0;
  std::string variable;
};

struct FileFacts {
  const text::Source* source = nullptr;
  std::vector<BlockFacts> blocks;                         ///< as in the Ast
  std::vector<VariableDeclaration> private_declarations;  ///< by offset
  std::vector<AggregateParts> aggregates;                 ///< by offset
  std::vector<SecondWait> second_waits;
  std::vector<Span> attributes;   ///< Kanor's attributes, as the host compiler must not see them
  std::vector<Span> own_streams;  ///< names of std::cout and its like, by offset
};

/// A place or value `base[indices]` that C++ has no meaning for.
struct ListedOperand {
  const text::Source* source = nullptr;
  int block = 0, statement = 0;
  bool is_place = true;

  bool operator==(const ListedOperand&) const = default;
};

struct Facts {
  std::vector<FileFacts> files;  ///< every user file, in the discovery's order
  /// If there are any, the rest is unknown until they are read as sections (syntax::read_as_section).
  std::vector<ListedOperand> listed;
  std::vector<std::string>
      initialisers;  ///< private variables with dynamic initialisers that can be named at the end
  bool has_unnamed_initialisers = false;  ///< there are others, such as private static members
  std::vector<VariableObstacle> obstacles;
  std::optional<ThreadEnd> thread_end;  ///< the first of its kind

  const FileFacts* find(const text::Source* source) const;
  /// Adds an obstacle, unless there is one at its place: that of another instance of the same template.
  void add_obstacle(VariableObstacle obstacle);
  BlockFacts& block(int file, int index) {
    return files[static_cast<std::size_t>(file)].blocks[static_cast<std::size_t>(index)];
  }
};

/// The golden format of `kanorc --dump=facts`.
void print(const Facts& facts, std::ostream& out);

}  // namespace kanor::sema
