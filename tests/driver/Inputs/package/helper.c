int twice(int number) { return 2 * number; }

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
