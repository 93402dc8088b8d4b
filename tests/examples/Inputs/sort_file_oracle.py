# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The serial oracle of examples/08_sort_file: sort_file_oracle.py INPUT OUTPUT."""

import sys


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    records = sorted(data[at:at + 100] for at in range(0, len(data), 100))
    with open(sys.argv[2], "wb") as file:
        file.write(b"".join(records))


if __name__ == "__main__":
    main()
