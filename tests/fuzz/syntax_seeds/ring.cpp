int main() {
  @communicate { left@(i + 1) % world.size() <<= mine@i where i in world }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
