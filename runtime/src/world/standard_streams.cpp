// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines that one call prints come out whole. For std::cout that is the C library's doing, which locks
// `stdout` and has it buffer whole lines; on its own std::cout would break lines between processes, and
// threads that share its buffer would lose some.
#include <ios>

#ifdef __GLIBCXX__
/// Takes the place of the library's, which a program without shared libraries keeps. The streams stay
/// synchronized, and it returns that they were.
[[gnu::weak]] bool std::ios_base::sync_with_stdio(bool) { return true; }
#endif
