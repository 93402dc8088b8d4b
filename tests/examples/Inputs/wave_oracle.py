#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what examples/11_wave prints, computed without it: wave_oracle.py SIZE STEPS."""
import math
import sys

size, steps = int(sys.argv[1]), int(sys.argv[2])
inside = [(z, y, x) for z in range(1, size + 1) for y in range(1, size + 1) for x in range(1, size + 1)]
now = {(z, y, x): 0.0 for z in range(size + 2) for y in range(size + 2) for x in range(size + 2)}
for z, y, x in inside:
    dz, dy, dx = z - 0.5 * size, y - 0.4 * size, x - 0.3 * size
    now[z, y, x] = math.exp(-250 * (dz * dz + dy * dy + dx * dx) / (size * size))
before = dict(now)
for _ in range(steps):
    for z, y, x in inside:
        around = (now[z - 1, y, x] + now[z + 1, y, x] + now[z, y - 1, x] + now[z, y + 1, x] + now[z, y, x - 1] +
                  now[z, y, x + 1])
        before[z, y, x] = 2 * now[z, y, x] - before[z, y, x] + 0.3 * (around - 6 * now[z, y, x])
    now, before = before, now
print(f"after {steps} steps in a cube of {size} x {size} x {size}: at most {max(map(abs, now.values())):.6f} high")
