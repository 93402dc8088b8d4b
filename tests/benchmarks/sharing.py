# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole variables exchanged between ranks that share memory: shared, copied, against MPICH, and threads by hand.

    sharing.py --kanorc K [--mpicxx M] [--mpiexec E] [--cxx C] [--ranks 2] [--runs 11] [--only broadcast,shift]
               [--sizes 4096,65536,...] [--json FILE]

Compiles the programs in sharing/ with -O3 and runs each operation and case as Kanor's thread ranks, the same with
--no-globalize, against MPI by hand, and for cases 1 and 2a as threads that pass a pointer, taking turns. Every receiver reads
all that it got. Prints microseconds of one exchange: medians of the runs, of MPI's the fastest; and how much longer sharing
takes than each of the others: the median of the ratios in each turn (a machine that is slower for a while is so for all
sides), and by MPI's fastest.
"""

import os
import shlex
import statistics
import sys
import tempfile

import results

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = {"all-to-all": ["1", "2a", "2b", "3"], "broadcast": ["1", "2a", "2b", "3"], "shift": ["1", "2a", "2b", "3"], "reduce": ["1", "2b"]}
SIZES = [4096, 65536, 1 << 20, 16 << 20]


def build(folder, options):
    """Compiles one program for each side into the folder; the command and environment that run them."""
    compilers = {"shared": ([options.kanorc], "kanor"), "copied": ([options.kanorc, "--no-globalize"], "kanor"),
                 "MPI": (shlex.split(options.mpicxx), "mpi"), "threads": ([*shlex.split(options.cxx), "-pthread"], "threads")}
    sides = {}
    for side, (compiler, source) in compilers.items():
        program = os.path.join(folder, side)
        results.run([*compiler, "-std=c++20", "-O3", os.path.join(HERE, "sharing", f"sharing_{source}.cpp"), "-o", program])
        sides[side] = ([program], {"KANOR_MODE": "threads", "KANOR_RANKS": str(options.ranks)})
    sides["MPI"] = (shlex.split(options.mpiexec) + ["-n", str(options.ranks), *sides["MPI"][0]], {})
    return sides


def measure(sides, arguments, runs):
    """Microseconds of one exchange for each side, of each run its median batch; and sharing's ratio to the others."""
    times, checksums = {side: [] for side in sides}, {}
    for _ in range(runs):
        for side, (command, environment) in sides.items():
            checksum, *batches = results.run(command + arguments, environment).split()
            times[side].append(statistics.median(map(float, batches)))
            checksums[side] = checksum
    if len(set(checksums.values())) != 1:
        sys.exit(f"{arguments}: the programs disagree: {checksums}")
    ratios = {side: statistics.median(shared / other for shared, other in zip(times["shared"], of))
              for side, of in times.items() if side != "shared"}
    ratios["MPI"] = statistics.median(times["shared"]) / min(times["MPI"])
    return {side: results.summary(of) for side, of in times.items()}, ratios


def print_row(operation, case, size, microseconds, ratios):
    told = {side: of["fastest" if side == "MPI" else "median"] for side, of in microseconds.items()}
    times = " ".join(f"{told[side]:9.2f}" if side in told else " " * 9 for side in ("shared", "copied", "MPI", "threads"))
    shares = "  ".join(f"{ratios[side]:5.2f}" for side in ("copied", "MPI", "threads") if side in ratios)
    print(f"{operation:10} {case:4} {size:9} {times}   {shares}", flush=True)


def main():
    parser = results.comparison(__doc__)
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--batches", type=int, default=15, help="of a run (default 15)")
    parser.add_argument("--most", type=int, default=400, help="exchanges of a batch at most (default 400)")
    parser.add_argument("--only", default="", help="operations, separated by commas")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="in bytes, separated by commas")
    results.add_arguments(parser, runs=11)
    options = parser.parse_args()

    only = [name for name in options.only.split(",") if name]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        sides = build(folder, options)
        print(f"{options.ranks} ranks; microseconds of an exchange, read included: medians of {options.runs} runs, MPI's fastest")
        print(f"{'operation':10} case {'bytes':>9} {'shared':>9} {'copied':>9} {'MPI':>9} {'by hand':>9}   shared is x of copied, MPI, by hand")
        for operation, case, size in ((operation, case, size) for operation, cases in CASES.items() for case in cases
                                      for size in map(int, options.sizes.split(","))):
            if only and operation not in only:
                continue
            here = {side: how for side, how in sides.items() if side != "threads" or (case in ("1", "2a") and operation != "reduce")}
            iterations = max(4, min(options.most, (8 << 20) // size))
            times, ratios = measure(here, [operation, case, str(options.batches), str(iterations), str(size)], options.runs)
            print_row(operation, case, size, times, ratios)
            rows.append({"operation": operation, "case": case, "bytes": size, "ranks": options.ranks, "microseconds": times,
                         "shared_is_times": ratios})
    results.write(options.json, rows)


if __name__ == "__main__":
    main()
