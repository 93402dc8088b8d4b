# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random Kanor programs against the oracle, in every mode. See tests/fuzz/README.md, and scripts/fuzz.

A unit (one source file of STEPS steps with at least one block each) is made from a number, compiled once, and run as
PROGRAMS_OF_A_UNIT programs: sequences of steps with at least MIN_BLOCKS executed blocks, each with its own first state,
parameters and number of ranks. Each program runs in several modes.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import shutil
import signal
import sys
import threading
import time
import traceback

import oracle
import shrink
from runner import Mode, Tools
from unit import FEATURES, Unit

STEPS = 64
PROGRAMS_OF_A_UNIT = 20
MIN_BLOCKS = 50
RANKS = [1, 2, 3, 4, 5, 6, 7, 8, 9]
# One program of eight has so many, from which on the runtime chooses other ways.
LARGE = [16, 17, 33]

REFERENCE, CHECK = {"KANOR_REFERENCE": "1"}, {"KANOR_CHECK": "1", "KANOR_HANG_SECONDS": "40"}
DISABLED = [{"KANOR_DISABLE": text} for text in ("plan", "cache", "patterns", "inline", "sharing", "learning", "repeat", "node-memory", "yield", "huge-pages",
                                                  "plan,cache,patterns,inline,sharing,learning,repeat,node-memory,yield,huge-pages,binding")]
# One message at a time; and as little as there must be for rings, so that they and the lists take turns.
SMALL_WINDOWS = [{"KANOR_INFLIGHT": "256"}, {"KANOR_INFLIGHT": "32768"}]
MODES = [Mode("threads"), Mode("processes"), Mode("mpi"), Mode("mpi-apart"), Mode("mpi-machines"), Mode("mpi-net"), Mode("mpi-threads")]
VARIANTS = [REFERENCE, CHECK] + DISABLED + SMALL_WINDOWS


def rotation(options):
    """All modes and variants, each mode plain more often than with a variant."""
    modes = [mode for mode in MODES if not options.modes or mode.name in options.modes.split(",")]
    modes = [mode for mode in modes if options.mpiexec or not mode.name.startswith("mpi")]
    plain = [mode for mode in modes if mode.name != "threads"] or modes
    varied = [Mode(mode.name, variant) for variant in VARIANTS for mode in modes]
    return plain, varied


class Report:
    def __init__(self):
        self.lock = threading.Lock()
        self.began = time.monotonic()
        self.units, self.programs, self.blocks, self.runs = 0, 0, 0, 0
        self.conflicting, self.reported, self.rejected = 0, 0, 0
        self.seeds, self.failures = [], []
        self.by_mode, self.by_ranks = collections.Counter(), collections.Counter()
        self.constructs, self.executed = collections.Counter(), collections.Counter()

    def text(self, options):
        lines = [f"Random programs: {self.units} units, {self.programs} programs, {self.blocks} blocks executed per rank, {self.runs} runs, "
                 f"{len(self.failures)} failures in {time.monotonic() - self.began:.0f} s (seed {options.seed})",
                 f"Units' numbers: {compact(sorted(self.seeds))}",
                 f"Steps in which the last update wins: {self.conflicting}",
                 f"Conflicts that checked mode had to report: {self.reported}",
                 f"Steps that kanorc rejected for a conflict that the oracle finds, too: {self.rejected}", "", "Runs by mode:"]
        lines += [f"  {count:8}  {name}" for name, count in sorted(self.by_mode.items())]
        lines += ["", "Programs by number of ranks:"] + [f"  {count:8}  {ranks}" for ranks, count in sorted(self.by_ranks.items())]
        lines += ["", "Constructs: occurrences in compiled units, and in executed programs"]
        lines += [f"  {count:8} {self.executed[name]:10}  {name}" for name, count in sorted(self.constructs.items())]
        lines += ["", "Failures:"] + [f"  {text}" for text in self.failures]
        return "\n".join(lines) + "\n"


def compact(numbers):
    """1-4, 7"""
    runs = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


class Fuzz:
    def __init__(self, options):
        self.options, self.report = options, Report()
        self.tools = Tools(options.kanorc, options.kanorrun, options.mpiexec, options.timeout)
        self.plain, self.varied = rotation(options)
        self.turn = 0
        self.stop = threading.Event()
        os.makedirs(options.out, exist_ok=True)

    def over(self):
        limit = self.options.hours * 3600 if self.options.hours else None
        return self.stop.is_set() or limit and time.monotonic() - self.report.began > limit

    def unit(self, number, programs):
        """Makes, compiles and runs one unit."""
        if self.over():
            return
        unit = Unit(number, STEPS, FEATURES - set(self.options.without.split(",")))
        executable = os.path.join(self.options.out, f"unit_{number}")
        failure = self.tools.build(unit.source(), executable)
        while failure and (step := self.rejected(unit, failure)):
            unit.steps.remove(step)
            failure = self.tools.build(unit.source(), executable)
        if failure:
            self.failed(unit, None, None, failure, executable)
            return
        compiled = oracle.compile_unit(unit)
        with self.report.lock:
            self.report.units += 1
            self.report.seeds.append(number)
            for step in unit.steps:
                self.report.constructs.update(step.features)
        draw = random.Random(number + 1)
        broken = False
        for which in range(programs):
            if self.over() or broken:
                break
            broken = self.program(unit, compiled, executable, draw, number * 100 + which)
        for path in (executable, executable + ".cpp", executable + ".small", executable + ".small.cpp"):
            if os.path.exists(path):
                os.remove(path)

    def rejected(self, unit, failure):
        """The step that kanorc has rejected because it has proved a conflict, if the oracle finds one whatever is tried."""
        line = re.search(r"\.cpp:(\d+):\d+: error: '.*' of rank .* is updated more than once in this block", failure.detail)
        if not line:
            return None
        above = "\n".join(unit.source().splitlines()[:int(line[1])])
        number = int(re.findall(r"\bstep_(\d+)\(", above)[-1])
        step = next(step for step in unit.steps if step.number == number)
        if not unit.always_conflicts(step):
            return None
        with self.report.lock:
            self.report.rejected += 1
        return step

    def program(self, unit, compiled, executable, draw, seed):
        """Runs one program in its modes. True if it failed."""
        n = draw.choice(self.options.ranks or (RANKS if draw.randrange(8) else LARGE))
        schedule = [step.number for step in unit.steps]
        draw.shuffle(schedule)
        program = oracle.Program(unit, seed, schedule, n).run(compiled)
        while program.executed < MIN_BLOCKS:
            program = oracle.Program(unit, seed, program.schedule + draw.sample(schedule, 8), n).run(compiled)
        modes = [Mode("threads")] if "threads" in self.options.modes or not self.options.modes else []
        with self.report.lock:
            self.report.programs += 1
            self.report.blocks += program.executed
            self.report.conflicting += len(program.conflicts)
            self.report.by_ranks[n] += 1
            for number in program.schedule:
                self.report.executed.update(compiled[number].step.features)
            for modes_of_kind, count in ((self.plain, self.options.plain), (self.varied, self.options.varied)):
                for _ in range(count):
                    self.turn += 1
                    modes.append(modes_of_kind[self.turn % len(modes_of_kind)])
        for mode in modes:
            if self.over() or not self.tools.applies(mode, n):
                continue
            chosen = program
            failure = None
            if mode.checked and program.conflicts:
                chosen = oracle.without_conflicts(program, compiled)
                failure = self.conflict(unit, compiled, executable, program, mode)
            failure = failure or self.tools.run(executable, chosen, mode)
            with self.report.lock:
                self.report.runs += 1
                self.report.by_mode[str(mode)] += 1
            if failure:
                self.failed(unit, chosen, mode, failure, executable)
                return True
        return False

    def conflict(self, unit, compiled, executable, program, mode):
        """Checked mode must report the first step in which updates meet, executed alone."""
        alone = oracle.Program(unit, program.seed, [program.schedule[program.conflicts[0]]], program.n).run(compiled)
        if not alone.conflicts:
            return None
        with self.report.lock:
            self.report.reported += 1
        return self.tools.run_conflict(executable, alone, mode)

    def failed(self, unit, program, mode, failure, executable):
        """Shrinks, saves and reports."""
        if program:
            what = f"unit {unit.seed}, program {program.seed}, {program.n} ranks, {mode}: {failure.kind}"
        else:
            what = f"unit {unit.seed}: {failure.kind}"
        print(what, file=sys.stderr, flush=True)
        with self.report.lock:
            self.report.failures.append(what)
        folder = os.path.join(self.options.out, f"failure_{unit.seed}")
        os.makedirs(folder, exist_ok=True)
        lines = [what, failure.detail, ""]
        try:
            if program:
                small = shrink.Shrinker(self.tools, unit, program, mode, failure, executable, self.options.attempts).shrink()
                program, unit = small.program, small.unit
                lines += small.log + [f"shrunk to {len(program.schedule)} steps of {len(unit.steps)}, {program.n} ranks: {small.failure}"]
            else:
                unit = shrink.shrink_build(self.tools, unit, failure, executable, self.options.attempts)
        except Exception:  # whatever happens to the shrinker, the failure is reported
            lines.append("the shrinker failed: " + traceback.format_exc())
        with open(os.path.join(folder, "small.cpp"), "w", encoding="utf-8") as file:
            file.write(unit.source())
        if program:
            line, extra = self.tools.command(mode, program.n, "./small", [str(program.seed), ",".join(map(str, program.schedule))])
            settings = " ".join(f"{k}={v}" for k, v in sorted({**extra, **mode.environment}.items()))
            lines += ["", "kanorc -w -I tests/fuzz/programs small.cpp -o small", f"{settings} {' '.join(line)}", "", "expected (STEP RANK BLOCK DIGEST):"]
            lines += [f"{step} {rank} {number} {digest:08x}" for step, rank, number, digest in program.expected]
            if os.path.exists(executable):
                shutil.copy(executable + ".cpp", os.path.join(folder, "whole.cpp"))
        with open(os.path.join(folder, "failure.txt"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        if len(self.report.failures) >= self.options.most_failures:
            self.stop.set()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kanorc", required=True)
    parser.add_argument("--kanorrun", required=True)
    parser.add_argument("--mpiexec", default="")
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--hours", type=float)
    amount.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="number of the first unit")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--modes", default="", help="only these, separated by commas")
    parser.add_argument("--ranks", type=int, nargs="+", help="only these numbers of ranks")
    parser.add_argument("--plain", type=int, default=1, help="modes besides threads that each program runs in")
    parser.add_argument("--varied", type=int, default=1, help="runs of each program with switches, such as KANOR_CHECK=1")
    parser.add_argument("--without", default="", help="constructs to leave out, of: " + ", ".join(sorted(FEATURES)))
    parser.add_argument("--timeout", type=float, default=60, help="seconds that a run may take")
    parser.add_argument("--attempts", type=int, default=120, help="of the shrinker, for each failure")
    parser.add_argument("--most-failures", type=int, default=5, help="stop after so many")
    parser.add_argument("--out", required=True, help="folder for programs under test, failures and the report")
    options = parser.parse_args()

    fuzz = Fuzz(options)

    def interrupted(number, _):
        fuzz.tools.end()
        os._exit(128 + number)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupted)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        if options.hours:
            numbers = iter(range(options.seed, options.seed + 10**6))
            lock = threading.Lock()

            def work():
                while not fuzz.over():
                    with lock:
                        number = next(numbers)
                    fuzz.unit(number, PROGRAMS_OF_A_UNIT)
            tasks = [pool.submit(work) for _ in range(options.jobs)]
        else:
            left, tasks = options.programs, []
            while left > 0:
                tasks.append(pool.submit(fuzz.unit, options.seed + len(tasks), min(left, PROGRAMS_OF_A_UNIT)))
                left -= PROGRAMS_OF_A_UNIT
        for task in tasks:
            task.result()
    text = fuzz.report.text(options)
    with open(os.path.join(options.out, "report.txt"), "w", encoding="utf-8") as file:
        file.write(text)
    print(text, end="")
    if not options.hours and not fuzz.report.failures and fuzz.report.programs < options.programs:
        raise SystemExit("fuzz: fewer programs than asked for")
    raise SystemExit(1 if fuzz.report.failures else 0)


if __name__ == "__main__":
    main()
