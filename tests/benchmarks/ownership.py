# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Buffers that ranks of one machine hand over (kanor/opi.h), beside MPICH, one copy by hand, and the best by hand.

    ownership.py [--kanorc K] [--mpicxx M] [--mpiexec E] [--cxx C] [--ranks 2] [--runs 7] [--only one_way,opbench]
                 [--sizes 8,1024,...] [--fastest] [--json FILE]

Compiles the programs in ownership/ with -O3 and runs them in turn:
  one_way     a message there and back; the receiver reads all of it. `passed`: what was received is sent back;
              `fresh`: the sender gets a buffer and writes all of it, the receiver frees what it got.
  opbench     as in "Ownership Passing" (PPoPP 2013, section 5.1): pack, exchange with the partner, unpack.
  alloc_free  OPI_Alloc and OPI_Free in a rank, beside malloc and free there.
  pools       who keeps freed buffers (figure 5 of the paper), as threads by hand: all get them from the heap, from a pool
              of the machine, from one of the rank that got it (both with a lock), and from one of the rank that frees.
Sides: Kanor's ranks as threads and as processes; MPI; threads by hand that copy once, from the sender's buffer; and
threads by hand that copy nothing. Prints microseconds of a message or a step (of opbench the later rank's), or nanoseconds
of a buffer that is got and freed: medians of the runs, of MPI's the fastest; and ratios, each the median of those in
each turn (a machine that is slower for a while is so for all sides), to MPI by its fastest. Without --kanorc its sides
are left out. With --fastest a run counts with its fastest batch, for a machine that others use too.
"""

import argparse
import os
import shlex
import statistics
import sys
import tempfile

import results

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = {"one_way": ["passed", "fresh"], "opbench": ["exchange"]}
POOLS = ["heap", "node", "sender", "receiver"]
SIZES = [8, 64] + [1024 << 2 * step for step in range(9)]  # to 64 MiB
OPBENCH_SIZES = (1 << 10, 16 << 20)  # least and most
MODES = ("threads", "processes")
SIDES = [*MODES, "MPI", "one copy", "limit"]


def build(folder, options):
    """Compiles the programs into the folder; by name."""
    by_hand = [*shlex.split(options.cxx), "-pthread"]
    compilers = {"mpi": shlex.split(options.mpicxx), "one_copy": by_hand, "limit": by_hand, "pools": by_hand}
    if options.kanorc:
        compilers["opi"] = [options.kanorc]
    programs = {}
    for name, compiler in compilers.items():
        programs[name] = os.path.join(folder, name)
        results.run([*compiler, "-std=c++20", "-O3", os.path.join(HERE, "ownership", f"ownership_{name}.cpp"), "-o", programs[name]])
    return programs


def message_sides(programs, options):
    """The command and environment of each side that sends messages."""
    ranks = {"KANOR_RANKS": str(options.ranks)}
    sides = {mode: ([programs["opi"]], {**ranks, "KANOR_MODE": mode}) for mode in MODES if "opi" in programs}
    sides["MPI"] = (shlex.split(options.mpiexec) + ["-n", str(options.ranks), programs["mpi"]], {})
    sides["one copy"] = ([programs["one_copy"]], ranks)
    sides["limit"] = ([programs["limit"]], ranks)
    return sides


def measure(sides, arguments, options):
    """What one takes on each side, in each run, of which its median batch counts. `sides` are commands with all but these
    arguments, and what they compute must be the same."""
    times, checksums = {side: [] for side in sides}, {}
    for _ in range(options.runs):
        for side, (command, environment) in sides.items():
            checksum, *batches = results.run(command + arguments, environment).split()
            batches = [float(batch) for batch in batches]
            times[side].append(min(batches) if options.fastest else statistics.median(batches))
            checksums[side] = checksum
    if len(set(checksums.values())) != 1:
        sys.exit(f"{arguments}: the programs disagree: {checksums}")
    return times


def ratio(times, side, other):
    if other == "MPI":
        return statistics.median(times[side]) / min(times["MPI"])
    return statistics.median(one / two for one, two in zip(times[side], times[other]))


def measure_messages(operation, kind, size, programs, options):
    """Prints a line of one_way or opbench, and answers its row."""
    iterations = max(2, min(options.most, (16 << 20) // size) // 2 * 2)
    if operation == "opbench":
        iterations //= 2  # of several steps each
    times = measure(message_sides(programs, options), [operation, kind, str(options.batches), str(iterations), str(size)], options)
    row = {side: results.summary(of) for side, of in times.items()}
    ratios = {side: {other: ratio(times, side, other) for other in times if other != side} for side in times if side != "MPI"}
    bandwidths = {side: size / results.told(row, side) / 1000 for side in row}
    columns = [f"{results.told(row, side):9.2f}" if side in row else " " * 9 for side in SIDES]
    # The first side of Kanor's beside the others, then the best beside MPI.
    columns += [f"{ratios['threads'][other]:6.2f}" if "threads" in ratios else " " * 6 for other in ("MPI", "one copy", "limit")]
    columns += [f"{ratios['limit']['MPI']:6.2f}  "]
    columns += [f"{bandwidths[side]:6.2f}" if side in row else " " * 6 for side in SIDES]
    print(f"{operation:8} {kind:8} {size:9}", *columns, flush=True)
    return {"operation": operation, "case": kind, "bytes": size, "ranks": options.ranks, "microseconds": row, "is_times": ratios,
            "gigabytes_per_second": bandwidths}


def measure_allocation(operation, sides, options):
    """Prints a line of alloc_free or of pools, and answers its row. `sides` are commands with their operation and kind."""
    times = measure(sides, [str(options.batches), "20", "8"], options)
    row = {side: results.summary(of) for side, of in times.items()}
    print(f"{operation:12}", "   ".join(f"{side} {results.told(row, side):.1f}" for side in row), flush=True)
    return {"operation": operation, "bytes": 8, "ranks": options.ranks, "nanoseconds": row}


def allocations(programs, options, wanted):
    ranks = {"KANOR_RANKS": str(options.ranks)}
    rows = []
    if "alloc_free" in wanted and "opi" in programs:
        sides = {f"{what}, {mode}": ([programs["opi"], "alloc_free", what], {**ranks, "KANOR_MODE": mode})
                 for mode in MODES for what in ("OPI", "malloc")}
        rows.append(measure_allocation("alloc_free", sides, options))
    if "pools" in wanted:
        for how in ("kept", "handed_over"):
            sides = {pool: ([programs["pools"], how, pool], ranks) for pool in POOLS}
            rows.append(measure_allocation(how, sides, options))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kanorc", default="", type=lambda path: path and os.path.abspath(path))
    parser.add_argument("--mpicxx", default=results.MPICXX)
    parser.add_argument("--mpiexec", default=results.MPIEXEC)
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--ranks", type=int, default=2, help="an even number: they exchange in pairs (default 2)")
    parser.add_argument("--batches", type=int, default=15, help="of a run (default 15)")
    parser.add_argument("--most", type=int, default=1000, help="messages of a batch at most (default 1000)")
    parser.add_argument("--fastest", action="store_true", help="for a busy machine")
    parser.add_argument("--only", default="", help="one_way, opbench, alloc_free and pools, separated by commas")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="of messages, in bytes, separated by commas")
    results.add_arguments(parser, runs=7)
    options = parser.parse_args()
    if options.ranks < 2 or options.ranks % 2:
        parser.error("--ranks must be even")

    wanted = [name for name in options.only.split(",") if name] or [*KINDS, "alloc_free", "pools"]
    sizes = [int(size) for size in options.sizes.split(",")]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        programs = build(folder, options)
        if any(operation in wanted for operation in KINDS):
            print(f"{options.ranks} ranks; microseconds of a message or a step: medians of {options.runs} runs, MPI's fastest; then threads' ratio to")
            print("MPI, one copy and the limit, and the limit's to MPI; then gigabytes per second of each side")
            print(f"{'operation':17} {'bytes':>9}", *(f"{side:>9}" for side in SIDES), f"{'/MPI':>6} {'/copy':>6} {'/limit':>6} {'limit':>6}  ",
                  f"{'thr.':>6} {'proc.':>6} {'MPI':>6} {'copy':>6} {'limit':>6}")
        for operation, kind, size in ((operation, kind, size) for operation, kinds in KINDS.items() for kind in kinds for size in sizes):
            if operation in wanted and (operation != "opbench" or OPBENCH_SIZES[0] <= size <= OPBENCH_SIZES[1]):
                rows.append(measure_messages(operation, kind, size, programs, options))
        if "alloc_free" in wanted or "pools" in wanted:
            print("nanoseconds of a buffer of 8 bytes that is got and freed")
        rows += allocations(programs, options, wanted)
    results.write(options.json, rows)


if __name__ == "__main__":
    main()
