# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How MPICH's launcher starts a program's ranks on the hosts of tests/hosts/bed.py."""

import os
import subprocess

# Ranks dealt to two hosts in blocks, in turn, and all but one to the first; to three hosts; and to two hosts as
# threads of a process each, as checked mode runs too.
MODES = ["hosts", "hosts-turns", "hosts-uneven", "hosts-three", "hosts-threads", "hosts-checked"]


def command(mpiexec, mode, ranks, program):
    """The command line and the extra environment of one run, or None where the mode does not apply."""
    start = [mpiexec, "-launcher", "rsh", "-launcher-exec", os.environ["BED_RSH"], "-hosts"]
    half = str((ranks + 1) // 2)
    if mode in ("hosts", "hosts-checked") and ranks > 1:
        environment = {"KANOR_CHECK": "1"} if mode == "hosts-checked" else {}
        return start + ["a,b", "-ppn", half, "-n", str(ranks)] + program, environment
    if mode == "hosts-turns" and ranks > 2:
        return start + ["a,b", "-ppn", "1", "-n", str(ranks)] + program, {}
    if mode == "hosts-uneven" and ranks > 2:
        return start + [f"a:{ranks - 1},b:1", "-n", str(ranks)] + program, {}
    if mode == "hosts-three" and ranks > 2:
        return start + ["a,b,c", "-ppn", str((ranks + 2) // 3), "-n", str(ranks)] + program, {}
    if mode == "hosts-threads" and ranks % 2 == 0:
        return start + ["a,b", "-ppn", "1", "-n", "2"] + program, {"KANOR_THREADS": str(ranks // 2)}
    return None


def output_of(host, program):
    """The lines that a program prints on a host."""
    done = subprocess.run([os.environ["BED_RSH"], host] + program, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()
