# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/tour.md: one small program after every phase of the compiler.

    make_tour.py --kanorc K --kanorrun R --work DIRECTORY > docs/tour.md

A test compares the output with the file in docs, so the tour is never out of date.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

HEAD = """# A tour of the compiler

One small program on its way through kanorc. This page is made by `tests/docs/make_tour.py`, and a test fails if it is not
what the compiler does. Run the commands yourself: every phase's product can be printed.

The pipeline is `compiler/driver/pipeline.cpp`. Each phase is a function from the products before it to a new one, and lives in the
folder of its name under `compiler/`.

## The program

"""

PHASES = [
    ("discover", "Which files take part",
     "Clang's preprocessor runs over the program as it is written, and notes which files are included, which lines it\n"
     "skips, and where macros are defined and used. Nothing is parsed yet."),
    ("parse", "The blocks",
     "In every file that takes part the blocks are found and parsed, with a grammar of their own (`grammar/`). C++ expressions stay\n"
     "pieces of text; every piece is a span of the file, by line and column or by offset."),
    ("shadow", "C++ that Clang can read",
     "Each block is replaced by plain C++ that asks Clang about its expressions: their types, whether they can be assigned, what\n"
     "names they use. Lines stay where they are, so Clang's own messages point at the user's text. This text is never compiled."),
    ("facts", "What Clang says",
     "The types of the expressions, and the variables that exist once for all ranks. Plain data; no later phase knows Clang."),
    ("sema", "What the block means",
     "Text and facts together: the block is checked, and either becomes this or a message at its line."),
    ("plan", "How the data moves",
     "What each statement's sets, filters and ranks compute, in symbols, so that a rank finds its own messages without going through all\n"
     "bindings, and the pattern that they amount to ([explain.md](explain.md))."),
    ("emit", "Plain C++",
     "What `kanorc --emit-cpp` shows and the host compiler gets: the user's expressions word for word, between calls of the runtime's\n"
     "`kanor::abi`. `#line` brings errors, the debugger and assertions back to the user's file."),
]


def run(command, folder):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("KANOR_")}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} ends with status {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def only_user_files(text):
    """Leaves out what depends on the headers of this machine's compiler and libraries."""
    kept = [line for line in text.splitlines() if not re.search(r"(^|[\s\"'])/|^system files \d+$", line)]
    return "\n".join(kept) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kanorc", required=True)
    parser.add_argument("--kanorrun", required=True)
    parser.add_argument("--work", required=True)
    options = parser.parse_args()
    shutil.copy(os.path.join(HERE, "Inputs", "tour.cpp"), options.work)
    with open(os.path.join(options.work, "tour.cpp"), encoding="utf-8") as file:
        page = HEAD + "```cpp\n" + file.read() + "```\n"
    for phase, title, text in PHASES:
        output = run([options.kanorc, f"--dump={phase}", "tour.cpp"], options.work)
        language = "cpp" if phase in ("shadow", "emit") else "text"
        page += f"\n## {title}\n\n{text}\n\n    kanorc --dump={phase} tour.cpp\n\n```{language}\n{only_user_files(output)}```\n"
    run([options.kanorc, "tour.cpp", "-o", "tour"], options.work)
    lines = sorted(run([options.kanorrun, "-n", "4", "./tour"], options.work).splitlines())
    page += "\n## The program runs\n\n    kanorc tour.cpp -o tour\n    kanorrun -n 4 ./tour\n\n```text\n" + "\n".join(lines) + "\n```\n"
    sys.stdout.write(page)


if __name__ == "__main__":
    main()
