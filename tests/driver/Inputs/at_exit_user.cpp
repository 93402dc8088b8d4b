void count();

int main() {
  count();
  count();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
