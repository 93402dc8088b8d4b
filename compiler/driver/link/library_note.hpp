// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "driver/link/object_file.hpp"

/// The additional note of a shared library, or of an object that `-r` makes of several. The linker
/// concatenates the notes of its objects; this one adds what they lack.
namespace kanor::driver {

/// A note of the facts about the objects and libraries that a library was linked from that cannot be read
/// from `library` itself: obstacles in objects without a note of their own, notes that the linker dropped as
/// unreferenced. Empty if there are none, or if kanorc compiled none of the objects.
std::string missing_note(const std::vector<ObjectFacts>& objects, const std::vector<ObjectFacts>& library);

/// Adds a note to a linked file. Throws std::runtime_error that names the file.
void add_note(const std::string& path, const std::string& note);

}  // namespace kanor::driver
