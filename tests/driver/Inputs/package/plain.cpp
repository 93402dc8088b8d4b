#ifdef __KANORC__
#error "kanorc compiles what is not its own"
#endif
int main() {}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
