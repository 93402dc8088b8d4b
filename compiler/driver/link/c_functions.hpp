// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "driver/link/object_file.hpp"
#include "driver/link/program_facts.hpp"

namespace kanor::driver {

/// The names in the installed list of what thread ranks may use of the C library: words, and `#` begins a
/// comment.
std::set<std::string> c_functions(std::string_view list);

/// The names that the C library of a link defines; empty if the trace names none.
std::set<std::string> c_library_names(const std::vector<TracedFile>& trace);

/// Adds an obstacle for each name of the C library that an object uses, and of which neither the list nor
/// kanor/abi/hidden_state.hpp says whether threads share its state. Without names, all that objects use and
/// that none of them defines may be the C library's: that is one obstacle.
void judge_c_functions(const std::set<std::string>& harmless, const std::set<std::string>& c_library,
                       std::vector<ObjectFacts>& objects);

}  // namespace kanor::driver
