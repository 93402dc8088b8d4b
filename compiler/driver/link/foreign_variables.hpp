// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>
#include <string>
#include <vector>

#include "driver/command_line.hpp"
#include "driver/link/link.hpp"
#include "driver/link/object_file.hpp"

/// Variables that one object has for each rank and another for the whole process.
namespace kanor::driver {

/// One such variable and the two objects.
struct Mismatch {
  std::string variable;         ///< the linker's name
  std::string private_in;       ///< the object in which it is private to each rank
  std::string shared_in;        ///< the object in which it is not
  bool defined_shared = false;  ///< the definition is the one that is not private

  bool operator==(const Mismatch&) const = default;
};

std::vector<Mismatch> find_mismatches(const std::vector<ObjectFacts>& objects);

/// Makes all objects and archives of a link agree: sources that kanorc has compiled are compiled again with
/// what other objects share kept shared, and replace their objects in `inputs`. False, with the mismatches
/// printed, if some remain.
bool resolve_mismatches(const Session& session, std::vector<LinkInput>& inputs);

/// The file of an input; for `-lfoo`, the library in the user's own directories, empty if it is not there.
std::string file_behind(const LinkInput& input, const CommandLine& line);

/// The linker names that objects, archives and libraries on the command line define or use; found before
/// anything is compiled. A source's declaration of one of these stays shared between ranks. System libraries
/// are left out, since their headers are system headers.
std::set<std::string> foreign_variables(const CommandLine& line, const std::vector<LinkInput>& objects);

/// Returns true for a library in the system's own directories, which knows nothing of programs.
bool is_of_system(const std::string& path);

bool is_archive(const std::string& path);

}  // namespace kanor::driver
