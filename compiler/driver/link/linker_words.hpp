// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace kanor::driver {

/// Whether a linker name can be that of a variable of which only the words are known (`obstacle-if` in
/// kanor/abi/program_facts.hpp): its own name behind those of its scopes, as "lib f count". What mangling
/// adds, such as parameters, template arguments and ABI tags, is passed over; so `f(int)::count` and
/// `f<char>()::count` are the same here.
bool is_made_of(std::string_view linker_name, std::string_view words);

}  // namespace kanor::driver
