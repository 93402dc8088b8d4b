#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "text/source.hpp"

/// What the functions of a translation unit do to their variables, and in which order: control-flow graphs
/// whose nodes hold events. Plain data without C++ in it, so that analyses are tested from text.
///
/// C++ becomes variables and events like this. A variable stands for the whole of an object (an array, a
/// vector with its elements); how long a container is, is a variable of its own. A data member is one
/// variable for all objects of its class, but a variable of its own in a local object that is never named as a
/// whole. A reference or pointer is a variable that says which object is
/// meant, and a use of it uses what it may refer to as well. The names that a block's clauses bind are no
/// variables.
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
  parameter,  ///< what the caller gives, for references and pointers with what they refer to
  global,     ///< at namespace scope, or static
  member,     ///< a data member, of every object of the class
  result,     ///< of a call, where it is used; or of a function, where it returns
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

/// Which team is meant.
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
  exception
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

/// What goes into one parameter, and what comes back.
struct Argument {
  Uses uses;
  std::vector<int> variables;  ///< that the parameter may refer to
  bool is_whole = false;       ///< it stands for the one in `variables`, and all of it
  Team team;                   ///< of a team parameter: which team it gets
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
  receive     ///< all of `variable` becomes what every rank gets alike if `uses` agree
};

struct Event {
  EventKind kind = EventKind::overwrite;
  int variable = -1;
  int callee = -1;
  Uses uses;
  std::vector<int> results;         ///< as the callee's
  std::vector<Argument> arguments;  ///< as the callee's parameters
  Location at;                      ///< of the value, the call, or the block
  int block = -1;                   ///< counts the blocks of its file
  Team team;                        ///< the block's; or the one that a team `variable` means from now on
  std::vector<Judged> judged;
};

struct Node {
  std::vector<Event> events;
  std::vector<int> successors;  ///< without edges of what does not return
  Uses condition;               ///< decides between several successors
  Location condition_at;
  int level = 0;  ///< of the innermost natural loop, counted from 1 = outermost; 0 outside of loops
};

struct Function {
  std::string name;
  Location at;
  std::vector<int> parameters;
  std::vector<int> results;       ///< written by each return
  bool called_elsewhere = false;  ///< by code that is not seen, with arguments that are not seen
  bool is_uniform = false;        ///< declared [[kanor::uniform]]: its results are
  int entry = 0, exit = 0;
  std::vector<Node> nodes;
};

struct FlowGraph {
  std::vector<Variable> variables;
  std::vector<Function> functions;
};

std::string_view name(VariableKind kind);
std::string_view name(Unknown unknown);
std::string_view name(EventKind kind);

/// The golden format of `kanorc --dump=flow`. Variables are numbered, and named for the reader.
void print(const FlowGraph& graph, std::ostream& out);

/// Reads what print() writes. Locations that it wrote as `"text"` refer to where that text first stands in
/// `source`. Throws std::invalid_argument with the line that it could not read.
FlowGraph parse(std::string_view text, const text::Source& source);

/// Throws std::logic_error if an index is out of range, or a level is not that of the node's loop.
void verify(const FlowGraph& graph);

}  // namespace kanor::flow
