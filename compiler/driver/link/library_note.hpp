// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "driver/link/object_file.hpp"

/// What a shared library, or an object that `-r` makes of several, tells the programs that it is linked into.
/// The linker puts the notes of its objects together; here is what they don't say.
namespace kanor::driver {

/// The note of what is known of the objects that a library was linked from, other libraries among them, and
/// cannot be read from `library` itself: obstacles in objects without a note of their own, notes that the
/// linker dropped as unreferenced. Empty if nothing lacks, or if kanorc compiled none of the objects.
std::string missing_note(const std::vector<ObjectFacts>& objects, const std::vector<ObjectFacts>& library);

/// Adds a note to a linked file. Throws std::runtime_error that names the file.
void add_note(const std::string& path, const std::string& note);

}  // namespace kanor::driver
