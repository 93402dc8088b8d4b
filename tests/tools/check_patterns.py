# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the patterns of `kanorc --dump=plan` (standard input) with those that a source's comments name.

    check_patterns.py SOURCE

The line of each statement ends with `// PATTERN`; lines without statements have no such comment, and every
pattern that is printed must be one that is expected.
"""

import re
import sys


def main():
    expected = {}
    with open(sys.argv[1], encoding="utf-8") as source:
        for number, line in enumerate(source, 1):
            comment = re.search(r"}?\s+// (\w+)$", line.rstrip())
            if comment and "@" in line and line.lstrip()[0] != "/":
                expected[number] = comment.group(1)
    found = {}
    for line in sys.stdin:
        statement = re.match(r"\s+statement at line (\d+): (\w+)", line)
        if statement:
            found[int(statement.group(1))] = statement.group(2)
    wrong = [number for number in sorted(expected | found) if expected.get(number) != found.get(number)]
    for number in wrong:
        print(f"line {number}: expected {expected.get(number)}, found {found.get(number)}", file=sys.stderr)
    if not expected or wrong:
        sys.exit(1)


if __name__ == "__main__":
    main()
