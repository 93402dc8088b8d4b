# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs Kanor's benchmarks, prints their tables, and writes all figures to bench.json, with plots.

    scripts/bench [--quick] [--only NAME] [--out build/bench]

A full run takes about an hour and a half. The machine should be idle. The benchmarks are
  latency       small exchanges, compared with MPI
  sharing       shared arrays and vectors, compared with copies and MPI; plotted
  ownership     ownership passing, compared with MPI and programs written by hand
  collectives   collectives as blocks and calls, compared with MPI; plotted
  delta         messages that travel while they are computed, compared with plain ones and MPI
  noncontiguous messages of blocks with gaps between them, compared with MPI's datatypes and packing by hand
  copy_loops    loops that pack and unpack beside a block, with and without kanorc's leaving them out
  mpi_programs  MPI programs compiled by kanor-mpicxx, compared with MPI
  hosts         start, messages and collectives over two hosts (namespaces), compared with MPI; needs root
  library       sorting and irregular exchanges of the standard library, compared with MPI by hand
  applications  three examples, compared with the same written by hand with MPI
  kernels       a Fourier transform and molecular dynamics, compared with MPI
  parts         pools, rings and matching in isolation
  planning      time for a rank to find its own messages
  compile_time  kanorc compared with mpicxx, and the cost of its analysis
"""

import argparse
import datetime
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import results

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SIZES = ",".join(str(4096 << 2 * step) for step in range(7))  # 4 KiB to 16 MiB

# The options of each benchmark's script by the thoroughness of the run; `tiny` is for tests and measures nothing.
SCALES = {
    "latency": {"full": ["--runs=5"], "quick": ["--runs=1", "--batches=20"], "tiny": ["--runs=1", "--batches=2"]},
    "sharing": {"full": ["--runs=11", "--sizes=" + SIZES], "quick": ["--runs=1", "--batches=3", "--sizes=" + SIZES],
                "tiny": ["--runs=1", "--batches=2", "--most=8", "--sizes=4096,8192"]},
    "ownership": {"full": ["--runs=7"], "quick": ["--runs=1", "--batches=3"], "tiny": ["--runs=1", "--batches=2", "--most=8", "--sizes=8,1024"]},
    "collectives": {"full": ["--runs=5"], "quick": ["--runs=1", "--batches=3", "--ranks=2,4", "--sizes=8,65536,1048576"],
                    "tiny": ["--runs=1", "--batches=2", "--microseconds=50", "--ranks=2,3", "--sizes=8,1024"]},
    "delta": {"full": ["--runs=7", "--increments=1024,4096,8192,16384,32768"], "quick": ["--runs=1", "--iterations=20"],
              "tiny": ["--runs=1", "--iterations=2", "--sizes=1024", "--bytes=1024", "--kernels=pair,ring,lu,hycom,mg,blocks"]},
    "noncontiguous": {"full": ["--runs=7"], "quick": ["--runs=1", "--batches=3", "--sizes=8192,524288"],
                      "tiny": ["--runs=1", "--batches=1", "--most=4", "--sizes=1024", "--layouts=12/24,4/irregular"]},
    "copy_loops": {"full": ["--runs=7"], "quick": ["--runs=1", "--sizes=8192,524288"], "tiny": ["--runs=1", "--sizes=8192", "--rows=1/2"]},
    "mpi_programs": {"full": ["--runs=7"], "quick": ["--runs=1", "--batches=3", "--ranks=2"],
                     "tiny": ["--runs=1", "--batches=2", "--most=8", "--ranks=2,4", "--sizes=8,1024"]},
    "hosts": {"full": ["--runs=5"], "quick": ["--runs=1", "--batches=3", "--ranks=1", "--only=start,one_way,reduce"],
              "tiny": ["--runs=1", "--batches=2", "--ranks=1", "--only=start,one_way", "--sizes=8,1024"]},
    "library": {"full": ["--runs=7"], "quick": ["--runs=1", "--batches=2", "--ranks=2"],
                "tiny": ["--runs=1", "--batches=1", "--ranks=2", "--sort=1001", "--gather=100"]},
    "applications": {"full": ["--runs=7"], "quick": ["--runs=1", "--ranks=2"],
                     "tiny": ["--runs=1", "--ranks=2", "--conjugate-gradient=16", "--pagerank=100", "--particles=16", "--steps=4"]},
    "kernels": {"full": ["--runs=7"], "quick": ["--runs=1", "--batches=3"], "tiny": ["--runs=1", "--batches=2", "--fft=256", "--md=4"]},
    "parts": {"full": ["--runs=5"], "quick": ["--runs=2", "--seconds=0.01"], "tiny": ["--runs=2", "--seconds=0.0001"]},
    "planning": {"full": ["--runs=5"], "quick": ["--runs=2", "--seconds=0.01"], "tiny": ["--runs=2", "--seconds=0.0001"]},
    "compile_time": {"full": ["--runs=11"], "quick": ["--runs=1", "--many=100"],
                     "tiny": ["--runs=1", "--flags=-O0", "--lines=200", "--many=3"]},
}
COMPILED = {"planning", "parts"}  # with Google Benchmark, when Kanor is built
FORBIDDEN = 77  # the status of a benchmark that this machine does not permit, as tests/hosts/bed.py has it
PLOTTED = {"sharing", "ownership", "collectives"}


def first_line(command):
    """Of what the command prints; None where there is no such program."""
    if not shutil.which(command[0]):
        return None
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT).stdout.partition("\n")[0] or None


def machine(kanorc):
    """What the figures depend on."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = re.findall(r"^model name\s*: (.*)", file.read(), re.MULTILINE)
    return {
        "processor": models[0] if models else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "system": platform.freedesktop_os_release().get("PRETTY_NAME"),
        "kernel": platform.release(),
        "compiler": first_line(["g++", "--version"]),
        "kanorc": first_line([kanorc, "--version"]),
        "mpi": first_line(["mpichversion"]),
        "load_at_begin": os.getloadavg()[0],
    }


def commit():
    """The commit that is measured, with a plus if the tree has changes; None outside of a repository."""
    found = first_line(["git", "rev-parse", "HEAD"])
    return found and found + ("+" if first_line(["git", "status", "--porcelain"]) else "")


def python_with_matplotlib():
    """Debian's package belongs to Debian's Python, which need not be the one that runs this; None: there is none."""
    for python in (sys.executable, "/usr/bin/python3"):
        if os.path.exists(python) and subprocess.run([python, "-c", "import matplotlib"], capture_output=True, check=False).returncode == 0:
            return python
    return None


def run_benchmark(name, options):
    """Runs its script, which prints its tables; its rows."""
    if name in COMPILED:
        program = os.path.join(options.build, "tests", "benchmarks", name, f"kanor_{name}_benchmark")
        if not os.path.exists(program):
            print(f"left out: '{program}' is not built", flush=True)
            return []
        of = ["--program", program]
    else:
        of = ["--kanorc", os.path.join(options.build, "bin", "kanorc")]
    with tempfile.TemporaryDirectory() as folder:
        written = os.path.join(folder, "rows.json")
        script = os.path.join(HERE, name + ".py")
        done = subprocess.run([sys.executable, script, *of, *SCALES[name][options.scale], "--json", written], check=False)
        if done.returncode == FORBIDDEN:
            print(f"left out: {name}", flush=True)
            return []
        if done.returncode:
            sys.exit(f"bench: {name} failed")
        with open(written, encoding="utf-8") as file:
            return json.load(file)


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", dest="scale", action="store_const", const="quick", default="full",
                        help="check in three minutes that everything works; do not quote its figures")
    parser.add_argument("--tiny", dest="scale", action="store_const", const="tiny", help="for tests: smallest sizes")
    parser.add_argument("--only", action="append", choices=SCALES, metavar="NAME", help="run only this benchmark; may be repeated")
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "bench"), help="folder for bench.json and plots (default build/bench)")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"), type=os.path.abspath,
                        help="build tree to measure (default build/release)")
    options = parser.parse_args()

    os.makedirs(options.out, exist_ok=True)
    found = {"commit": commit(), "date": datetime.date.today().isoformat(), "scale": options.scale,
             "machine": machine(os.path.join(options.build, "bin", "kanorc")), "benchmarks": {}}
    for name in options.only or SCALES:
        print(f"\n== {name}", flush=True)
        found["benchmarks"][name] = run_benchmark(name, options)
    written = os.path.join(options.out, "bench.json")
    results.write(written, found)
    print(f"\nfigures: {written}", flush=True)
    if PLOTTED & set(found["benchmarks"]):
        if python := python_with_matplotlib():
            subprocess.run([python, os.path.join(HERE, "plots.py"), written, "--out", options.out], check=True)
        else:
            print("no plots: Python has no matplotlib (Debian: python3-matplotlib)")


if __name__ == "__main__":
    main()
