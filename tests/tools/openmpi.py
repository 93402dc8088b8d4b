# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How Open MPI's launcher starts a program's ranks, on few cores and by whomever."""

import itertools
import os
import tempfile

# Root may run it, and more processes than there are cores.
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}

# On this machine: through shared memory, as messages of MPI, and as threads of processes.
MODES = ["openmpi", "openmpi-apart", "openmpi-threads"]

# Where a launch keeps its session. Launches that begin and end at once in one folder make and remove it under
# each other, and some of them fail ("mkdir: File exists"): each has a folder of its own.
SESSIONS = "OMPI_MCA_orte_tmpdir_base"
launches = itertools.count()


def launch(mpirun, processes, program, variables, options=()):
    """The command line and the extra environment of one run."""
    folder = os.path.join(os.environ.get(SESSIONS, tempfile.gettempdir()), f"{os.getpid()}.{next(launches)}")
    return [mpirun, *options, "-n", str(processes)] + program, {**ENVIRONMENT, SESSIONS: folder, **variables}


def command(mpirun, mode, ranks, program):
    """The same of one of the modes; None where it does not apply."""
    if mode == "openmpi-threads":
        processes = 1 if ranks % 2 else 2
        return launch(mpirun, processes, program, {"KANOR_THREADS": str(ranks // processes)})
    return launch(mpirun, ranks, program, {"KANOR_DISABLE": "node-memory"} if mode == "openmpi-apart" else {})
