// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "driver/link/link.hpp"
#include "driver/link/object_file.hpp"
#include "driver/link/program_facts.hpp"

/// Shared libraries that an MPI program is built with and kanor-mpicc has linked. Beside what the dynamic
/// linker loads, such a library holds the objects that it was linked from, made one, in a section. A
/// program's image (driver/link/image.hpp) is linked from them instead of the library, so each rank has the
/// library's variables for itself, too.
namespace kanor::driver {

/// The linker's word for taking the first of several definitions, as the dynamic linker does.
constexpr const char* first_definitions = "-Wl,-z,muldefs";

struct OwnLibrary {
  std::string path;
  std::string objects;  ///< the file that its section holds, as a file of this link's
  std::string digest;   ///< of the section, as the library's other section has it
};

/// Adds the sections to a shared library that has just been linked of these files, if they can be.
void keep_objects(const Session& session, const std::string& library, const std::vector<TracedFile>& files);

/// The program's own libraries: those among the inputs, at whose place `inputs` then has their objects, and
/// those that they need themselves.
std::vector<OwnLibrary> take_own_libraries(const Session& session, std::vector<LinkInput>& inputs);

/// Adds the facts of the libraries' objects, which are part of the image, to those of the linked objects, and
/// notes that each rank has the libraries for itself.
void add_facts(const std::vector<OwnLibrary>& libraries, std::vector<ObjectFacts>& objects);

/// Their lines in the program's facts, by which it finds out that one has changed since.
std::string own_library_lines(const std::vector<OwnLibrary>& libraries);

}  // namespace kanor::driver
