# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the benchmarks share: running programs, summing up what they took, and the JSON that they write.

A benchmark is a list of rows, dictionaries of names and numbers; times stand under their unit, by side, as summary()
makes them: {"case": "shift", …, "nanoseconds": {"threads": {"median": 283, "fastest": …, "slowest": …, "runs": 5}, …}}.
"""

import argparse
import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys

# MPICH's, where Debian has another MPI beside it.
MPICXX = shutil.which("mpicxx.mpich") or "mpicxx"
MPIEXEC = shutil.which("mpiexec.mpich") or "mpiexec"

# What is measured has Kanor's own limits, unless whoever measures names a file.
os.environ.setdefault("KANOR_TUNING", "none")


def run(command, environment=None, folder=None):
    """What the command prints; ends the benchmark where it fails."""
    done = subprocess.run(command, cwd=folder, env=dict(os.environ, **(environment or {})), capture_output=True, text=True,
                          check=False, timeout=300)
    if done.returncode:
        sys.exit(f"{shlex.join(command)} failed ({done.returncode}):\n{done.stdout}{done.stderr}")
    return done.stdout


def summary(values):
    return {"median": statistics.median(values), "fastest": min(values), "slowest": max(values), "runs": len(values)}


def told(times, side):
    """What the tables say of a side: the median of Kanor's and of other programs' runs, the fastest of MPI's."""
    return times[side]["fastest" if side.startswith("MPI") or side == "yields" else "median"]


def bytes_text(size):
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB" if size >= 1 << 10 else f"{size} B"


def numbers(text):
    """Of an option whose value is numbers, separated by commas."""
    return [int(number) for number in text.split(",")]


def comparison(description):
    """A parser with the options of a benchmark that compares programs which kanorc compiles with MPI's."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kanorc", required=True, type=os.path.abspath)
    parser.add_argument("--mpicxx", default=MPICXX)
    parser.add_argument("--mpiexec", default=MPIEXEC)
    return parser


def add_arguments(parser, runs):
    """The options that every benchmark has."""
    parser.add_argument("--runs", type=int, default=runs, help=f"how often each side runs, in turn (default {runs})")
    parser.add_argument("--json", default="", metavar="FILE", help="write the rows there as well")


def run_google_benchmark(description):
    """Of a script whose program is one of Google Benchmark's: the options, and the report's iterations."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--program", required=True, type=os.path.abspath)
    parser.add_argument("--seconds", type=float, default=0.1, help="least length of a run (default 0.1)")
    add_arguments(parser, runs=5)
    options = parser.parse_args()
    report = json.loads(run([options.program, "--benchmark_format=json", f"--benchmark_min_time={options.seconds}",
                             f"--benchmark_repetitions={options.runs}"]))
    return options, [one for one in report["benchmarks"] if one["run_type"] == "iteration"]


def write(path, content):
    """Writes to the file, if there is a name for it."""
    if path:
        with open(path, "w", encoding="utf-8") as out:
            json.dump(content, out, indent=1, ensure_ascii=False)
            out.write("\n")
