# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Data flows one way: no room includes a header of a room above it, and walls stay walls."""

import re

import house

COMPILER = ["text", "host/discover", "syntax", "host/shadow", "host/facts", "flow", "host/cfg", "sema", "plan",
            "analysis", "emit", "report", "driver"]
RUNTIME = ["platform", "c_library", "job", "layout", "pack", "memory", "transport", "plan", "match", "ownership", "transfer",
           "collectives", "exchange", "world", "trace", "c_api", "mpi_compat"]

# Plain data that crosses the wall from host/ lives on the far side.
PRODUCTS = {("host/facts", "sema/facts.hpp"), ("host/facts", "sema/symbolic.hpp"),
            ("host/cfg", "flow/flow_graph.hpp"), ("host/cfg", "sema/symbolic.hpp")}

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


def room_of(path, rooms):
    """The room that a path inside a tree belongs to: the longest of `rooms` that begins it."""
    fitting = [room for room in rooms if path.startswith(room + "/")]
    return max(fitting, key=len) if fitting else None


def complaints_about(path, line, name):
    tree, rooms = None, []
    if path.startswith("compiler/"):
        tree, rooms = "compiler/", COMPILER
    elif path.startswith("runtime/src/"):
        tree, rooms = "runtime/src/", RUNTIME

    where = f"{path}:{line}:"
    for pattern, home, what in WALLS:
        if (path.startswith("compiler/") or path.startswith("runtime/")) and pattern.match(name) and not path.startswith(home):
            yield f"{where} includes {name}, but only {home} knows {what}"

    if path.startswith("runtime/include/"):
        if not name.startswith("kanor/") and "/" in name and room_of(name, RUNTIME + COMPILER):
            yield f"{where} a public header includes {name} of a room"
        return
    if tree is None:
        return
    if tree == "compiler/" and name.startswith("kanor/") and name not in SHARED:
        yield f"{where} the compiler includes {name} of the runtime"
    mine, theirs = room_of(path[len(tree):], rooms), room_of(name, rooms)
    if mine is None or theirs is None or (mine, name) in PRODUCTS:
        return
    if rooms.index(theirs) > rooms.index(mine):
        yield f"{where} {mine} includes {name}, but {theirs} is above it"


def rule(files):
    found = []
    for path, text in files.items():
        if not path.endswith((".cpp", ".hpp", ".h")):
            continue
        for match in INCLUDE.finditer(text):
            found += complaints_about(path, text.count("\n", 0, match.start()) + 1, match.group(1))
    for tree, rooms in (("compiler/", COMPILER), ("runtime/src/", RUNTIME)):
        for path in files:
            if path.startswith(tree) and path.endswith((".cpp", ".hpp")) and room_of(path[len(tree):], rooms) is None:
                found.append(f"{path}:1: lies in no room of {tree}")
    return found


CASES = [
    ({"compiler/emit/emit.cpp": '#include "text/source.hpp"\n#include "emit/emit.hpp"\n'}, []),
    ({"compiler/text/source.cpp": '\n  # include "emit/emit.hpp"\n'}, ["source.cpp:2: text includes emit/emit.hpp"]),
    ({"compiler/syntax/a.hpp": '#include "host/shadow/shadow.hpp"\n'}, ["host/shadow is above"]),
    ({"compiler/host/facts/a.hpp": '#include "sema/facts.hpp"\n'}, []),
    ({"compiler/host/facts/a.hpp": '#include "sema/program.hpp"\n'}, ["sema is above"]),
    ({"compiler/sema/a.cpp": "#include <clang/AST/Decl.h>\n"}, ["only compiler/host/ knows Clang"]),
    ({"compiler/host/facts/a.cpp": "#include <clang/AST/Decl.h>\n"}, []),
    ({"compiler/driver/a.cpp": "#include <antlr4-runtime.h>\n"}, ["knows ANTLR"]),
    ({"compiler/plan/a.cpp": '#include "kanor/team.hpp"\n'}, ["of the runtime"]),
    ({"compiler/driver/a.cpp": '#include "kanor/abi/program_facts.hpp"\n'}, []),
    ({"compiler/lost.cpp": "\n"}, ["lies in no room"]),
    ({"runtime/src/platform/a.cpp": '#include "world/launch.hpp"\n'}, ["world is above"]),
    ({"runtime/src/world/a.cpp": '#include "platform/wait.hpp"\n#include "kanor/team.hpp"\n'}, []),
    ({"runtime/src/world/a.cpp": "#include <mpi.h>\n"}, ["knows MPI"]),
    ({"runtime/include/kanor/a.hpp": "#include <mpi.h>\n"}, ["knows MPI"]),
    ({"runtime/include/kanor/a.hpp": '#include "world/launch.hpp"\n'}, ["a public header includes"]),
]

if __name__ == "__main__":
    house.main(rule, CASES)
