# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small exchanges beside MPICH: how long one takes, in a loop.

    latency.py --kanorc K [--mpicxx M] [--mpiexec E] [--ranks 2] [--runs 5] [--only shift,halo] [--fastest] [--json FILE]

Compiles latency/latency_kanor.cpp and latency/latency_mpi.cpp with -O2 and runs each case as thread ranks, as process ranks
and against MPI by hand, taking turns; the halo cases also run Kanor under mpiexec. A run counts with its median
batch. Prints nanoseconds of one exchange: the median of Kanor's runs, the fastest of MPI's
runs, and their ratio. On a machine that is busy with other things this measures those: with --fastest a run counts
with its fastest batch, and the fastest of Kanor's runs stands beside the fastest of MPI's.
"""

import os
import shlex
import statistics
import sys
import tempfile

import results

HERE = os.path.dirname(os.path.abspath(__file__))

# What is printed, Kanor's case, the MPI cases beside it, iterations of a batch, doubles in a row (or items in all).
CASES = [
    ("shift of 8 bytes", "shift", ["one_way", "shift"], 100, 1),
    ("broadcast of 8 bytes, roots in turn", "broadcast", ["broadcast"], 100, 1),
    ("broadcast of 8 bytes from rank 0", "broadcast_from_0", ["broadcast_from_0"], 100, 1),
    ("all-reduce of 8 bytes", "all_reduce", ["all_reduce"], 100, 1),
    ("barrier (all-reduce of 1 byte)", "barrier", ["barrier"], 100, 1),
    ("all-to-all of 8 bytes", "all_to_all", ["all_to_all"], 100, 1),
    ("halo, rows of 64 doubles", "halo", ["halo", "halo_neighbours"], 40, 64),
    ("halo, rows of 1024 doubles", "halo", ["halo", "halo_neighbours"], 40, 1024),
    ("halo, rows of 16384 doubles", "halo", ["halo", "halo_neighbours"], 10, 16384),
    ("1000 elements by an index", "elements", ["elements"], 40, 1000),
    ("1000 puts of single elements", "puts", ["packed_puts", "puts"], 4, 1000),
    ("histogram of 10,000 numbers", "histogram", ["histogram"], 4, 10000),
]


def measure(command, environment):
    """The checksum that a run prints, and the nanoseconds of its batches."""
    checksum, *batches = results.run(command, environment).split()
    return checksum, [float(batch) for batch in batches]


def compare(case, programs, options):
    """Prints the case's lines, and answers its row."""
    title, ours, theirs, iterations, width = case
    arguments = [str(options.batches), str(iterations), str(width)]
    mpiexec = shlex.split(options.mpiexec) + ["-n", str(options.ranks)]
    sides = {mode: ([programs["kanor"], ours] + arguments, {"KANOR_MODE": mode, "KANOR_RANKS": str(options.ranks)})
             for mode in ("threads", "processes")}
    if ours == "halo":
        sides["mpiexec"] = (mpiexec + [programs["kanor"], ours] + arguments, {})
    for name in theirs:
        sides["MPI " + name] = (mpiexec + [programs["mpi"], name] + arguments, {})

    times = {side: [] for side in sides}
    checksums = {}
    for _ in range(options.runs):
        for side, (command, environment) in sides.items():
            checksum, batches = measure(command, environment)
            times[side].append(min(batches) if options.fastest else statistics.median(batches))
            if side != "MPI one_way":
                checksums[side] = checksum
    if len(set(checksums.values())) != 1:
        sys.exit(f"{title}: the programs disagree: {checksums}")

    row = {side: results.summary(values) for side, values in times.items()}
    print(title)
    for side in (side for side in row if not side.startswith("MPI")):
        own = row[side]["fastest" if options.fastest else "median"]
        ratios = "   ".join(f"{own / row['MPI ' + name]['fastest']:5.2f} x MPI {name} ({row['MPI ' + name]['fastest']:.0f})"
                            for name in theirs)
        print(f"    {side:10} {own:9.0f} ns   {ratios}", flush=True)
    return {"title": title, "case": ours, "doubles": width, "ranks": options.ranks, "nanoseconds": row}


def main():
    parser = results.comparison(__doc__)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--batches", type=int, default=200, help="of a run (default 200)")
    parser.add_argument("--fastest", action="store_true", help="for a busy machine")
    parser.add_argument("--only", default="", help="Kanor cases, separated by commas")
    results.add_arguments(parser, runs=5)
    options = parser.parse_args()

    only = [name for name in options.only.split(",") if name]
    sources = os.path.join(HERE, "latency")
    with tempfile.TemporaryDirectory() as folder:
        programs = {}
        for name, compiler in (("kanor", [options.kanorc]), ("mpi", shlex.split(options.mpicxx))):
            programs[name] = os.path.join(folder, name)
            results.run(compiler + ["-std=c++20", "-O2", os.path.join(sources, f"latency_{name}.cpp"), "-o", programs[name]])
        kind = "fastest batches" if options.fastest else "medians"
        print(f"{options.ranks} ranks, {kind} of {options.runs} runs, beside the fastest of as many MPI runs")
        rows = []
        for case in CASES:
            if not only or case[1] in only:
                if "one_way" in case[2] and options.ranks != 2:
                    case = (case[0], case[1], [name for name in case[2] if name != "one_way"], *case[3:])
                rows.append(compare(case, programs, options))
    results.write(options.json, rows)


if __name__ == "__main__":
    main()
