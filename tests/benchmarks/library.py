# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kanor's standard library, beside the same written by hand with MPI.

    library.py --kanorc K [--mpicxx M] [--mpiexec E] [--cc C] [--ranks 2,4,8] [--runs 7] [--sort 10000000] [--gather 100000] [--json FILE]

Compiles library/kanor.cpp and library/mpi.cpp with -O3 and runs them in turn:
  sort    sorts 64-bit keys, so many in total (kanor/std/sort.hpp; by hand: a sample sort)
  gather  gathers elements of the other ranks at random positions (kanor/std/exchange_map.hpp; by hand: packed messages).
          A rank owns so many, and needs a tenth as many.
Sides: Kanor's ranks as threads and as processes; MPI, whose waits give the core away where ranks outnumber cores
(collectives/yield.c); and for sort `alone`: std::sort of all keys on one rank. Prints
microseconds, medians of the runs, of MPI's the fastest; then the ratios of Kanor's to MPI's, and how many times faster than
`alone` each is.
"""

import os
import shlex
import statistics
import tempfile

import collectives
import results

HERE = os.path.dirname(os.path.abspath(__file__))
MODES = ("threads", "processes")
SIZES = {"sort": 10_000_000, "gather": 100_000}  # keys in all, elements of each rank
BATCHES = {"sort": 5, "gather": 200}  # the first ones of gather fetch new memory from the system


def build(folder, options):
    programs = {}
    for name, compiler in (("kanor", [options.kanorc]), ("mpi", shlex.split(options.mpicxx))):
        programs[name] = os.path.join(folder, name)
        results.run([*compiler, "-std=c++20", "-O3", os.path.join(HERE, "library", f"{name}.cpp"), "-o", programs[name]])
    programs["yield"] = collectives.build_yield(folder, options)
    return programs


def sides(what, ranks, programs, options):
    """The command and environment of each."""
    found = {mode: ([programs["kanor"]], {"KANOR_RANKS": str(ranks), "KANOR_MODE": mode}) for mode in MODES}
    found["MPI"] = (shlex.split(options.mpiexec) + ["-n", str(ranks), programs["mpi"]], collectives.yielding(ranks, programs["yield"]))
    if what == "sort":
        found["alone"] = (shlex.split(options.mpiexec) + ["-n", "1", programs["mpi"]], {})
    return found


def measure(what, size, ranks, programs, options):
    of = sides(what, ranks, programs, options)
    times, digests = {side: [] for side in of}, {}
    for _ in range(options.runs):
        for side, (command, environment) in of.items():
            digest, *batches = results.run([*command, what, str(size), str(options.batches or BATCHES[what])], environment).split()
            times[side].append(statistics.median(map(float, batches)))
            digests[side] = digest
    digests.pop("alone", None)  # its keys are others
    if len(set(digests.values())) != 1:
        raise SystemExit(f"{what} of {size}: the programs disagree: {digests}")
    row = {side: results.summary(taken) for side, taken in times.items()}
    ratios = {mode: row[mode]["median"] / row["MPI"]["fastest"] for mode in MODES}
    print(f"{ranks:5} {what:7} {size:9}", *(f"{results.told(row, side):11.1f}" for side in row), " " * 11 * ("alone" not in row),
          *(f"{ratio:9.2f}" for ratio in ratios.values()), end="")
    faster = {}
    if "alone" in row:
        faster = {side: row["alone"]["median"] / results.told(row, side) for side in (*MODES, "MPI")}
        print(" ", *(f"{ratio:9.2f}" for ratio in faster.values()), end="")
    print(flush=True)
    return {"what": what, "size": size, "ranks": ranks, "microseconds": row, "is_times_mpi": ratios, "faster_than_alone": faster}


def main():
    parser = results.comparison(__doc__)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--ranks", type=results.numbers, default=[2, 4, 8], help="how many, separated by commas (default 2,4,8)")
    parser.add_argument("--batches", type=int, help=f"of a run (default: {BATCHES})")
    parser.add_argument("--sort", type=int, default=SIZES["sort"], help="keys (default 10,000,000)")
    parser.add_argument("--gather", type=int, default=SIZES["gather"], help="elements of each rank (default 100,000)")
    results.add_arguments(parser, runs=7)
    options = parser.parse_args()

    print(f"microseconds: medians of {options.runs} runs, MPI's fastest; then ratios to MPI, and how many times faster than alone")
    print(f"ranks {'':7} {'size':>9}", *(f"{side:>11}" for side in (*MODES, "MPI", "alone")), *(f"{side:>9}" for side in MODES),
          " ", *(f"{side:>9}" for side in (*MODES, "MPI")))
    with tempfile.TemporaryDirectory() as folder:
        programs = build(folder, options)
        rows = [measure(what, getattr(options, what), ranks, programs, options) for ranks in options.ranks for what in SIZES]
    results.write(options.json, rows)


if __name__ == "__main__":
    main()
