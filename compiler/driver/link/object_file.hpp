// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Support/MemoryBufferRef.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// The facts about one object file that the link needs: its compiler, its variables, and the threads that it
/// starts.
namespace kanor::driver {

/// Why ranks cannot be threads; the fields of `obstacle` in kanor/abi/program_facts.hpp.
struct LinkObstacle {
  std::string what;
  std::string location;
  std::string reason;

  bool operator==(const LinkObstacle&) const = default;
};

/// An obstacle if the object has a variable of this name (driver/link/linker_words.hpp).
struct PossibleObstacle {
  std::string linker_words;
  LinkObstacle obstacle;

  bool operator==(const PossibleObstacle&) const = default;
};

/// What an object's symbol table says. Names are the linker's (mangled).
struct Symbols {
  std::set<std::string> defined_data;        ///< global variables, one for the whole process, const ones too
  std::set<std::string> defined_per_thread;  ///< global thread_local variables
  std::set<std::string> defined_functions;   ///< global ones
  std::set<std::string> used;             ///< defined elsewhere, and referred to as no thread_local variable
  std::set<std::string> used_by_library;  ///< the same of a shared library
  std::set<std::string> used_per_thread;  ///< defined elsewhere, and referred to as a thread_local variable
};

/// Names are the linker's (mangled).
struct ObjectFacts {
  std::string shown;  ///< how messages call it: `legacy.o`, `libold.a(legacy.o)`
  std::string path;   ///< the object's file, or the archive's
  bool is_shared_library = false;
  bool is_copied = false;               ///< a shared library of which each rank has a copy
  std::string library_name;             ///< how programs that are linked with the library ask for it (SONAME)
  bool has_note = false;                ///< kanorc compiled it
  unsigned units = 0;                   ///< how many notes it has; several after `ld -r`
  unsigned files = 0;                   ///< how many sources its symbol table names, notes or not
  std::vector<std::string> sources;     ///< records (driver/source_record.hpp) in its notes
  bool has_private_variables = false;   ///< says its note
  std::vector<LinkObstacle> obstacles;  ///< says its note
  std::vector<LinkObstacle>
      known_obstacles;  ///< what else is known, by its note or not; their reasons are whole clauses
  std::vector<PossibleObstacle> possible;     ///< says its note
  bool is_intermediate = false;               ///< link-time optimisation only: its variables can't be read
  std::vector<std::string> shared_variables;  ///< mutable, one for the whole process; in the file's order
  std::vector<std::string> thread_starters;   ///< functions that start threads and that it refers to
  /// A thread_local variable whose destructor may use other variables, without a reason, says its note.
  std::optional<LinkObstacle> thread_end;
  Symbols symbols;
};

/// The facts of an object file, or of each member of an archive (`members` empty: of all). Nothing for files
/// without code to link in: linker scripts, files that can't be read. For a shared library without a note,
/// only names of variables that it defines or uses, and how it starts threads.
std::vector<ObjectFacts> read_objects(const std::string& path, const std::string& shown,
                                      const std::set<std::string>& members);

/// The same for an archive's member that is in memory. At most one element.
std::vector<ObjectFacts> read_object(llvm::MemoryBufferRef bytes, const std::string& shown);

/// The shared libraries that a linked file asks for by name (DT_NEEDED), in its order.
std::vector<std::string> needed_libraries(const std::string& path);

/// A C++ name as the user knows it.
std::string readable_name(const std::string& linker_name);

/// Adds the facts in a note's text. Unknown lines are skipped.
void read_note(std::string_view note, ObjectFacts& facts);

}  // namespace kanor::driver
