# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MPI programs compiled by kanor-mpicxx, beside the same programs with MPICH.

    mpi_programs.py --kanorc K [--mpicxx M] [--mpiexec E] [--cxx C] [--cc C] [--runs 7] [--only one_way,opbench,small,start]
                    [--sizes 8,1024,...] [--ranks 2,4,8] [--json FILE]

Compiles MPI programs of the other benchmarks with kanor-mpicxx (the one beside kanorc) and with mpicxx, and runs in turn
  one_way   a message there and back between pairs of ranks: the sender writes all of it, the receiver reads all
  opbench   as in "Ownership Passing" (PPoPP 2013, section 5.1): pack, exchange with the partner, unpack
  small     exchanges of 8 bytes and halo rows
  start     a program that does nothing: from its start to its end
Sides: Kanor's ranks as threads and as processes; MPI; where ranks outnumber cores, MPI with collectives/yield.c preloaded
instead, whose waits give the core away (they would take a thousand times as long); and for two ranks, threads by hand that
copy a message once. Prints microseconds: medians
of the runs; of MPI's the fastest; and the ratios of threads and processes to MPI and to one copy, the latter the median of
those in each turn.
"""

import os
import shlex
import statistics
import sys
import tempfile
import time

import collectives
import results

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = [8, 64] + [1024 << 2 * step for step in range(8)]  # to 16 MiB
SMALL = [("shift", 1), ("broadcast", 1), ("all_reduce", 1), ("barrier", 1), ("halo", 64), ("halo", 1024), ("halo", 16384)]
MODES = ("threads", "processes")
SIDES = [*MODES, "MPI", "yields", "one copy"]
NOTHING = "#include <mpi.h>\nint main(int argc, char** argv) {\n  MPI_Init(&argc, &argv);\n  MPI_Finalize();\n}\n"


def build(folder, options):
    """Compiles the programs into the folder; by name and whether they are Kanor's."""
    wrapper = os.path.join(os.path.dirname(options.kanorc), "kanor-mpicxx")
    nothing = os.path.join(folder, "nothing.cpp")
    with open(nothing, "w", encoding="utf-8") as file:
        file.write(NOTHING)
    sources = {"messages": os.path.join(HERE, "ownership", "ownership_mpi.cpp"),
               "small": os.path.join(HERE, "latency", "latency_mpi.cpp"), "nothing": nothing}
    programs = {"yield": collectives.build_yield(folder, options), "one copy": os.path.join(folder, "one_copy")}
    by_hand = [*shlex.split(options.cxx), "-pthread", "-DWITH_SMALL_PAGES"]
    results.run([*by_hand, "-std=c++20", "-O3", os.path.join(HERE, "ownership", "ownership_one_copy.cpp"), "-o", programs["one copy"]])
    for name, source in sources.items():
        for of, compiler in (("kanor", [wrapper]), ("MPI", shlex.split(options.mpicxx))):
            programs[name, of] = os.path.join(folder, f"{name}_{of}")
            results.run([*compiler, "-std=c++20", "-O3", source, "-o", programs[name, of]])
    return programs


def sides_of(name, arguments, ranks, programs, options):
    """The command and environment of each side."""
    launcher = os.path.join(os.path.dirname(options.kanorc), "kanor-mpiexec")
    sides = {mode: ([launcher, "-n", str(ranks), programs[name, "kanor"], *arguments], {"KANOR_MODE": mode}) for mode in MODES}
    mpi = [*shlex.split(options.mpiexec), "-n", str(ranks), programs[name, "MPI"], *arguments]
    if collectives.outnumber(ranks):
        sides["yields"] = (mpi, {"LD_PRELOAD": programs["yield"]})
    else:
        sides["MPI"] = (mpi, {})
    if name == "messages" and ranks == 2:
        sides["one copy"] = ([programs["one copy"], *arguments], {"KANOR_RANKS": "2"})
    return sides


def took(command, environment):
    """What a run printed as its checksum, and the microseconds of its median batch, or of the whole run if it prints nothing."""
    began = time.monotonic()
    printed = results.run(command, environment).split()
    if not printed:
        return "", (time.monotonic() - began) * 1e6
    return printed[0], statistics.median(map(float, printed[1:]))


def compare(what, name, arguments, ranks, programs, options):
    """Prints a line, and answers the row. `what`: the operation and its bytes."""
    sides = sides_of(name, arguments, ranks, programs, options)
    runs = max(1, options.runs // 2) if collectives.outnumber(ranks) else options.runs
    times, checksums = {side: [] for side in sides}, {}
    for _ in range(runs):
        for side, (command, environment) in sides.items():
            checksums[side], microseconds = took(command, environment)
            times[side].append(microseconds / (1000 if name == "small" else 1))
    if len(set(checksums.values())) != 1:
        sys.exit(f"{what}, {ranks} ranks: the programs disagree: {checksums}")
    row = {side: results.summary(of) for side, of in times.items()}
    mpi = row["MPI" if "MPI" in row else "yields"]["fastest"]
    is_times = {mode: {"MPI": row[mode]["median"] / mpi} for mode in MODES}
    if "one copy" in row:
        for mode in MODES:
            is_times[mode]["one copy"] = statistics.median(one / two for one, two in zip(times[mode], times["one copy"]))
    shown = [row[side]["fastest" if side in ("MPI", "yields") else "median"] if side in row else None for side in SIDES]
    ratios = [is_times[mode].get(other) for other in ("MPI", "one copy") for mode in MODES]
    columns = [f"{one:10.2f}" if one is not None else " " * 10 for one in shown]
    columns += [f"{one:6.2f}" if one is not None else " " * 6 for one in ratios]
    print(f"{ranks:5} {what[0]:10} {what[1]:9}", *columns, flush=True)
    return {"operation": what[0], "bytes": what[1], "ranks": ranks, "microseconds": row, "is_times": is_times}


def cases(wanted, options):
    """What is run: the operation and its bytes, the program, its arguments, and the number of ranks."""
    sizes = [int(size) for size in options.sizes.split(",")]
    batches = str(options.batches)
    for ranks in map(int, options.ranks.split(",")):
        if "start" in wanted:
            yield ("start", 0), "nothing", [], ranks
        if "small" in wanted:
            for case, doubles in SMALL:
                yield (case, 8 * doubles), "small", [case, str(10 * options.batches), "100" if doubles == 1 else "20", str(doubles)], ranks
        for operation, kind in (("one_way", "fresh"), ("opbench", "exchange")):
            for size in sizes:
                if operation in wanted and (operation == "one_way" or size >= 1024):
                    iterations = max(2, min(options.most, (16 << 20) // size) // 2 * 2) // (2 if operation == "opbench" else 1)
                    yield (operation, size), "messages", [operation, kind, batches, str(iterations), str(size)], ranks


def main():
    parser = results.comparison(__doc__)
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--ranks", default="2,4,8", help="even numbers: they exchange in pairs (default 2,4,8)")
    parser.add_argument("--batches", type=int, default=15, help="of a run (default 15)")
    parser.add_argument("--most", type=int, default=1000, help="messages of a batch at most (default 1000)")
    parser.add_argument("--only", default="", help="one_way, opbench, small and start, separated by commas")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="of messages, in bytes, separated by commas")
    results.add_arguments(parser, runs=7)
    options = parser.parse_args()

    wanted = [name for name in options.only.split(",") if name] or ["start", "small", "one_way", "opbench"]
    with tempfile.TemporaryDirectory() as folder:
        programs = build(folder, options)
        print(f"microseconds: medians of {options.runs} runs, MPI's fastest; then threads' and processes' ratios to MPI, and to one copy")
        print(f"{'ranks':5} {'operation':10} {'bytes':>9}", *(f"{side:>10}" for side in SIDES), f"{'/MPI':>6} {'':6} {'/copy':>6}")
        rows = [compare(*case, programs, options) for case in cases(wanted, options)]
    results.write(options.json, rows)


if __name__ == "__main__":
    main()
