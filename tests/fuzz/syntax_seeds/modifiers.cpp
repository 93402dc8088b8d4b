@communicate (async = p, knows = sender, delta) { a@0 << [](auto x, auto y) { return x + y; } << b@1 }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
