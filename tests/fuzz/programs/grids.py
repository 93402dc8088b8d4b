# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kanor::grid in Python."""

NO_RANK = -2147483648


def near_cubic(n, dimensions):
    """Non-increasing extents whose product is n, with the smallest sum."""
    def all_extents(rest, count, most):
        if count == 1:
            if rest <= most:
                yield (rest,)
            return
        for first in range(1, min(rest, most) + 1):
            if rest % first == 0:
                for others in all_extents(rest // first, count - 1, first):
                    yield (first,) + others
    return min(all_extents(n, dimensions, n), key=sum)


class Grid:
    def __init__(self, extents, periodic):
        self.extents, self.periodic = extents, periodic

    def __call__(self, *at):
        rank = 0
        for position, extent, wraps in zip(at, self.extents, self.periodic):
            if not 0 <= position < extent:
                if not wraps:
                    return NO_RANK
                position %= extent
            rank = rank * extent + position
        return rank

    def coords(self, rank):
        found = []
        for extent in reversed(self.extents):
            found.append(rank % extent)
            rank //= extent
        return found[::-1]

    def neighbor(self, rank, dimension, offset):
        if rank == NO_RANK:
            return NO_RANK
        at = self.coords(rank)
        at[dimension] += offset
        return self(*at)
