"""Whole variables exchanged between ranks that share memory: shared, copied, against MPICH, and threads by hand.

    sharing.py --kanorc K [--mpicxx M] [--mpiexec E] [--cxx C] [--ranks 2] [--runs 5] [--only broadcast,shift]
               [--sizes 4096,65536,...] [--json FILE]

Compiles the programs in sharing/ with -O3 and runs each operation and case as Kanor's thread ranks, the same with
--no-globalize, against MPI by hand, and for case 1 as threads that pass a pointer, taking turns. Every receiver reads
all that it got. Prints microseconds of one exchange: the median of Kanor's runs, the fastest of MPI's.
"""

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = {"broadcast": ["1", "2a", "2b", "3"], "shift": ["1", "2a", "2b", "3"], "reduce": ["1", "2b"]}
SIZES = [4096, 65536, 1 << 20, 16 << 20]
BATCHES = 15


def run(command, environment=None):
    done = subprocess.run(command, env=dict(os.environ, **(environment or {})), capture_output=True, text=True, check=False,
                          timeout=300)
    if done.returncode:
        sys.exit(f"{shlex.join(command)} failed ({done.returncode}):\n{done.stdout}{done.stderr}")
    return done.stdout


def measure(sides, arguments, runs):
    """Microseconds of one exchange for each side: of each run its median batch."""
    times, checksums = {side: [] for side in sides}, {}
    for _ in range(runs):
        for side, (command, environment) in sides.items():
            checksum, *batches = run(command + arguments, environment).split()
            times[side].append(statistics.median(map(float, batches)))
            checksums[side] = checksum
    if len(set(checksums.values())) != 1:
        sys.exit(f"{arguments}: the programs disagree: {checksums}")
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kanorc", required=True, type=os.path.abspath)
    parser.add_argument("--mpicxx", default="mpicxx")
    parser.add_argument("--mpiexec", default="mpiexec")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="", help="operations, separated by commas")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--json", default="")
    options = parser.parse_args()

    sources = os.path.join(HERE, "sharing")
    found = []
    with tempfile.TemporaryDirectory() as folder:
        builds = {"shared": ([options.kanorc], "kanor"), "copied": ([options.kanorc, "--no-globalize"], "kanor"),
                  "MPI": (shlex.split(options.mpicxx), "mpi"), "threads": ([*shlex.split(options.cxx), "-pthread"], "threads")}
        for name, (compiler, source) in builds.items():
            run(compiler + ["-std=c++20", "-O3", os.path.join(sources, f"sharing_{source}.cpp"), "-o", os.path.join(folder, name)])
        print(f"{options.ranks} ranks; microseconds of an exchange, read included: medians of {options.runs} runs, MPI's fastest")
        print(f"{'operation':10} case {'bytes':>9} {'shared':>9} {'copied':>9} {'MPI':>9} {'by hand':>9}   shared is x of copied, MPI, by hand")
        for operation, kinds in CASES.items():
            if options.only and operation not in options.only.split(","):
                continue
            for kind in kinds:
                for size in map(int, options.sizes.split(",")):
                    ranks = {"KANOR_MODE": "threads", "KANOR_RANKS": str(options.ranks)}
                    sides = {"shared": ([os.path.join(folder, "shared")], ranks), "copied": ([os.path.join(folder, "copied")], ranks),
                             "MPI": (shlex.split(options.mpiexec) + ["-n", str(options.ranks), os.path.join(folder, "MPI")], {})}
                    if kind == "1" and operation != "reduce":
                        sides["threads"] = ([os.path.join(folder, "threads")], ranks)
                    iterations = max(4, min(400, (8 << 20) // size))
                    times = measure(sides, [operation, kind, str(BATCHES), str(iterations), str(size)], options.runs)
                    row = {side: min(of) if side == "MPI" else statistics.median(of) for side, of in times.items()}
                    found.append({"operation": operation, "case": kind, "bytes": size, "ranks": options.ranks, "microseconds": row})
                    hand = f"{row['threads']:9.1f}" if "threads" in row else " " * 9
                    ratios = "  ".join(f"{row['shared'] / row[side]:5.2f}" for side in ("copied", "MPI", "threads") if side in row)
                    print(f"{operation:10} {kind:4} {size:9} {row['shared']:9.1f} {row['copied']:9.1f} {row['MPI']:9.1f} {hand}   {ratios}",
                          flush=True)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump(found, out, indent=1)


if __name__ == "__main__":
    main()
