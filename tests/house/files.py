# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files stay readable: their length, no notes to self, no paths of one machine, a purpose in the first lines.

A file may have up to 500 lines; longer ones stand in long_files.txt with the length they must not exceed,
a list that only shrinks.
"""

import re

import house

LIMIT = 500
LIST = "tests/house/long_files.txt"
SOURCES = (".cpp", ".hpp", ".h", ".py", ".g4", ".cmake", ".def", "CMakeLists.txt")

# Spelled in pieces, because this file is checked too.
NOTES = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")
MACHINE_PATH = re.compile(r"(?<![\w.$}])/(root|home)" + r"/\w")


def allowances(files):
    lines = (line.split() for line in files.get(LIST, "").splitlines() if line and not line.startswith("#"))
    return {path: int(length) for path, length in lines}


def rule(files):
    found = []
    allowed = allowances(files)
    for path, text in files.items():
        length = text.count("\n")
        if path.endswith(SOURCES) and length > max(LIMIT, allowed.get(path, 0)):
            found.append(f"{path}:{length}: is longer than {max(LIMIT, allowed.get(path, 0))} lines; split it")
        for number, line in enumerate(text.splitlines(), 1):
            if NOTES.search(line):
                found.append(f"{path}:{number}: a note to self: {line.strip()}")
            if MACHINE_PATH.search(line):
                found.append(f"{path}:{number}: a path of one machine: {line.strip()}")
    for path, length in allowed.items():
        if path not in files or files[path].count("\n") <= LIMIT:
            found.append(f"{LIST}:1: {path} needs its line no more; remove it")
    return found


CASES = [
    ({"a.cpp": "int a;\n", "b.md": "see /usr/share/doc\n"}, []),
    ({"a.cpp": "\n" * 500, "list.txt": "\n" * 501}, []),
    ({"a.cpp": "\n" * 501}, ["is longer than 500"]),
    ({"a.cpp": "\n" * 501, LIST: "a.cpp 550\n"}, []),
    ({"a.cpp": "\n" * 551, LIST: "a.cpp 550\n"}, ["is longer than 550"]),
    ({"a.cpp": "\n" * 400, LIST: "a.cpp 550\n"}, ["remove it"]),
    ({LIST: "gone.cpp 850\n"}, ["remove it"]),
    ({"a.cpp": "// TO" + "DO: more\n"}, ["a.cpp:1: a note to self"]),
    ({"a.cpp": "auto mastodon = TODOS;\n"}, []),
    ({"a.md": "run /ho" + "me/me/kanorc\n"}, ["a.md:1: a path of one machine"]),
    ({"a.md": "$HO" + "ME/kanor and ${ROOT}/ho" + "me/x\n"}, []),
]

if __name__ == "__main__":
    house.main(rule, CASES)
