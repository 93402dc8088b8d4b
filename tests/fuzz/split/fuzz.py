# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether split blocks compute what blocks compute: random programs, compiled with -fdelta and without.

    fuzz.py --kanorc K --kanorrun R [--mpiexec E] [--programs 40] [--seed 1] [--jobs 2] [--keep FOLDER] [--flag F ...]

With -fdelta, kanorc splits blocks: they start before statements that stand before them, or are complete after statements that
stand behind them, also in the next iteration of a loop. Each program runs with 1, 2, 3, 5 and 9 ranks over threads and
processes, also in checked and in reference mode, and over MPI; every run must print what a simulator in Python computes.
Prints the first difference and the seed of each program that fails, and keeps its source. It is an error if few blocks are split.
"""

import concurrent.futures
import os
import re
import shlex
import subprocess
import sys
import tempfile
from typing import NamedTuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))

import generate
import printed

FUNCTIONS = 10
SIZES = (1, 2, 3, 5, 9)
ENVIRONMENTS = ({}, {"KANOR_CHECK": "1"}, {"KANOR_REFERENCE": "1"})


class Result(NamedTuple):
    error: str | None
    blocks: int
    split: int
    runs: int


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
    printed.run(common + ["-fdelta", *printed.STRICT, source, "-o", programs["split"]])
    printed.run(common + [source, "-o", programs["whole"]])
    verdicts = printed.run(common + ["-fdelta", "--dump=analysis", source])
    return programs, len(re.findall(r"^split block \d+ of (?!.*: no,)", verdicts, re.MULTILINE))


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
                    lines = sorted(printed.run(launch + [programs[form]], environment).splitlines(keepends=True))
                    if lines != expected:
                        raise RuntimeError(f"{printed.spelled(launch + [programs[form]], environment)}: {printed.difference(lines, expected)}")
        except (RuntimeError, subprocess.TimeoutExpired) as problem:
            error = str(problem)
    if error:
        printed.keep(options.keep, f"split_{seed}.cpp", program.text())
    return Result(error, program.blocks, split, runs)


def main():
    options = printed.options(__doc__)
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
