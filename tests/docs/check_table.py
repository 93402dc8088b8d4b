# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the tables of a page promise nothing that its examples do not show.

    check_table.py PAGE.md

Every piece of code in the last column of a table stands in one of the page's examples, which
check_examples.py compiles and runs. White space does not count, and `…` stands for anything.
Commands of a shell and cells that say in words that nothing is needed are left out.
"""

import re
import sys

EXAMPLE = re.compile(r"^```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\|.*\|$", re.MULTILINE)
COMMANDS = ("kanorc ", "kanorrun ", "mpiexec ")


def squeezed(code):
    return re.sub(r"\s+", "", code)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        page = file.read()
    examples = squeezed("\n".join(EXAMPLE.findall(page)))
    checked = failures = 0
    for row in ROW.finditer(page):
        cell = re.split(r"(?<!\\)\|", row.group().strip("|"))[-1].strip()
        if cell.startswith("not"):
            continue
        for code in re.findall(r"`([^`]+)`", cell):
            code = code.replace("\\|", "|")
            if code.startswith(COMMANDS):
                continue
            checked += 1
            if not re.search(re.escape(squeezed(code)).replace("…", ".*"), examples):
                failures += 1
                line = page.count("\n", 0, row.start()) + 1
                print(f"{sys.argv[1]}:{line}: no example has: {code}")
    print(f"{checked} pieces of code, {failures} failures")
    sys.exit(1 if failures or not checked else 0)


if __name__ == "__main__":
    main()
