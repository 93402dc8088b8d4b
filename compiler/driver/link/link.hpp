// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
  /// Not empty: nothing was linked, because variables must not be private to ranks (NeedOfSharing::reason).
  /// Objects have been compiled again with shared globals; those that this command line compiles must be,
  /// too. Then the link is repeated.
  std::string shared_because = {};
};

/// Links a program that starts its ranks itself, or with -shared and -r a library that does not, and writes
/// into it what the runtime must know of the whole program. `inputs` are the command line's in order; objects
/// in which a variable is private to ranks that must not be are replaced by others. Prints what is wrong.
LinkResult link_program(const Session& session, std::vector<LinkInput>& inputs);

}  // namespace kanor::driver
