# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether blocks that copy in place of loops compute what the loops and blocks compute: random programs.

    fuzz.py --kanorc K --kanorrun R [--mpiexec E] [--programs 40] [--seed 1] [--jobs 2] [--keep FOLDER] [--flag F ...]

Loops beside a block copy what it sends to a buffer, and what it receives from one; kanorc lets the block do their work. Each
program runs with 1, 2, 3 and 5 ranks over threads and processes, some also in checked and in reference mode, and over MPI; every
run must print what a simulator in Python computes. Prints the first difference and the seed of each program that fails, and keeps
its source. It is an error if less than a third of the loops are replaced.
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

FUNCTIONS = 8
SIZES = (1, 2, 3, 5)
ENVIRONMENTS = ({}, {"KANOR_CHECK": "1"}, {}, {"KANOR_REFERENCE": "1"})
STRICT = ["-Wall", "-Wextra", "-Wshadow", "-Werror"]


class Result(NamedTuple):
    error: str | None
    loops: int
    replaced: int
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
    run(common + [*STRICT, source, "-o", program])
    remarks = run([options.kanorc, "-std=c++20", "--explain", source])
    return len(set(re.findall(r"(sends|updates) itself what the loop at line (\d+) copies (?:to|from) '(\w+)'", remarks)))


def difference(printed, expected):
    """The first line of each that the other does not have."""
    for mine, wanted in zip(printed + [""], expected + [""]):
        if mine != wanted:
            return f"printed\n{mine}and should have printed\n{wanted}"
    return f"printed {len(printed)} lines, and should have printed {len(expected)}"


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
                    printed = sorted(run(launch + [binary], environment).splitlines(keepends=True))
                    if printed != expected:
                        raise RuntimeError(f"{spelled(launch + [binary], environment)}: {difference(printed, expected)}")
        except (RuntimeError, subprocess.TimeoutExpired) as problem:
            error = str(problem)
    if error and options.keep:
        os.makedirs(options.keep, exist_ok=True)
        with open(os.path.join(options.keep, f"copying_{seed}.cpp"), "w", encoding="utf-8") as out:
            out.write(program.text())
    return Result(error, program.loops, replaced, runs)


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
