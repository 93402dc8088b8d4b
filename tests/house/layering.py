# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Data flows one way: a room includes what the map says (docs/internals/architecture.md), of rooms that stand above it
there, and walls stay walls. The map lists every room, and no include that is gone."""

import re

import house

MAP = "docs/internals/architecture.md"
TREES = ("compiler/", "runtime/src/")

# What compiler and runtime share: how a linked program's facts are spelled, and the C library's hidden state.
SHARED = {"kanor/abi/program_facts.hpp", "kanor/abi/hidden_state.hpp"}

# Who may include the headers of a library: pattern of the include, the rooms' prefix, what to call it.
WALLS = [
    (re.compile(r"clang(-c)?/"), "compiler/host/", "Clang"),
    (re.compile(r"antlr4"), "compiler/syntax/", "ANTLR"),
    (re.compile(r"Kanor(Lexer|Parser)"), "compiler/syntax/", "the generated parser"),
    (re.compile(r"hwloc"), "runtime/src/platform/", "hwloc"),
    (re.compile(r"mpi\.h$"), "runtime/src/transport/mpi/", "MPI"),
]

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)


ROW = re.compile(r"^\| `([a-z_]+(?:/[a-z_]+)*)` \|([^|]*)\|", re.MULTILINE)
HEADING = "| `{}` | includes |"


class Map:
    """The rooms of a tree in the map's order, with the rooms, and headers of rooms below, that each may include."""

    def __init__(self, page, tree):
        begin = page.find(HEADING.format(tree))
        table = page[begin:page.find("\n\n", begin)] if begin >= 0 else ""
        self.tree = tree
        self.may = {room: set(re.findall(r"`([^`]+)`", cell)) for room, cell in ROW.findall(table)}
        self.rooms = list(self.may)
        self.does = {room: set() for room in self.rooms}

    def room_of(self, path):
        """The room that a path inside the tree belongs to: the longest that begins it."""
        return max((room for room in self.rooms if path.startswith(room + "/")), key=len, default=None)

    def complaints_about(self, path, where, name):
        mine, theirs = self.room_of(path[len(self.tree):]), self.room_of(name)
        if mine is None or theirs is None or mine == theirs:
            return
        said = name if name in self.may[mine] else theirs
        is_test = path.endswith("_test.cpp") or "/test_" in path
        if not is_test:
            self.does[mine].add(said)
        if said == theirs and self.rooms.index(theirs) > self.rooms.index(mine):
            yield f"{where} {mine} includes {name}, but {theirs} is below it in {MAP}"
        elif not is_test and said not in self.may[mine]:
            yield f"{where} {mine} includes {name}: {MAP} says nothing of that"

    def complaints_about_map(self, files):
        for path in files:
            if path.startswith(self.tree) and path.endswith((".cpp", ".hpp")) and self.room_of(path[len(self.tree):]) is None:
                yield f"{path}:1: lies in no room of {self.tree} in {MAP}"
        for room in self.rooms:
            if not any(path.startswith(f"{self.tree}{room}/") for path in files):
                yield f"{MAP}:1: there is no room {self.tree}{room}"
            for gone in sorted(self.may[room] - self.does[room]):
                yield f"{MAP}:1: {room} does not include {gone}"


def complaints_about_walls(path, where, name, rooms):
    for pattern, home, what in WALLS:
        if path.startswith(("compiler/", "runtime/")) and pattern.match(name) and not path.startswith(home):
            yield f"{where} includes {name}, but only {home} knows {what}"
    if path.startswith("runtime/include/") and "/" in name and name.split("/")[0] in rooms:
        yield f"{where} a public header includes {name} of a room"
    if path.startswith("compiler/") and name.startswith("kanor/") and name not in SHARED:
        yield f"{where} the compiler includes {name} of the runtime"


def rule(files):
    maps = [Map(files.get(MAP, ""), tree) for tree in TREES]
    rooms = {room.split("/")[0] for one in maps for room in one.rooms}
    found = []
    for path, text in files.items():
        if not path.endswith((".cpp", ".hpp", ".h")):
            continue
        for match in INCLUDE.finditer(text):
            where, name = f"{path}:{text.count(chr(10), 0, match.start()) + 1}:", match.group(1)
            found += complaints_about_walls(path, where, name, rooms)
            for one in maps:
                if path.startswith(one.tree):
                    found += one.complaints_about(path, where, name)
    for one in maps:
        found += one.complaints_about_map(files)
    return found


PAGE = """
| `compiler/` | includes | what it does |
|---|---|---|
| `text` | | sources |
| `host/facts` | `text`, `sema/facts.hpp` | facts |
| `sema` | `text` | checks |

| `runtime/src/` | includes | what it does |
|---|---|---|
| `world` | | ranks |

"""
HOUSE = {
    MAP: PAGE,
    "compiler/text/source.cpp": '#include "text/source.hpp"\n',
    "compiler/host/facts/a.hpp": '#include "sema/facts.hpp"\n#include <clang/AST/Decl.h>\n#include "text/source.hpp"\n',
    "compiler/sema/a.cpp": '#include "text/source.hpp"\n#include "kanor/abi/program_facts.hpp"\n',
    "runtime/src/world/a.cpp": '#include "kanor/team.hpp"\n',
}


def house_with(path, text):
    return HOUSE | {path: text}


CASES = [
    (HOUSE, []),
    (house_with("compiler/text/b.cpp", '\n  # include "sema/a.hpp"\n'), ["b.cpp:2: text includes sema/a.hpp, but sema is below"]),
    (house_with("compiler/sema/b.cpp", '#include "host/facts/a.hpp"\n'), ["b.cpp:1: sema includes host/facts/a.hpp", ]),
    (house_with("compiler/sema/b_test.cpp", '#include "host/facts/a.hpp"\n'), []),
    (house_with("compiler/host/facts/b.hpp", '#include "sema/program.hpp"\n'), ["sema is below"]),
    (house_with("compiler/sema/b.cpp", "#include <clang/AST/Decl.h>\n"), ["only compiler/host/ knows Clang"]),
    (house_with("compiler/sema/b.cpp", "#include <antlr4-runtime.h>\n"), ["knows ANTLR"]),
    (house_with("compiler/sema/b.cpp", '#include "kanor/team.hpp"\n'), ["of the runtime"]),
    (house_with("compiler/lost.cpp", "\n"), ["lies in no room"]),
    (house_with("compiler/sema/a.cpp", "\n"), ["sema does not include text"]),
    ({path: text for path, text in HOUSE.items() if "world" not in path}, ["there is no room runtime/src/world"]),
    (house_with("runtime/src/world/a.cpp", "#include <mpi.h>\n"), ["knows MPI"]),
    (house_with("runtime/include/kanor/a.hpp", "#include <mpi.h>\n"), ["knows MPI"]),
    (house_with("runtime/include/kanor/a.hpp", '#include "world/launch.hpp"\n'), ["a public header includes"]),
]

if __name__ == "__main__":
    house.main(rule, CASES)
