// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "driver/link/link.hpp"
#include "driver/link/own_libraries.hpp"

/// The second copy of an MPI program that its ranks are loaded from. A rank that is a thread has variables of
/// its own because it runs code of its own: the runtime loads the image once for each rank but the first
/// (world/image.hpp), whatever language and library the code has come from.
namespace kanor::driver {

/// An image that has been linked, or why there is none.
struct Image {
  std::string object;                 ///< an object file with the image in a section; empty: there is none
  std::string missing;                ///< why there is none: a clause
  std::vector<OwnLibrary> libraries;  ///< that are part of it
};

/// Notes an obstacle for each object that opens libraries, or looks up what is in them: they would be shared
/// by all ranks of a process, and find the first rank's variables.
void add_opened_libraries(std::vector<ObjectFacts>& objects);

/// Links the program's objects as an image. Never an error: without an image ranks are processes.
Image link_image(const Session& session, std::vector<LinkInput> inputs);

}  // namespace kanor::driver
