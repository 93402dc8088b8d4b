# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a model of a protocol exhaustively, and that it catches the bugs of its .toml.

    check.py [--model ownership|queue|delta|pages] [--bugs] [--full] [--keep FOLDER]

Needs spin and gcc (or clang-19, which makes verifiers faster). Without --bugs: the model, in every configuration, has
no error; no run of the model of delta sends is infinite; and the inlines of ownership.pml
are the rows of ownership_steps.txt, which the runtime's own test compares with the runtime. With --bugs: in each of
the changed models there is an error. The largest configurations, every other bug, and the bugs whose search lasts long, only with --full:
whoever changes a model runs that. Exit status 1 and the last lines of what was run where something is not so.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).parent


def queue(**changes):
    usual = {"SENDERS": 1, "CELLS": 2, "BUFFERS": 2, "LIMIT": 2, "HELD": 2, "STREAMS": 1}
    usual |= {"ANY": 0, "IN_TURN": 0, "FIRST": 0, "EXPECTED": 0, "WIDE": 0}
    return usual | changes


def delta(**changes):
    usual = {"RANKS": 2, "PARTS": 2, "LIMIT": 1, "RING": 0, "EXCHANGE": 0, "LATE": 0, "TWO": 0, "SAME": 0, "OTHER": 0}
    usual |= {"SKIPS": 0, "OFFERS": 0, "SHARES": 1, "ALWAYS": 0, "EARLY": 0, "ASCENDING": 0}
    return usual | changes


PARTS = {"ownership": ["ownership.pml"], "queue": ["queue.pml", "queue_receiver.pml"], "delta": ["delta.pml"], "pages": ["pages.pml"]}

# What is searched exhaustively, by model. Bugs are looked for in the first two, or in the one that they name.
CONFIGURATIONS = {
    "ownership": {
        "pieces": {"RANKS": 2, "STEPS": 4, "REGIONS": 6, "PIECES": 2, "STOCK": 2, "KEPT": 2},
        "three ranks": {"RANKS": 3, "STEPS": 3, "REGIONS": 8, "PIECES": 1, "STOCK": 2, "KEPT": 3},
        "more steps": {"RANKS": 2, "STEPS": 5, "REGIONS": 6, "PIECES": 2, "STOCK": 2, "KEPT": 2},
    },
    "queue": {
        "one cell": queue(MESSAGES=3, CELLS=1, LIMIT=1, HELD=1),
        "streams": queue(MESSAGES=3, STREAMS=2),
        "three cells": queue(MESSAGES=3, CELLS=3, LIMIT=3),
        "two cells each": queue(MESSAGES=3, BUFFERS=1, STREAMS=2, WIDE=1),
        "one or two of three cells": queue(MESSAGES=4, CELLS=3, BUFFERS=1, HELD=1, WIDE=1),
        "more messages": queue(MESSAGES=4, STREAMS=2),
        "any stream": queue(MESSAGES=3, STREAMS=2, ANY=1),
        "any of two": queue(SENDERS=2, MESSAGES=2, BUFFERS=1, HELD=1, ANY=1),
        "in turn": queue(SENDERS=2, MESSAGES=3, IN_TURN=1, FIRST=2),
        "expected": queue(SENDERS=2, MESSAGES=3, CELLS=1, BUFFERS=1, LIMIT=1, HELD=1, IN_TURN=1, EXPECTED=1),
    },
    "delta": {
        "ring": delta(RING=1, LIMIT=0),
        "pair": delta(SKIPS=1),
        "three parts": delta(PARTS=3, SKIPS=1, SHARES=0),
        "offers": delta(OFFERS=1),
        "exchange": delta(RING=1, EXCHANGE=1, ALWAYS=1, ASCENDING=1),
        "receives posted late": delta(RING=1, LATE=1, LIMIT=0, ALWAYS=1, ASCENDING=1),
        "two of one tag": delta(PARTS=1, TWO=1, SAME=1, ALWAYS=1, ASCENDING=1),
        "the second first": delta(TWO=1, OTHER=1),
        "three posted late": delta(RANKS=3, RING=1, LATE=2, LIMIT=0, SHARES=0, ALWAYS=1, EARLY=1, ASCENDING=1),
        "cascade": delta(RANKS=3, LIMIT=2, SHARES=0, ALWAYS=1, EARLY=1, ASCENDING=1),
        "ring with room": delta(PARTS=3, RING=1, LIMIT=2),
        "offers in a ring": delta(RING=1, OFFERS=1, ASCENDING=1),
        "late offers": delta(RING=1, LATE=2, LIMIT=0, OFFERS=1, ALWAYS=1, ASCENDING=1),
        "ring of three": delta(RANKS=3, RING=1, ASCENDING=1),
        "exchange at any pace": delta(RING=1, EXCHANGE=1),
        "two of one tag at any pace": delta(PARTS=1, TWO=1, SAME=1, ASCENDING=1),
        "cascade at any pace": delta(RANKS=3, EARLY=1, ASCENDING=1),
    },
    "pages": {
        "one delta": {"DELTAS": 1, "ROUNDS": 2},
        "two deltas": {"DELTAS": 2, "ROUNDS": 1},
        "two deltas again": {"DELTAS": 2, "ROUNDS": 2},
    },
}
# Two thirds of all the time; what they add is that more of the same changes nothing.
LARGEST = {
    "ownership": ["more steps"],
    "queue": ["one or two of three cells", "more messages", "any of two"],
    "delta": ["ring with room", "offers in a ring", "late offers", "ring of three", "exchange at any pace",
              "two of one tag at any pace", "cascade at any pace"],
    "pages": [],
}
# Where no run is infinite, which is searched for, too: then each wait ends, as there is no invalid end state.
FINITE = {
    "ownership": [],
    "queue": [],
    "delta": ["ring", "three posted late", "ring with room", "offers in a ring", "late offers", "ring of three"],
    "pages": [],
}
SECONDS = 200
# Making an optimised verifier of the queue (gcc -O1: 12 s) lasts longer than most of its searches.
OPTIMISE = {"ownership": "-O1", "queue": "-O0", "delta": "-O0", "pages": "-O0"}


def table_rows(text):
    rows = [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    for row in rows:
        if len(row) != 5:
            sys.exit(f"ownership_steps.txt: five columns were expected: {' '.join(row)}")
    return rows


def table_definitions(rows):
    lines = []
    for state, step, following, memory, _ in rows:
        lines.append(f"#define NEXT_{state}_{step} {following.upper()}")
        lines.append(f"#define MEMORY_{state}_{step} {'NO_MEMORY' if memory == 'none' else memory.upper()}")
    return "".join(line + "\n" for line in lines)


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


def search(model, configuration, folder, optimise, finite=False):
    """The number of errors found, and what spin and its verifier say. With `finite` an infinite run is an error, and an
    invalid end state is none."""
    folder.mkdir(parents=True, exist_ok=True)
    definitions = "".join(f"#define {name} {number}\n" for name, number in configuration.items())
    (folder / "model.pml").write_text(definitions + model)
    said = run(["spin", "-a", "model.pml"], folder)
    compiler = optimise == "-O0" and shutil.which("clang-19") or "gcc"
    # Nothing in the models is marked as progress, so any cycle is one without.
    errors_of = "-DNP" if finite else "-DSAFETY"
    said += run([compiler, optimise, "-w", errors_of, "-DCOLLAPSE", "-DMEMLIM=2048", "-o", "pan", "pan.c"], folder)
    if not (folder / "pan").exists():
        sys.exit(f"the model cannot be made:\n{said}")
    # A table of 8 MB, which grows where it must: clearing a larger one lasts longer than most searches.
    said = run(["./pan", "-m100000", "-w20"] + ["-l"] * finite, folder)
    errors = re.search(r"errors: (\d+)", said)
    if not errors or ("not completed" in said and errors.group(1) == "0"):
        sys.exit(f"the search did not end:\n{said[-2000:]}")
    return int(errors.group(1)), said


def check_model(name, model, folder, full):
    for number, (title, configuration) in enumerate(CONFIGURATIONS[name].items()):
        if not full and title in LARGEST[name]:
            continue
        errors, said = search(model, configuration, folder / f"model_{number}", OPTIMISE[name])
        states = re.search(r"(\d+) states, stored", said).group(1)
        if errors == 0 and title in FINITE[name]:
            errors, said = search(model, configuration, folder / f"finite_{number}", OPTIMISE[name], True)
        print(f"{title}: {configuration}: {states} states, {errors} errors")
        if errors:
            print(said[-2000:])
            return 1
    return 0


def check_bug(number, bug, configurations, model, folder):
    """What shows the bug, and where; None if nothing does."""
    if model.count(bug["text"]) != 1:
        sys.exit(f"'{bug['what']}': its text stands in the model {model.count(bug['text'])} times")
    changed = model.replace(bug["text"], bug["with"])
    for title in [bug["shown_by"]] if "shown_by" in bug else list(configurations)[:2]:
        place = folder / f"bug_{number}" / title.replace(" ", "_")
        errors, said = search(changed, configurations[title], place, "-O0")  # making it lasts longer than the search
        if errors:
            return re.search(r"^pan:1: (.*)$", said, re.MULTILINE).group(1)
    return None


def check_bugs(name, model, folder, full):
    bugs = tomllib.loads((HERE / f"{name}_bugs.toml").read_text())["bug"]
    if not full:
        # Making a verifier for each is most of the models' time, and what it shows changes with the model alone.
        bugs = [bug for bug in bugs if not bug.get("slow")][::2]
    missed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        found = pool.map(lambda one: check_bug(*one, CONFIGURATIONS[name], model, folder), enumerate(bugs))
        for bug, how in zip(bugs, found):
            missed += how is None
            print(f"{bug['what']}: {how or 'NOT FOUND'}")
    least = 4 if name == "pages" else 10
    return 1 if missed or len(bugs) < least else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", choices=CONFIGURATIONS, default="ownership")
    parser.add_argument("--bugs", action="store_true")
    parser.add_argument("--full", action="store_true", help="the largest configurations and the slow bugs, too")
    parser.add_argument("--keep", help="the folder to work in, which stays")
    options = parser.parse_args()
    model = "".join((HERE / part).read_text() for part in PARTS[options.model])
    if options.model == "ownership":
        rows = table_rows((HERE / "ownership_steps.txt").read_text())
        compare_names(rows, model)
        model = table_definitions(rows) + model
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary)
        sys.exit((check_bugs if options.bugs else check_model)(options.model, model, folder, options.full))


if __name__ == "__main__":
    main()
