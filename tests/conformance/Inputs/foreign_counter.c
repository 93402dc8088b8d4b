/* Compiled by the host compiler alone: its variable is one for the whole process. */
int foreign_count = 0;
int foreign_next(void);
int foreign_next(void) { return ++foreign_count; }

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
