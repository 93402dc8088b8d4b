# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether split blocks compute what blocks compute: random programs, compiled with -fdelta and without.

    fuzz.py --kanorc K --kanorrun R [--mpiexec E] [--programs 40] [--seed 1] [--jobs 2] [--keep FOLDER] [--flag F ...]

With -fdelta, kanorc splits blocks: they start before statements that stand before them, or are complete after statements that
stand behind them, also in the next iteration of a loop. Each program runs with 1, 2, 3, 5 and 9 ranks over threads and
processes, also in checked and in reference mode, and over MPI; every run must print what a simulator in Python computes.
Prints the first difference and the seed of each program that fails, and keeps its source. It is an error if few blocks are split.
"""

import argparse
import concurrent.futures
import os
import re
import shlex
import subprocess
import sys
import tempfile
from typing import NamedTuple

import generate

FUNCTIONS = 10
SIZES = (1, 2, 3, 5, 9)
ENVIRONMENTS = ({}, {"KANOR_CHECK": "1"}, {"KANOR_REFERENCE": "1"})
STRICT = ["-Wall", "-Wextra", "-Wshadow", "-Werror"]


class Result(NamedTuple):
    error: str | None
    blocks: int
    split: int
    runs: int


def run(command, environment=None, timeout=60):
    done = subprocess.run(command, env=dict(os.environ, **(environment or {})), capture_output=True, text=True, check=False,
                          timeout=timeout)
    if done.returncode:
        raise RuntimeError(f"{spelled(command, environment)}: status {done.returncode}\n{done.stderr[-3000:]}")
    return done.stdout


def spelled(command, environment):
    return " ".join([f"{name}={value}" for name, value in (environment or {}).items()] + [shlex.join(command)])


def ways(options, seed, size):
    """The runs of a program with this number of ranks: its form, how it is started, and the environment."""
    launch = [options.kanorrun, "-n", str(size)]
    turn = seed + SIZES.index(size)
    found = [("split", launch, {"KANOR_MODE": "threads", **environment}) for environment in ENVIRONMENTS]
    found += [("split", launch, {"KANOR_MODE": "processes", **ENVIRONMENTS[(turn + more) % 3]}) for more in (0, 1)]
    found.append(("whole", launch, {"KANOR_MODE": ("threads", "processes")[turn % 2]}))
    if options.mpiexec and turn % 2:
        found.append(("split", shlex.split(options.mpiexec) + ["-n", str(size)], dict(ENVIRONMENTS[turn % 3])))
    return found


def built(options, folder, source):
    """The programs, by their forms; and how many blocks are split."""
    common = [options.kanorc, "-std=c++20", "-O1", *options.flag]
    programs = {name: os.path.join(folder, name) for name in ("split", "whole")}
    run(common + ["-fdelta", *STRICT, source, "-o", programs["split"]])
    run(common + [source, "-o", programs["whole"]])
    verdicts = run(common + ["-fdelta", "--dump=analysis", source])
    return programs, len(re.findall(r"^split block \d+ of (?!.*: no,)", verdicts, re.MULTILINE))


def difference(printed, expected):
    """The first line of each that the other does not have."""
    for mine, wanted in zip(printed + [""], expected + [""]):
        if mine != wanted:
            return f"printed\n{mine}and should have printed\n{wanted}"
    return f"printed {len(printed)} lines, and should have printed {len(expected)}"


def check(options, seed):
    program = generate.Program(seed, FUNCTIONS)
    split, runs, error = 0, 0, None
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, f"split_{seed}.cpp")
        with open(source, "w", encoding="utf-8") as out:
            out.write(program.text())
        try:
            programs, split = built(options, folder, source)
            for size in SIZES:
                expected = program.printed(size).splitlines(keepends=True)
                for form, launch, environment in ways(options, seed, size):
                    runs += 1
                    printed = sorted(run(launch + [programs[form]], environment).splitlines(keepends=True))
                    if printed != expected:
                        raise RuntimeError(f"{spelled(launch + [programs[form]], environment)}: {difference(printed, expected)}")
        except (RuntimeError, subprocess.TimeoutExpired) as problem:
            error = str(problem)
    if error and options.keep:
        os.makedirs(options.keep, exist_ok=True)
        with open(os.path.join(options.keep, f"split_{seed}.cpp"), "w", encoding="utf-8") as out:
            out.write(program.text())
    return Result(error, program.blocks, split, runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kanorc", required=True, type=os.path.abspath)
    parser.add_argument("--kanorrun", required=True, type=os.path.abspath)
    parser.add_argument("--mpiexec", default="")
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", default="")
    parser.add_argument("--flag", action="append", default=[], help="for kanorc")
    options = parser.parse_args()

    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        seeds = range(options.seed, options.seed + options.programs)
        for seed, result in zip(seeds, pool.map(lambda seed: check(options, seed), seeds)):
            results.append(result)
            if result.error:
                print(f"seed {seed}: {result.error}\n", flush=True)
    blocks, split, runs = (sum(getattr(one, field) for one in results) for field in ("blocks", "split", "runs"))
    failed = sum(one.error is not None for one in results)
    print(f"{options.programs} programs from seed {options.seed}: {FUNCTIONS * options.programs} functions, {blocks} blocks, "
          f"{split} split, {runs} runs; {failed} failed")
    if 5 * split < blocks:
        sys.exit("less than a fifth of the blocks were split: nothing has been tested")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
