# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program that must fail, in every mode, and checks how the job ends.

    check_failure.py --kanorrun K [--mpiexec M] [--mpirun M] [--hosts] [--message REGEX]... [--interrupt SIGNAL]
                     [--victim NAME] [--silence HOST:link|frozen] [--status N|N-M|nonzero] [--hosts-status ...]
                     [--ranks N] [--modes ...] [--set NAME=VALUE] [--at-once] PROGRAM [ARGUMENTS...]

The program prints `failing at <seconds of CLOCK_MONOTONIC>` just before it fails. Checked in each mode: the job
ends within --within seconds of that moment (those over MPI: --launcher seconds more, over Open MPI three times as many), one line on stderr begins
with `kanor: ` and matches each message, the exit status, that no process of the job is left, and no new file
in /dev/shm that nobody uses, on any host. With --silence, in a bed of its own, a host's link is taken down, or all that
runs on it is stopped until the job has ended elsewhere; then nothing at all that the job has started may be left, and
each message stands once. Modes are those of run_everywhere.py, and kanorrun over MPI; --at-once runs all of them together, for failures
that are mostly waited for. With --sparse one of mpi and mpi-threads is left out, not the same in all tests. With --hosts,
inside of tests/hosts/bed.py, the jobs run over two hosts only.
"""

import argparse
import concurrent.futures
import glob
import os
import re
import signal
import subprocess
import sys
import time
import zlib

import hosts
import openmpi

# In the place of a program, or a process's name.
ANY = "any"


def unused_files():
    """The files of /dev/shm that no process has mapped or open."""
    used = set()
    for process in glob.glob("/proc/[0-9]*"):
        try:
            with open(process + "/maps", encoding="utf-8", errors="replace") as maps:
                used.update(re.findall(r"/dev/shm/\S+", maps.read()))
            for link in os.listdir(process + "/fd"):
                used.add(os.readlink(f"{process}/fd/{link}"))
        except OSError:
            continue  # it ended meanwhile
    return set(glob.glob("/dev/shm/*")) - used


def processes_of(program, mark):
    """The processes that run the program, or any one, and carry the mark of this job in their environment."""
    found = []
    for process in glob.glob("/proc/[0-9]*"):
        try:
            if program != ANY and os.path.realpath(os.readlink(process + "/exe")) != program:
                continue
            with open(process + "/environ", "rb") as environment, open(process + "/stat", encoding="utf-8") as stat:
                if mark.encode() in environment.read() and stat.read().rsplit(")", 1)[1].split()[0] != "Z":
                    found.append(process.split("/")[-1])
        except OSError:
            continue
    return found


def victims(name, mark):
    """The job's processes with this name, of which the system keeps 15 characters; or of any."""
    found = []
    for process in glob.glob("/proc/[0-9]*"):
        try:
            with open(process + "/comm", encoding="utf-8") as comm, open(process + "/environ", "rb") as environment:
                if (name == ANY or comm.read().strip() == name[:15]) and mark.encode() in environment.read():
                    found.append(int(process.split("/")[-1]))
        except OSError:
            continue
    return found


def interrupt(job, mark, mode, options):
    """Sends the signal to the job's first process, or to all of a name: on the second host, where there is one."""
    number = getattr(signal, "SIG" + options.interrupt)
    if not options.victim:
        os.kill(job.pid, number)
        return
    found = signal_on("b", options.victim, mark, number) if mode.startswith("hosts") else signal_all(options.victim, mark, number)
    if not found:
        raise SystemExit(f"check_failure: no process '{options.victim}' in the job")


def signal_all(name, mark, number):
    """Sends a signal to the job's processes of this name. How many there are."""
    found = victims(name, mark)
    for process in found:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            continue  # it has ended with one before it
    return len(found)


def signal_on(host, name, mark, number):
    """The same on another host."""
    return int(hosts.output_of(host, [sys.executable, os.path.abspath(__file__), "--kill", name, mark, str(int(number))])[0])


def silence(mark, options):
    """Makes a host fall silent."""
    host, _, how = options.silence.partition(":")
    time.sleep(0.3)  # until the hosts have heard of each other
    if how == "link":
        hosts.output_of(host, ["ip", "link", "set", "eth0", "down"])
    else:
        signal_on(host, ANY, mark, signal.SIGSTOP)


def wait_for(job, seconds):
    """When the job's first process has ended, which may take so long."""
    try:
        job.wait(seconds)
    except subprocess.TimeoutExpired:
        pass  # whoever reads its output will say so
    return time.monotonic()


def left(program, mark, mode, but=""):
    """The job's processes and the unused files, each by a word for it, on all hosts of the mode but one."""
    found = {f"process {process}" for process in processes_of(program, mark)} | {f"file {file}" for file in unused_files()}
    look = [sys.executable, os.path.abspath(__file__), "--left", program, mark]
    for host in hosts.others(mode):
        if host != but:
            found |= {f"{word} on host {host}" for word in hosts.output_of(host, look)}
    return found


def left_soon(program, mark, mode, before, but=""):
    """What is left even when it has had a little time to end."""
    for attempt in range(20):
        remains = left(program, mark, mode, but) - before
        if not remains:
            break
        time.sleep(0.1 * (attempt > 0))
    return [f"left: {word}" for word in sorted(remains)]


def command(mode, options):
    run = [options.program] + options.arguments
    ranks = str(options.ranks)
    if mode in ("threads", "processes"):
        return [options.kanorrun, "-n", ranks, "--mode", mode] + run, {}
    if mode in openmpi.MODES:
        return openmpi.command(options.mpirun, mode, options.ranks, run) if options.mpirun else None
    if mode in hosts.MODES:
        return hosts.command(options, mode, options.ranks, run)
    if not options.mpiexec:
        return None
    if mode == "kanorrun":
        return [options.kanorrun, "--mpi", "-n", ranks] + run, {}
    if mode == "hosts-kanorrun":
        ssh = {"HYDRA_LAUNCHER": "rsh", "HYDRA_LAUNCHER_EXEC": os.environ["BED_RSH"]}
        return [options.kanorrun, "--hosts", "a,b", "-n", ranks] + run, ssh
    if mode == "mpi":
        return [options.mpiexec, "-n", ranks] + run, {}
    if mode == "mpi-threads":
        return [options.mpiexec, "-n", "2"] + run, {"KANOR_THREADS": str(options.ranks // 2)}
    raise SystemExit(f"check_failure: unknown mode '{mode}'")


def status_fits(status, wanted):
    if wanted == "nonzero":
        return status != 0
    first, _, last = wanted.partition("-")
    return int(first) <= status <= int(last or first)


def check(mode, options):
    """The complaints about one mode, and what the job wrote."""
    line = command(mode, options)
    if line is None:
        return [], ""
    arguments, extra = line
    mark = f"CHECK_FAILURE_JOB={os.getpid()}.{mode}"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("KANOR_")}
    environment.update(extra)
    environment.update(setting.split("=", 1) for setting in options.set)
    environment.update([mark.split("=")])
    program = ANY if options.silence else os.path.realpath(options.program)
    before = left(program, mark, mode)
    complaints = []
    with subprocess.Popen(arguments, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True) as job:
        said_first = ""
        while (options.interrupt or options.silence) and "failing at" not in said_first and job.poll() is None:
            said_first += job.stderr.readline()
        if options.interrupt:
            interrupt(job, mark, mode, options)
        ended = 0.0
        if options.silence:
            silence(mark, options)
            ended = wait_for(job, options.timeout)
            host, _, how = options.silence.partition(":")
            if how == "frozen":
                complaints += left_soon(program, mark, mode, before, host)
                # What is stopped has the job's streams, too.
                signal_on(host, ANY, mark, signal.SIGCONT)
        try:
            out, err = job.communicate(timeout=options.timeout)
            err = said_first + err
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)
            for process in processes_of(program, mark):
                os.kill(int(process), signal.SIGKILL)
            # In a bed those of other hosts have the job's streams, too.
            for other in hosts.others(mode) if options.silence else ():
                signal_on(other, ANY, mark, signal.SIGKILL)
            out, err = job.communicate()
            return [f"not finished after {options.timeout} s"], out + err
    ended = ended or time.monotonic()
    status = 128 - job.returncode if job.returncode < 0 else job.returncode

    wanted = options.hosts_status if mode in hosts.MODES and options.hosts_status else options.status
    if not status_fits(status, wanted):
        complaints.append(f"exit status {status}, not {wanted}")
    said = [text for text in err.splitlines() if text.startswith(("kanor: ", "kanorrun: "))]
    # A message over several hosts names the host, which most tests leave open.
    hostless = [re.sub(r"^kanor: rank (\d+) \(host [a-z]+\): ", r"kanor: rank \1: ", text) for text in said]
    for message in options.message:
        if not any(re.search(message, text) for text in said + hostless):
            complaints.append(f"no line of kanor's matches '{message}'")
        if options.silence and sum(bool(re.search(message, text)) for text in said) > 1:
            complaints.append(f"several lines match '{message}'")
    if "kanor_" in "".join(said) or "thread_local" in "".join(said):
        complaints.append("the message has names of emitted code")
    moments = [float(moment) for moment in re.findall(r"failing at ([0-9.]+)", out + err)]
    # Open MPI's launcher waits for its daemons on other hosts.
    launcher = 0 if mode in ("threads", "processes") else options.launcher * (3 if "openmpi" in mode else 1)
    allowed = options.within + launcher
    if not moments:
        complaints.append("the program did not say when it fails")
    elif ended - min(moments) > allowed:
        complaints.append(f"ended {ended - min(moments):.2f} s after the failure, {allowed} s allowed")
    complaints += left_soon(program, mark, mode, before)
    for process in processes_of(program, mark):
        os.kill(int(process), signal.SIGKILL)
    return complaints, out + err


def main():
    if sys.argv[1:2] == ["--kill"]:
        print(signal_all(sys.argv[2], sys.argv[3], int(sys.argv[4])))
        return
    if sys.argv[1:2] == ["--left"]:
        for word in sorted(left(sys.argv[2], sys.argv[3], "here")):
            print(word)
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kanorrun", required=True)
    parser.add_argument("--mpiexec", default="")
    parser.add_argument("--mpirun", default="")
    parser.add_argument("--modes", default="threads,processes,mpi,mpi-threads")
    parser.add_argument("--hosts", action="store_true", help="over several hosts only")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--status", default="nonzero")
    parser.add_argument("--hosts-status", help="the same over several hosts, where the launcher says less")
    parser.add_argument("--message", action="append", default=[], help="each that is given must match a line")
    parser.add_argument("--set", action="append", default=[], help="NAME=VALUE for the program's environment")
    parser.add_argument("--interrupt", default="", help="a signal that the job's first process gets once a rank has spoken")
    parser.add_argument("--victim", default="", help="that signal goes to the job's processes of this name instead")
    parser.add_argument("--silence", default="", help="this host falls silent once a rank has spoken: HOST:link or HOST:frozen")
    parser.add_argument("--within", type=float, default=1.0)
    parser.add_argument("--launcher", type=float, default=2.0)
    parser.add_argument("--timeout", type=float, default=20)
    parser.add_argument("--at-once", action="store_true", help="all modes together")
    parser.add_argument("--sparse", action="store_true", help="one of mpi and mpi-threads only")
    parser.add_argument("program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    # Whoever runs the tests in the background ignores SIGINT, or SIGHUP, and children inherit that.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    failed = False
    modes = options.modes.split(",")
    if options.sparse and {"mpi", "mpi-threads"} <= set(modes):
        modes.remove(("mpi", "mpi-threads")[zlib.crc32(" ".join(options.message + options.arguments).encode()) % 2])
    if options.hosts:
        over = {"mpi": "hosts", "openmpi": "hosts-openmpi", "kanorrun": "hosts-kanorrun"}
        modes = [over.get(mode, mode) for mode in modes if mode in over or mode in hosts.MODES]
        modes = [mode for mode in modes if not (mode == "hosts-openmpi" and options.interrupt)]
    with concurrent.futures.ThreadPoolExecutor(len(modes) or 1 if options.at_once else 1) as pool:
        checked = list(pool.map(lambda mode: check(mode, options), modes))
    for mode, (complaints, output) in zip(modes, checked):
        for complaint in complaints:
            print(f"check_failure: {' '.join(options.arguments)} as {mode}: {complaint}", file=sys.stderr)
        if complaints:
            failed = True
            sys.stderr.write(output)
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
