# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/runtime.md lists the C library's hidden state as kanor/abi/hidden_state.hpp does, from which kanorc and the
runtime take it.

    check_hidden_state.py ROOT
"""

import re
import subprocess
import sys


def listed(text):
    """The names in backquotes: a set of them."""
    return set(re.findall(r"`([\w:]+)`", text))


def main():
    root = sys.argv[1]
    with open(f"{root}/runtime/include/kanor/abi/hidden_state.hpp", encoding="utf-8") as file:
        header = file.read()
    with open(f"{root}/docs/runtime.md", encoding="utf-8") as file:
        docs = file.read()
    own = set(re.findall(r"\b(?:FUNCTION|HANDLER|SIGNAL)\((\w+)\)", header))
    process = re.findall(r'SYMBOL\((\w+), "', header)
    names = subprocess.run(["c++filt"], input="\n".join(process), capture_output=True, text=True, check=True).stdout
    process = {name.split("(")[0] for name in names.splitlines()}
    section = docs.split("## What thread ranks share")[1].split("\n## ")[0]
    said_own, rest = section.split("Other state of the C library")
    rows = rest[:rest.index("Thread ranks also share the state of")].split("|---|---|")[1].split("\n")
    said_process = set().union(*(listed(row.split("|")[2]) for row in rows if row.startswith("|")))
    wrong = [f"'{name}' is in the table, not in the docs" for name in sorted(own - listed(said_own))]
    wrong += [f"'{name}' is in the docs, not in the table" for name in sorted(listed(said_own) - own)]
    wrong += [f"'{name}' makes ranks processes, and the docs do not say so" for name in sorted(process - said_process)]
    wrong += [f"'{name}' makes ranks processes only in the docs" for name in sorted(said_process - process)]
    if len(own) < 20 or len(process) < 60:
        wrong.append("the table was not found")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
