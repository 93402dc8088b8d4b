// @communicate { in a comment }
int let = 1, in = 2;
void f() {
  const char* text = "@communicate { }";
  @communicate (team = t, async = done, knows = sender) {
    a[{1 ... 2}.size()]@i <<= b@(i + 1) where i in world, let k = i * 2, k > 0;  // c
    s@0 << max << v@i where i in {0 ... n}
  }
  KANOR_COMMUNICATE((copy), a[0 : n]@0 << + << f(b)@1);
  in = let;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
