# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What there is to run: the suite's test lists, and the two lists of our own.

A line of a test list names a program, its number of ranks and options: arguments, variables of the
environment, how its end is judged. Variables that choose MPICH's algorithms mean nothing to
another MPI, so lines that differ in them alone are one test.
"""

import dataclasses
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
PASSED = os.path.join(HERE, "passed_by_mpich.txt")
EXCLUDED = os.path.join(HERE, "excluded.txt")

FOLDERS = ("attr", "basic", "coll", "comm", "datatype", "errhan", "group", "info", "init", "pt2pt",
           "topo", "threads")
SUBFOLDERS = {"threads": ("coll", "comm", "init", "pt2pt")}
# This folder has no list. Its programs print what they like: only their exit status counts.
UNLISTED = {"basic": tuple(f"{program} resultTest=TestRuns"
                           for program in ("self 1", "simple 2", "sendrecv 2", "srtest 2", "wtime 1"))}
DEFAULT_RANKS = 2
DEFAULT_SECONDS = 180


@dataclasses.dataclass
class Test:
    folder: str  # as coll, or threads/comm
    program: str
    ranks: int
    arguments: tuple = ()
    judge: str = ""  # TestStatus and so on; an empty text is the rule for most tests
    seconds: float = DEFAULT_SECONDS
    gigabytes: float = 0

    @property
    def path(self):
        return f"{self.folder}/{self.program}"

    @property
    def name(self):
        return " ".join([self.path, str(self.ranks), *self.arguments])

    @property
    def row(self):
        """The folder of the table."""
        return self.folder.split("/")[0]


def parse_line(folder, line):
    """The test of a line of a test list; None for a line without one."""
    words = line.split("#")[0].split()
    if not words or words[0].startswith("!") or os.sep in words[0]:
        return None
    ranks = int(words[1]) if len(words) > 1 else DEFAULT_RANKS
    test = Test(folder, words[0], ranks)
    for word in words[2:]:
        key, _, value = word.partition("=")
        if key == "arg":
            test.arguments += (value,)
        elif key == "resultTest":
            test.judge = value
        elif key == "timeLimit":
            test.seconds = float(value)
        elif key == "mem":
            test.gigabytes = float(value)
    return test


def read_tests(configured, sources):
    """The tests of a folder in which the suite has been configured, from these sources."""
    tests = {}
    for row in FOLDERS:
        for folder in [row] + [f"{row}/{sub}" for sub in SUBFOLDERS.get(row, ())]:
            lines = list(UNLISTED.get(folder, ()))
            for name in ("testlist", "testlist.dtp"):
                made = read_list(os.path.join(configured, folder, name))
                lines += made or read_list(os.path.join(sources, folder, name))
            for test in filter(None, (parse_line(folder, line) for line in lines)):
                if re.match("[a-z]", test.program) and \
                   not os.path.isdir(os.path.join(configured, folder, test.program)):
                    tests.setdefault(test.name, test)
    return list(tests.values())


def read_list(path):
    """The lines of a list; none where there is no such file."""
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return file.read().splitlines()


def passed_by_mpich():
    """The names of the tests that MPICH passes."""
    return {line for line in read_list(PASSED) if line and not line.startswith("#")}


def write_passed_by_mpich(names):
    heading = [line for line in read_list(PASSED) if line.startswith("#")]
    with open(PASSED, "w") as file:
        file.write("\n".join(heading + sorted(names)) + "\n")


def excluded():
    """The paths of the tests that do not count, each with its reason."""
    reasons = {}
    for line in read_list(EXCLUDED):
        if line and not line.startswith("#"):
            path, _, reason = line.partition(" ")
            reasons[path] = reason.strip()
    return reasons
