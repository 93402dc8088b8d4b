# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every kind of diagnostic has a test that provokes it and an entry that explains it.

The test: a file in tests/compile_fail (or tests/driver) whose name is the kind, or begins with the kind
and an underscore or a dash, or that has a line `KIND: kind {, kind}` in a comment. The entry: a heading
with `kind` in docs/diagnostics.md.
"""

import re

import house

KINDS = "compiler/text/diagnostic_kinds.def"
DOCS = "docs/diagnostics.md"
SUITES = ("tests/compile_fail/", "tests/driver/")


def tested_kinds(files, kinds):
    tested = set()
    for path, text in files.items():
        if not path.startswith(SUITES):
            continue
        stem = path.split("/")[-1].split(".")[0]
        # The longest kind that fits: rank_out_of_range_b.cpp is no test of a kind `rank`.
        fitting = [kind for kind in kinds if stem == kind or stem.startswith((kind + "_", kind + "-"))]
        if fitting:
            tested.add(max(fitting, key=len))
        for line in re.findall(r"\bKIND:(.*)", text):
            tested.update(re.findall(r"\w+", line))
    return tested


def rule(files):
    kinds = re.findall(r"^KANOR_DIAGNOSTIC\((\w+),", files.get(KINDS, ""), re.MULTILINE)
    if not kinds:
        return [f"{KINDS}:1: no kinds found"]
    tested = tested_kinds(files, kinds)
    explained = re.findall(r"^#+ `(\w+)`", files.get(DOCS, ""), re.MULTILINE)
    found = [f"{KINDS}: no test in tests/compile_fail or tests/driver provokes '{kind}'" for kind in kinds if kind not in tested]
    found += [f"{DOCS}: no heading `{kind}`" for kind in kinds if kind not in explained]
    found += [f"{DOCS}: `{kind}` is no kind of diagnostic" for kind in explained if kind not in kinds]
    return found


DEF = "KANOR_DIAGNOSTIC(rank, error)\nKANOR_DIAGNOSTIC(rank_out, error)\n"
CASES = [
    ({KINDS: DEF, DOCS: "## `rank`\n### `rank_out`\n", "tests/compile_fail/rank_1.cpp": "", "tests/driver/x.test": "KIND: rank_out\n"}, []),
    ({KINDS: DEF, DOCS: "## `rank`\n## `rank_out`\n", "tests/compile_fail/rank_out_of.cpp": ""}, ["provokes 'rank'"]),
    ({KINDS: DEF, DOCS: "## `rank`\n", "tests/compile_fail/rank.cpp": "// KIND: rank_out\n"}, ["no heading `rank_out`"]),
    ({KINDS: DEF, DOCS: "## `rank`\n## `rank_out`\n## `old`\n", "tests/compile_fail/rank.cpp": "// KIND: rank_out\n"}, ["`old` is no kind"]),
    ({"a": ""}, ["no kinds found"]),
]

if __name__ == "__main__":
    house.main(rule, CASES)
