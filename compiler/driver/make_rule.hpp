// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// The dependency rules that -MD writes: `target: prerequisite prerequisite ...`, in make's spelling.
namespace kanor::driver {

/// A file name as make reads it back: blanks, `#` and `$` escaped, and the backslashes before a blank
/// doubled.
std::string quote_for_make(std::string_view name);

/// The prerequisites of the first rule in `text`, unescaped. `text` is what g++ or clang++ wrote.
std::vector<std::string> prerequisites(std::string_view text);

/// One rule, lines broken as compilers do; with `phony`, an empty rule for every prerequisite but the first.
/// `targets` are written as they are.
std::string make_rule(const std::vector<std::string>& targets, const std::vector<std::string>& prerequisites,
                      bool phony);

}  // namespace kanor::driver
