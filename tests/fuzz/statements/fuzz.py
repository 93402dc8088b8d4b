# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements of every kind between blocks, in programs that hold their own oracle.

    fuzz.py --kanorc K --kanorrun R [--mpiexec E] [--programs 3 | --hours H] [--seed 1] [--jobs 2] [--out FOLDER] [option...]

Each program has some functions, each with loops, blocks and statements of the table (table.py) about a few
variables, and the same functions once more for simulated ranks. Every rank compares what it has seen with what the
simulated rank of its number has. A function that differs, crashes, hangs or does not compile is made small and printed,
with the command.
"""

import argparse
import concurrent.futures
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time

import generate
import table
from flow import flow

# Ways to run: how it is started, and the environment.
ALWAYS = [("kanorrun", {"KANOR_MODE": "threads", "KANOR_DISABLE": "learning", "KANOR_STATS": "1"}), ("kanorrun", {"KANOR_MODE": "processes"})]
SOMETIMES = [("kanorrun", {"KANOR_MODE": "threads"}), ("kanorrun", {"KANOR_MODE": "threads", "KANOR_REFERENCE": "1"}),
             ("kanorrun", {"KANOR_MODE": "threads", "KANOR_DISABLE": "sharing"}), ("kanorrun", {"KANOR_MODE": "threads", "KANOR_CHECK": "1"}),
             ("kanorrun", {"KANOR_MODE": "processes", "KANOR_DISABLE": "learning,patterns"}), ("mpiexec", {}),
             ("kanorrun", {"KANOR_MODE": "threads", "KANOR_DISABLE": "plan"}), ("kanorrun", {"KANOR_MODE": "threads", "KANOR_DISABLE": "patterns,learning"}),
             ("kanorrun", {"KANOR_MODE": "processes", "KANOR_REFERENCE": "1"}), ("mpiexec", {"KANOR_THREADS": "2"}),
             ("kanorrun", {"KANOR_MODE": "threads", "KANOR_DISABLE": "learning,repeat"}), ("kanorrun", {"KANOR_MODE": "processes", "KANOR_CHECK": "1"}),
             ("mpiexec", {"KANOR_DISABLE": "node-memory"}), ("kanorrun", {"KANOR_MODE": "threads", "KANOR_DISABLE": "inline,cache"})]
RANKS = [2, 3, 5, 2, 1, 9, 3, 2, 5, 3]
FLAGS = [["-O1"], ["-O1", "--globalize-from=0"], ["-O0"], ["-O2", "--globalize-from=0"]]


class Failure:
    """What went wrong with a program: the kind, the functions that differ (None: not known), and the message."""

    def __init__(self, kind, functions, message):
        self.kind, self.functions, self.message = kind, functions, message


def start(command, environment, timeout_s):
    """(status, None where time is up; stdout; stderr)"""
    variables = {key: value for key, value in os.environ.items() if not key.startswith("KANOR_")}
    with subprocess.Popen(command, env={**variables, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True) as job:
        try:
            out, err = job.communicate(timeout=timeout_s)
            return job.returncode, out, err
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)
            out, err = job.communicate()
            return None, out, err


class Program:
    """One source file, its compiler flags, and the ways in which it runs."""

    def __init__(self, options, functions, seed, folder, flags):
        self.options, self.functions, self.seed, self.flags = options, functions, seed, flags
        self.executable = os.path.join(folder, f"statements_{seed}")
        self.shared = set()  # lines of blocks that shared or handed over memory
        self.source = self.executable + ".cpp"

    def build(self, dropped=frozenset(), functions=None):
        with open(self.source, "w", encoding="utf-8") as out:
            out.write(generate.source(functions or self.functions, self.seed, dropped))
        status, out, err = start([self.options.kanorc, "-std=c++20", "-w", "-I" + table.FOLDER, *self.flags, *self.options.flag,
                                  self.source, "-o", self.executable], {}, 400)
        return None if status == 0 else Failure("compile", None, (out + err) or f"status {status}")

    def command(self, way, ranks):
        how, environment = way
        if how == "mpiexec":
            threads = int(environment.get("KANOR_THREADS", 1))
            return shlex.split(self.options.mpiexec) + ["-n", str(max(1, ranks // threads)), self.executable]
        return [self.options.kanorrun, "-n", str(ranks), self.executable]

    def run(self, way, ranks, numbers=()):
        command = self.command(way, ranks) + [str(number) for number in numbers]
        status, out, err = start(command, way[1], self.options.timeout)
        for line, shared, given in re.findall(r"\.cpp:(\d+): copied \d+, shared (\d+), handed over (\d+)", err):
            if int(shared) + int(given):
                self.shared.add(line)
        err = re.sub(r"^kanor: rank \d+: .*(memory|messages|copied|in flight|waits).*\n", "", err, flags=re.M) if "KANOR_STATS" in way[1] else err
        differing = {int(number) for number in re.findall(r"DIFFERENT function (\d+)", out)}
        said = "".join(line + "\n" for line in out.splitlines() if not line.startswith("END ")) + err
        shown = " ".join(f"{key}={value}" for key, value in way[1].items()) + " " + shlex.join(command)
        if differing:
            return Failure("differs", differing, shown + "\n" + said)
        if status is None:
            return Failure("hangs", None, shown + "\n" + said)
        if status != 0:
            return Failure("fails", None, f"{shown}\nstatus {status}\n{said}")
        if out.count("END ") < 1 or "wrong" in out:
            return Failure("fails", None, shown + "\nno end\n" + said)
        if "KANOR_CHECK" in way[1] and "kanor:" in err:
            return Failure("checked", None, shown + "\n" + said)
        return None


class Fuzz:
    def __init__(self, options):
        self.options, self.lock = options, threading.Lock()
        self.functions = self.blocks = self.shared = self.runs = self.programs = 0
        self.used, self.failures, self.end = {}, [], None

    def over(self):
        return self.end is not None and time.time() > self.end

    def program(self, seed):
        if self.over():
            return
        options = self.options
        if options.listed:
            every = [(entry, letter) for entry, letter in generate.listed()
                     if (not options.only or entry.name in options.only) and (not options.forms or letter in options.forms)]
            first = (seed - 1) * options.functions  # so that --seed goes on where another run has ended
            functions = generate.listed_program(seed, options.functions, every[first:])
            if not functions:
                return
        else:
            functions = generate.program(seed, options.functions, options.only)
        with tempfile.TemporaryDirectory() as folder:
            flags = ["-O0"] if options.listed else FLAGS[seed % len(FLAGS)]
            # Blocks start early and are complete late, in the first programs of a run of the tests too.
            flags = flags + (["-fdelta"] if seed // len(FLAGS) % 2 == 0 else [])
            program = Program(options, functions, seed, folder, flags)
            failure = program.build()
            bad = set()
            if failure:
                program.functions = functions = self.compiling(program, functions, failure)
                if not functions:
                    return
                failure = program.build()
                if failure:
                    self.report(program, None, None, None, failure, frozenset())
                    return
            ways = ALWAYS + [SOMETIMES[(seed * options.ways + at) % len(SOMETIMES)] for at in range(options.ways)]
            runs = 0
            for at, way in enumerate(ways):
                if way[0] == "mpiexec" and not options.mpiexec:
                    continue
                ranks = RANKS[(seed * 3 + at) % len(RANKS)]
                if way[0] == "mpiexec":
                    ranks = min(ranks, 3)
                if ranks == 1 and at < len(ALWAYS):
                    ranks = 4
                while True:
                    alive = [one for one in functions if one.number not in bad]
                    runs += 1
                    failure = program.run(way, ranks, [one.number for one in alive])
                    if not failure:
                        break
                    wrong = failure.functions
                    if not wrong:  # it ended too early to say: one by one
                        alone = {one.number: program.run(way, ranks, [one.number]) for one in alive}
                        wrong = {number for number in alone if alone[number]}
                        failure = next((one for one in alone.values() if one), failure)
                        if not wrong:
                            self.report(program, None, way, ranks, failure, frozenset())
                            break
                    for number in wrong:
                        bad.add(number)
                        self.smaller(program, next(one for one in functions if one.number == number), way, ranks, failure)
                    if options.attempts:
                        program.build()
            if options.out:
                print(f"seed {seed}: {len(functions)} functions, {runs} runs", file=sys.stderr, flush=True)
            with self.lock:
                self.programs += 1
                self.runs += runs
                self.functions += len(functions)
                self.blocks += sum(one.blocks for one in functions)
                self.shared += len(program.shared)
                for one in functions:
                    for unit in one.units():
                        if ": " in unit.what:
                            self.used[unit.what] = self.used.get(unit.what, 0) + 1

    def compiling(self, program, functions, failure):
        """The functions that compile; those that do not are reported."""
        lines = re.findall(re.escape(program.source) + r":(\d+):\d+: (?:fatal )?error", failure.message)
        named = {generate.function_of_line(functions, program.seed, int(line)) for line in lines} - {None}
        for function in named:
            functions = [one for one in functions if one is not function]
            self.smaller(program, function, None, None)
        if named:
            failure = program.build(functions=functions)
            if not failure:
                return functions
            if named and len(named) < 100 and not lines == []:
                return self.compiling(program, functions, failure)
        fine, groups = [], [functions[at::4] for at in range(4)]
        while groups:
            group = groups.pop()
            if not group:
                continue
            failure = program.build(functions=group)
            if not failure:
                fine += group
            elif len(group) > 1:
                groups += [group[: len(group) // 2], group[len(group) // 2:]]
            else:
                self.smaller(program, group[0], None, None)
        return sorted(fine, key=lambda one: one.number)

    def smaller(self, program, function, way, ranks, first=None):
        """Drops statements while the function fails, and reports what is left."""
        def fails(dropped):
            if flow(function.body, set(), set(), dropped) is None:
                return None
            failure = program.build(dropped, [function])
            if way is None:
                return failure
            if failure:
                return None
            for _ in range(2):
                failure = program.run(way, ranks, [function.number])
                if failure:
                    return failure
            return None

        if not self.options.attempts and way is not None:
            self.report(program, function, way, ranks, first, frozenset())
            return
        dropped, last = frozenset(), fails(frozenset())
        if last is None:
            self.report(program, function, way, ranks, Failure("now and then", None, first.message if first else "not seen again"), frozenset())
            return
        attempts, again = 0, True
        units = [unit for unit in function.units() if unit.droppable]
        size = max(1, len(units) // 3)
        while size >= 1 and attempts < self.options.attempts:
            again = False
            left = [unit for unit in units if unit not in dropped]
            for at in range(0, len(left), size):
                attempts += 1
                less = dropped | frozenset(left[at:at + size])
                failure = fails(less)
                if failure and attempts <= self.options.attempts:
                    dropped, last, again = less, failure, True
            if not again or size > 1:
                size = size // 2 if size > 1 else (1 if again else 0)
        self.report(program, function, way, ranks, last, dropped)

    def report(self, program, function, way, ranks, failure, dropped):
        options = self.options
        names, left = [], ""
        if function:
            gone = set()
            for unit in function.units():
                if unit in dropped:
                    gone.update(unit.all())
            names = sorted({unit.what for unit in function.units() if unit not in gone and ": " in unit.what})
            left = function.text(False, dropped)
        text = [f"## seed {program.seed}, function {function.number if function else '?'}: {failure.kind}"
                f" [{', '.join(names)}] ({function.form.type if function else ''})", ""]
        if way:
            text.append(f"    {' '.join(f'{key}={value}' for key, value in way[1].items())} {way[0]} -n {ranks}, kanorc {' '.join(program.flags)}")
        text.append("\n".join("    " + line for line in failure.message[-1500:].splitlines()[-14:]))
        text += ["", "```cpp", left + "```", ""]
        with self.lock:
            key = (failure.kind, tuple(names), function.form.letter if function else "")
            again = any(one[0] == key for one in self.failures)
            self.failures.append((key, f"seed {program.seed}: {failure.kind} {names}"))
            if again:
                print(f"seed {program.seed}: {failure.kind} {names}, once more", flush=True)
                return
            print("\n".join(text), flush=True)
            if options.out:
                os.makedirs(options.out, exist_ok=True)
                path = os.path.join(options.out, f"statements_{program.seed}_{function.number if function else 'all'}.cpp")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(generate.source([function] if function else program.functions, program.seed, dropped))
                with open(os.path.join(options.out, "failures.md"), "a", encoding="utf-8") as file:
                    file.write("\n".join(text) + f"\nwhole program: {path}\n\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kanorc", required=True, type=os.path.abspath)
    parser.add_argument("--kanorrun", required=True, type=os.path.abspath)
    parser.add_argument("--mpiexec", default="")
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--programs", type=int, default=3)
    amount.add_argument("--hours", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--functions", type=int, default=10, help="of a program")
    parser.add_argument("--ways", type=int, default=2, help="of running each program, besides threads and processes")
    parser.add_argument("--only", action="append", default=[], help="an entry of the table that every function has")
    parser.add_argument("--listed", action="store_true", help="no random programs: each statement and each form once")
    parser.add_argument("--forms", default="", help="with --listed: only these, letters of table.py")
    parser.add_argument("--timeout", type=float, default=60, help="seconds that a run may take")
    parser.add_argument("--attempts", type=int, default=30, help="to make a failure smaller")
    parser.add_argument("--out", default="", help="folder for the failures")
    parser.add_argument("--flag", action="append", default=[], help="for kanorc")
    options = parser.parse_args()

    fuzz = Fuzz(options)
    seeds = range(options.seed, options.seed + (10**6 if options.hours else options.programs))
    if options.hours:
        fuzz.end = time.time() + 3600 * options.hours
    numbers = iter(seeds)

    def work():
        while not fuzz.over():
            with fuzz.lock:
                seed = next(numbers, None)
            if seed is None:
                return
            fuzz.program(seed)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for task in [pool.submit(work) for _ in range(options.jobs)]:
            task.result()
    print(f"{fuzz.programs} programs from seed {options.seed}: {fuzz.functions} functions, {fuzz.blocks} blocks, {fuzz.shared} of them shared memory, {fuzz.runs} runs, "
          f"{len(fuzz.used)} of {len(generate.ENTRIES)} statements; {len(fuzz.failures)} failed")
    for _, line in fuzz.failures:
        print(line)
    if fuzz.shared == 0:
        sys.exit("no block shared memory: nothing has been tested")
    sys.exit(1 if fuzz.failures else 0)


if __name__ == "__main__":
    main()
