# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one program in every mode and with every number of ranks, and compares the runs.

    run_everywhere.py --kanorrun K [--mpiexec M] [--mpirun M] [--hosts] [--modes ...] [--ranks ...] PROGRAM [ARGUMENTS...]

For one number of ranks every mode must print the same lines (order between ranks is not defined, so
lines are sorted) and end with the same status, 0 unless --status says otherwise. Prints, for each
number of ranks, a line `ranks: N` and the sorted lines once. Exit status 1 with both outputs on stderr
where two modes differ, a run fails, or a run takes longer than --timeout seconds.

Modes: threads, processes, mpi (one process a rank), mpi-apart (the same, each with message memory of its own),
mpi-machines (the same, as if on two machines; from 3 ranks on), mpi-net (the same, no shared memory at all
between the processes), mpi-threads (two processes with half of the ranks each, or one with all of an odd number), checked
(checked mode, with MPI processes for 2 ranks, processes for 3, threads for 4 and 5, and 9 with --large, unless --unchecked is given).
Without --mpiexec, MPICH's launcher, the mpi modes are left out.

The modes openmpi, openmpi-apart and openmpi-threads are mpi, mpi-apart and mpi-threads under --mpirun, Open MPI's launcher.
With --sparse every third program runs in one of them, and in one of those over several hosts.

With --hosts, inside of tests/hosts/bed.py, the modes are those of several hosts (hosts.py) and no others; with --sparse,
too, every other one.

Without --ranks the numbers of ranks are those of the lists SMALL and LARGE below: the runtime chooses other ways from
9, 17 and 33 ranks on. A process for each rank of 16 and more is started by one of the mpi modes for each number.

With --sparse a program runs with one of the lists SPARSE of small numbers, other ones from program to program, and in two
of the mpi modes only, in each with one of these numbers, more than FEW in one case of four: starting MPI's processes takes
longer than most runs as threads. It has one of the large numbers, another one in turn from program to program, as threads
or as processes. With --large, which is for programs that exchange in many ways, it has all small numbers, all mpi modes,
9, 33 and one of 16 and 17 as threads, and one as processes. Runs with variables to --keep, which repeat those without, have
one of the mpi modes, in one case of three; --every-mode is for programs that run in no other way. With --at-once all runs
begin together: for programs that mostly sleep.
"""

import argparse
import concurrent.futures
import os
import signal
import subprocess
import sys
import zlib

import hosts
import openmpi

MODES = ["threads", "processes", "mpi", "mpi-machines", "mpi-net", "mpi-threads", "checked"] + openmpi.MODES
SMALL = [1, 2, 3, 5, 8]
SPARSE = [[1, 2, 8], [1, 3, 5]]
LARGE = [9, 16, 17, 33]
MOST_MPI_PROCESSES = 9  # where a mode has the choice
# With more, most sparse runs start no MPI processes. Without shared memory all of them spin.
FEW, FEW_OVER_NET = 5, 3
SKIPPING = 9  # of so many programs in a sparse run, one runs in each of Open MPI's modes


def command(mode, ranks, options):
    """The command line and the extra environment of one run, or None where the mode does not apply."""
    run = [options.program] + options.arguments
    if mode in ("threads", "processes"):
        return [options.kanorrun, "-n", str(ranks), "--mode", mode] + run, {}
    if mode in openmpi.MODES:
        return openmpi.command(options.mpirun, mode, ranks, run) if options.mpirun else None
    if mode in hosts.MODES:
        if options.unchecked and mode == "hosts-checked":
            return None
        return hosts.command(options, mode, ranks, run)
    if mode != "checked" and not options.mpiexec:
        return None
    if mode == "mpi":
        return [options.mpiexec, "-n", str(ranks)] + run, {}
    if mode == "mpi-apart":
        return [options.mpiexec, "-n", str(ranks)] + run, {"KANOR_DISABLE": "node-memory"}
    if mode == "mpi-machines":
        if ranks < 3:
            return None
        return [options.mpiexec, "-n", str(ranks)] + run, {"MPIR_CVAR_NUM_CLIQUES": "2", "MPIR_CVAR_CLIQUES_BY_BLOCK": "1"}
    if mode == "mpi-net":
        return [options.mpiexec, "-n", str(ranks)] + run, {"MPIR_CVAR_NOLOCAL": "1", "UCX_TLS": "tcp,self"}
    if mode == "mpi-threads":
        processes = 1 if ranks % 2 else 2
        return [options.mpiexec, "-n", str(processes)] + run, {"KANOR_THREADS": str(ranks // processes)}
    if mode == "checked":
        kind = {2: "mpi", 3: "processes", 4: "threads", 5: "threads", 9: "threads" if options.large else None}.get(ranks)
        if options.unchecked or kind is None or (kind == "mpi" and not options.mpiexec):
            return None
        if options.only_modes and kind not in options.only_modes.split(","):
            return None
        return command(kind, ranks, options)[0], {"KANOR_CHECK": "1"}
    raise SystemExit(f"run_everywhere: unknown mode '{mode}'")


def fail(mode, ranks, what, output):
    print(f"run_everywhere: {ranks} ranks as {mode}: {what}", file=sys.stderr)
    sys.stderr.write(output)
    raise SystemExit(1)


def run(mode, ranks, options):
    line = command(mode, ranks, options)
    if line is None:
        return None
    arguments, extra = line
    environment = {k: v for k, v in os.environ.items() if not k.startswith("KANOR_") or k in options.keep}
    environment.update(extra)
    # A session of its own, so that a run that hangs can be ended with all of its ranks.
    with subprocess.Popen(arguments, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True) as job:
        try:
            out, err = job.communicate(timeout=options.timeout)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)
            out, err = job.communicate()
            fail(mode, ranks, f"not finished after {options.timeout} s", out + err)
    if job.returncode != options.status:
        fail(mode, ranks, f"exit status {job.returncode}, not {options.status}", out + err)
    return sorted(out.splitlines())


def turn_of(options):
    """A number that differs from program to program, and from one list of kept variables to another."""
    program = os.path.basename(options.program).split(".tmp")[0]
    kept = [f"{name}={os.environ.get(name, '')}" for name in options.keep if name]
    return zlib.crc32(" ".join([program] + kept).encode())


def chosen(mode, counts, options):
    """The numbers of ranks that a mode runs with."""
    modes = options.modes.split(",")
    given = bool(options.ranks)
    turn = turn_of(options)
    if "openmpi" in mode and options.sparse and not options.every_mode and turn % SKIPPING != modes.index(mode) % SKIPPING:
        return []
    if mode.startswith(("mpi", "hosts", "openmpi")):
        if not options.sparse:
            if given or mode.endswith("-threads"):
                return counts
            return [ranks for ranks in counts
                    if ranks <= MOST_MPI_PROCESSES or (turn + LARGE.index(ranks) + modes.index(mode)) % len(LARGE) == 0]
        fitting = [ranks for ranks in counts if ranks > 1 and command(mode, ranks, options)] or counts
        if not given and not mode.endswith("-threads"):
            fitting = [ranks for ranks in fitting if ranks <= MOST_MPI_PROCESSES]
        number = turn + modes.index(mode)
        if not mode.endswith("-threads"):
            few = FEW_OVER_NET if mode == "mpi-net" else FEW
            fitting = [ranks for ranks in fitting if (ranks > few) == (number % 4 == 0)] or fitting
        return fitting[number // 4 % len(fitting):][:1]
    if given or not options.sparse:
        return counts
    return [ranks for ranks in counts if ranks in SMALL or ranks in large_ones(mode, turn, options)]


def counts_of(options):
    """The numbers of ranks of which each mode has some."""
    if options.ranks:
        return [int(ranks) for ranks in options.ranks.split(",")]
    return (SPARSE[turn_of(options) % 2] if options.sparse and not options.large else SMALL) + LARGE


def large_ones(mode, turn, options):
    """Those of LARGE that threads, processes, and checked mode have in a sparse run."""
    if not options.large:
        # Each is the turn of several programs; 33 ranks, which take the longest, of the fewest.
        either = ("threads", "processes")[turn // 7 % 2]
        return [[9, 16, 17, 9, 16, 17, 33][turn % 7]] if mode == either else []
    return {"threads": [9, 16 + turn % 2, 33], "processes": [[9, 16, 17][turn % 3]]}.get(mode, LARGE)


def modes_over_mpi(modes, counts, options):
    """Of the mpi modes those that a sparse run takes: one or none where variables are kept, two otherwise."""
    fitting = [mode for mode in modes if mode.startswith("mpi") and any(ranks > 1 and command(mode, ranks, options) for ranks in counts)]
    kept = any(options.keep)
    if not options.sparse or options.every_mode or (options.large and not kept):
        return modes
    turn = turn_of(options)
    number = (turn % 3 == 0 or set(modes) <= set(fitting)) if kept else 2
    taken = (fitting + fitting)[turn // 3 % max(len(fitting), 1):][:number]
    return [mode for mode in modes if not mode.startswith("mpi") or mode in taken]


def compare(ranks, printed):
    """Ends the script where two modes differ; prints what all of them print."""
    if not printed:
        return
    first, expected = next(iter(printed.items()))
    for mode, lines in printed.items():
        if lines != expected:
            fail(mode, ranks, f"prints other lines than as {first}",
                 "\n".join([f"--- {first}"] + expected + [f"--- {mode}"] + lines) + "\n")
    print(f"ranks: {ranks}")
    for line in expected:
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kanorrun", required=True)
    parser.add_argument("--mpiexec", default="")
    parser.add_argument("--mpirun", default="")
    parser.add_argument("--hosts", action="store_true", help="over several hosts only")
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("--only-modes", default="", help="leave out all other modes")
    parser.add_argument("--ranks", default="", help="the numbers of ranks, separated by commas")
    parser.add_argument("--sparse", action="store_true", help="each mpi mode with one number of ranks only, and few large numbers")
    parser.add_argument("--large", action="store_true", help="with --sparse, too, most of the large numbers of ranks")
    parser.add_argument("--every-mode", action="store_true", help="with --sparse, too, over Open MPI and with --keep")
    parser.add_argument("--at-once", action="store_true", help="all runs together")
    parser.add_argument("--status", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=60, help="seconds for a run; over several hosts, unless --sparse, four times as many")
    parser.add_argument("--unchecked", action="store_true", help="not in checked mode, which would find an error")
    parser.add_argument("--keep", default="", help="KANOR_ variables to hand on, separated by commas")
    parser.add_argument("program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    options.keep = options.keep.split(",")
    allowed = options.only_modes.split(",") if options.only_modes else None
    modes = [mode for mode in options.modes.split(",") if allowed is None or mode in allowed]
    if options.hosts:
        # 33 processes of Open MPI's, none of which gives way while it waits, have taken 50 s on two cores.
        options.timeout *= 1 if options.sparse else 4
        every = options.every_mode or not options.sparse
        taken = hosts.MODES if every else hosts.MODES[turn_of(options) % 2::2]
        modes = taken if any(mode.startswith("mpi") for mode in modes) else []
        options.modes = ",".join(hosts.MODES)

    counts = counts_of(options)
    modes = modes_over_mpi(modes, counts, options)
    runs = [(ranks, mode) for ranks in counts for mode in modes if ranks in chosen(mode, counts, options)]
    with concurrent.futures.ThreadPoolExecutor(len(runs) or 1 if options.at_once else 1) as pool:
        printed = {one: lines for one, lines in zip(runs, pool.map(lambda one: run(one[1], one[0], options), runs))}
    for ranks in counts:
        compare(ranks, {mode: lines for (count, mode), lines in printed.items() if count == ranks and lines is not None})


if __name__ == "__main__":
    main()
