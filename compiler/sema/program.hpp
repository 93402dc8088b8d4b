// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "flow/flow_graph.hpp"
#include "sema/facts.hpp"
#include "sema/symbolic.hpp"
#include "syntax/ast.hpp"
#include "text/source.hpp"

/// Checked blocks and what the later phases need to know of the C++ around them. Plain data.
namespace kanor::sema {

using text::Span;

/// The ranks that evaluate a block's clauses and ranks: all that take part, those that send, or those that
/// receive.
enum class Knows { both, sender, receiver };

struct CheckedStatement {
  const syntax::Statement* syntax = nullptr;
  /// Names whose values travel to the side that does not know: see carried_names().
  std::vector<std::string> carried;
  /// The reduction's callable names an overload set or a function template, so it has no type of its
  /// own and is emitted inside a lambda that calls it.
  bool callable_is_overload_set = false;
  /// As in FoldFacts, in all instantiations whose values are lists.
  std::optional<int> list_levels = std::nullopt;
  /// For an async block that one side knows: the local variables that are copied into the piece that the
  /// other side evaluates, since the block's scope may have ended by then.
  std::set<std::string> copied = {};
  /// For an async block: true if the value is a variable, or a part of one, that must not be written
  /// meanwhile.
  bool value_lasts = false;
  /// As in StatementFacts, in all instantiations; false in async blocks.
  bool value_is_readable_in_place = false;
  /// As in StatementFacts, in all instantiations.
  std::vector<CheckedElement> elements = {};
  /// The values' type is marked [[kanor::same_address_space]].
  bool same_address_space = false;
  /// The symbolic form of its sets, filters and ranks; null if nothing is known. Owned by the facts.
  const SymbolicStatement* symbols = nullptr;
  /// As in StatementFacts, in any instantiation, or if there is none: the text of ranks and clauses does not
  /// tell which names they depend on.
  bool hides_names = false;
  /// Bytes of one value, where its type tells and all instantiations agree; else 0.
  std::uint64_t value_bytes = 0;
  /// For flat elements: the number of elements by which the place and the value advance with the last name of
  /// the last generator, or `listed`.
  struct Strides {
    std::int64_t place = 0, value = 0;
    bool operator==(const Strides&) const = default;
  };
  std::optional<Strides> strides = std::nullopt;
};

struct CheckedBlock {
  const syntax::Block* syntax = nullptr;
  Knows knows = Knows::both;
  /// Those of `world`, `range`, `no_rank` that the block uses in Kanor's meaning.
  std::vector<std::string> kanor_words;
  /// Static variables of the function that places or values name, without classes. No lambda captures them,
  /// so the host does not see that they are read.
  std::set<std::string> static_locals = {};
  std::vector<CheckedStatement> statements;
  std::string function = {};  ///< it stands in, qualified
};

/// A variable that becomes private to its rank when ranks are threads. `thread_local ` is written at
/// `insert_at`; every declaration of the variable has an entry of its own.
struct PrivateDeclaration {
  std::uint32_t insert_at = 0;
  std::string name;  ///< qualified, for messages
};

/// A variable defined here whose initialiser must run for each rank before its main.
struct RankInitialiser {
  std::string expression;  ///< spelled so that the end of the translation unit can name it
};

/// A reason why the program's ranks cannot be threads, at the user's line.
struct Obstacle {
  std::string variable;
  std::string reason;
  std::string location;  ///< path:line
  /// If only the object can tell whether it has the variable: the words of its linker name (as
  /// kanor/abi/program_facts.hpp describes them).
  std::string linker_words = {};
};

struct IncludeEdit {
  Span name;            ///< the header's name with its quotes or brackets
  int target_file = 0;  ///< index into Program::files
};

/// One file that takes part and needs an edit: it has blocks, private declarations, or includes such a file.
struct CheckedFile {
  const text::Source* source = nullptr;
  bool is_main = false;
  std::vector<CheckedBlock> blocks;
  std::vector<PrivateDeclaration> private_declarations;
  std::vector<AggregateParts> aggregates;
  std::vector<Span> attributes;   ///< Kanor's attributes: blanked out, the host compiler does not know them
  std::vector<Span> own_streams;  ///< names of streams of which each rank has its own
  std::vector<IncludeEdit> includes;
  std::vector<text::Renumbering> renumberings;  ///< by offset
};

struct Program {
  std::vector<CheckedFile> files;  ///< the main file first
  std::vector<RankInitialiser> initialisers;
  /// Some private variables with dynamic initialisers can't be named at the end of the unit (private static
  /// members): any other dynamic thread_local variable of the unit that is touched initialises them too.
  bool has_unnamed_initialisers = false;
  std::vector<Obstacle> obstacles;
  /// A thread_local variable whose destructor may use other variables. Those cannot be private then, nor
  /// handlers a thread's: that would be over before the thread's own variables.
  std::optional<Obstacle> thread_end;
  bool has_private_variables = false;
  /// The unit includes kanor/kanor.hpp ahead of its first block, which then brings what emitted code needs.
  bool includes_kanor_first = false;
  /// The values of statements that send a type that is neither flat nor a vector or string of flat elements:
  /// cereal packs it.
  std::vector<flow::Location> packed;
  bool needs_cereal() const { return !packed.empty(); }
};

/// The golden format of `kanorc --dump=sema`.
void print(const Program& program, std::ostream& out);

}  // namespace kanor::sema
