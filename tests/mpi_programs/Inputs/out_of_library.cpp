// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library whose standard output is the program's.
#include <iostream>

std::ostream& out_of_library() { return std::cout; }
