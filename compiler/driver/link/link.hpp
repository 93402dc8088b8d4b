#pragma once

#include <string>
#include <vector>

#include "driver/compile.hpp"

namespace kanor::driver {

/// One of the command line's inputs on its way into the program.
struct LinkInput {
  std::string path;            ///< object, archive, or `-lfoo`
  std::string shown;           ///< how messages call it: the source that it was compiled from, or the path
  bool compiled_here = false;  ///< from C++ by this command
};

struct LinkResult {
  int status = 0;
  /// Nothing was linked, because ranks start threads and the sources of this command line have made their
  /// global variables private to ranks: they must be compiled again with shared ones.
  bool needs_shared_globals = false;
};

/// Links a program that starts its ranks itself, or with -shared and -r a library that does not, and writes
/// into it what the runtime must know of the whole program. `objects` are the command line's inputs in order.
/// Prints what is wrong.
LinkResult link_program(const Session& session, const std::vector<LinkInput>& objects);

}  // namespace kanor::driver
