# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every collective as a block, beside MPICH's own.

    collectives.py --kanorc K [--mpicxx M] [--mpiexec E] [--cc C] [--ranks 2,4,8] [--runs 5] [--only reduce,scan]
                   [--sizes 8,1024,...] [--change all|one] [--read all|one]
                   [--fastest] [--json FILE]

Compiles the programs in collectives/ with -O3 and runs broadcast, reduce, all_reduce, gather, scatter, all_gather,
all_to_all, scan (of doubles, sums) and barrier in turn as Kanor's ranks, threads and processes, and as MPI's. Blocks stand
in up to three spellings:
  numbers   a double of each rank, and a vector for those of all (of 8 bytes only)
  vectors   whole vectors, and a vector of vectors for those of all: what kanorc can share it does
  sections  of one vector, also where it has the numbers of all, as MPI's buffers are: copied
and beside them
  calls     MPI's program with kanor/mpi.h
  library   calls of kanor/std/collectives.hpp, of a number or a vector from each rank
  joined    calls after which the vectors of all ranks are one (gather_vectors.hpp)
BYTES is what a rank contributes; of a scatter what one gets; of an all-to-all for all others together, a number for each
at least. In each turn contributors change all their numbers (--change one: the first, or the first for each that gets some)
and all who get numbers read them (--read one: the first); that is timed, too: with both options the exchange by itself. A batch of turns begins when all ranks have met, and takes as long
as the last rank does.

MPICH's waits never give the core away. Where ranks outnumber cores there is also `yields`: MPICH with collectives/yield.c
preloaded, with which they do. Prints microseconds of a turn, medians of the runs and of MPI's the fastest, and ratios of
Kanor's sides to both; for calls of the library also to the fastest of the blocks. A run counts with its median batch; with
--fastest by its fastest, for a machine that others use too, and then the fastest run of Kanor's counts as well. Where ranks
outnumber cores there are half as many runs.
"""

import os
import shlex
import statistics
import sys
import tempfile

import results

HERE = os.path.dirname(os.path.abspath(__file__))
OPERATIONS = ["broadcast", "reduce", "all_reduce", "gather", "scatter", "all_gather", "all_to_all", "scan", "barrier"]
SIZES = [8, 1 << 10, 8 << 10, 64 << 10, 1 << 20, 8 << 20]
MODES = ("threads", "processes")
MPIS = ("MPI", "yields")
PROGRAMS = {"calls": "calls", "library": "library", "joined": "library"}  # by spelling; of the others: kanor


def build(folder, options):
    """Compiles the programs and the library into the folder; by name."""
    kanorc = [options.kanorc, "-std=c++20", "-O3"]
    compilers = {"kanor": (kanorc, "collectives_kanor.cpp"),
                 "library": (kanorc, "collectives_library.cpp"),
                 "calls": ([*kanorc, "-DWITH_KANOR"], "collectives_mpi.cpp"),
                 "mpi": ([*shlex.split(options.mpicxx), "-std=c++20", "-O3"], "collectives_mpi.cpp")}
    programs = {"yield": build_yield(folder, options)}
    for name, (compiler, source) in compilers.items():
        programs[name] = os.path.join(folder, name)
        results.run([*compiler, os.path.join(HERE, "collectives", source), "-o", programs[name]])
    return programs


def build_yield(folder, options):
    """Compiles the library with which MPICH's waits give the core away; its name."""
    library = os.path.join(folder, "yield")
    results.run([*shlex.split(options.cc), "-O2", "-shared", "-fPIC", os.path.join(HERE, "collectives", "yield.c"), "-o", library, "-ldl"])
    return library


def yielding(ranks, library):
    """The environment in which MPI's waits give the core away, if ranks outnumber cores."""
    return {"LD_PRELOAD": library} if outnumber(ranks) else {}


def spellings(operation, size):
    if operation == "barrier":
        return ["numbers", "calls", "library"]
    is_joined = operation in ("gather", "all_gather") and size > 8
    return ["numbers"] * (size == 8) + ["vectors", "sections", "calls", "library"] + ["joined"] * is_joined


def outnumber(ranks):
    return ranks > len(os.sched_getaffinity(0))


def sides_of(operation, size, ranks, programs, options):
    """The command and environment of each side: of Kanor's by mode and spelling, of MPI's by name."""
    rest = [options.change, options.read, str(options.batches), str(options.microseconds), str(size)]
    sides = {}
    for spelling in spellings(operation, size):
        program = programs[PROGRAMS.get(spelling, "kanor")]
        for mode in MODES:
            sides[mode, spelling] = ([program, operation, spelling, *rest], {"KANOR_MODE": mode, "KANOR_RANKS": str(ranks)})
    mpi = [*shlex.split(options.mpiexec), "-n", str(ranks), programs["mpi"], operation, "-", *rest]
    sides["MPI"] = (mpi, {})
    if outnumber(ranks):
        sides["yields"] = (mpi, {"LD_PRELOAD": programs["yield"]})
    return sides


def measure(sides, runs, options):
    """Microseconds of a turn on each side in each run. What they compute must be the same."""
    times, checksums = {side: [] for side in sides}, {}
    for _ in range(runs):
        for side, (command, environment) in sides.items():
            checksum, *batches = results.run(command, environment).split()
            batches = [float(batch) for batch in batches]
            times[side].append(min(batches) if options.fastest else statistics.median(batches))
            checksums[side] = checksum
    if len(set(checksums.values())) != 1:
        command = next(iter(sides.values()))[0]
        sys.exit(f"{shlex.join(command[1:])}: the programs disagree: {checksums}")
    return times


def compare(operation, size, ranks, programs, options):
    """Prints a line for each spelling, and answers the rows."""
    runs = max(1, options.runs // 2) if outnumber(ranks) else options.runs
    times = measure(sides_of(operation, size, ranks, programs, options), runs, options)
    mpis = {name: results.summary(times[name]) for name in MPIS if name in times}
    counts = "fastest" if options.fastest else "median"
    rows = []
    for spelling in spellings(operation, size):
        own = {mode: results.summary(times[mode, spelling]) for mode in MODES}
        ratios = {mode: {name: own[mode][counts] / mpis[name]["fastest"] for name in mpis} for mode in MODES}
        columns = [f"{own[mode][counts]:10.2f}" for mode in MODES]
        columns += [f"{mpis[name]['fastest']:10.2f}" if name in mpis else " " * 10 for name in MPIS]
        columns += [f"{ratios[mode][name]:9.3f}" for name in mpis for mode in MODES]
        of_block = of_best_block(times, own, counts) if PROGRAMS.get(spelling) == "library" else {}
        columns += [" " * (19 * (len(MPIS) - len(mpis)))] * bool(of_block) + [f"{of_block[mode]:9.3f}" for mode in of_block]
        print(f"{ranks:5} {operation:10} {size:8} {spelling:8}", *columns, flush=True)
        rows.append({"operation": operation, "bytes": size, "ranks": ranks, "spelling": spelling, "change": options.change,
                     "read": options.read, "microseconds": {**own, **mpis}, "is_times": ratios, "is_times_block": of_block})
    return rows


def of_best_block(times, own, counts):
    """A call's ratio to the fastest of the blocks that do the same, by mode."""
    def best(mode):
        return min(results.summary(times[side])[counts] for side in times if side[0] == mode and side[1] not in PROGRAMS)

    return {mode: own[mode][counts] / best(mode) for mode in MODES}


def main():
    parser = results.comparison(__doc__)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--ranks", default="2,4,8", help="how many, separated by commas (default 2,4,8)")
    parser.add_argument("--batches", type=int, default=15, help="of a run, fewer if they take more than a second (default 15)")
    parser.add_argument("--microseconds", type=int, default=2000, help="of a batch, about (default 2000)")
    parser.add_argument("--change", choices=["all", "one"], default="all", help="what changes in each turn (default all)")
    parser.add_argument("--read", choices=["all", "one"], default="all", help="what is read in each turn (default all)")
    parser.add_argument("--fastest", action="store_true", help="for a busy machine")
    parser.add_argument("--only", default="", help="operations, separated by commas")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="in bytes, separated by commas")
    results.add_arguments(parser, runs=5)
    options = parser.parse_args()

    only = [name for name in options.only.split(",") if name] or OPERATIONS
    sizes = [int(size) for size in options.sizes.split(",")]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        programs = build(folder, options)
        kind = "fastest batches" if options.fastest else "medians"
        print(f"microseconds of a turn: {kind} of {options.runs} runs, MPI's fastest; then ratios of Kanor's to MPI, and to MPI that yields")
        print(f"ranks {'operation':10} {'bytes':>8} {'spelling':8}", *(f"{side:>10}" for side in (*MODES, *MPIS)),
              *(f"{side:>9}" for side in ("thr./MPI", "proc./MPI", "thr./y.", "proc./y.", "thr./blk", "proc./blk")))
        for ranks in map(int, options.ranks.split(",")):
            for operation in (operation for operation in OPERATIONS if operation in only):
                for size in sizes if operation != "barrier" else [0]:
                    rows += compare(operation, size, ranks, programs, options)
    results.write(options.json, rows)


if __name__ == "__main__":
    main()
