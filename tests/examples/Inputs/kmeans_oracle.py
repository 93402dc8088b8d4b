# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the k-means example prints for the picture that make_sunset.py draws.

    kmeans_oracle.py make_sunset.py WIDTH HEIGHT COLOURS
"""

import importlib.util
import sys

sys.dont_write_bytecode = True


def pixels_of(script, width, height):
    spec = importlib.util.spec_from_file_location("make_sunset", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [tuple(row[at:at + 3]) for row in module.draw(width, height) for at in range(0, len(row), 3)]


def distance(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b))


def first_colours(pixels, count):
    chosen = []
    while len(chosen) < count:
        far, colour = max((min((distance(one, other) for other in chosen), default=1), one) for one in set(pixels))
        if far == 0:
            break
        chosen.append(colour)
    return chosen


def improved(colours, pixels):
    members = [[] for _ in colours]
    for pixel in pixels:
        members[min(range(len(colours)), key=lambda at: distance(pixel, colours[at]))].append(pixel)
    return [tuple((sum(parts) + len(own) // 2) // len(own) for parts in zip(*own)) if own else colour
            for colour, own in zip(colours, members)]


def main():
    pixels = pixels_of(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
    colours, rounds = first_colours(pixels, int(sys.argv[4])), 0
    while True:
        rounds += 1
        better = improved(colours, pixels)
        if better == colours or rounds == 100:
            break
        colours = better
    print(f"{len(colours)} colours after {rounds} rounds:", *("#%02x%02x%02x" % colour for colour in better))


if __name__ == "__main__":
    main()
