#if 0
@communicate {
#endif
#define B \
  @communicate { a@0 <<= b@1 }
@communicate {
#ifdef X
 a@0 <<= b@1
#endif
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
