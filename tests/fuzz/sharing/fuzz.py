# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether anybody can tell that ranks share memory: random programs, with sharing and without.

    fuzz.py --kanorc K --kanorrun R [--mpiexec E] [--programs 40] [--seed 1] [--jobs 2] [--keep FOLDER] [--flag F ...]

Each program is compiled with every variable shared that can be, and with none. Both run over threads, processes, MPI and
in reference mode, with 1 to 5 ranks and one larger number; every run must print the same. Prints the seed of each program
that fails, and keeps its source.
"""

import argparse
import concurrent.futures
import os
import shlex
import subprocess
import sys
import tempfile

import generate

FUNCTIONS = 8
LARGE = (9, 16, 17, 33)


def run(command, environment=None, timeout=120):
    done = subprocess.run(command, env=dict(os.environ, **(environment or {})), capture_output=True, text=True, check=False,
                          timeout=timeout)
    if done.returncode:
        raise RuntimeError(f"{shlex.join(command)} ({environment or ''}): status {done.returncode}\n{done.stderr[-3000:]}")
    return "".join(sorted(done.stdout.splitlines(keepends=True)))


def check(options, seed):
    """What is wrong with the program of this seed, or None; how many blocks and variables it has; and runs."""
    text, blocks = generate.program(seed, FUNCTIONS)
    runs = 0
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, f"sharing_{seed}.cpp")
        with open(source, "w", encoding="utf-8") as out:
            out.write(text)
        try:
            built = {}
            for name, flags in (("shared", ["--globalize-from=0"]), ("copied", ["--no-globalize"])):
                built[name] = os.path.join(folder, name)
                run([options.kanorc, "-std=c++20", "-O1", "-Wno-kanor-nonuniform", *options.flag, *flags, source, "-o", built[name]])
            verdicts = run([options.kanorc, "-std=c++20", "--globalize-from=0", "--dump=analysis", source])
            shared = verdicts.count(": globalised")
            for ranks in ((1, 2, 3, 4, 5) if seed % 2 else (2, 3, 5)) + LARGE[seed % 4:][:1]:
                launch = [options.kanorrun, "-n", str(ranks)]
                expected = run(launch + [built["copied"]], {"KANOR_REFERENCE": "1", "KANOR_MODE": "threads"})
                ways = [("copied", launch, {"KANOR_MODE": "threads"}), ("shared", launch, {"KANOR_MODE": "threads"}),
                        ("shared", launch, {"KANOR_MODE": "threads", "KANOR_DISABLE": "learning"}),
                        ("shared", launch, {"KANOR_MODE": "threads", "KANOR_DISABLE": "learning,repeat"}),
                        ("shared", launch, {"KANOR_MODE": "processes"}),
                        ("shared", launch, {"KANOR_MODE": "threads", "KANOR_DISABLE": "sharing"}),
                        ("shared", launch, {"KANOR_MODE": "threads", "KANOR_REFERENCE": "1"}),
                        ("shared", launch, {"KANOR_MODE": "threads", "KANOR_CHECK": "1"})]
                if options.mpiexec and ranks <= 9:
                    processes = shlex.split(options.mpiexec) + ["-n", str(ranks)]
                    ways.append(("shared", processes, {}))
                    ways.append(("shared", processes, {"KANOR_DISABLE": "learning"}))
                    ways.append(("shared", processes, {"KANOR_DISABLE": "node-memory"}))
                    ways.append(("shared", processes, {"MPIR_CVAR_NUM_CLIQUES": "2", "MPIR_CVAR_CLIQUES_BY_BLOCK": "1"}))
                    ways.append(("shared", shlex.split(options.mpiexec) + ["-n", "2"], {"KANOR_THREADS": str(ranks)}))
                for name, command, environment in ways:
                    if "KANOR_THREADS" in environment:
                        wanted = run([options.kanorrun, "-n", str(2 * ranks), built["copied"]], {"KANOR_MODE": "threads"})
                    else:
                        wanted = expected
                    runs += 1
                    printed = run(command + [built[name]], environment)
                    if printed != wanted:
                        raise RuntimeError(f"{name} with {ranks} ranks, {environment}, {command[0]}: printed\n{printed}"
                                           f"and should have printed\n{wanted}")
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
                with open(os.path.join(options.keep, f"sharing_{seed}.cpp"), "w", encoding="utf-8") as out:
                    out.write(text)
            return str(error), blocks, 0, runs
    return None, blocks, shared, runs


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

    failed, blocks, shared, runs = 0, 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        seeds = range(options.seed, options.seed + options.programs)
        for seed, (error, its_blocks, its_shared, its_runs) in zip(seeds, pool.map(lambda seed: check(options, seed), seeds)):
            blocks, shared, runs = blocks + its_blocks, shared + its_shared, runs + its_runs
            if error:
                failed += 1
                print(f"seed {seed}: {error}\n", flush=True)
    print(f"{options.programs} programs from seed {options.seed}: {FUNCTIONS * options.programs} functions, {blocks} blocks, "
          f"{shared} variables shared, {runs} runs; {failed} failed")
    if shared == 0:
        sys.exit("no variable was shared: nothing has been tested")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
