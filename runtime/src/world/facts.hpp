// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kanorc noted in the linked program (kanor/abi/program_facts.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kanor::rt {

/// A reason why the program's ranks cannot be threads.
struct Obstacle {
  std::string what;      ///< a variable or function
  std::string location;  ///< path:line, an object or archive(member)
  std::string reason;    ///< a clause that follows "ranks cannot be threads: "
};

/// A shared library that is part of the program's image.
struct OwnLibrary {
  std::string name;    ///< its file's
  std::string digest;  ///< of its objects when the program was linked
};

struct Facts {
  bool linked_by_kanorc = false;
  bool is_mpi_program = false;
  bool has_private_variables = false;
  bool needs_image = false;      ///< ranks that are threads have copies of it (world/image.hpp)
  std::string plugin_directory;  ///< of the MPI transports; empty if unknown
  std::vector<OwnLibrary> libraries;
  std::vector<Obstacle> obstacles;
  int more_obstacles = 0;        ///< further ones that were not listed
  bool changes_streams = false;  ///< one of them is a use of KANOR_STREAM_STATE (kanor/abi/hidden_state.hpp)
};

/// Reads the text of the facts section; lines it does not know are skipped.
Facts parse_facts(std::string_view text);

/// The facts of the running program.
Facts program_facts();

/// The first obstacle and how many more there are, as a clause for a message.
std::string obstacle_words(const Facts& facts);

}  // namespace kanor::rt
