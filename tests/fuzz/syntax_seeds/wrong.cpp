@communicate { a <<= b@1; ; a@ <<= b@; a@0 = b@1; A[0::2]@0 <<= b[1:2]+1@1; c@0 << << d@1; e@0 <<= f@1 where i in {}, x }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
