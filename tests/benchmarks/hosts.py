# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks of two hosts, which are namespaces of this machine, beside MPICH on the same hosts.

    hosts.py --kanorc K [--mpicxx M] [--mpiexec E] [--cc C] [--ranks 1,2,4] [--runs 5] [--batches N]
             [--only start,one_way,reduce,...] [--sizes 8,1024,...] [--json FILE]

Starts itself again in tests/hosts/bed.py, where each host has its own half of the cores; that needs root. Compiles the programs of collectives.py and ownership.py, and
runs in turn Kanor under mpiexec, MPI, and MPI whose waits give the core away (collectives/yield.c):
  start       a job that does nothing: from its start to its end
  one_way     a message to the other host and back, half of it; the receiver reads all of it (ownership.py)
  pipelined   the pair of delta/unchanged.c, an MPI program: Kanor's is compiled with -fdelta (delta.py)
  sort, gather   functions of the standard library, and the same by hand (library.py)
  broadcast, reduce, ...   a collective of collectives.py as a block, in sections of a vector, which are copied
`--ranks` are those of each host. Prints the median of each side's runs and Kanor's ratio to the better MPI. A run counts
with its median batch. A job of messages is ended when it has printed its times: MPICH 4.0's MPI_Finalize over UCX hangs now
and then where ranks of several hosts have exchanged messages.
"""

import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

import collectives
import library
import results

HERE = os.path.dirname(os.path.abspath(__file__))
BED = os.path.join(os.path.dirname(HERE), "hosts", "bed.py")
SIDES = ("Kanor", "MPI", "yields")
SIZES = [8, 1 << 10, 64 << 10, 1 << 20]
MOST_BYTES = 16 << 20  # that a batch of messages carries one way
NOTHING = (("kanor/kanor.hpp", "(void)argc, (void)argv;"), ("mpi.h", "MPI_Init(&argc, &argv); MPI_Finalize();"))


def build(folder, wanted, options):
    """Compiles the programs of the wanted operations; by benchmark, what each side runs."""
    programs = {"yield": collectives.build_yield(folder, options)}
    if not {"start", "one_way", "pipelined", *library.SIZES}.issuperset(wanted):
        turns = collectives.build(folder, options)
        programs["collective"] = (turns["kanor"], turns["mpi"])
    if not set(library.SIZES).isdisjoint(wanted):
        of_library = library.build(folder, options)
        programs.update({name: (of_library["kanor"], of_library["mpi"]) for name in library.SIZES})
    if "one_way" in wanted:
        sources = (os.path.join(HERE, "ownership", f"ownership_{name}.cpp") for name in ("opi", "mpi"))
        programs["one_way"] = tuple(compile_both(folder, sources, options))
    if "pipelined" in wanted:
        compilers = {"kanor": [os.path.join(os.path.dirname(options.kanorc), "kanor-mpicc"), "-fdelta"],
                     "mpi": [options.mpicxx.replace("mpicxx", "mpicc")]}
        programs["pipelined"] = tuple(os.path.join(folder, f"unchanged_{name}") for name in compilers)
        for compiler, program in zip(compilers.values(), programs["pipelined"]):
            results.run([*compiler, "-O3", os.path.join(HERE, "delta", "unchanged.c"), "-o", program, "-lm"])
    if "start" in wanted:
        sources = []
        for header, text in NOTHING:
            sources.append(os.path.join(folder, f"nothing_{len(sources)}.cpp"))
            with open(sources[-1], "w", encoding="utf-8") as file:
                file.write(f"#include <{header}>\nint main(int argc, char** argv) {{ {text} }}\n")
        programs["start"] = tuple(compile_both(folder, sources, options))
    return programs


def compile_both(folder, sources, options):
    """Kanor's source and MPI's; the programs' names."""
    for compiler, source in zip((options.kanorc, options.mpicxx), sources):
        program = os.path.join(folder, os.path.basename(source)[:-len(".cpp")])
        results.run([compiler, "-std=c++20", "-O3", source, "-o", program])
        yield program


def first_line(command, environment):
    """What a job prints first; it is ended then."""
    with subprocess.Popen(command, env=dict(os.environ, **environment), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as job:
        line = job.stdout.readline()
        job.terminate()
        complaints = job.communicate()[1]
    return line or sys.exit(complaints)


def seconds(command, environment):
    """How long a job takes."""
    began = time.monotonic()
    results.run(command, environment)
    return time.monotonic() - began


def compare(operation, size, ranks, programs, options):
    """Prints a line, and answers its row."""
    launch = [*shlex.split(options.mpiexec), "-launcher", "rsh", "-launcher-exec", os.environ["BED_RSH"], "-hosts", "a,b", "-ppn", str(ranks),
              "-n", str(2 * ranks)]
    arguments, kanor_arguments = [], []
    batches = options.batches or library.BATCHES.get(operation, 15)
    if operation == "one_way":
        iterations = max(2, min(1000, MOST_BYTES // size) // 2 * 2)
        arguments = kanor_arguments = ["one_way", "passed", str(batches), str(iterations), str(size)]
    elif operation == "pipelined":
        arguments = kanor_arguments = ["pair", str(size), str(4 * batches)]
    elif operation in library.SIZES:
        arguments = kanor_arguments = [operation, str(size), str(batches)]
    elif operation != "start":
        rest = ["one", "one", str(batches), "2000", str(size)]
        arguments, kanor_arguments = [operation, "-", *rest], [operation, "numbers" if operation == "barrier" else "sections", *rest]
    ours, theirs = programs.get(operation) or programs["collective"]
    sides = {"Kanor": (launch + [ours] + kanor_arguments, {}), "MPI": (launch + [theirs] + arguments, {}),
             "yields": (launch + [theirs] + arguments, {"LD_PRELOAD": programs["yield"]})}
    times, checksums = {side: [] for side in sides}, set()
    for _ in range(options.runs):
        for side, (command, environment) in sides.items():
            if operation == "start":
                times[side].append(seconds(command, environment) * 1e6)
                continue
            checksum, *batches = first_line(command, environment).split()
            times[side].append(statistics.median(map(float, batches)))
            checksums.add(checksum)
    if len(checksums) > 1:
        sys.exit(f"{operation}, {size} bytes, {ranks} ranks a host: the programs disagree: {checksums}")
    row = {side: results.summary(of) for side, of in times.items()}
    better = min(row["MPI"]["median"], row["yields"]["median"])
    print(f"{ranks:5} {operation:10} {size:8}", *(f"{row[side]['median']:11.2f}" for side in SIDES),
          f"{row['Kanor']['median'] / better:7.2f}", flush=True)
    return {"operation": operation, "elements" if operation in library.SIZES else "bytes": size, "ranks_per_host": ranks, "microseconds": row,
            "is_times": row["Kanor"]["median"] / better}


def cases(wanted, options):
    """What is run: operations, bytes, ranks of a host."""
    sizes = [int(size) for size in options.sizes.split(",")]
    for ranks in map(int, options.ranks.split(",")):
        for operation in wanted:
            if operation in ("one_way", "pipelined") and ranks > 1:
                continue
            for size in [library.SIZES[operation]] if operation in library.SIZES else [0] if operation in ("start", "barrier") else sizes:
                yield operation, size, ranks


def main():
    parser = results.comparison(__doc__)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--ranks", default="1,2,4", help="of each host, separated by commas (default 1,2,4)")
    parser.add_argument("--batches", type=int, help=f"of a run (default 15, {library.BATCHES})")
    parser.add_argument("--only", default="", help="operations, separated by commas")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="in bytes, separated by commas")
    results.add_arguments(parser, runs=5)
    options = parser.parse_args()

    if "BED_RSH" not in os.environ:
        os.execvp(sys.executable, [sys.executable, BED, "--hosts", "2", "--own-cores", "--", sys.executable, *sys.argv])
    with tempfile.TemporaryDirectory() as folder:
        wanted = [name for name in options.only.split(",") if name] or ["start", "one_way", "pipelined", *library.SIZES, *collectives.OPERATIONS]
        programs = build(folder, wanted, options)
        print(f"microseconds, medians of {options.runs} runs")
        print(f"{'ranks':5} {'operation':10} {'bytes':>8}", *(f"{side:>11}" for side in SIDES), "  ratio")
        rows = [compare(*case, programs, options) for case in cases(wanted, options)]
    results.write(options.json, rows)


if __name__ == "__main__":
    main()
