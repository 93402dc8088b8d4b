@communicate { a@0 <<= [&] { @communicate { c@0 <<= d@1 } return KANOR_COMMUNICATE(x@0 <<= y@1); }()@1 }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
