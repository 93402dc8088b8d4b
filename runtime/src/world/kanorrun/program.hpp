// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kanorrun can say of the program before it runs it.
#pragma once

namespace kanor::run {

inline constexpr int not_executable = 126;
inline constexpr int not_found = 127;

/// Ends kanorrun, with the reason, where the program cannot be run. Says so where it is a machine program
/// that has nothing of Kanor, and none of its arguments is a Kanor program that it may start (as gdb and env
/// do).
void check_program(char** command);

/// Becomes the program; ends kanorrun with the reason where that is impossible.
[[noreturn]] void become(char** command);

}  // namespace kanor::run
