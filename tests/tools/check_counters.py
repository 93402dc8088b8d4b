# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that a program copies, shares and hands over what kanorc says, to the byte.

    check_counters.py --kanorc K --kanorrun R [--mpiexec E] FOLDER

Each program in the folder says in comments what is expected of the line of code that follows:

    // given T = 8, V = 8192                            names for the formulas; r is the rank, P the number of ranks
    // counts A: conflict = T * V * (r == 0)            of a variable, at its declaration
    long A[1024], B[1024];
    // says B takes over, A shares                      kanorc --explain, of this line
    // counts shared = T * P * V * (r == 0)             of a block
    @communicate { B@i <<= A@0 where i in world }
    // counts all: conflict = T * V                     summed over ranks and places; anywhere

Left of `=` stands a counter or a sum of some: copied, shared, handed_over, renamed, conflict (bytes), abandoned (copies),
abandoned_bytes; right of it what it is, or [least, most] where ranks race. `threads` is False where ranks are processes, MPI's or not. What is
not mentioned must be 0. Runs with KANOR_DISABLE=learning, and compares the words with the counters as well: what is only
said to be shared is not copied, only what `--dump=analysis` acquires is copied on conflict, and so on.
"""

import argparse
import ast
import collections
import concurrent.futures
import itertools
import os
import re
import shlex
import subprocess
import sys
import tempfile

COUNTERS = ["copied", "shared", "handed_over", "renamed", "conflict", "abandoned", "abandoned_bytes"]
STATS = re.compile(r"kanor: rank (\d+): .*?(\d+)(?: \((\w+)\))?: copied (\d+), shared (\d+), handed over (\d+), renamed (\d+), "
                   r"copied on conflict (\d+) bytes; (\d+) copies abandoned \((\d+) bytes\), 0 waits")
VERBS = {"is copied": "is copied", "takes over": "takes over", "shares": "shares its memory", "hands over": "hands its memory over"}
RUNS = [("threads", 1), ("threads", 2), ("threads", 3), ("threads", 4), ("processes", 2), ("processes", 3), ("mpi", 2)]
LEAST_PROGRAMS = 10

Expected = collections.namedtuple("Expected", "line name left right")  # line 0: of all; name "": of a block


class Wrong(Exception):
    pass


class Program:
    """What the comments of a program say."""

    def __init__(self, path):
        self.given, self.says, self.counts, self.blocks = {}, {}, [], []
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        pending = []
        for number, line in enumerate(lines, 1):
            if comment := re.match(r"\s*// (given|says|counts) (.*)", line):
                pending.append(comment.groups())
                continue
            for kind, text in pending:
                self.read(kind, text, number)
            pending = []
            if "@communicate" in line:
                self.blocks.append(number)

    def read(self, kind, text, line):
        if kind == "given":
            self.given.update((name, int(value)) for name, value in re.findall(r"(\w+) = (\d+)", text))
        elif kind == "says":
            self.says[line] = {tuple(item.split(" ", 1)) for item in text.split(", ")}
        else:
            name, left, right = re.fullmatch(r"(?:(\w+): )?(.*?) = (.*)", text).groups()
            self.counts.append(Expected(0 if name == "all" else line, "" if name in (None, "all") else name, left, right))

    def block_of(self, line):
        return max(block for block in self.blocks if block <= line)


def run(command, environment=None):
    try:
        done = subprocess.run(command, env=dict(os.environ, **(environment or {})), capture_output=True, text=True, check=False, timeout=60)
    except subprocess.TimeoutExpired as error:
        raise Wrong(f"{shlex.join(command)} does not end") from error
    if done.returncode:
        raise Wrong(f"{shlex.join(command)} failed ({done.returncode}):\n{done.stdout}{done.stderr}")
    return done


def explained(kanorc, path):
    """{line: {(variable, verb)}}"""
    found = {}
    for line, variable, text in re.findall(r":(\d+):\d+: remark: '(\w+)' (.*)", run([*kanorc, "--explain", path]).stdout):
        for verb, words in VERBS.items():
            if text.startswith(words):
                found.setdefault(int(line), set()).add((variable, verb))
    return found


def actions(kanorc, path):
    """{variable: the actions that the analysis puts before and after statements}"""
    found, variable = {}, None
    for line in run([*kanorc, "--dump=analysis", path]).stdout.splitlines():
        if candidate := re.match(r"  candidate (\w+): globalised", line):
            variable = candidate[1]
        elif action := re.match(r"    (acquire|overwrite|release) ", line):
            found.setdefault(variable, set()).add(action[1])
    return found


def counted(options, binary, mode, ranks):
    """{(rank, line, name): {counter: number}}; the name of a block is empty."""
    launch = options.mpiexec if mode == "mpi" else [*options.kanorrun, "--mode", mode]
    done = run([*launch, "-n", str(ranks), binary], {"KANOR_STATS": "1", "KANOR_DISABLE": "learning"})
    found = {}
    for rank, line, name, *numbers in STATS.findall(done.stderr):
        found[int(rank), int(line), name] = dict(zip(COUNTERS, map(int, numbers)))
    return found


def add(counts):
    counts = list(counts)
    return {counter: sum(of[counter] for of in counts) for counter in COUNTERS}


def check_formula(what, expected, names, counts):
    found = eval(expected.left, {}, {**names, **counts})
    wanted = eval(expected.right, {}, names)
    least, most = wanted if isinstance(wanted, list) else (wanted, wanted)
    if not least <= found <= most:
        raise Wrong(f"{what}: {expected.left} is {found}, and should be {expected.right}: {wanted}")


def check_run(program, found, mode, ranks):
    """The counters against the formulas."""
    names = {**program.given, "P": ranks, "threads": mode == "threads"}
    nothing = dict.fromkeys(COUNTERS, 0)
    places = {(of.line, of.name) for of in program.counts if of.line} | {(line, name) for _, line, name in found}
    for rank, (line, name) in itertools.product(range(ranks), places):
        counts = found.get((rank, line, name), nothing)
        what = f"{mode}, {ranks} ranks: rank {rank}, line {line}{' (' + name + ')' if name else ''}"
        mentioned = set()
        for expected in program.counts:
            if (expected.line, expected.name) == (line, name):
                check_formula(what, expected, {**names, "r": rank}, counts)
                mentioned |= {node.id for node in ast.walk(ast.parse(expected.left)) if isinstance(node, ast.Name)}
        for counter in set(COUNTERS) - mentioned:
            if counts[counter]:
                raise Wrong(f"{what}: {counter} is {counts[counter]}, and nothing says so")
    for expected in program.counts:
        if not expected.line:
            check_formula(f"{mode}, {ranks} ranks: all", expected, names, add(found.values()))


def check_words(program, said, done, found):
    """The counters of thread ranks against what kanorc says."""
    for block in program.blocks:
        verbs = {verb for line, of in said.items() if program.block_of(line) == block for _, verb in of}
        sums = add(counts for (_, line, name), counts in found.items() if (line, name) == (block, ""))
        for verb, counter in (("shares", "shared"), ("hands over", "handed_over")):
            if (verb in verbs) != (sums[counter] > 0):
                raise Wrong(f"line {block}: '{verb}' is {'' if verb in verbs else 'not '}said, and {counter} is {sums[counter]}")
        if "is copied" not in verbs and sums["copied"]:
            raise Wrong(f"line {block}: nothing is said to be copied, and {sums['copied']} bytes are")
    received_as_copies = {name for of in said.values() for name, verb in of if verb == "is copied"}
    for (_, line, name), counts in found.items():
        if name and (counts["conflict"] or counts["abandoned"]) and "acquire" not in done.get(name, ()):
            raise Wrong(f"line {line}: '{name}' is copied on conflict, and acquired nowhere")
        if name and counts["renamed"] and "overwrite" not in done.get(name, ()) and name not in received_as_copies:
            raise Wrong(f"line {line}: '{name}' is renamed, and overwritten nowhere")


def check(options, path, folder):
    """The sums of all counters; or what is wrong."""
    try:
        program, said, done = Program(path), explained(options.kanorc, path), actions(options.kanorc, path)
        if said != program.says:
            raise Wrong(f"kanorc says {said}, and should say {program.says}")
        binary = os.path.join(folder, os.path.basename(path)[:-4])
        run([*options.kanorc, "-O1", path, "-o", binary])
        sums = []
        for mode, ranks in options.runs:
            found = counted(options, binary, mode, ranks)
            check_run(program, found, mode, ranks)
            if mode == "threads":
                check_words(program, said, done, found)
            sums.append(add(found.values()))
        return add(sums), None
    except Wrong as wrong:
        return dict.fromkeys(COUNTERS, 0), f"{path}: {wrong}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kanorc", required=True, type=shlex.split)
    parser.add_argument("--kanorrun", required=True, type=shlex.split)
    parser.add_argument("--mpiexec", type=shlex.split, help="runs the programs as MPI processes as well")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("folder")
    options = parser.parse_args()
    options.runs = [(mode, ranks) for mode, ranks in RUNS if mode != "mpi" or options.mpiexec]

    paths = sorted(entry.path for entry in os.scandir(options.folder) if entry.name.endswith(".cpp"))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        checked = list(pool.map(lambda path: check(options, path, folder), paths))
    complaints = [complaint for _, complaint in checked if complaint]
    sums = add(counts for counts, _ in checked)
    for counter in ("copied", "shared", "handed_over", "renamed", "conflict"):
        if not complaints and not sums[counter]:
            complaints.append(f"no program has anything {counter}")
    if len(paths) < LEAST_PROGRAMS:
        complaints.append(f"there are {len(paths)} programs, and should be {LEAST_PROGRAMS} at least")
    print("\n".join(complaints) or f"{len(paths)} programs, {len(options.runs)} runs each: {sums}")
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main()
