#define KANOR_COMMUNICATE(...)
void f() {
  KANOR_COMMUNICATE((copy, team = t), (p)@0 <<= q@1; a@0 << min << b@i where i in {0...3});
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
