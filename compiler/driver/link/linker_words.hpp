// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace kanor::driver {

/// Returns true if a linker name can be that of a variable of which only the words are known (`obstacle-if`
/// in kanor/abi/program_facts.hpp): its own name behind those of its scopes, as "lib f count". Parameters,
/// template arguments, ABI tags and other additions of mangling are ignored; so `f(int)::count` and
/// `f<char>()::count` are the same here.
bool is_made_of(std::string_view linker_name, std::string_view words);

}  // namespace kanor::driver
