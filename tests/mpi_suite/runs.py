# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One run of a test: its start, its end within a time, and whether it passed."""

import dataclasses
import os
import re
import signal
import subprocess
import uuid

MARK = "MPI_SUITE_RUN"  # a variable that all processes of a run have
NO_ERRORS = re.compile(r"\s*No [Ee]rrors\s*")
AS_PROCESSES = re.compile(r"kanor: running ranks as processes: .*")
PASSED = re.compile(r"\s*Test Passed\s*")
MOST_BYTES = 1 << 20  # of a run's output that are kept


@dataclasses.dataclass
class Outcome:
    passed: bool
    why: str = ""  # what was wrong, in a line
    output: str = ""


def judge(test, status, output):
    """What is wrong with a run, in a line; an empty text for nothing.

    The rules are those of the suite's own script, runtests.
    """
    lines = output.splitlines()
    # MPICH's launcher reports such an end, so output is no error.
    if test.judge in ("TestErrFatal", "TestStatus"):
        return "" if status != 0 else "exit status 0, but it was to fail"
    if test.judge == "TestRuns":
        return f"exit status {status}" if status != 0 else ""
    expected = (NO_ERRORS, PASSED, AS_PROCESSES)
    unexpected = [line for line in lines if not any(each.fullmatch(line) for each in expected)]
    if unexpected:
        return f"printed: {unexpected[0].strip()}" + (f" (exit status {status})" if status else "")
    if not any(NO_ERRORS.fullmatch(line) for line in lines):
        return f"did not print No Errors (exit status {status})"
    if test.judge == "TestStatusNoErrors":
        return "" if status != 0 else "exit status 0, but it was to fail"
    return f"exit status {status}" if status != 0 else ""


def end_all(mark):
    """Ends every process that a run has left."""
    wanted = f"{MARK}={mark}".encode()
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/environ", "rb") as file:
                if wanted in file.read().split(b"\0"):
                    os.kill(int(process), signal.SIGKILL)
        except OSError:
            pass  # it has ended, or is somebody else's


def run(test, launcher, folder, variables, seconds):
    """Runs a test's program in its folder with a launcher (its words before the number of ranks)."""
    mark = uuid.uuid4().hex
    environment = {k: v for k, v in os.environ.items() if not k.startswith("KANOR_")}
    environment.update(variables)
    environment[MARK] = mark
    line = [*launcher, "-n", str(test.ranks), f"./{test.program}", *test.arguments]
    job = subprocess.Popen(line, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        output, _ = job.communicate(timeout=seconds)
        late = False
    except subprocess.TimeoutExpired:
        late = True
    end_all(mark)
    if late:
        output, _ = job.communicate()
    text = output[:MOST_BYTES].decode(errors="replace")
    why = f"not finished after {seconds:g} s" if late else judge(test, job.returncode, text)
    return Outcome(not why, why, text)
