# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a program that has much of one thing in one function.

    many_blocks.py KIND NUMBER

KIND is `blocks`, each a shift; `statements`, the same in one block; or `calls`, of functions that are no part of the
caller and call a lambda: what a compiler has to do at the least for code that is given to a library.
"""

import sys

KIND, NUMBER = sys.argv[1], int(sys.argv[2])
SHIFT = "where i in world"
CALL = """void take(const void*, void (*)(const void*));
template <class Function>
[[gnu::noinline]] void call(const Function& function) {
  take(&function, [](const void* it) { (*static_cast<const Function*>(it))(); });
}
"""

lines = ["#include <kanor/kanor.hpp>", CALL if KIND == "calls" else "", "int main() {"]
lines.append(f"  int a[{NUMBER}] = {{}}, b[{NUMBER}] = {{}}, n = kanor::world.size();")
if KIND == "blocks":
    lines += [f"  @communicate {{ b[{i}]@(i + 1) % n <<= a[{i}]@i {SHIFT} }}" for i in range(NUMBER)]
elif KIND == "statements":
    lines += ["  @communicate {"] + [f"    b[{i}]@(i + 1) % n <<= a[{i}]@i {SHIFT};" for i in range(NUMBER)] + ["  }"]
else:
    lines += [f"  call([&] {{ b[{i}] = a[{i}] + n; }});" for i in range(NUMBER)]
print("\n".join(lines + [f"  return b[{NUMBER - 1}];", "}"]))
