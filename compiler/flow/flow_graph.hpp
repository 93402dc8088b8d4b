// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/source.hpp"

/// Control-flow graphs of a translation unit's functions; their nodes hold events: what happens to variables,
/// in order. Plain data without C++ in it, so that analyses are tested from text.
///
/// C++ becomes variables and events like this. A variable stands for the whole of an object (an array, a
/// vector with its elements); how long a container is, is a variable of its own. A data member is one
/// variable for all objects of its class, but a variable of its own in a local object that is never named as
/// a whole. A reference or pointer is a variable that says which object is meant, and a use of it uses what
/// it may refer to as well. The names that a block's clauses bind are no variables.
namespace kanor::flow {

using text::Span;

/// A stretch of a user's file; without a source it is nowhere.
struct Location {
  const text::Source* source = nullptr;
  Span span;

  bool operator==(const Location&) const = default;
};

enum class VariableKind {
  local,
  parameter,  ///< the caller's argument, including the object behind a reference or pointer
  global,     ///< at namespace scope, or static
  member,     ///< a data member, of every object of the class
  result,     ///< a call's result where it is used, or a function's where it returns
  team        ///< a kanor::team: what is said "within" it holds for its ranks
};

struct Variable {
  std::string name;  ///< as the user would call it; several may have the same
  VariableKind kind = VariableKind::local;
  Location declared;
  int function = -1;         ///< the function that it is local to; -1 for globals and members
  bool is_uniform = false;   ///< declared [[kanor::uniform]]
  bool other_files = false;  ///< code that is not seen may write it
  bool escapes = false;      ///< calls of functions that are not seen may write it
};

/// The team that a block, variable or argument refers to.
struct Team {
  enum class Kind {
    world,
    variable,  ///< the one that `variable` means
    other      ///< one that has no name
  };
  Kind kind = Kind::other;
  int variable = -1;

  bool operator==(const Team&) const = default;
};

/// Why a value says nothing about other ranks' values.
enum class Unknown {
  no,         ///< it is a variable's
  rank,       ///< the rank itself
  team_size,  ///< differs between teams, the same within the one in `variable`
  address,
  call,      ///< of a function whose body is not seen and that is not known
  memory,    ///< reached in a way that is not followed
  received,  ///< not by all ranks, or not the same by all
  exception,
  undefined  ///< nobody ever gives it a value
};

/// One thing that a value is computed from.
struct Use {
  int variable = -1;
  int also = -1;  ///< a second variable that holds the same value: a member and the whole object
  Unknown unknown = Unknown::no;
  Location at;

  bool operator==(const Use&) const = default;
};
using Uses = std::vector<Use>;

/// An argument of a call: what goes into one parameter, and what comes back.
struct Argument {
  Uses uses;
  std::vector<int> variables;  ///< that the parameter may refer to
  bool is_whole = false;       ///< it stands for the one in `variables`, and all of it
  Team team;                   ///< for a team parameter: the team that it gets
  bool operator==(const Argument&) const = default;
};

/// One expression that a block's ranks evaluate alike.
struct Judged {
  std::string role;  ///< `receiver`, `sender`, `set`, `filter`, `let`
  int statement = 0;
  Location at;
  Uses uses;  ///< without the names that the clauses bind
};

enum class EventKind {
  overwrite,  ///< all of `variable` becomes something computed from `uses`
  write,      ///< some of it does, or perhaps does
  call,       ///< of function `callee`, -1 for one not seen; what it returns goes to `results`
  block,      ///< a communicate block; what it receives follows
  receive,    ///< all of `variable` becomes what every rank gets alike if `uses` agree
  split       ///< of `team`, into new ones
};

/// Returns true if an event of this kind changes its `variable`.
constexpr bool changes_variable(EventKind kind) {
  return kind == EventKind::overwrite || kind == EventKind::write || kind == EventKind::receive;
}

struct Event {
  EventKind kind = EventKind::overwrite;
  int variable = -1;
  std::vector<int> others;  ///< for a write: what it changes besides `variable`, all at once
  int callee = -1;
  Uses uses;
  std::vector<int> results;         ///< as the callee's
  std::vector<Argument> arguments;  ///< as the callee's parameters
  Location at;                      ///< of the value, the call, the block, or the split
  int block = -1;                   ///< counts the blocks of its file
  Team team;  ///< the block's or the split's; or the one that a team `variable` means from now on
  std::vector<Judged> judged;
};

enum class AccessKind {
  read,       ///< of some of it, or all
  write,      ///< of some of it, or perhaps
  overwrite,  ///< of all of it: what it held is lost
  send,       ///< all of it is a block's value
  receive,    ///< all of it is a block's place: overwritten on the ranks that receive
  call,       ///< it goes to a function's parameter, which may refer to it
  escape      ///< a reference that is not followed may exist from here on
};

/// constant + the sum of coefficient * (the counter of a loop, whichever values that takes).
struct Affine {
  long long constant = 0;
  std::vector<std::pair<int, long long>> terms;  ///< loop, coefficient; ascending loops, no coefficient is 0

  bool operator==(const Affine&) const = default;
};

/// Whether a block is to run at the same time as the loops around it.
enum class Pipelining {
  no,
  with_both,   ///< with the loop that computes the value and the one that uses the place, if there are both
  with_either  ///< the program asks for it
};

/// An access to a candidate's contents, or to the object behind a parameter. A node's accesses stand in the
/// order in which they happen; an assignment's reads come before its write.
struct Access {
  /// What becomes of an allocated candidate's pointer.
  enum class Pointer {
    stays,
    is_set,    ///< by its declaration or an assignment
    is_freed,  ///< what it leads to
  };

  AccessKind kind = AccessKind::read;
  int variable = -1;
  Location at;
  int statement = -1;  ///< of the function's statements: the innermost one that it is part of
  /// The element's subscripts, the first dimension first; none: unknown, or all of it. Dimensions left out at
  /// the end are accessed whole.
  std::vector<std::optional<Affine>> subscripts;
  bool only_length = false;                ///< of a read: it reads how many elements there are
  int callee = -1, parameter = -1;         ///< of a call
  int block = -1, block_statement = -1;    ///< of send and receive
  bool by_all_ranks = false;               ///< for a receive: every member of the block's team receives
  bool is_replaced = false;                ///< for a send: its statement also overwrites what it sends
  Pipelining pipelining = Pipelining::no;  ///< of send and receive: of the block
  int message = -1;                        ///< of send and receive: of the function's messages
  Pointer pointer = Pointer::stays;
  std::string reason;  ///< for an escape: why, as "its address is stored"
};

/// The text of a declaration statement with its declarators, for rewriting it.
struct Declaration {
  struct Declarator {
    Span all;
    Span name;
    Span suffix;  ///< array bounds
    Span init;    ///< with its `=`, braces or parentheses; empty: there is none
  };
  Span specifiers;
  std::vector<Declarator> declarators;
};

/// An occurrence of a candidate's name.
struct Mention {
  /// All of a block's place or value, or its name where a lambda captures it, or anything else.
  enum class What { plain, place, value, capture };
  Location at;
  What what = What::plain;

  bool operator==(const Mention&) const = default;
};

/// The memory of a buffer of MPI's messages, and what is rewritten where the buffer changes hands.
struct BufferMemory {
  enum class Kind {
    none,       ///< the candidate is no such buffer
    automatic,  ///< an array that is local to its function
    lasting,    ///< a static one
    allocated   ///< by malloc or calloc; the candidate is the pointer to it
  };
  Kind kind = Kind::none;
  long long element_bytes = 0;  ///< 0: not known
  std::string extent;           ///< number of elements allocated, in words (Quantity), if no constant
  bool is_zeroed = false;       ///< it is automatic, and its initialiser makes it all zero
  bool ends_with_main = false;  ///< it is main's, and nothing uses it after main
  std::vector<Location> calls;  ///< the names of `malloc`, `calloc` and `free` in calls
  std::vector<Location> sizes;  ///< expressions `sizeof buffer`
};

/// A variable that ranks might share instead of copying it: local to its function, contiguous, the place or
/// value of a block as a whole. Or a container whose content a block might give away, all of it or that of an
/// element. Or a buffer of MPI's messages.
struct Candidate {
  int variable = -1;
  Location declaration;            ///< of its declarator, with the initialiser
  std::vector<long long> extents;  ///< of its dimensions; -1 where they are not constants
  long long bytes = -1;            ///< of all of it; -1: not a constant
  bool is_vector = false;          ///< has its length from its value: a std::vector or a kanor::buffer
  bool moves_only = false;         ///< it is neither rewritten nor shared: its values can be moved out
  bool is_initialised = false;     ///< its declaration gives it a value
  std::vector<std::pair<std::string, Location>> obstacles;  ///< why it cannot be shared, and where
  /// Why its text cannot be rewritten, or its declaration; as much of an obstacle where that has to be done.
  std::vector<std::pair<std::string, Location>> text_obstacles;
  enum class Asked { no, globalize, local } asked = Asked::no;
  int statement = -1;   ///< the declaration
  std::string element;  ///< of the type, for messages
  Declaration spelling;
  int declarator = 0;             ///< which of the declaration's
  std::vector<Mention> mentions;  ///< all of them, by offset; also where nothing is done to it (`sizeof A`)
  BufferMemory memory;
};

/// A number: a constant, or words that spell it by variables that do not change any more once the function's
/// buffers exist. Equal words in one function mean equal numbers. Without both it is not known.
struct Quantity {
  std::optional<long long> value;
  std::string words;

  bool is_known() const { return value || !words.empty(); }
  bool operator==(const Quantity&) const = default;
};

/// One end of messages from rank to rank: what a call of MPI sends or receives.
struct Message {
  enum class Role { send, receive };
  Role role = Role::send;
  std::string call;    ///< `MPI_Send`
  Location at;         ///< the call
  Location name;       ///< of the function, in the call
  Location buffer;     ///< the argument
  int candidate = -1;  ///< of the function's candidates: the buffer, all of it from its first element on
  Quantity count;
  /// Where they are constants; a tag or communicator without a value may be any.
  std::optional<long long> type, tag, comm;
  int type_bytes = 0;        ///< of an element without gaps; 0: not known
  bool has_partner = false;  ///< the other rank is never MPI_PROC_NULL
  bool has_none = false;     ///< it always is
  std::string obstacle;      ///< why the call can't pass ownership; empty: the call itself can
  int statement = -1;        ///< of the function's statements, which the call is
  /// Why it can't be split into a call that begins and one that ends it; empty: the call itself can.
  std::string undivided;
  /// Where what its arguments are computed from may change, and where its status is used.
  std::vector<Location> conflicts;
  /// Of a call that begins or ends a branch of an `if`: the condition; of the other branch: `is_otherwise`.
  Location condition;
  bool is_otherwise = false;
};

/// A communicate block, as far as other statements may run between its start and its completion.
struct Exchange {
  int block = -1;  ///< counts the blocks of its file
  Location at;
  int statement = -1;         ///< of the function's statements, which the block is
  std::vector<int> places;    ///< variables of which it may update parts until it is complete
  std::vector<int> indices;   ///< variables that say which parts, and are read as late
  std::vector<int> operands;  ///< variables that it has read when it has started
  std::string obstacle;       ///< why it has to be complete where it stands; empty: it doesn't
  Location obstacle_at;
  std::string late;  ///< why it can't start before the place where it stands; empty: it can
  Location late_at;
};

/// A nest of loops beside a block that does nothing but copy the elements of a local buffer, one by one:
/// other memory into the buffer, before a block that sends a section of it, or the buffer into other memory,
/// after a block that updates a section of it.
struct CopyLoop {
  struct Counter {
    std::string type, name;
    std::string first, limit;  ///< expressions that do not change while the nest runs
    long long step = 1;
    bool is_inclusive = false;  ///< it takes the value `limit`
    bool is_outside = false;    ///< it is declared before the nest, and has a value behind it
  };
  /// How it is written.
  struct Spelling {
    std::vector<Counter> counters;        ///< the outermost first
    std::string element, other;           ///< of the buffer, and of the other memory, by the counters
    std::string running;                  ///< `k` of `buffer[k++]`, where `element` is `buffer`; empty: none
    std::string running_at;               ///< of a nest behind the block: the value of `running` before it
    std::vector<std::string> conditions;  ///< of the branches around the nest
    std::vector<std::string> numbers;     ///< local numbers that the two elements name
  };
  int block = -1;  ///< counts the blocks of its file
  bool unpacks = false;
  Location at;
  Location beside;     ///< the block's neighbour that the nest is, or is part of
  Location operand;    ///< the block's value or place
  int statement = -1;  ///< of the function's statements, which the nest is
  int buffer = -1;     ///< variable
  Spelling spelling;
  bool is_exact = false;      ///< it copies those elements of the buffer that the block communicates
  bool is_steady = false;     ///< it copies the same elements of the buffer each time
  bool is_fresh = false;      ///< the buffer is declared in the compound statement that the block is in
  bool by_all_ranks = false;  ///< every member of the block's team receives
  /// Buffers that other copying loops write to before the block, or the block itself. With other names, they
  /// may be what the nest copies from or to.
  std::vector<int> written;
  std::vector<int> operands;  ///< variables from which the block's operand or the nest's text is made
  std::string obstacle;       ///< why the block can't do its work; empty: it can
  Location obstacle_at;
};

/// A statement before and after which others can be put: a child of a compound statement, or one that a pair
/// of braces would make such a child.
struct Statement {
  Location at;
  int parent = -1;  ///< the statement around it
  bool is_loop = false;
  bool ends_block =
      false;  ///< nothing after it is executed when it is (return, break, continue, goto, throw)
  bool needs_braces = false;  ///< it is all of a branch or a loop's body
  /// In a function with exchanges, or a child of a compound statement of an MPI program: what it may do
  /// besides computing, and where; empty: nothing.
  std::string effect{};
  Location effect_at{};
  std::vector<int> runs{};  ///< the functions that it may call, and those that they may call in turn
};

/// `for (counter = first; counter < last + 1; counter += step)`: a natural loop whose counter is changed by
/// its step alone. Of other loops only `header` and `statement` are known.
struct Loop {
  int header = -1;     ///< node
  int parent = -1;     ///< loop
  int statement = -1;  ///< the statement that is the loop; -1: it is part of a larger one
  bool is_counted = false;
  std::optional<long long> first, last;  ///< of the counter, both included, where they are constants
  long long step = 1;                    ///< if counted
  int length_of = -1;                    ///< the variable at whose last element `last` is
  std::string end;                       ///< `last` + 1 in words (Quantity), where it is no constant
  /// How it is written, in a function with blocks that are to be pipelined, if it can be cut into strips.
  struct Spelling {
    std::string counter;
    std::string limit;   ///< an expression for `last` + 1, which the body does not change
    int length_of = -1;  ///< unless it changes this variable's length: that is in `limit`
    Location step;       ///< the third part of the `for`
    bool operator==(const Spelling&) const = default;
  };
  std::optional<Spelling> spelling;
};

/// Calls `act` for every variable that the event itself changes, not what it calls.
template <typename Do>
void for_each_changed(const Event& event, Do&& act) {
  if (!changes_variable(event.kind)) return;
  act(event.variable);
  for (const int other : event.others) act(other);
}

struct Node {
  std::vector<Event> events;
  std::vector<Access> accesses;
  std::vector<int> successors;  ///< without edges of what does not return
  Uses condition;               ///< decides between several successors
  Location condition_at;
  /// Of a branch by an exception: the nodes of the try block, any of which may have thrown it in its middle.
  std::vector<int> interrupted;
  int level = 0;  ///< of the innermost natural loop, counted from 1 = outermost; 0 outside of loops
};

/// The unseen code that may call a function, with unknown arguments.
enum class OtherCallers { none, given_it, other_files };

struct Function {
  std::string name;
  Location at;
  std::vector<int> parameters;
  std::vector<int> results;  ///< written by each return
  OtherCallers other_callers = OtherCallers::none;
  bool is_uniform = false;  ///< declared [[kanor::uniform]]: its results are
  int entry = 0, exit = 0;
  std::vector<Node> nodes;
  std::vector<Candidate> candidates;
  std::vector<Statement> statements;  ///< if it has candidates, or a parameter that one goes to
  std::vector<Loop> loops;            ///< the same: all natural loops
  std::vector<Message> messages;      ///< of MPI
  std::vector<Exchange> exchanges;    ///< of units whose blocks may start early, or be complete late
  std::vector<CopyLoop> copy_loops;
};

struct FlowGraph {
  std::vector<Variable> variables;
  std::vector<Function> functions;
  /// Variables that are marked [[kanor::globalize]] and are no candidates, each with the reason.
  std::vector<std::pair<Location, std::string>> unshareable;
  /// Why no message of the unit can pass ownership, and where.
  std::vector<std::pair<Location, std::string>> message_obstacles;
  /// Calls of MPI that fail may return to the program.
  bool errors_return = false;
};

std::string_view name(VariableKind kind);
std::string_view name(Unknown unknown);
std::string_view name(EventKind kind);
std::string_view name(AccessKind kind);

/// The golden format of `kanorc --dump=flow`. Variables are numbered, and named for the reader.
void print(const FlowGraph& graph, std::ostream& out);

/// Reads what print() writes. Locations that it wrote as `"text"` refer to where that text first stands in
/// `source`. Throws std::invalid_argument with the line that it could not read.
FlowGraph parse(std::string_view text, const text::Source& source);

/// Throws std::logic_error if an index is out of range, a level is not that of the node's loop, a list of
/// loops is not that of the function's natural loops, or a statement is around itself.
void verify(const FlowGraph& graph);

}  // namespace kanor::flow
