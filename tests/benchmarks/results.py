"""What the benchmarks share: running programs, summing up what they took, and the JSON that they write.

A benchmark is a list of rows, dictionaries of names and numbers; times stand under their unit, by side, as summary()
makes them: {"case": "shift", …, "nanoseconds": {"threads": {"median": 283, "fastest": …, "slowest": …, "runs": 5}, …}}.
"""

import json
import os
import shlex
import statistics
import subprocess
import sys


def run(command, environment=None, folder=None):
    """What the command prints; ends the benchmark where it fails."""
    done = subprocess.run(command, cwd=folder, env=dict(os.environ, **(environment or {})), capture_output=True, text=True,
                          check=False, timeout=300)
    if done.returncode:
        sys.exit(f"{shlex.join(command)} failed ({done.returncode}):\n{done.stdout}{done.stderr}")
    return done.stdout


def summary(values):
    return {"median": statistics.median(values), "fastest": min(values), "slowest": max(values), "runs": len(values)}


def add_arguments(parser, runs):
    """The options that every benchmark has."""
    parser.add_argument("--runs", type=int, default=runs, help=f"how often each side runs, in turn (default {runs})")
    parser.add_argument("--json", default="", metavar="FILE", help="write the rows there as well")


def write(path, content):
    """Writes to the file, if there is a name for it."""
    if path:
        with open(path, "w", encoding="utf-8") as out:
            json.dump(content, out, indent=1, ensure_ascii=False)
            out.write("\n")
