# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Messages of blocks with gaps between them, as datatypes and packed by loops, with kanor-mpicc and with MPICH.

    noncontiguous.py [--kanorc K] [--mpicc M] [--mpiexec E] [--runs 7] [--layouts 12/24,...] [--sizes 8192,...] [--blocks] [--json FILE]

Compiles noncontiguous/noncontiguous.c with kanor-mpicc, which stands beside K, and with MPI's compiler, and sends a message
there and back between two ranks. Layouts are BLOCK/STRIDE in bytes, those of "Non-contiguous Remote Data Movement":
12/24 (SPECFEM), 4/irregular, 8/1024 (a face of a grid), and blocks of 128 to 1792 bytes (a Fourier transform). Sides: Kanor's
ranks as threads and as processes, and MPI, each with a datatype; and MPI packed by loops. Prints microseconds of a
message: medians of the runs, of MPI the fastest; then the ratios of threads and processes to MPI's datatype and to
packed MPI. With --blocks, Kanor's ranks run noncontiguous/sections.cpp, whose blocks send sections.
"""

import argparse
import os
import shlex
import statistics
import tempfile

import results

HERE = os.path.dirname(os.path.abspath(__file__))
LAYOUTS = ["12/24", "4/irregular", "8/1024", "128/256", "512/1024", "1792/2048"]
SIZES = [8 << 10, 64 << 10, 512 << 10, 3 << 20, 16 << 20]
MOST_REACH = 128 << 20  # bytes from the first block to the last
MODES = ("threads", "processes")
SIDES = [*MODES, "MPI", "MPI, packed"]


def build(folder, options):
    """The commands of the sides, with their environments and the word for how they send."""
    source = os.path.join(HERE, "noncontiguous", "noncontiguous.c")
    beside = os.path.dirname(options.kanorc)
    programs = {}
    for name, compiler in (("kanor", [os.path.join(beside, "kanor-mpicc")]), ("MPI", shlex.split(options.mpicc))):
        programs[name] = os.path.join(folder, name)
        results.run([*compiler, "-O3", source, "-o", programs[name]])
    kanor, way = [os.path.join(beside, "kanor-mpiexec"), "-n", "2", programs["kanor"]], "datatype"
    if options.blocks:
        results.run([options.kanorc, "-O3", os.path.join(HERE, "noncontiguous", "sections.cpp"), "-o", programs["kanor"]])
        kanor, way = [os.path.join(beside, "kanorrun"), "-n", "2", programs["kanor"]], "sections"
    mpi = [*shlex.split(options.mpiexec), "-n", "2", programs["MPI"]]
    sides = {mode: (kanor, {"KANOR_MODE": mode}, way) for mode in MODES}
    return {**sides, "MPI": (mpi, {}, "datatype"), "MPI, packed": (mpi, {}, "packed")}


def reach(layout, size):
    block, _, stride = layout.partition("/")
    return size // int(block) * (int(stride) if stride.isdigit() else 24)


def measure(layout, size, sides, options):
    """Prints a line, and answers its row."""
    iterations = max(2, min(options.most, (16 << 20) // size))
    times, checksums = {side: [] for side in sides}, set()
    for _ in range(options.runs):
        for side, (command, environment, way) in sides.items():
            checksum, *batches = results.run([*command, layout, str(size), way, str(options.batches), str(iterations)], environment).split()
            times[side].append(statistics.median(map(float, batches)))
            checksums.add(checksum)
    if len(checksums) != 1:
        raise SystemExit(f"{layout}, {size} bytes: the sides disagree: {checksums}")
    row = {side: results.summary(of) for side, of in times.items()}
    ratios = {mode: {other: results.told(row, mode) / results.told(row, other) for other in ("MPI", "MPI, packed")} for mode in MODES}
    print(f"{layout:12} {size:9}", *(f"{results.told(row, side):11.1f}" for side in SIDES),
          *(f"{ratios[mode][other]:7.2f}" for mode in MODES for other in ratios[mode]), flush=True)
    return {"layout": layout, "bytes": size, "ranks": 2, "microseconds": row, "is_times": ratios}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kanorc", default="kanorc", type=os.path.abspath)
    parser.add_argument("--mpicc", default=results.MPICXX.replace("cxx", "cc"))
    parser.add_argument("--mpiexec", default=results.MPIEXEC)
    parser.add_argument("--batches", type=int, default=7, help="of a run (default 7)")
    parser.add_argument("--most", type=int, default=1000, help="messages of a batch at most (default 1000)")
    parser.add_argument("--layouts", default=",".join(LAYOUTS), help="separated by commas")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="of messages, in bytes, separated by commas")
    parser.add_argument("--blocks", action="store_true", help="sections in blocks, in place of datatypes")
    results.add_arguments(parser, runs=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sides = build(folder, options)
        print(f"microseconds of a message: medians of {options.runs} runs, MPI's fastest; ratios of threads, then of processes, to both of MPI's")
        print(f"{'layout':12} {'bytes':>9}", *(f"{side:>11}" for side in SIDES))
        cases = [(layout, int(size)) for layout in options.layouts.split(",") for size in options.sizes.split(",")]
        rows = [measure(*case, sides, options) for case in cases if reach(*case) <= MOST_REACH]
    results.write(options.json, rows)


if __name__ == "__main__":
    main()
