# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws plate.png, the plate that the example starts from: a cold plate with hot letters, a hot ring and
a warm stripe. Uses nothing but Python's standard library.

    python3 make_plate.py plate.png [WIDTH HEIGHT]
"""

import struct
import sys
import zlib

# Strokes of the letters, on a grid 4 wide and 6 high with the origin at the top left.
LETTERS = {
    "K": [((0, 0), (0, 6)), ((4, 0), (0, 3)), ((0, 3), (4, 6))],
    "A": [((0, 6), (2, 0)), ((2, 0), (4, 6)), ((0.8, 4), (3.2, 4))],
    "N": [((0, 6), (0, 0)), ((0, 0), (4, 6)), ((4, 6), (4, 0))],
    "O": [((1, 0), (3, 0)), ((3, 0), (4, 1)), ((4, 1), (4, 5)), ((4, 5), (3, 6)), ((3, 6), (1, 6)),
          ((1, 6), (0, 5)), ((0, 5), (0, 1)), ((0, 1), (1, 0))],
    "R": [((0, 6), (0, 0)), ((0, 0), (3, 0)), ((3, 0), (4, 1)), ((4, 1), (4, 2)), ((4, 2), (3, 3)),
          ((3, 3), (0, 3)), ((2, 3), (4, 6))],
}


def paint(pixels, width, height, inside, box, brightness):
    left, top, right, bottom = (int(round(edge)) for edge in box)
    for y in range(max(0, top), min(height, bottom + 1)):
        for x in range(max(0, left), min(width, right + 1)):
            if inside(x, y):
                pixels[y * width + x] = max(pixels[y * width + x], brightness)


def stroke(pixels, width, height, begin, end, thickness, brightness):
    (ax, ay), (bx, by) = begin, end
    length_squared = (bx - ax) ** 2 + (by - ay) ** 2

    def inside(x, y):
        along = max(0.0, min(1.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length_squared))
        dx, dy = x - ax - along * (bx - ax), y - ay - along * (by - ay)
        return dx * dx + dy * dy <= thickness * thickness

    box = (min(ax, bx) - thickness, min(ay, by) - thickness, max(ax, bx) + thickness, max(ay, by) + thickness)
    paint(pixels, width, height, inside, box, brightness)


def draw(width, height):
    pixels = bytearray([10]) * (width * height)
    unit = width / 32
    # A warm stripe along the bottom, and a ring around the word.
    paint(pixels, width, height, lambda x, y: True, (0, height - 3 * unit, width, height - 1.5 * unit), 120)
    cx, cy, outer, inner = width / 2, height * 0.46, width * 0.42, width * 0.40

    def ring(x, y):
        distance = (x - cx) ** 2 + ((y - cy) * 1.35) ** 2
        return inner * inner <= distance <= outer * outer

    paint(pixels, width, height, ring, (cx - outer, cy - outer, cx + outer, cy + outer), 200)
    left, top = width / 2 - 11.2 * unit, height * 0.46 - 3 * unit
    for at, letter in enumerate("KANOR"):
        for (ax, ay), (bx, by) in LETTERS[letter]:
            x = left + at * 4.7 * unit
            stroke(pixels, width, height, (x + ax * unit * 0.9, top + ay * unit), (x + bx * unit * 0.9, top + by * unit),
                   unit * 0.42, 255)
    return pixels


def write_png(path, width, height, pixels):
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    rows = b"".join(b"\0" + bytes(pixels[y * width:(y + 1) * width]) for y in range(height))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "plate.png"
    width, height = (int(sys.argv[2]), int(sys.argv[3])) if len(sys.argv) > 3 else (1024, 768)
    write_png(path, width, height, draw(width, height))


if __name__ == "__main__":
    main()
