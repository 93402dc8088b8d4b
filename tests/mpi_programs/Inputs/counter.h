// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Of the library libcounter.so.
extern int counter_calls;
extern int counter_begun;
int counter_next(void);
const char* counter_name(void);

// Of the library libnames.so, which libcounter.so needs. Each has a function of its own of the same name.
extern int names_rank;
const char* names_of(int number);
