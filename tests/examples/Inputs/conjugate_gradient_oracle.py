# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The serial oracle of examples/06_conjugate_gradient: conjugate_gradient_oracle.py MATRIX.mtx."""

import math
import sys


def read_matrix(path):
    """Its size, and for each row its columns and values."""
    with open(path, encoding="ascii") as file:
        symmetric = next(file).split()[-1] == "symmetric"
        lines = [line.split() for line in file if not line.startswith("%")]
    rows = [{} for _ in range(int(lines[0][0]))]
    for row, column, value in lines[1:]:
        rows[int(row) - 1][int(column) - 1] = float(value)
        if symmetric:
            rows[int(column) - 1][int(row) - 1] = float(value)
    return rows


def main():
    rows = read_matrix(sys.argv[1])
    size = len(rows)

    def multiply(x):
        return [sum(value * x[column] for column, value in row.items()) for row in rows]

    def dot(a, b):
        return math.fsum(one * other for one, other in zip(a, b))

    residual = multiply([1.0] * size)
    x, direction = [0.0] * size, residual
    first = square = dot(residual, residual)
    print("iteration  residual")
    for done in range(10000):
        relative = math.sqrt(square / first)
        if done % 10 == 0 or relative <= 1e-10:
            print(f"{done:9d}  {relative:.2e}")
        if relative <= 1e-10:
            break
        product = multiply(direction)
        step = square / dot(direction, product)
        x = [one + step * other for one, other in zip(x, direction)]
        residual = [one - step * other for one, other in zip(residual, product)]
        before, square = square, dot(residual, residual)
        direction = [one + square / before * other for one, other in zip(residual, direction)]
    print(f"no element is wrong by more than {max(abs(one - 1) for one in x):.1e}")


if __name__ == "__main__":
    main()
