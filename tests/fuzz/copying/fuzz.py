# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether blocks that copy in place of loops compute what the loops and blocks compute: random programs.

    fuzz.py --kanorc K --kanorrun R [--mpiexec E] [--programs 40] [--seed 1] [--jobs 2] [--keep FOLDER] [--flag F ...]

Loops beside a block copy what it sends to a buffer, and what it receives from one; kanorc lets the block do their work. Each
program runs with 1, 2, 3 and 5 ranks over threads and processes, some also in checked and in reference mode, and over MPI; every
run must print what a simulator in Python computes. Prints the first difference and the seed of each program that fails, and keeps
its source. It is an error if less than a third of the loops are replaced.
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

FUNCTIONS = 8
SIZES = (1, 2, 3, 5)
ENVIRONMENTS = ({}, {"KANOR_CHECK": "1"}, {}, {"KANOR_REFERENCE": "1"})


class Result(NamedTuple):
    error: str | None
    loops: int
    replaced: int
    runs: int


def ways(options, seed, size):
    """The runs of a program with this number of ranks: how it is started, and the environment."""
    launch = [options.kanorrun, "-n", str(size)]
    turn = seed + SIZES.index(size)
    found = [(launch, {"KANOR_MODE": mode}) for mode in ("threads", "processes")]
    if ENVIRONMENTS[turn % 4]:
        found.append((launch, {"KANOR_MODE": ("threads", "processes")[turn // 4 % 2], **ENVIRONMENTS[turn % 4]}))
    if options.mpiexec and turn % 4 == 0:
        found.append((shlex.split(options.mpiexec) + ["-n", str(size)], {}))
    return found


def built(options, source, program):
    """Compiles the program; how many loops are replaced."""
    common = [options.kanorc, "-std=c++20", "-O1", *options.flag]
    printed.run(common + [*printed.STRICT, source, "-o", program])
    remarks = printed.run([options.kanorc, "-std=c++20", "--explain", source])
    return len(set(re.findall(r"(sends|updates) itself what the loop at line (\d+) copies (?:to|from) '(\w+)'", remarks)))


def check(options, seed):
    program = generate.Program(seed, FUNCTIONS)
    replaced, runs, error = 0, 0, None
    with tempfile.TemporaryDirectory() as folder:
        source, binary = os.path.join(folder, f"copying_{seed}.cpp"), os.path.join(folder, "program")
        with open(source, "w", encoding="utf-8") as out:
            out.write(program.text())
        try:
            replaced = built(options, source, binary)
            for size in SIZES:
                expected = program.printed(size).copy()
                for launch, environment in ways(options, seed, size):
                    runs += 1
                    lines = sorted(printed.run(launch + [binary], environment).splitlines(keepends=True))
                    if lines != expected:
                        raise RuntimeError(f"{printed.spelled(launch + [binary], environment)}: {printed.difference(lines, expected)}")
        except (RuntimeError, subprocess.TimeoutExpired) as problem:
            error = str(problem)
    if error:
        printed.keep(options.keep, f"copying_{seed}.cpp", program.text())
    return Result(error, program.loops, replaced, runs)


def main():
    options = printed.options(__doc__)
    results = []
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        seeds = range(options.seed, options.seed + options.programs)
        for seed, result in zip(seeds, pool.map(check, [options] * len(seeds), seeds)):
            results.append(result)
            if result.error:
                print(f"seed {seed}: {result.error}\n", flush=True)
    loops, replaced, runs = (sum(getattr(one, field) for one in results) for field in ("loops", "replaced", "runs"))
    failed = sum(one.error is not None for one in results)
    print(f"{options.programs} programs from seed {options.seed}: {FUNCTIONS * options.programs} functions, {loops} loops, "
          f"{replaced} replaced, {runs} runs; {failed} failed")
    if 3 * replaced < loops:
        sys.exit("less than a third of the loops were replaced: too little has been tested")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
