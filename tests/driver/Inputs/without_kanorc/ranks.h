/* The rank and the number of ranks, for C. */
#ifdef __cplusplus
extern "C"
#endif
    int
    place_among(int* ranks);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
