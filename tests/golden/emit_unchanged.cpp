// RUN: %kanorc --emit-cpp %s -o %t.cpp
// RUN: grep -v -e '^__attribute__' -e '^#line 1 ' %t.cpp | diff - %s
// A file without blocks and mutable globals comes out as it went in.
#include <cstdio>

int main() { std::puts("plain C++"); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
