#ifndef BLOCKS_NESTED_HPP
#define BLOCKS_NESTED_HPP
// No block here, only a group that the preprocessor skips.
#ifdef NEVER_DEFINED
@communicate { this is ) not read
#endif
namespace quoted {
inline int identity(int value) { return value; }
}
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
