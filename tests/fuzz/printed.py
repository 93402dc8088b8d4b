# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the fuzzers share whose programs must print what a simulator computes: their options, runs and comparisons."""

import argparse
import os
import shlex
import subprocess

STRICT = ["-Wall", "-Wextra", "-Wshadow", "-Werror"]


def options(description):
    """Of the command line."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kanorc", required=True, type=os.path.abspath)
    parser.add_argument("--kanorrun", required=True, type=os.path.abspath)
    parser.add_argument("--mpiexec", default="")
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", default="")
    parser.add_argument("--flag", action="append", default=[], help="for kanorc")
    return parser.parse_args()


def run(command, environment=None, timeout=60):
    done = subprocess.run(command, env=dict(os.environ, **(environment or {})), capture_output=True, text=True, check=False,
                          timeout=timeout)
    if done.returncode:
        raise RuntimeError(f"{spelled(command, environment)}: status {done.returncode}\n{done.stderr[-3000:]}")
    return done.stdout


def spelled(command, environment):
    return " ".join([f"{name}={value}" for name, value in (environment or {}).items()] + [shlex.join(command)])


def difference(printed, expected):
    """The first line of each that the other does not have."""
    for mine, wanted in zip(printed + [""], expected + [""]):
        if mine != wanted:
            return f"printed\n{mine}and should have printed\n{wanted}"
    return f"printed {len(printed)} lines, and should have printed {len(expected)}"


def keep(folder, name, text):
    """Writes a program that failed to the folder, if there is a name for it."""
    if not folder:
        return
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
        out.write(text)
