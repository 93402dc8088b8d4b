// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

#include "driver/command_line.hpp"

/// The host compilers' flags, as far as kanorc must know them: those that take a separate argument, belong to
/// one command only, or ask a question instead of compiling.
namespace kanor::driver {

struct FlagShape {
  bool takes_next_word = false;
  Role role = Role::both;
};

/// The shape of a flag of g++ or clang++. An unknown flag stands alone and goes to every command.
FlagShape shape_of(std::string_view flag);

/// Returns true for a flag that makes the host print something instead of compiling: -dumpversion,
/// --print-search-dirs ...
bool asks_host(std::string_view flag);

/// The option of kanorc's own that a word beginning with `--` is likely to be a slip of; empty if there is
/// none.
std::string_view nearest_own_option(std::string_view word);

/// The language of a file: by the argument of the `-x` in force, or by the file name's ending where that is
/// empty or "none".
Language language_of(std::string_view path, std::string_view forced);

}  // namespace kanor::driver
