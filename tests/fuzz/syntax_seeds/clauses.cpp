@communicate {
  a@i <<= b@j where i, j in {0 ... n - 1}, let k = (i + j) % 2, (k), k < 3, l in {1, 2, xs...};
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
