# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds public MPI programs with MPICH and with Kanor, unchanged, and compares their results.

    public_programs.py [--kanor FOLDER] [--cache FOLDER] [--ranks 1,2,...] [--modes M,...]
                       [--time [--rounds N]] [--keep] [--list] [NAME...]

programs.toml lists the programs: source packages of Debian, which are fetched once by their SHA256.
Each is built twice, by MPICH's compiler wrappers and by kanor-mpicc and kanor-mpicxx, with the
commands that its own documentation names, and runs with the same input on both sides, for each
number of ranks, with Kanor in each of these modes:

    auto            as kanor-mpiexec chooses: ranks are threads, if the program permits it
    processes       KANOR_MODE=processes
    checked         as auto, with KANOR_CHECK=1
    hosts           MPI processes on two hosts, which are namespaces of this machine (for root alone)
    hosts-threads   the same with two thread ranks in each, for even numbers of ranks from 4 on, and programs whose
                    ranks can be threads

Their results must be the same: standard output and the files that a case names, without timings.
The table at the end says for each program what its ranks were. With --time, it has the median time
of a run in seconds, too, of --rounds rounds in which the sides take turns.
"""

import argparse
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import time
import tomllib

import fetch
import results

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BED = os.path.join(ROOT, "tests", "hosts", "bed.py")
MODES = ("auto", "processes", "checked", "hosts", "hosts-threads")
NOTE = re.compile(r"the ranks of '([^']*)' will be processes, not threads: (.*)")


class Failed(Exception):
    """A program that does not build, or a run that is not as it should be."""


def ending(text, lines=30):
    return "\n".join(text.rstrip().splitlines()[-lines:])


def shell(command, folder, variables, timeout):
    """Runs a command of the shell. Returns its status, stdout and stderr."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("KANOR_")}
    environment.update(variables)
    with subprocess.Popen(["bash", "-euc", command], cwd=folder, env=environment,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, errors="replace", start_new_session=True) as job:
        try:
            out, err = job.communicate(timeout=timeout)
        except subprocess.TimeoutExpired as late:
            os.killpg(job.pid, 9)
            out, err = job.communicate()
            raise Failed(f"not finished after {timeout:g} s; until then:\n"
                         f"{ending(out)}\n{ending(err)}") from late
    return job.returncode, out, err


class Side:
    """MPICH or Kanor: how programs are compiled and started."""

    def __init__(self, name, mpicc, mpicxx, mpiexec):
        self.name, self.mpiexec = name, mpiexec
        self.variables = {"MPICC": mpicc, "MPICXX": mpicxx}

    def start(self, ranks, mode):
        variables = {"RUN": f"{self.mpiexec} -n {ranks}", "RANKS": str(ranks),
                     "OMP_NUM_THREADS": "2"}
        if mode.startswith("hosts"):
            threads = 2 if mode == "hosts-threads" else 1
            processes = ranks // threads
            variables["RUN"] = ("mpiexec.mpich -launcher rsh -launcher-exec $BED_RSH "
                                f"-hosts a:{(processes + 1) // 2},b:{processes // 2} -n {processes}")
            variables["KANOR_THREADS"] = str(threads)
        elif mode == "checked":
            variables["KANOR_CHECK"] = "1"
        elif mode:
            variables["KANOR_MODE"] = mode
        return variables


class Program:
    """A program of the list, and its two builds."""

    def __init__(self, name, entry, options):
        self.name, self.entry, self.options = name, entry, options
        self.folder = os.path.join(options.work, name)
        self.sources = {}
        self.notes = {}
        self.failures = []
        self.times = {}

    def fail(self, where, what):
        self.failures.append(where)
        print(f"public_programs: {self.name}: {where}: {what}", file=sys.stderr, flush=True)

    def build(self, side):
        folder = os.path.join(self.folder, side.name)
        shutil.rmtree(folder, ignore_errors=True)
        path = fetch.fetch(self.entry["archive"], self.entry["sha256"], self.options.cache)
        source = fetch.unpack(path, folder)
        for more in self.entry.get("also", []):
            path = fetch.fetch(more["archive"], more["sha256"], self.options.cache)
            fetch.unpack(path, os.path.join(source, more["folder"]))
        variables = side.variables | {"JOBS": str(os.cpu_count() or 1)}
        status, out, err = shell(self.entry["build"], source, variables, self.options.build_timeout)
        with open(os.path.join(self.folder, f"build.{side.name}.log"), "w", encoding="utf-8") as log:
            log.write(out + err)
        if status != 0:
            raise Failed(f"does not build:\n{ending(out)}\n{ending(err)}")
        self.sources[side.name] = source
        if side.name == "kanor":
            self.notes = {os.path.basename(p): why for p, why in NOTE.findall(out + err)}

    def result(self, side, case, ranks, mode):
        """The filtered result of one run, and the seconds it took."""
        source = self.sources[side.name]
        folder = os.path.join(self.folder, f"run.{side.name}")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        variables = side.start(ranks, mode) | {"SOURCE": source}
        command = case["run"]
        if mode.startswith("hosts"):
            command = f"cd {shlex.quote(folder)}\nRUN=\"{variables.pop('RUN')}\"\n{command}"
            command = shlex.join([sys.executable, BED, "--", "bash", "-euc", command])
        start = time.monotonic()
        status, out, err = shell(command, folder, variables, self.options.timeout)
        seconds = time.monotonic() - start
        if status != 0:
            raise Failed(f"exit status {status}\n{ending(out)}\n{ending(err)}")
        lines = [] if case.get("files_alone") else results.filtered(out, case)
        for name in case.get("files", []):
            path = os.path.join(folder, name)
            if not os.path.exists(path):
                raise Failed(f"there is no file '{name}' after the run\n{ending(out)}")
            with open(path, encoding="latin-1") as file:
                text = file.read()
            lines += [f"{name}:", *results.filtered(text, case)]
        if not lines:
            raise Failed(f"no result is left to compare\n{ending(out)}\n{ending(err)}")
        return lines, seconds

    def check(self, case, ranks, sides):
        where = f"{case['name']}, {ranks} ranks"
        try:
            expected, _ = self.result(sides["mpich"], case, ranks, "")
        except Failed as failure:
            return self.fail(f"{where} under MPICH", failure)
        for mode in self.options.modes:
            must_be_processes = case["program"] in self.notes
            if mode == "hosts" and ranks < 2 or mode == "hosts-threads" and (ranks < 4 or ranks % 2 or must_be_processes):
                continue
            try:
                found, _ = self.result(sides["kanor"], case, ranks, mode)
                differs = results.difference(expected, found, case.get("digits", 0))
                if differs:
                    self.fail(f"{where} as {mode}", differs)
            except Failed as failure:
                self.fail(f"{where} as {mode}", failure)
        return None

    def measure(self, case, sides):
        """Notes the seconds of each round, in which the sides take turns."""
        places = [("mpich", "")] + [("kanor", mode) for mode in self.options.modes]
        for _ in range(self.options.rounds):
            for side, mode in places:
                try:
                    _, seconds = self.result(sides[side], case, 2, mode)
                    self.times.setdefault((side, mode), []).append(seconds)
                except Failed as failure:
                    self.fail(f"{case['name']}, timed, {side} {mode}", failure)
                    return

    def go(self, sides):
        try:
            for side in sides.values():
                self.build(side)
        except (Failed, fetch.NotFetched) as failure:
            return self.fail(side.name, failure)
        for case in self.entry["case"]:
            for ranks in case.get("ranks", self.options.ranks):
                self.check(case, ranks, sides)
            if self.options.time and case.get("timed"):
                self.measure(case, sides)
        if not self.options.keep:
            for side in sides:
                shutil.rmtree(os.path.join(self.folder, side), ignore_errors=True)
        return None

    def row(self):
        medians = [f"{statistics.median(seconds):.2f}" for seconds in self.times.values()]
        programs = [case["program"] for case in self.entry["case"]]
        why = [self.notes[program] for program in dict.fromkeys(programs) if program in self.notes]
        ranks = f"processes: {why[0]}" if why else "threads"
        said = f"{len(self.failures)} failed" if self.failures else "same"
        return [self.name, self.entry["version"], said, ranks, *medians]


def split(text):
    return [word for word in text.split(",") if word]


def parse():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kanor", default="", help="the folder of kanor-mpicc (default: PATH)")
    parser.add_argument("--cache", default=os.path.join(ROOT, "build", "public_programs", "cache"))
    parser.add_argument("--work", default=os.path.join(ROOT, "build", "public_programs"))
    parser.add_argument("--ranks", default="1,2,4,5")
    permitted = MODES if os.geteuid() == 0 else [mode for mode in MODES if not mode.startswith("hosts")]
    parser.add_argument("--modes", default=",".join(permitted), help="some of them (default: those permitted)")
    parser.add_argument("--timeout", type=float, default=120, help="seconds that a run may take")
    parser.add_argument("--build-timeout", type=float, default=900)
    parser.add_argument("--time", action="store_true", help="measure the cases that are for it")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--keep", action="store_true", help="keep the builds")
    parser.add_argument("--list", action="store_true", help="list the programs")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    options.ranks = [int(ranks) for ranks in split(options.ranks)]
    options.modes = split(options.modes)
    if not set(options.modes).issubset(MODES):
        parser.error(f"the modes are {', '.join(MODES)}")
    options.work, options.cache = os.path.abspath(options.work), os.path.abspath(options.cache)
    return options


def main():
    options = parse()
    with open(os.path.join(HERE, "programs.toml"), "rb") as file:
        listed = tomllib.load(file)
    if options.list:
        for name, entry in listed.items():
            print(f"{name:14} {entry['version']:12} {entry['what']}")
        return 0
    unknown = set(options.names) - set(listed)
    if unknown:
        sys.exit(f"public_programs: there is no program {', '.join(sorted(unknown))} (--list)")
    kanor = os.path.abspath(options.kanor) + "/" if options.kanor else ""
    sides = {"mpich": Side("mpich", "mpicc.mpich", "mpicxx.mpich", "mpiexec.mpich"),
             "kanor": Side("kanor", kanor + "kanor-mpicc", kanor + "kanor-mpicxx",
                           kanor + "kanor-mpiexec")}
    programs = [Program(name, entry, options) for name, entry in listed.items()
                if name in options.names or not options.names]
    for program in programs:
        os.makedirs(program.folder, exist_ok=True)
        start = time.monotonic()
        program.go(sides)
        print(" | ".join(program.row()), f"({time.monotonic() - start:.0f} s)", flush=True)
    return 1 if any(program.failures for program in programs) else 0


if __name__ == "__main__":
    sys.exit(main())
