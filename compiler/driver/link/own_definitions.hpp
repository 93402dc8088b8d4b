// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>
#include <string>
#include <vector>

#include "driver/command_line.hpp"
#include "driver/link/link.hpp"
#include "driver/link/object_file.hpp"

/// Functions that a program defines under the names of the C library's. They have variables of the program,
/// not the C library's hidden state.
namespace kanor::driver {

/// The functions that the inputs define: objects, archives, and shared libraries that hold their objects.
std::set<std::string> defined_functions(const CommandLine& line, const std::vector<LinkInput>& inputs);

/// Takes the functions that some object defines off those that the objects use.
void forget_own_functions(std::vector<ObjectFacts>& objects);

/// Notes an obstacle for each object that defines functions for memory: each copy of an MPI program would
/// have its own, and the C library, which all copies share, the first rank's.
void add_own_heaps(std::vector<ObjectFacts>& objects);

}  // namespace kanor::driver
