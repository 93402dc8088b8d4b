typedef int nothing; /* what is tested is included by the command line */

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
