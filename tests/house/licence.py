# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every source file names its licence, as SPDX has it."""

import re

import house

# Spelled in pieces, because this file is checked too.
LINE = "SPDX-License-" + "Identifier: Apache-2.0 WITH LLVM-exception"
SOURCES = re.compile(r"\.(cpp|hpp|h|c|py|g4|cmake|def|pml|toml|test|sh)$|(^|/)CMakeLists\.txt$|^scripts/|^\.ci/")


def rule(files):
    found = []
    for path, text in files.items():
        if SOURCES.search(path) and text.count(LINE) != 1:
            found.append(f"{path}:1: has {text.count(LINE)} lines '{LINE}', not one")
    if "LICENSE" not in files:
        found.append("LICENSE:1: is not there")
    return found


CASES = [
    ({"LICENSE": "", "a.cpp": f"// {LINE}\nint a;\n", "b.md": "text\n", "docs/c.svg": "<svg/>"}, []),
    ({"LICENSE": "", "a.cpp": "int a;\n", "scripts/run": f"#!/bin/sh\n# {LINE}\n"}, ["a.cpp:1: has 0 lines"]),
    ({"LICENSE": "", "x/CMakeLists.txt": "", "b.py": f"# {LINE}\n# {LINE}\n"}, ["x/CMakeLists.txt:1: has 0", "b.py:1: has 2"]),
    ({"a.cpp": f"// {LINE}\n"}, ["LICENSE:1: is not there"]),
]

if __name__ == "__main__":
    house.main(rule, CASES)
