# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/tour.md: one small program after every phase of the compiler.

    make_tour.py --kanorc K --kanorrun R --work DIRECTORY > docs/tour.md

A test compares the output with the file in docs, so the tour is never out of date.
"""

import argparse
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

HEAD = """# A tour of the compiler

One small program on its way through kanorc. `tests/docs/make_tour.py` writes this page, and a test
compares it with what the compiler does. Every phase's product can be printed: run the commands.

The pipeline is `compiler/driver/pipeline.cpp`. Each phase is a function from the products before it
to a new one. It lives in the folder of its name under `compiler/`.

## The program

"""

PHASES = [
    ("discover", "Which files take part",
     "Clang's preprocessor runs over the program as it is written. It notes which files are included,\n"
     "which lines are skipped, and where macros are defined and used. Nothing is parsed yet."),
    ("parse", "The blocks",
     "The blocks of every such file are found and parsed with their own grammar (`grammar/`). C++\n"
     "expressions stay pieces of text. Every piece is a span of the file: line and column, or offset."),
    ("shadow", "C++ that Clang can read",
     "Plain C++ replaces each block and asks Clang about its expressions: their types, whether they\n"
     "can be assigned, which names they use. Lines stay where they are, so Clang's own messages point\n"
     "at the user's text. This text is never compiled."),
    ("facts", "What Clang says",
     "The types of the expressions, and the variables that exist once for all ranks. These are plain\n"
     "data: no later phase knows Clang."),
    ("sema", "What the block means",
     "Text and facts together. A block passes the checks and becomes this, or gets a message at its\n"
     "line."),
    ("plan", "How the data moves",
     "What each statement's sets, filters and ranks compute, in symbols. A rank finds its own messages\n"
     "by these symbols, without enumerating all bindings. The plan also names the statement's pattern\n"
     "([explain.md](explain.md))."),
    ("emit", "Plain C++",
     "What `kanorc --emit-cpp` shows and the host compiler gets: the user's expressions word for word,\n"
     "between calls of the runtime's `kanor::abi`. `#line` brings errors, the debugger and assertions\n"
     "back to the user's file."),
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
    with open(os.path.join(HERE, "Inputs", "tour.cpp"), encoding="utf-8") as file:
        program = re.sub(r"\n*// SPDX-License-Identifier:.*\n", "\n", file.read())
    with open(os.path.join(options.work, "tour.cpp"), "w", encoding="utf-8") as file:
        file.write(program)
    page = HEAD + "```cpp\n" + program + "```\n"
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
