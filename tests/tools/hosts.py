# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How MPICH's and Open MPI's launchers start a program's ranks on the hosts of tests/hosts/bed.py."""

import os
import subprocess

import openmpi

# Ranks dealt to two hosts in blocks, in turn, and all but one to the first; to three hosts; and to two hosts as
# threads of a process each, as checked mode runs too. Over Open MPI: in blocks, in turn, and as threads.
MODES = ["hosts", "hosts-turns", "hosts-uneven", "hosts-three", "hosts-threads", "hosts-checked"]
MODES += ["hosts-openmpi", "hosts-openmpi-turns", "hosts-openmpi-threads"]


def command(launchers, mode, ranks, program):
    """The command line and the extra environment of one run, or None where the mode does not apply."""
    half = str((ranks + 1) // 2)
    if "openmpi" in mode:
        return over_openmpi(launchers.mpirun, mode, ranks, half, program) if launchers.mpirun else None
    start = [launchers.mpiexec, "-launcher", "rsh", "-launcher-exec", os.environ["BED_RSH"], "-hosts"]
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


def over_openmpi(mpirun, mode, ranks, half, program):
    """The same for the modes over Open MPI."""
    start = ["--mca", "plm_rsh_agent", os.environ["BED_RSH"], "--host"]
    if mode == "hosts-openmpi" and ranks > 1:
        return openmpi.launch(mpirun, ranks, program, {}, start + [f"a:{half},b:{half}"])
    if mode == "hosts-openmpi-turns" and ranks > 2:
        return openmpi.launch(mpirun, ranks, program, {}, start + [f"a:{half},b:{half}", "--map-by", "node"])
    if mode == "hosts-openmpi-threads" and ranks % 2 == 0:
        return openmpi.launch(mpirun, 2, program, {"KANOR_THREADS": str(ranks // 2)}, start + ["a:1,b:1"])
    return None


def others(mode):
    """The hosts of a mode beside the first."""
    return [] if not mode.startswith("hosts") else ["b", "c"] if mode == "hosts-three" else ["b"]


def output_of(host, program):
    """The lines that a program prints on a host."""
    done = subprocess.run([os.environ["BED_RSH"], host] + program, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()
