# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Messages that travel while they are computed (kanor/delta.h), beside plain ones, MPICH, and pieces sent by hand.

    delta.py [--kanorc K] [--mpicc M] [--mpiexec E] [--runs 7] [--kernels pair,ring,...] [--ranks N]
             [--sizes 8192,...] [--bytes N] [--increments 1024,...] [--json FILE]

Compiles delta/delta.c with kanor-mpicc, which stands beside K, and with MPI's compiler, and runs in turn
  pair     rank 0 computes a message and sends it, rank 1 computes the same and compares
  ring     each rank computes and sends to the right, and compares what comes from the left
  cascade  each rank compares what comes, computes, and sends to the next one
  reduce   each rank adds what its two children have to what it computes, and sends the sums to its parent
with the work of the paper: sin(i) * sin(i) + cos(i) * cos(i) for each element. Does the same with the kernels of the
paper's applications, from delta/applications.c. They check their results:
  lu       a wavefront (NAS LU): a rank waits for its neighbours in the north and west, and sends to the south and east
  hycom    sums of rows (HYCOM): a rank sums its part of each row, adds what comes, and sends the sums to the next rank
  mg       a stencil (NAS MG): a rank exchanges up to six faces of its cube, and computes inner points in between
  hycom_apart  as hycom, but a rank first sums its parts of all rows, which needs no message
Sides: Kanor's ranks as threads and as processes, and MPI; each `plain`, and `hand`: in pieces of 16 KiB, those of
applications smaller; Kanor's also `delta`. Prints microseconds of an iteration: medians, of MPI the fastest run; then
how many times faster `delta` is than the same ranks' plain messages, and than MPI's. With --increments: the pair with
increments of these fixed sizes (figure 5 of the paper), too.
pair and ring have two ranks. cascade and reduce have as many as there are cores, from 4 on, up to 16. Applications run
with two, and again with as many as those. `blocks` is pair and ring again, from delta/blocks.cpp: Kanor's `delta` are
blocks with that modifier, and `plain` the same with KANOR_DISABLE=delta. `unchanged` is both as plain MPI programs, from
delta/unchanged.c: `delta` is compiled with -fdelta. `split` are steps whose block is complete in the next one, from
delta/split.cpp and split.c: `delta` is compiled with -fdelta, and `hand` posts its receives early. `pages` is the pair without calls in its loops
(KANOR_DELTA=pages), beside the pair with them: how many times faster than plain messages each is. `sweep` is the same for
process ranks with increments of fixed sizes, from one page to ten: figure 5 of the paper, which plots.py draws.
"""

import argparse
import os
import shlex
import statistics
import sys
import tempfile

import results

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = [8 << 10 << step for step in range(8)]  # to 1 MiB
USUAL = 400 << 10  # of the paper's kernels
SPLIT_SIZES = [8, 8 << 10, 64 << 10]
WHOLE_PAGES = [4096 * pages for pages in (1, 2, 4, 6, 10)]  # of the paper's figure 5, from 1 to 10
PIECE = 16 << 10
# Bytes of a message, and of a piece of `hand`: in the paper, lu has messages of 10 KB and gains most by increments of 1 KB.
APPLICATIONS = {"lu": (10 << 10, 1 << 10), "hycom": (64 << 10, 8 << 10), "hycom_apart": (64 << 10, 8 << 10), "mg": (32 << 10, 8 << 10)}
MODES = ("threads", "processes")
KERNELS = ("pair", "ring", "cascade", "reduce", "lu", "hycom", "hycom_apart", "mg", "blocks", "unchanged", "split", "pages", "sweep")


def build(folder, options):
    """Compiles the programs into the folder; by source, and those in C by side."""
    compilers = {"MPI": shlex.split(options.mpicc)}
    if options.kanorc:
        compilers["Kanor"] = [os.path.join(os.path.dirname(options.kanorc), "kanor-mpicc"), "-DWITH_DELTA"]
    programs = {"delta": {}, "applications": {}}
    for source, of in programs.items():
        for name, compiler in compilers.items():
            of[name] = os.path.join(folder, f"{source}-{name}")
            results.run([*compiler, "-O3", os.path.join(HERE, "delta", source + ".c"), "-o", of[name], "-lm"])
    if options.kanorc:
        programs["blocks"] = os.path.join(folder, "blocks")
        results.run([options.kanorc, "-O3", os.path.join(HERE, "delta", "blocks.cpp"), "-o", programs["blocks"]])
        programs["split"] = {way: os.path.join(folder, f"split-{way}") for way in ("plain", "delta")}
        for way, flags in (("plain", []), ("delta", ["-fdelta"])):
            results.run([options.kanorc, "-O3", *flags, os.path.join(HERE, "delta", "split.cpp"), "-o", programs["split"][way]])
        compilers["Kanor, delta"] = [compilers["Kanor"][0], "-fdelta"]
    programs.setdefault("split", {})["MPI"] = os.path.join(folder, "split-MPI")
    results.run([*compilers["MPI"], "-O3", os.path.join(HERE, "delta", "split.c"), "-o", programs["split"]["MPI"]])
    programs["unchanged"] = {}
    for name, compiler in compilers.items():
        programs["unchanged"][name] = os.path.join(folder, f"unchanged-{name}")
        results.run([*compiler, "-O3", os.path.join(HERE, "delta", "unchanged.c"), "-o", programs["unchanged"][name], "-lm"])
    return programs


def sides_of_unchanged(programs, options):
    """As sides(), of the programs without calls in their loops."""
    found = {}
    for mode in MODES if "Kanor" in programs else ():
        for way, program in (("plain", "Kanor"), ("delta", "Kanor, delta")):
            found[f"{mode}, {way}"] = ([programs[program]], {"KANOR_RANKS": "2", "KANOR_MODE": mode}, None)
    found["MPI, plain"] = (shlex.split(options.mpiexec) + ["-n", "2", programs["MPI"]], {}, None)
    return found


def sides_of_blocks(programs, options):
    """As sides(), of the programs with blocks, and MPI's."""
    found = {}
    for mode in MODES if "blocks" in programs else ():
        for way, disabled in (("plain", {"KANOR_DISABLE": "delta"}), ("delta", {})):
            found[f"{mode}, {way}"] = ([programs["blocks"]], {"KANOR_RANKS": "2", "KANOR_MODE": mode, **disabled}, None)
    return found | {side: of for side, of in sides(programs["delta"], 2, options).items() if side.startswith("MPI")}


def sides_of_split(programs, options):
    """As sides(), of the steps whose block is complete in the next one."""
    found = {}
    for mode in MODES if "delta" in programs else ():
        for way in ("plain", "delta"):
            found[f"{mode}, {way}"] = ([programs[way]], {"KANOR_RANKS": "2", "KANOR_MODE": mode}, None)
    for way in ("plain", "hand"):
        found[f"MPI, {way}"] = (shlex.split(options.mpiexec) + ["-n", "2", programs["MPI"]], {}, way)
    return found


def sides(programs, ranks, options):
    """The command and environment of each side, less the program's arguments, and its way."""
    found = {}
    if "Kanor" in programs:
        for mode in MODES:
            for way in ("plain", "delta", "hand"):
                found[f"{mode}, {way}"] = ([programs["Kanor"]], {"KANOR_RANKS": str(ranks), "KANOR_MODE": mode}, way)
    for way in ("plain", "hand"):
        found[f"MPI, {way}"] = (shlex.split(options.mpiexec) + ["-n", str(ranks), programs["MPI"]], {}, way)
    return found


def measure(kernel, size, of, options, piece=PIECE):
    """What an iteration takes on each side, in each run, of which its median iteration counts."""
    times, sums = {side: [] for side in of}, {}
    for _ in range(options.runs):
        for side, (command, environment, way) in of.items():
            arguments = [kernel, *([way] if way else []), str(size), *([str(piece)] if way else []), str(options.iterations)]
            total, *iterations = results.run(command + arguments, environment).split()
            times[side].append(statistics.median(map(float, iterations)))
            sums[side] = total
    if len(set(sums.values())) != 1:
        sys.exit(f"{kernel} of {size} bytes: the programs disagree: {sums}")
    return times


def row_of(kernel, size, ranks, times):
    taken = {side: results.summary(of) for side, of in times.items()}
    faster = {}
    for mode in MODES:
        if f"{mode}, delta" in times:
            faster[mode] = {"plain": statistics.median(p / d for p, d in zip(times[f"{mode}, plain"], times[f"{mode}, delta"])),
                            "MPI": min(times["MPI, plain"]) / statistics.median(times[f"{mode}, delta"])}
    print(f"{kernel:14} {ranks:3} {results.bytes_text(size):>8}", *(f"{results.told(taken, side):9.1f}" for side in taken),
          "  ", *(f"{faster[mode][than]:6.2f}" for mode in faster for than in ("plain", "MPI")), flush=True)
    return {"kernel": kernel, "bytes": size, "ranks": ranks, "microseconds": taken, "times_faster": faster}


def applications(kernel, size, piece, programs, many, options):
    """With two ranks, and with `many`, if there are."""
    rows = []
    for ranks in sorted({2, many or 2}):
        of = sides(programs["applications"], ranks, options)
        rows.append(row_of(kernel, size, ranks, measure(kernel, size, of, options, piece)))
    return rows


def pages(programs, options):
    """The pair by calls and by page protection, as many times faster than with plain messages."""
    ways = {"plain": {}, "delta": {}, "pages": {"KANOR_DELTA": "pages"}}
    rows = []
    print("pair: how many times faster than plain messages: by calls, and by page protection")
    for size in options.sizes + [USUAL]:
        of = {f"{mode}, {way}": ([programs["delta"]["Kanor"]], {"KANOR_RANKS": "2", "KANOR_MODE": mode, **more}, way)
              for mode in MODES for way, more in ways.items()}
        times = measure("pair", size, of, options)
        faster = {f"{mode}, {way}": statistics.median(p / d for p, d in zip(times[f"{mode}, plain"], times[f"{mode}, {way}"]))
                  for mode in MODES for way in ("delta", "pages")}
        print(f"{results.bytes_text(size):>8}", *(f"{side} {ratio:.2f}" for side, ratio in faster.items()), flush=True)
        rows.append({"kernel": "pages", "bytes": size, "ranks": 2, "times_faster": faster})
    return rows


def fixed_increments(programs, size, mode, way, increments, options, before=""):
    """By increment: how many times faster the pair is than with plain messages."""
    ranks = {"KANOR_RANKS": "2", "KANOR_MODE": mode}
    of = {"plain": ([programs["delta"]["Kanor"]], ranks, "plain")}
    of |= {str(each): ([programs["delta"]["Kanor"]], {**ranks, "KANOR_DELTA": f"{before}{each}"}, way) for each in increments}
    times = measure("pair", size, of, options)
    faster = {side: statistics.median(p / d for p, d in zip(times["plain"], times[side])) for side in times if side != "plain"}
    print(f"{results.bytes_text(size):>8}", *(f"{ratio:7.2f}" for ratio in faster.values()), flush=True)
    return faster


def sweep_pages(programs, options):
    """The pair by calls and by page protection, with fixed increments of whole pages."""
    rows = []
    for way, before in (("delta", ""), ("pages", "pages,")):
        print(f"pair, processes: how many times faster than plain messages, {way}, with increments of so many bytes")
        print(f"{'bytes':>8}", *(f"{size:>7}" for size in WHOLE_PAGES))
        for size in options.sizes:
            faster = fixed_increments(programs, size, "processes", way, WHOLE_PAGES, options, before)
            rows.append({"kernel": "sweep", "way": way, "bytes": size, "ranks": 2, "times_faster": faster})
    return rows


def sweep(programs, options):
    """The pair with fixed increments; prints how many times faster than plain messages each is."""
    rows = []
    increments = [int(size) for size in options.increments.split(",")]
    print("pair: how many times faster than plain messages, by threads, with increments of so many bytes")
    print(f"{'bytes':>8}", *(f"{size:>7}" for size in increments))
    for size in options.sizes:
        faster = fixed_increments(programs, size, "threads", "delta", increments, options)
        rows.append({"kernel": "increments", "bytes": size, "ranks": 2, "times_faster": faster})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kanorc", default="", type=lambda path: path and os.path.abspath(path))
    parser.add_argument("--mpicc", default=results.MPICXX.replace("mpicxx", "mpicc"))
    parser.add_argument("--mpiexec", default=results.MPIEXEC)
    parser.add_argument("--kernels", default=",".join(KERNELS), help="separated by commas")
    parser.add_argument("--ranks", type=int, default=0, help="of cascade, reduce and applications (default: the cores, if there are 4, up to 16)")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="of the pair's messages, in bytes")
    parser.add_argument("--bytes", type=int, default=0, help="of the applications' messages (default: of each another)")
    parser.add_argument("--increments", default="", help="fixed sizes of the pair's increments, too")
    parser.add_argument("--iterations", type=int, default=100, help="of a run (default 100, as in the paper)")
    results.add_arguments(parser, runs=7)
    options = parser.parse_args()
    options.sizes = [int(size) for size in options.sizes.split(",")]
    cores = len(os.sched_getaffinity(0))
    many = options.ranks or (min(cores, 16) if cores >= 4 else 0)

    rows = []
    with tempfile.TemporaryDirectory() as folder:
        programs = build(folder, options)
        first = sides(programs["delta"], 2, options)
        print("microseconds:", "; ".join(first), "; then how many times faster delta is: threads than plain, than MPI; processes the same")
        for kernel in options.kernels.split(","):
            if kernel == "blocks":
                for one in ("pair", "ring"):
                    rows.append(row_of(f"{one} by blocks", USUAL, 2, measure(one, USUAL, sides_of_blocks(programs, options), options)))
                continue
            if kernel == "unchanged":
                of = sides_of_unchanged(programs["unchanged"], options)
                for one, sizes in (("pair", options.sizes + [USUAL]), ("ring", [USUAL])):
                    rows += [row_of(f"{one} unchanged", size, 2, measure(one, size, of, options)) for size in sizes]
                continue
            if kernel == "split":
                of = sides_of_split(programs["split"], options)
                rows += [row_of(f"{one} split", size, 2, measure(one, size, of, options))
                         for one in ("even", "uneven") for size in SPLIT_SIZES]
                continue
            if kernel in ("pages", "sweep"):
                rows += (pages if kernel == "pages" else sweep_pages)(programs, options) if options.kanorc else []
                continue
            if kernel in APPLICATIONS:
                usual, piece = APPLICATIONS[kernel]
                rows += applications(kernel, options.bytes or usual, piece, programs, many, options)
                continue
            ranks = 2 if kernel in ("pair", "ring") else many
            if not ranks:
                print(f"{kernel}: left out, there are fewer than 4 cores")
                continue
            for size in (options.sizes if kernel == "pair" else []) + [USUAL]:
                rows.append(row_of(kernel, size, ranks, measure(kernel, size, sides(programs["delta"], ranks, options), options)))
        if options.increments and options.kanorc:
            rows += sweep(programs, options)
    results.write(options.json, rows)


if __name__ == "__main__":
    main()
