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
  std::string private_in;       ///< where it is private to each rank
  std::string shared_in;        ///< where it is not
  bool defined_shared = false;  ///< the definition is the one that is not private

  bool operator==(const Mismatch&) const = default;
};

std::vector<Mismatch> find_mismatches(const std::vector<ObjectFacts>& objects);

/// Reports the mismatches among the objects and archives of a link. True if there are any.
bool report_mismatches(const std::vector<LinkInput>& inputs, const CommandLine& line);

/// Before anything is compiled: the linker names of what objects, archives and libraries on the command line
/// define or use. A source's declaration of one of these stays shared between ranks. System libraries are
/// left out, since their headers are system headers.
std::set<std::string> foreign_variables(const CommandLine& line, const std::vector<LinkInput>& objects);

bool is_archive(const std::string& path);

}  // namespace kanor::driver
