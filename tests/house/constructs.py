# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every construct of the language is tested: tests/constructs says where.

An entry names, for each kind of test, files of that folder and a text in each, so that it cannot outlive what it
speaks of. A construct needs a program that runs (conformance), an expected text (golden), and an error that is
pinned when it is compiled (compile_fail) or when it runs (failure); `none` gives the reason where there can be no
such test. The grammar in docs/language.md and the entries' `grammar` name the same alternatives.
"""

import re
import tomllib

import house

FOLDER = "tests/constructs/"
DOCS = "docs/language.md"
KINDS = ("conformance", "golden", "compile_fail", "failure")
KEYS = KINDS + ("says", "none", "grammar", "elsewhere")

RUN = re.compile(r"\bRUN:")


def evidence_lines(kind, path, text):
    """The lines of a test that pin something: those that FileCheck compares, or the command lines with the message."""
    lines = text.split("\n")
    if kind == "conformance" or path.endswith(".test"):
        return lines
    if kind == "failure":
        return [line for line in lines if RUN.search(line)]
    prefixes = "|".join(["CHECK"] + re.findall(r"--check-prefix=([\w-]+)", text))
    compared = re.compile(rf"^\s*// ({prefixes})(-NEXT|-SAME|-NOT|-DAG|-EMPTY|-COUNT-\d+)?:")
    return [line for line in lines if compared.match(line)] or [line for line in lines if not RUN.search(line)]


def check_evidence(files, where, kind, evidence):
    found = []
    for one in evidence if isinstance(evidence, list) else [evidence]:
        name, separator, text = one.partition(": ")
        path = name if kind == "elsewhere" else f"tests/{kind}/{name}"
        if not separator or len(text) < 3:
            found.append(f"{where}: '{one}' is not 'file: text'")
        elif path not in files:
            found.append(f"{where}: there is no file '{path}'")
        elif not any(text in line for line in (files[path].split("\n") if kind == "elsewhere" else evidence_lines(kind, path, files[path]))):
            found.append(f"{where}: '{path}' does not have '{text}'" + (" in what it expects" if text in files[path] else ""))
    return found


def check_entry(files, where, entry):
    found = [f"{where}: unknown key '{key}'" for key in entry if key not in KEYS]
    none = entry.get("none", {})
    for kind in KINDS + ("elsewhere",):
        found += check_evidence(files, where, kind, entry.get(kind, []))
    needed = {"conformance": ["conformance"], "golden": ["golden"], "error": ["compile_fail", "failure"]}
    for what, kinds in needed.items():
        if any(entry.get(kind) for kind in kinds):
            if what in none:
                found.append(f"{where}: has {what} tests, and a reason to have none")
        elif len(none.get(what, "")) < 10:
            found.append(f"{where}: no {' or '.join(kinds)} test, and no reason in none.{what}")
    return found + [f"{where}: unknown key 'none.{what}'" for what in none if what not in needed]


def grammar_of(page):
    """'name := alternative' for each alternative of the grammar."""
    block = re.search(r"^## Grammar\n\n((?:    .*\n|\n)+)", page + "\n", re.MULTILINE)
    alternatives = []
    name = ""
    for line in block.group(1).split("\n") if block else []:
        head, separator, rest = line.partition(" := ")
        if separator:
            name = head.strip()
            parts = re.split(r"  +", rest.strip()) if name == "op" else re.split(r"  \|  ", rest)
        elif line.strip().startswith("| "):
            parts = [line.strip()[2:]]
        else:
            continue
        alternatives += [f"{name} := {' '.join(part.split())}" for part in parts]
    return alternatives


def rule(files):
    lists = sorted(path for path in files if path.startswith(FOLDER) and path.endswith(".toml"))
    if not lists:
        return [f"{FOLDER}: no lists of constructs"]
    found = []
    said = {}
    tested = set()
    for path in lists:
        for at, entry in enumerate(tomllib.loads(files[path]).get("construct", []), 1):
            says = entry.get("says", "")
            where = f"{path}: {at} ('{says}')"
            if not says or says in said:
                found.append(f"{where}: the same as {said.get(says, 'an entry without a text')}")
            said[says] = where
            grammar = entry.get("grammar", [])
            tested.update(grammar if isinstance(grammar, list) else [grammar])
            found += check_entry(files, where, entry)
    alternatives = grammar_of(files.get(DOCS, ""))
    if not alternatives:
        found.append(f"{DOCS}: no grammar found")
    found += [f"{DOCS}: no entry of {FOLDER} has the grammar '{one}'" for one in alternatives if one not in tested]
    return found + [f"{FOLDER}: '{one}' is not in the grammar of {DOCS}" for one in sorted(tested) if one not in alternatives]


PAGE = "## Grammar\n\n    set := { e ... e }  |  expression\n         | other\n    op  := +  |  min  or a call\n"
LIST = """
[[construct]]
says = "sets"
grammar = ["set := { e ... e }", "set := expression", "set := other"]
conformance = "a.cpp: in set"
golden = ["g.cpp: each(set)"]
compile_fail = "c.cpp: no set"
[[construct]]
says = "operators"
grammar = ["op := +", "op := |", "op := min", "op := or a call"]
conformance = "a.cpp: in set"
none.golden = "nothing is emitted for it"
failure = "f.cpp: beyond the end"
"""
FILES = {FOLDER + "l.toml": LIST, DOCS: PAGE, "tests/conformance/a.cpp": "x in set\n", "tests/golden/g.cpp": "set\n// CHECK-NEXT: each(set)\n",
         "tests/compile_fail/c.cpp": "// CHECK:error: no set\n", "tests/failure/f.cpp": "// RUN: %t 'beyond the end'\n"}


def changed(path, old, new):
    return FILES | {path: FILES[path].replace(old, new)}


CASES = [
    (FILES, []),
    (changed("tests/conformance/a.cpp", "in set", ""), ["does not have 'in set'"] * 2),
    (changed("tests/golden/g.cpp", "CHECK-NEXT: each(set)", "CHECK: each()\n// each(set)"), ["in what it expects"]),
    (changed("tests/failure/f.cpp", "RUN: ", ""), ["in what it expects"]),
    (changed(FOLDER + "l.toml", "a.cpp", "b.cpp"), ["no file 'tests/conformance/b.cpp'"] * 2),
    (changed(FOLDER + "l.toml", 'compile_fail = "c.cpp: no set"', ""), ["no compile_fail or failure test"]),
    (changed(FOLDER + "l.toml", "none.golden", "none.failures"), ["no golden test", "unknown key 'none.failures'"]),
    (changed(FOLDER + "l.toml", "none.golden", "none.error = 'cannot go wrong at all'\nnone.golden"), ["has error tests, and a reason"]),
    (changed(FOLDER + "l.toml", '"operators"', '"sets"'), ["the same as"]),
    (changed(FOLDER + "l.toml", ', "set := other"', ""), ["has the grammar 'set := other'"]),
    (changed(FOLDER + "l.toml", '"op := min"', '"op := mean"'), ["has the grammar 'op := min'", "'op := mean' is not in the grammar"]),
    (changed(FOLDER + "l.toml", "golden = [", "gold = ["), ["unknown key 'gold'", "no golden test"]),
    ({"a": ""}, ["no lists"]),
]

if __name__ == "__main__":
    house.main(rule, CASES)
