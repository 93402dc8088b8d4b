@communicate { A[j][0:3][:]@i <<= B[x ? y : z : n : 2]@i + 1 where i in kanor::range(0, 4) }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
