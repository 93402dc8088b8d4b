# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions and classes stay small: a function has up to 60 lines, a class up to 20 data members.

Counted by Universal Ctags, in the code that is installed or runs when programs are compiled, without its tests.
Tables of cases, in which each line is alike, stand in TABLES.
"""

import collections
import json
import pathlib
import subprocess
import tempfile

import house

MOST_LINES, MOST_MEMBERS = 60, 20
ROOMS = ("compiler/", "runtime/", "stdlib/")
TABLES = {"runtime/include/kanor/abi/reflect.hpp": ("field_count", "with_fields")}


def is_counted(path):
    return path.startswith(ROOMS) and path.endswith((".cpp", ".hpp", ".h")) and not path.endswith("_test.cpp")


def tags(files):
    """What ctags finds in these files: functions and data members."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [path for path in files if is_counted(path)]
        for path in paths:
            copy = pathlib.Path(folder, path)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(files[path], encoding="utf-8")
        command = ["ctags", "--output-format=json", "--fields=+neK", "--kinds-c=fm", "--kinds-c++=fm", "--langmap=c++:+.h", "-f", "-", "-L", "-"]
        lines = subprocess.run(command, cwd=folder, input="\n".join(paths), text=True, capture_output=True, check=True).stdout
    return [json.loads(line) for line in lines.splitlines()]


def rule(files):
    found = []
    members = collections.Counter()
    for tag in tags(files):
        path = tag["path"]
        if tag["kind"] == "member":
            members[path, tag.get("scope", "")] += 1
            continue
        lines = tag.get("end", tag["line"]) - tag["line"] + 1
        if lines > MOST_LINES and tag["name"] not in TABLES.get(path, ()):
            found.append(f"{path}:{tag['line']}: {tag['name']}() has {lines} lines, more than {MOST_LINES}; split it")
    for (path, name), count in members.items():
        if count > MOST_MEMBERS:
            found.append(f"{path}:1: {name} has {count} data members, more than {MOST_MEMBERS}; group them")
    return found


def function(lines):
    return "int f() {\n" + "  g();\n" * (lines - 2) + "}\n"


def record(members):
    return "struct S {\n" + "".join(f"  int a{i};\n" for i in range(members)) + "};\n"


CASES = [
    ({"runtime/a.cpp": function(60) + record(20)}, []),
    ({"runtime/a.cpp": function(61)}, ["runtime/a.cpp:1: f() has 61 lines"]),
    ({"compiler/a.hpp": record(21)}, ["S has 21 data members"]),
    ({"stdlib/a.h": "namespace n {\n" + function(61) + "}\n"}, ["stdlib/a.h:2: f() has 61 lines"]),
    ({"tests/a.cpp": function(61), "runtime/a_test.cpp": function(61)}, []),
    ({"runtime/include/kanor/abi/reflect.hpp": function(61).replace("f()", "field_count()")}, []),
]

if __name__ == "__main__":
    house.main(rule, CASES)
