# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the matrix of Poisson's equation on a square of SIDE * SIDE points, in Matrix Market's format.

    python3 make_poisson.py SIDE > poisson.mtx
"""

import sys


def main():
    side = int(sys.argv[1]) if len(sys.argv) > 1 else 24
    size = side * side
    print("%%MatrixMarket matrix coordinate real symmetric")
    print(f"% Poisson's equation on {side} x {side} points: the lower triangle")
    print(size, size, size + 2 * side * (side - 1))
    for point in range(1, size + 1):
        print(point, point, 4)
        if point % side:
            print(point + 1, point, -1)
        if point + side <= size:
            print(point + side, point, -1)


if __name__ == "__main__":
    main()
