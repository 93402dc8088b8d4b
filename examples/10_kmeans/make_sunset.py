# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws sunset.png, the picture that the example starts from: a sky, a sun, mountains, and a lake that
mirrors them. Uses nothing but Python's standard library.

    python3 make_sunset.py sunset.png [WIDTH HEIGHT]
"""

import math
import struct
import sys
import zlib

HORIZON = 0.62  # of the height; the lake is below it
SUN = (0.66, 0.47)  # of the width and of the height
SKY = [(0.0, (24, 32, 84)), (0.35, (108, 62, 138)), (0.62, (232, 106, 88)), (0.85, (250, 178, 92)), (1.0, (255, 226, 150))]
# Mountains from far to near: the colour, the height of the ridge above the horizon, its waves.
RIDGES = [((150, 84, 120), 0.20, (5, 13, 31)), ((92, 56, 104), 0.13, (7, 17, 41)), ((44, 36, 72), 0.07, (4, 19, 53))]


def mix(a, b, part):
    return tuple(x + part * (y - x) for x, y in zip(a, b))


def sky(x, y):
    """The colour at (x, y), both from 0 to 1 within the sky."""
    part = y / HORIZON
    below = max(at for at in range(len(SKY) - 1) if SKY[at][0] <= part)
    (start, first), (end, second) = SKY[below], SKY[below + 1]
    colour = mix(first, second, (part - start) / (end - start))
    distance = math.hypot((x - SUN[0]) * 1.4, y - SUN[1])
    if distance < 0.06:
        return (255, 244, 200)
    return mix(colour, (255, 216, 130), 0.9 * math.exp(-7 * (distance - 0.06)))


def land(x, y):
    """The colour of the sky or of the mountains before it."""
    colour = sky(x, y)
    for tint, height, waves in RIDGES:
        ridge = height * (0.62 + sum(math.sin(wave * x + 2 * wave) / (at + 2.2) for at, wave in enumerate(waves)) / 2)
        above = HORIZON - y
        if above < ridge:
            colour = mix(tint, (236, 140, 110), 0.35 * (1 - above / ridge))
    return colour


def lake(x, y):
    """The mirror image, drawn out and shaken by the waves, darker towards the shore in front."""
    depth = (y - HORIZON) / (1 - HORIZON)
    shaken = x + 0.012 * depth * math.sin(90 * math.sqrt(depth + 0.02) + 7 * math.sin(3 * x))
    mirrored = max(0.0, HORIZON - 0.9 * (y - HORIZON) - 0.004 * math.sin(150 * math.sqrt(depth + 0.02)))
    return mix(land(shaken, mirrored), (16, 24, 60), 0.2 + 0.45 * depth)


def draw(width, height):
    rows = []
    for at in range(height):
        y = (at + 0.5) / height
        row = bytearray()
        for column in range(width):
            x = (column + 0.5) / width
            row += bytes(min(255, max(0, round(part))) for part in (land if y < HORIZON else lake)(x, y))
        rows.append(row)
    return rows


def filtered(row, above):
    """The row as PNG's filters for smooth pictures make it (Sub and Up), whichever has the smaller numbers."""
    left = bytearray(3) + row[:-3]
    ways = [(kind, bytes((a - b) % 256 for a, b in zip(row, other))) for kind, other in ((b"\1", left), (b"\2", above))]
    return b"".join(min(ways, key=lambda way: sum(min(byte, 256 - byte) for byte in way[1])))


def write_png(path, width, height, rows):
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    lines = b"".join(filtered(row, above) for row, above in zip(rows, [bytearray(3 * width)] + rows))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "sunset.png"
    width, height = (int(sys.argv[2]), int(sys.argv[3])) if len(sys.argv) > 3 else (384, 288)
    write_png(path, width, height, draw(width, height))


if __name__ == "__main__":
    main()
