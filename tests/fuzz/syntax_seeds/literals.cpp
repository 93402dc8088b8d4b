auto s = R"x(@communicate { )x" "@communicate"; auto c = '"'; int n = 1'000; // @communicate
@communicate { s@0 <<= u8R"(;)"_x@1 }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
