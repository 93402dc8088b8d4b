@communicate { é@0 <<= \u00e9@1 where \u{e9}, é in in, where in where }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
