# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles units with kanorc, runs programs in a mode, and compares what they print with the oracle."""

import os
import re
import signal
import subprocess
import sys
import types

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import run_everywhere  # noqa: E402  (how each mode is started)

FOLDER = os.path.dirname(os.path.abspath(__file__))


class Mode:
    """How a program is run: run_everywhere's mode, and variables of the environment."""

    def __init__(self, name, environment=None):
        self.name, self.environment = name, environment or {}

    def __str__(self):
        return " ".join([self.name] + [f"{key}={value}" for key, value in sorted(self.environment.items())])

    @property
    def checked(self):
        return "KANOR_CHECK" in self.environment


class Failure:
    """What went wrong: kind (for the report and the shrinker: a smaller program must fail alike) and details."""

    def __init__(self, kind, detail):
        self.kind, self.detail = kind, detail

    def __str__(self):
        return f"{self.kind}: {self.detail}"


class Tools:
    def __init__(self, kanorc, kanorrun, mpiexec, timeout_s, compile_timeout_s=300):
        self.kanorc, self.kanorrun, self.mpiexec = kanorc, kanorrun, mpiexec
        self.timeout_s, self.compile_timeout_s = timeout_s, compile_timeout_s
        self.running = set()  # process groups

    def applies(self, mode, ranks):
        return self.command(mode, ranks, "program", []) is not None

    def command(self, mode, ranks, program, arguments):
        options = types.SimpleNamespace(program=program, arguments=arguments, kanorrun=self.kanorrun, mpiexec=self.mpiexec)
        return run_everywhere.command(mode.name, ranks, options)

    def start(self, arguments, timeout_s, environment=None):
        """(status or None for a timeout, stdout, stderr)"""
        variables = {k: v for k, v in os.environ.items() if not k.startswith("KANOR_")}
        variables.update(environment or {})
        with subprocess.Popen(arguments, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, errors="replace", start_new_session=True) as job:
            self.running.add(job.pid)
            try:
                out, err = job.communicate(timeout=timeout_s)
                return job.returncode, out, err
            except subprocess.TimeoutExpired:
                os.killpg(job.pid, signal.SIGKILL)
                out, err = job.communicate()
                return None, out, err
            finally:
                self.running.discard(job.pid)

    def end(self):
        """Ends whatever runs."""
        for group in list(self.running):
            try:
                os.killpg(group, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def build(self, source, program):
        """Writes the text to PROGRAM.cpp and compiles it. None, or a failure."""
        with open(program + ".cpp", "w", encoding="utf-8") as file:
            file.write(source)
        status, out, err = self.start([self.kanorc, "-I" + FOLDER, "-w", program + ".cpp", "-o", program], self.compile_timeout_s)
        if status is None:
            return Failure("kanorc: timeout", "")
        if status != 0:
            errors = re.findall(r"error: (.*)", out + err)
            return Failure("kanorc: " + (re.sub(r"'[^']*'|\d+", "*", errors[0]) if errors else f"status {status}"), (out + err)[-3000:])
        return None

    def run(self, executable, program, mode, full=False):
        """Runs an oracle's program. None, or a failure."""
        arguments = [str(program.seed), ",".join(map(str, program.schedule))] + (["full"] if full else [])
        line, extra = self.command(mode, program.n, executable, arguments)
        status, out, err = self.start(line, self.timeout_s, merged(extra, mode.environment))
        if status is None:
            return Failure("timeout", f"after {self.timeout_s} s\n{last_lines(out)}{err[-1500:]}")
        if status != 0:
            said = [text for text in err.splitlines() if text.startswith("kanor: ")]
            return Failure("status: " + re.sub(r"'[^']*'|\d+", "*", said[0]) if said else f"status {status}", last_lines(out) + err[-3000:])
        if mode.checked and err:
            return Failure("checked mode reports", err[-3000:])
        return compare(program.expected, out)

    def run_conflict(self, executable, program, mode):
        """Runs a program whose updates or puts meet in checked mode, which must say so. None, or a failure."""
        line, extra = self.command(mode, program.n, executable, [str(program.seed), ",".join(map(str, program.schedule))])
        status, out, err = self.start(line, self.timeout_s, merged(extra, mode.environment))
        if status is None:
            return Failure("timeout", f"after {self.timeout_s} s, where a conflict is to be reported\n{last_lines(out)}{err[-1500:]}")
        if status == 0 or not ("places overlap" in err or "two puts write" in err):
            return Failure("conflict not reported", f"status {status}\n{err[-1500:]}")
        return None


def merged(way, variant):
    """The variables of a mode and of a variant; what either switches off is off."""
    off = ",".join(text for text in (way.get("KANOR_DISABLE"), variant.get("KANOR_DISABLE")) if text)
    return {**way, **variant, **({"KANOR_DISABLE": off} if off else {})}


def last_lines(out):
    return "".join(line + "\n" for line in out.splitlines()[-12:] if line[:1].isdigit())


def compare(expected, out):
    """The first difference in the order of the schedule, or None."""
    printed = {}
    for line in out.splitlines():
        if line[:1].isdigit():
            step, rank, number, digest = line.split()
            printed[int(step), int(rank)] = (int(number), int(digest, 16))
    for step, rank, number, digest in expected:
        if (step, rank) not in printed:
            return Failure("line missing", f"step {step} (block {number}) of rank {rank}")
        if printed[step, rank] != (number, digest):
            return Failure("state differs", f"after step {step} (block {number}) on rank {rank}: {printed[step, rank][1]:08x}, expected {digest:08x}")
    if len(printed) != len(expected):
        return Failure("lines too many", f"{len(printed)}, expected {len(expected)}")
    return None
