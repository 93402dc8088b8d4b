// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/link/object_file.hpp"

/// Turns the facts of the linked objects into those that the program reads about itself.
namespace kanor::driver {

/// One line of the linker's --trace output.
struct TracedFile {
  std::string path;
  std::string member;  ///< the archive's member; empty for other files

  bool operator==(const TracedFile&) const = default;
};

/// The files of a trace, in its order, each once. Understands GNU ld, gold and lld.
std::vector<TracedFile> parse_trace(const std::string& trace);

/// Returns true for start-up files and libraries of the compiler, the C library and Kanor, whose state is not
/// checked.
bool belongs_to_toolchain(const std::string& path);

/// Returns true if an object has variables that are private to each rank.
bool have_private_variables(const std::vector<ObjectFacts>& objects);

/// Why the variables of a program must not be private to ranks, which makes them thread_local. In words, as
/// clauses: CAUSE; "CAUSE, DAMAGE"; "'x' exists once in a process: REASON".
struct NeedOfSharing {
  std::string cause;
  std::string damage;
  std::string reason;
};

/// The need of the first object that has one, if some object has variables that are private to each rank. A
/// thread that a rank starts would have variables of its own, and what a thread_local variable's destructor
/// uses would be destroyed before it.
std::optional<NeedOfSharing> need_of_sharing(const std::vector<ObjectFacts>& objects);

/// Why the ranks of a program made of these objects cannot be threads; each reason once.
std::vector<LinkObstacle> obstacles_of(const std::vector<ObjectFacts>& objects);

/// The functions that the objects use, and that tell, with those of other objects, whether thread ranks can
/// have signal handlers of their own.
std::set<std::string> signal_functions(const std::vector<ObjectFacts>& objects);

/// Removes the obstacles that are variables of an object that is no shared library, and what copies of an MPI
/// program have of the C library.
void forget_variables(ObjectFacts& object);

/// Drops what it says of thread_local variables whose destructors may use others.
void forget_thread_ends(ObjectFacts& object);

/// WHAT, LOCATION and REASON with tabs between them, as notes and the facts section have them.
std::string fields_text(const LinkObstacle& obstacle);

/// The text of the facts section (kanor/abi/program_facts.hpp), shorter than the section.
std::string facts_text(const std::string& plugin_directory, const std::vector<LinkObstacle>& obstacles,
                       const std::string& more_lines = {}, bool is_mpi_program = false);

/// Overwrites the facts section of a linked file. False if it has none. Throws std::system_error.
bool write_facts(const std::string& path, const std::string& text);

}  // namespace kanor::driver
