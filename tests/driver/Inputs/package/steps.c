int steps(void) {
  static int taken;
  return ++taken;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
