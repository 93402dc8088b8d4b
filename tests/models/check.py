"""Checks the model of the regions' protocol exhaustively, and that it catches the bugs of ownership_bugs.toml.

    check.py [--bugs] [--keep FOLDER]

Needs spin and gcc. Without --bugs: the model, in every configuration, has no error, and its inlines are the rows of
ownership_steps.txt, which the runtime's own test compares with the runtime. With --bugs: in each of the changed
models there is an error. Exit status 1 and the last lines of what was run where something is not so.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).parent

# What is searched exhaustively; bugs are looked for in the first that shows them.
CONFIGURATIONS = [
    {"RANKS": 2, "STEPS": 4, "REGIONS": 6, "PIECES": 2, "STOCK": 2, "KEPT": 2},
    {"RANKS": 3, "STEPS": 3, "REGIONS": 8, "PIECES": 1, "STOCK": 2, "KEPT": 3},
    {"RANKS": 2, "STEPS": 5, "REGIONS": 6, "PIECES": 2, "STOCK": 2, "KEPT": 2},
]
SECONDS = 100


def table_rows(text):
    rows = [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    for row in rows:
        if len(row) != 5:
            sys.exit(f"ownership_steps.txt: five columns were expected: {' '.join(row)}")
    return rows


def definitions(rows, configuration):
    lines = [f"#define {name} {number}" for name, number in configuration.items()]
    for state, step, following, memory, _ in rows:
        lines.append(f"#define NEXT_{state}_{step} {following.upper()}")
        lines.append(f"#define MEMORY_{state}_{step} {'NO_MEMORY' if memory == 'none' else memory.upper()}")
    return "\n".join(lines) + "\n"


def compare_names(rows, model):
    """The model's inlines of steps are the table's rows."""
    named = {f"{state}_{step}" for state, step, *_ in rows}
    inlines = set(re.findall(r"^inline ((?:none|sole|shared)_\w+)\(", model, re.MULTILINE))
    if named != inlines:
        sys.exit(f"ownership.pml and ownership_steps.txt do not have the same steps: {sorted(named ^ inlines)}")
    for name in named:
        if f"compare(NEXT_{name}, MEMORY_{name})" not in model or len(re.findall(rf"\b{name}\(\)", model)) != 2:
            sys.exit(f"ownership.pml: '{name}' is not compared with its row, or not used")


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SECONDS)
    return done.stdout


def search(model, rows, configuration, folder):
    """What spin and its verifier say; the number of errors found."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.pml").write_text(definitions(rows, configuration) + model)
    said = run(["spin", "-a", "model.pml"], folder)
    said += run(["gcc", "-O1", "-w", "-DSAFETY", "-DCOLLAPSE", "-DMEMLIM=2048", "-o", "pan", "pan.c"], folder)
    if not (folder / "pan").exists():
        sys.exit(f"the model cannot be made:\n{said}")
    said = run(["./pan", "-m100000"], folder)
    errors = re.search(r"errors: (\d+)", said)
    if not errors or ("not completed" in said and errors.group(1) == "0"):
        sys.exit(f"the search did not end:\n{said[-2000:]}")
    return int(errors.group(1)), said


def check_model(model, rows, folder):
    compare_names(rows, model)
    for number, configuration in enumerate(CONFIGURATIONS):
        errors, said = search(model, rows, configuration, folder / f"model_{number}")
        states = re.search(r"(\d+) states, stored", said).group(1)
        print(f"{configuration}: {states} states, {errors} errors")
        if errors:
            print(said[-2000:])
            return 1
    return 0


def check_bug(number, bug, model, rows, folder):
    """The configuration that shows the bug; None if none does."""
    if model.count(bug["text"]) != 1:
        sys.exit(f"'{bug['what']}': its text stands in the model {model.count(bug['text'])} times")
    changed = model.replace(bug["text"], bug["with"])
    for index, configuration in enumerate(CONFIGURATIONS[:2]):
        errors, said = search(changed, rows, configuration, folder / f"bug_{number}_{index}")
        if errors:
            return configuration, re.search(r"^pan:1: (.*)$", said, re.MULTILINE).group(1)
    return None, ""


def check_bugs(model, rows, folder):
    bugs = tomllib.loads((HERE / "ownership_bugs.toml").read_text())["bug"]
    missed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        found = pool.map(lambda one: check_bug(one[0], one[1], model, rows, folder), enumerate(bugs))
        for bug, (configuration, how) in zip(bugs, found):
            missed += configuration is None
            print(f"{bug['what']}: {'NOT FOUND' if configuration is None else how}")
    return 1 if missed or len(bugs) < 10 else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bugs", action="store_true")
    parser.add_argument("--keep", help="the folder to work in, which stays")
    options = parser.parse_args()
    model = (HERE / "ownership.pml").read_text()
    rows = table_rows((HERE / "ownership_steps.txt").read_text())
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary)
        sys.exit((check_bugs if options.bugs else check_model)(model, rows, folder))


if __name__ == "__main__":
    main()
