# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/tour.md: one small program after the main phases of the compiler.

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

This page shows what one small program looks like after each main phase of kanorc. Each command on
it prints the result of one phase: the argument of `--dump` is the phase's name. A test compares the
page with the compiler's output. [The internals](internals/architecture.md) say where each phase is
in the source.

## The program

"""

PHASES = [
    ("discover", "Which files take part",
     "Clang's preprocessor reads the source. kanorc records which files are included, which lines are\n"
     "skipped, and where macros are defined and used. Nothing is parsed yet."),
    ("parse", "The blocks",
     "kanorc parses the blocks in the source file and in its included files, with the grammar in\n"
     "`grammar/`. C++ expressions remain text. Every part of a block is a span of the file, with line,\n"
     "column and offset."),
    ("shadow", "C++ that Clang can read",
     "Each block is replaced by plain C++. From it, Clang determines the type of each expression, whether\n"
     "the expression can be assigned to, and which names it uses. Line numbers do not change, so Clang's\n"
     "messages point at your text. This C++ is never compiled."),
    ("facts", "What Clang knows",
     "Clang supplies the types of the expressions. It also finds the global and static variables, which\n"
     "kanorc must make private to each rank. The result is plain data; no later phase uses Clang."),
    ("sema", "What the block means",
     "This phase combines the parsed blocks with the facts, and checks each block. `uniform` means that a\n"
     "value is [the same on all ranks](language.md#uniformity). Errors are reported at the block's line."),
    ("plan", "How the data moves",
     "The plan contains each statement's sets, filters and rank expressions in symbolic form. At run time,\n"
     "a rank computes its own messages directly from the plan. It does not loop over all values of `i`.\n"
     "The plan also names the statement's [pattern](explain.md#patterns)."),
    ("emit", "Plain C++",
     "Your own C++ compiler (the *host compiler*) gets this C++, and `kanorc --emit-cpp` shows it. Your\n"
     "expressions are passed to the runtime, which is in namespace `kanor::abi`. In each loop,\n"
     "`kanor_bind.only` selects the values of `i` that concern this rank. With `#line`, errors, debuggers\n"
     "and assertions refer to your file."),
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
