# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts and pages build exists: the names behind `--target` of a build of this project are targets of it."""

import re

import house

MADE = re.compile(r"\badd_(?:executable|library|custom_target)\((\w+)")
ROOM = re.compile(r"\bkanor_room\(NAME (\w+)")
# Names end at what is none: an option, a comment, another command.
BUILT = re.compile(r"cmake --build --preset .*?--target((?: +\w+)+)")


def targets_of(files):
    """All that are named in full; CMake makes others of variables. `help`, `all` and `clean` are CMake's own."""
    found = {"help", "all", "clean"}
    for path, text in files.items():
        if path.endswith("CMakeLists.txt") or path.endswith(".cmake"):
            found |= set(MADE.findall(text))
            found |= {f"kanor_{room}{end}" for room in ROOM.findall(text) for end in ("", "_test")}
    return found


def complaints(files):
    targets = targets_of(files)
    found = []
    for path, text in files.items():
        if not path.endswith(".md") and not path.startswith("scripts/"):
            continue
        for number, line in enumerate(text.split("\n"), 1):
            for built in BUILT.findall(line):
                found += [f"{path}:{number}: there is no target '{name}'"
                          for name in built.split() if name not in targets]
    return found


ROOMS = {"a/CMakeLists.txt": "kanor_room(NAME text)\n", "CMakeLists.txt": "add_custom_target(demo)\nadd_library(b STATIC)\n"}
COMMAND = "cmake --build --preset dev -j \"$(nproc)\" --target"
CASES = [
    ({**ROOMS, "scripts/a": f"x\n{COMMAND} demo kanor_text b\n", "a.md": f"    {COMMAND} kanor_text_test   # one\n"}, []),
    ({**ROOMS, "scripts/a": f"x\n{COMMAND} demo kanor_texts\n"}, ["scripts/a:2: there is no target 'kanor_texts'"]),
    ({**ROOMS, "a.md": f"    {COMMAND} c\n"}, ["a.md:1: there is no target 'c'"]),
]

if __name__ == "__main__":
    house.main(complaints, CASES)
