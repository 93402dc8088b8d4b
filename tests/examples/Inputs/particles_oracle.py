# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the particles example prints, computed by one loop over all discs.

    particles_oracle.py SIZE STEPS
"""

import math
import sys

STIFFNESS, BLAST_SPEED, TIME_STEP = 400.0, 8.0, 0.01


def fill(size):
    """[y, x, speed_y, speed_x] for each disc."""
    radius = 0.1 * size
    discs = []
    for row in range(size):
        for column in range(size):
            dy, dx = (row + 0.5 - 0.4 * size) / radius, (column + 0.5 - 0.35 * size) / radius
            speed = BLAST_SPEED if dy * dy + dx * dx < 1 else 0.0
            discs.append([row + 0.5, column + 0.5, speed * dy, speed * dx])
    return discs


def advance(at, speed, force, size):
    speed += TIME_STEP * force
    at += TIME_STEP * speed
    if at < 0.5 or at > size - 0.5:
        speed = -speed
    return min(max(at, 0.5), size - 0.5), speed


def step(discs, size):
    """The discs after a step, and how many pairs touched before it."""
    cells = {}
    for disc in discs:
        cells.setdefault((int(disc[0]), int(disc[1])), []).append(disc)
    moved, contacts = [], 0
    for disc in discs:
        forces = [0.0, 0.0]
        row, column = int(disc[0]), int(disc[1])
        for other in (one for y in (row - 1, row, row + 1) for x in (column - 1, column, column + 1)
                      for one in cells.get((y, x), [])):
            apart = disc[0] - other[0], disc[1] - other[1]
            distance = math.sqrt(apart[0] * apart[0] + apart[1] * apart[1])
            if other is disc or distance >= 1:
                continue
            force = STIFFNESS * (1 - distance) / distance
            forces = [sum_ + force * part for sum_, part in zip(forces, apart)]
            contacts += 1
        y, speed_y = advance(disc[0], disc[2], forces[0], size)
        x, speed_x = advance(disc[1], disc[3], forces[1], size)
        moved.append([y, x, speed_y, speed_x])
    return moved, contacts // 2


def main():
    size, steps = int(sys.argv[1]), int(sys.argv[2])
    discs, pairs = fill(size), 0
    for _ in range(steps):
        discs, pairs = step(discs, size)
    print(f"step {steps}: {pairs} pairs of {size * size} discs touch")


if __name__ == "__main__":
    main()
