# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Seeds faults, one at a time, into a copy of the tree, and reports which tests catch them.

The faults are listed in *.toml here. A fault is a text that occurs exactly once in its file, and its
replacement. The copy has its own build tree, so a fault costs only the compilation of the files that
depend on it. Tests stop at the first failure. Outcomes:

  caught   a test fails; the report names it
  missed   all tests pass
  broken   the text does not occur exactly once, or the replacement does not compile: correct the list
"""

import argparse
import dataclasses
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))

# For each beginning of a path: the unit tests (ctest's names; the programs are kanor_NAME_test), and the
# other stages in the order in which they are tried.
COMPILER_STAGES = ["golden", "compile_fail", "fuzz", "conformance"]
RUNTIME_STAGES = ["fuzz", "conformance", "failure"]
SHARING_STAGES = ["golden", "sharing", "conformance"]
ROOMS = [
    ("compiler/text/", ["text"], COMPILER_STAGES),
    ("compiler/syntax/", ["syntax"], COMPILER_STAGES),
    ("compiler/host/cfg/", ["cfg", "analysis"], SHARING_STAGES),
    ("compiler/host/", ["shadow", "facts", "discover"], COMPILER_STAGES),
    ("compiler/flow/dependence", ["flow", "analysis"], SHARING_STAGES),
    ("compiler/flow/", ["flow"], COMPILER_STAGES),
    ("compiler/analysis/", ["analysis"], SHARING_STAGES),
    ("compiler/sema/", ["sema"], COMPILER_STAGES),
    ("compiler/plan/", ["plan"], COMPILER_STAGES),
    ("compiler/emit/globalisation", ["emit"], SHARING_STAGES),
    ("compiler/emit/", ["emit"], COMPILER_STAGES),
    ("runtime/src/plan/", ["runtime_plan", "runtime_exchange"], RUNTIME_STAGES),
    ("runtime/src/collectives/", ["runtime_collectives", "runtime_exchange"], RUNTIME_STAGES),
    ("runtime/src/platform/", ["runtime_platform", "runtime_memory", "runtime_resources"], RUNTIME_STAGES),
    ("runtime/src/c_library/", ["runtime_c_library"], RUNTIME_STAGES),
    ("runtime/src/memory/", ["runtime_memory", "runtime_transport", "runtime_resources"], RUNTIME_STAGES),
    ("runtime/src/transport/", ["runtime_transport", "runtime_exchange", "runtime_resources"], RUNTIME_STAGES),
    ("runtime/src/match/", ["runtime_match", "runtime_ownership"], RUNTIME_STAGES),
    ("runtime/src/exchange/", ["runtime_exchange"], RUNTIME_STAGES),
    ("runtime/include/kanor/abi/", ["runtime_exchange"], RUNTIME_STAGES),
    ("runtime/src/ownership/", ["runtime_ownership", "runtime_exchange"], ["sharing", "conformance"]),
    ("runtime/src/tune/", ["runtime_tune"], []),
    ("runtime/src/world/", ["runtime_world", "runtime_resources", "runtime_exchange"], RUNTIME_STAGES),
]
STAGE_SECONDS = {"unit": 180, "golden": 300, "compile_fail": 300, "fuzz": 300, "sharing": 300, "conformance": 900, "failure": 300}


@dataclasses.dataclass
class Fault:
    number: str  # the list's name and the position in it
    file: str
    text: str
    replacement: str
    what: str
    outcome: str = ""
    by: str = ""
    seconds: float = 0

    @property
    def room(self):
        for prefix, tests, stages in ROOMS:
            if self.file.startswith(prefix):
                return prefix, tests, stages
        raise SystemExit(f"seed-faults: {self.number}: no room for '{self.file}'")


def read_faults():
    faults = []
    for name in sorted(os.listdir(FOLDER)):
        if name.endswith(".toml"):
            with open(os.path.join(FOLDER, name), "rb") as file:
                for at, entry in enumerate(tomllib.load(file)["fault"], 1):
                    faults.append(Fault(f"{name[:-5]}-{at}", entry["file"], entry["text"], entry["with"], entry["what"]))
    return faults


def mismatches(root, faults):
    """What is wrong with the list as it stands."""
    found = []
    for fault in faults:
        path = os.path.join(root, fault.file)
        if not os.path.exists(path):
            found.append(f"{fault.number}: there is no file '{fault.file}'")
            continue
        with open(path, encoding="utf-8") as file:
            count = file.read().count(fault.text)
        if count != 1:
            found.append(f"{fault.number}: its text occurs {count} times in '{fault.file}', not once: {fault.what}")
        if fault.text == fault.replacement:
            found.append(f"{fault.number}: the replacement is the text")
    return found


class Scratch:
    """A copy of the tree with its own build."""

    def __init__(self, options):
        self.tree = os.path.join(options.out, "tree")
        self.build = os.path.join(self.tree, "build", "dev")
        self.jobs = options.jobs
        self.stages = options.stages.split(",")
        self.log = open(os.path.join(options.out, "log.txt"), "w", encoding="utf-8")
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("KANOR_")}
        self.environment.update(CCACHE_BASEDIR=self.tree, CCACHE_NOHASHDIR="1")

    def copy(self):
        """Brings the copy up to date; files that did not change keep their times."""
        listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                                capture_output=True, check=True).stdout
        wanted = {os.fsdecode(path) for path in listed.split(b"\0") if path}
        for path in wanted:
            source, target = os.path.join(ROOT, path), os.path.join(self.tree, path)
            if not os.path.isfile(source):
                continue
            with open(source, "rb") as file:
                data = file.read()
            if os.path.exists(target):
                with open(target, "rb") as file:
                    if file.read() == data:
                        continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(source, target)
            shutil.copymode(source, target)
        for folder, folders, names in os.walk(self.tree):
            folders[:] = [name for name in folders if name not in ("build", "__pycache__")]
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), self.tree)
                if path not in wanted:
                    os.remove(os.path.join(folder, name))

    def call(self, arguments, seconds):
        """(status or None for a timeout, output)"""
        self.log.write(f"$ {' '.join(arguments)}\n")
        with subprocess.Popen(arguments, cwd=self.tree, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True) as job:
            try:
                out, _ = job.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                os.killpg(job.pid, signal.SIGKILL)
                out, _ = job.communicate()
                self.log.write(out + f"\nnot finished after {seconds} s\n")
                return None, out
            except BaseException:
                os.killpg(job.pid, signal.SIGKILL)
                raise
        self.log.write(out + "\n")
        self.log.flush()
        return job.returncode, out

    def configure(self):
        # What a fault leaves unused shall not stop the compiler: the tests are to notice.
        unused = ("variable", "parameter", "function", "but-set-variable")
        flags = " ".join(f"-Wno-error=unused-{what}" for what in unused)
        status, out = self.call(["cmake", "--preset", "dev", f"-DCMAKE_CXX_FLAGS={flags}"], 300)
        if status != 0:
            raise SystemExit(f"seed-faults: the copy does not configure:\n{out}")
        listing = self.call(["ninja", "-C", self.build, "-t", "targets", "all"], 60)[1]
        self.targets = set(re.findall(r"^([\w./-]+): phony", listing, re.MULTILINE))

    def make(self, tests):
        """Builds what the stages and these unit tests need. The output where that fails, else None."""
        programs = [f"kanor_{name}_test" for name in tests if f"kanor_{name}_test" in self.targets]
        status, out = self.call(["ninja", "-C", self.build, f"-j{self.jobs}", "kanor_demo"] + programs, 1800)
        return None if status == 0 else out

    def run(self, stage, tests):
        """The name of a test that fails, or None."""
        if stage == "unit":
            pattern = "|".join(f"^{name}$" for name in tests)
            status, out = self.call(["ctest", "--test-dir", self.build, "-R", pattern, "--stop-on-failure", "--output-on-failure"],
                                    STAGE_SECONDS[stage])
            failed = re.findall(r"\[  FAILED  \] ([\w./]+)", out) or re.findall(r"\d+ - (\S+) \(", out)
        elif stage == "fuzz":
            status, out = self.call([sys.executable, "tests/fuzz/programs/fuzz.py", "--kanorc", f"{self.build}/bin/kanorc",
                                     "--kanorrun", f"{self.build}/bin/kanorrun", "--mpiexec", shutil.which("mpiexec.mpich") or "", "--programs", "20",
                                     "--seed", "1", "--jobs", str(self.jobs), "--timeout", "20", "--attempts", "0", "--most-failures", "1",
                                     "--out", f"{self.build}/fuzz"], STAGE_SECONDS[stage])
            failed = re.findall(r"^(unit \d+.*)", out, re.MULTILINE)
        elif stage == "sharing":
            programs = ["--kanorc", f"{self.build}/bin/kanorc", "--kanorrun", f"{self.build}/bin/kanorrun", "--jobs", str(self.jobs)]
            status, out = self.call([sys.executable, "tests/fuzz/sharing/fuzz.py", *programs, "--programs", "3"], STAGE_SECONDS[stage])
            if status == 0:
                status, out = self.call([sys.executable, "tests/tools/check_counters.py", *programs, "tests/programs/Inputs/counters"],
                                        STAGE_SECONDS[stage])
            failed = re.findall(r"^(seed \d+|tests/programs/\S+)", out, re.MULTILINE)
        else:
            status, out = self.call([sys.executable, "/usr/lib/llvm-19/build/utils/lit/lit.py", "-sv", f"-j{self.jobs}", "--max-failures=1", "--param", "quick=1",
                                     f"{self.build}/tests/{stage}"], STAGE_SECONDS[stage])
            failed = re.findall(r"^(?:FAIL|TIMEOUT|UNRESOLVED): kanor :: (\S+)", out, re.MULTILINE)
        if status == 0:
            return None
        return f"{stage}: " + (failed[0] if failed else "no end" if status is None else f"status {status}")

    def chosen(self, stages):
        return [stage for stage in ["unit"] + stages if stage in self.stages]

    def try_fault(self, fault):
        _, tests, stages = fault.room
        path = os.path.join(self.tree, fault.file)
        with open(path, encoding="utf-8") as file:
            original = file.read()
        began = time.monotonic()
        self.log.write(f"\n===== {fault.number}: {fault.what}\n")
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.write(original.replace(fault.text, fault.replacement))
            out = self.make(tests)
            if out is not None:
                fault.outcome, fault.by = "broken", "does not compile: " + "; ".join(re.findall(r"error: (.*)", out)[:2])
                return
            for stage in self.chosen(stages):
                fault.by = self.run(stage, tests) or ""
                if fault.by:
                    fault.outcome = "caught"
                    return
            fault.outcome = "missed"
        finally:
            with open(path, "w", encoding="utf-8") as file:
                file.write(original)
            fault.seconds = time.monotonic() - began


def report(faults):
    lines = []
    for fault in faults:
        lines.append(f"{fault.outcome:7} {fault.number:14} {fault.seconds:5.0f} s  {fault.file}: {fault.what}" + (f"\n          {fault.by}" if fault.by else ""))
    rooms = {}
    for fault in faults:
        rooms.setdefault(fault.room[0], []).append(fault.outcome)
    lines += ["", "room                            faults  caught  missed  broken"]
    rooms["all"] = [fault.outcome for fault in faults]
    for room, outcomes in rooms.items():
        lines.append(f"{room:30}  {len(outcomes):6}  " + "  ".join(f"{outcomes.count(kind):6}" for kind in ("caught", "missed", "broken")))
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--list", action="store_true", help="check that each fault's text occurs once, and list the faults")
    parser.add_argument("--only", default="", help="only faults whose number or file matches this regular expression")
    parser.add_argument("--sample", type=int, default=0, help="number of faults, chosen at random by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stages", default=",".join(STAGE_SECONDS), help="only these stages; without conformance it takes half the time")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "faults"), help="folder for the copy, the log and report.txt")
    parser.add_argument("--at-least", type=float, default=0.9, help="share of faults that must be caught")
    options = parser.parse_args()

    faults = [fault for fault in read_faults() if re.search(options.only, fault.number) or re.search(options.only, fault.file)]
    if options.sample:
        faults = random.Random(options.seed).sample(faults, min(options.sample, len(faults)))
    wrong = mismatches(ROOT, faults)
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        raise SystemExit(f"seed-faults: {len(wrong)} of {len(faults)} faults do not match the sources")
    if options.list:
        for fault in faults:
            print(f"{fault.number:14} {fault.file}: {fault.what}")
        print(f"{len(faults)} faults")
        return
    if not faults:
        raise SystemExit("seed-faults: no such faults")

    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    os.makedirs(options.out, exist_ok=True)
    scratch = Scratch(options)
    scratch.copy()
    scratch.configure()
    print("building and testing without a fault", flush=True)
    rooms = {prefix: (tests, stages) for prefix, tests, stages in (fault.room for fault in faults)}
    tests = sorted({name for names, _ in rooms.values() for name in names})
    if (out := scratch.make(tests)) is not None:
        raise SystemExit(f"seed-faults: the tree does not build:\n{out[-3000:]}")
    for stage in dict.fromkeys(stage for _, stages in rooms.values() for stage in scratch.chosen(stages)):
        if failing := scratch.run(stage, tests):
            raise SystemExit(f"seed-faults: without a fault, a test fails: {failing} (see {options.out}/log.txt)")
    for at, fault in enumerate(faults, 1):
        scratch.try_fault(fault)
        print(f"{at}/{len(faults)} {fault.outcome} {fault.number} ({fault.seconds:.0f} s): {fault.what}: {fault.by}", flush=True)
        with open(os.path.join(options.out, "report.txt"), "w", encoding="utf-8") as file:
            file.write(report(faults[:at]))
    print(report(faults), end="")
    judged = [fault for fault in faults if fault.outcome != "broken"]
    caught = sum(fault.outcome == "caught" for fault in judged)
    raise SystemExit(0 if len(judged) == len(faults) and caught >= options.at_least * len(judged) else 1)


if __name__ == "__main__":
    main()
