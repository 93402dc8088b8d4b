# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes COUNT records of 100 bytes: a random key of 10 characters, the record's number, and filler.

    python3 make_records.py COUNT FILE
"""

import random
import sys


def main():
    count, path = int(sys.argv[1]), sys.argv[2]
    chance = random.Random(1).random
    characters = bytes(range(ord("!"), ord("~") + 1))
    with open(path, "wb") as file:
        for number in range(count):
            key = bytes(characters[int(len(characters) * chance())] for _ in range(10))
            file.write(b"%s  %032X  %s\r\n" % (key, number, b"ABCDEFGHIJKLM" * 4))


if __name__ == "__main__":
    main()
