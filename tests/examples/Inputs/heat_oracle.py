# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The serial oracle of examples/02_heat: the same arithmetic on the whole plate at once.

    heat_oracle.py PLATE.png STEPS PICTURES

The plate is a PNG as make_plate.py writes it (8 bits of grey, filter 0). Prints what heat prints, without
the pictures' names. Floating-point operations are in the order of heat.cpp, so the numbers are the same
to the last bit.
"""

import struct
import sys
import zlib


def read_plate(path):
    data = open(path, "rb").read()
    at, pixels, width, height = 8, b"", 0, 0
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height = struct.unpack(">II", body[:8])
        if kind == b"IDAT":
            pixels += body
        at += 12 + length
    raw = zlib.decompress(pixels)
    return [[byte / 255.0 for byte in raw[y * (width + 1) + 1:(y + 1) * (width + 1)]] for y in range(height)]


def step(plate):
    height, width = len(plate), len(plate[0])
    change, result = 0.0, []
    for y in range(height):
        above, here, below = plate[max(y - 1, 0)], plate[y], plate[min(y + 1, height - 1)]
        row = []
        for x in range(width):
            left, right = here[max(x - 1, 0)], here[min(x + 1, width - 1)]
            value = here[x] + 0.24 * ((above[x] + below[x]) + (left + right) - 4 * here[x])
            change = max(change, abs(value - here[x]))
            row.append(value)
        result.append(row)
    return result, change


def show(plate, done, change):
    numbers = [min(map(min, plate)), max(map(max, plate)), change]
    coldest, hottest, change = (f"{number:.17g}" for number in numbers)
    print(f"step {done:6d}: from {coldest} to {hottest}, largest change {change}")


def main():
    plate, steps, pictures = read_plate(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    shown = 0
    show(plate, 0, 0.0)
    for done in range(1, steps + 1):
        plate, change = step(plate)
        if done * pictures // steps > shown:
            show(plate, done, change)
            shown += 1


if __name__ == "__main__":
    main()
