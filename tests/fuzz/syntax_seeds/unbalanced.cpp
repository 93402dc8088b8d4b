@communicate { a[(1]@0 <<= f(b@1 }
@communicate { x@0 <<= y@1

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
