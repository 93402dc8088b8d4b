# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tests of MPICH 4.0.2 with Kanor: a table by folder, and each failure.

Fetches Debian's source package of MPICH into build/mpi_suite, configures its tests with
kanor-mpicc, builds each test and runs it. Only tests that MPICH itself passes count
(passed_by_mpich.txt in tests/mpi_suite), without those that need what Kanor leaves out
(excluded.txt there says why). What a failed run printed is in build/mpi_suite/log.
"""

import argparse
import concurrent.futures
import os
import shutil
import sys

import builds
import lists
import runs

ROOT = os.path.dirname(os.path.dirname(lists.HERE))
MODES = ("threads", "processes", "mpiexec")
REFERENCE = "mpich"  # the mode of a run with MPICH alone


def launch(mode, options):
    """The launcher's words and the environment's variables of a mode."""
    if mode in (REFERENCE, "mpiexec"):
        return ["mpiexec.mpich"], {}
    # Ranks are threads unless something is said, or they cannot be.
    variables = {} if mode == "threads" else {"KANOR_MODE": mode}
    return [os.path.join(options.kanor, "kanor-mpiexec")], variables


class Suite:
    def __init__(self, options, folder):
        self.options = options
        sources = builds.fetch(folder)
        if options.reference:
            self.build = builds.Build(sources, os.path.join(folder, "mpich"), "mpicc.mpich",
                                      "mpicxx.mpich", "mpiexec.mpich")
        else:
            kanor = [os.path.join(options.kanor, f"kanor-mpi{tool}") for tool in ("cc", "cxx", "exec")]
            self.build = builds.Build(sources, os.path.join(folder, "kanor"), *kanor)
        self.logs = os.path.join(folder, "log")
        shutil.rmtree(self.logs, ignore_errors=True)
        os.makedirs(self.logs)
        self.left_out = lists.excluded()
        self.tests = self.choose(lists.read_tests(self.build.folder, sources))
        self.outcomes = {}  # by test name and mode
        self.as_processes = set()  # programs whose ranks cannot be threads

    def choose(self, tests):
        """Those that are to be run."""
        options, passed = self.options, lists.passed_by_mpich()
        chosen = [test for test in tests
                  if (not options.folder or test.row in options.folder)
                  and (not options.test or test.program in options.test or test.name in options.test)
                  and test.gigabytes <= options.memory]
        if options.reference:  # those that MPICH is known to pass need not run again
            return [test for test in chosen if test.name not in passed]
        if options.all:
            return chosen
        return [test for test in chosen if test.name in passed and test.path not in self.left_out]

    def run_program(self, path, tests):
        """Builds a program and runs all tests with it, in all modes."""
        wrong, printed = self.build.make(path)
        if builds.PROCESSES in printed:
            self.as_processes.add(path)
        for mode in self.options.modes:
            for test in tests:
                if wrong:
                    outcome = runs.Outcome(False, wrong, printed)
                else:
                    seconds = min(test.seconds, self.options.timeout)
                    launcher, variables = launch(mode, self.options)
                    folder = os.path.join(self.build.folder, test.folder)
                    outcome = runs.run(test, launcher, folder, variables, seconds)
                self.outcomes[test.name, mode] = outcome
                if not outcome.passed:
                    self.log(test, mode, outcome)
        if not self.options.keep:
            self.build.clean(path)

    def log(self, test, mode, outcome):
        print(f"{test.name} ({mode}): {outcome.why}"[:200], flush=True)
        name = "_".join([test.path.replace("/", "_"), str(test.ranks), mode])
        with open(os.path.join(self.logs, name), "a") as file:
            file.write(f"{test.name} ({mode}): {outcome.why}\n{outcome.output}\n")

    def run(self):
        programs = {}
        for test in self.tests:
            programs.setdefault(test.path, []).append(test)
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for done in [pool.submit(self.run_program, *each) for each in programs.items()]:
                done.result()

    def table(self):
        """Passed of run, by folder and mode."""
        modes = self.options.modes
        rows = [row for row in lists.FOLDERS if any(test.row == row for test in self.tests)]
        print(f"\n{'folder':12}" + "".join(f"{mode:>14}" for mode in modes))
        for row in rows + ["all"]:
            tests = [test for test in self.tests if row in ("all", test.row)]
            cells = [f"{sum(self.outcomes[test.name, mode].passed for test in tests)} of {len(tests)}"
                     for mode in modes]
            print(f"{row:12}" + "".join(f"{cell:>14}" for cell in cells))
        if self.as_processes and "threads" in modes:
            print(f"ranks cannot be threads in {', '.join(sorted(self.as_processes))}")


def parse():
    parser = argparse.ArgumentParser(prog="scripts/conformance", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    words = lambda text: text.split(",")
    parser.add_argument("--folder", type=words, metavar="LIST", help="run these folders' tests only: coll,pt2pt")
    parser.add_argument("--test", action="append", metavar="NAME",
                        help="run this program, or 'coll/bcast 4 ARGUMENTS' (may be repeated)")
    parser.add_argument("--modes", type=words, default=["threads", "processes"], metavar="LIST",
                        help="of threads,processes,mpiexec (default: threads,processes)")
    parser.add_argument("--all", action="store_true", help="also run tests that do not count")
    parser.add_argument("--reference", action="store_true",
                        help="run MPICH instead, where it is not known to pass, and write down what it passes")
    parser.add_argument("--timeout", type=float, default=60, metavar="S", help="most seconds of a run (60)")
    parser.add_argument("--memory", type=float, default=2, metavar="GB",
                        help="leave out tests that need more memory (2)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="programs at a time (2)")
    parser.add_argument("--keep", action="store_true", help="keep the programs in build/mpi_suite/kanor")
    parser.add_argument("--kanor", default=os.path.join(ROOT, "build/dev/bin"), metavar="FOLDER",
                        help="where kanor-mpicc is (build/dev/bin)")
    options = parser.parse_args()
    unknown = [mode for mode in options.modes if mode not in MODES]
    unknown += [folder for folder in options.folder or () if folder not in lists.FOLDERS]
    if unknown:
        parser.error(f"there is no {unknown[0]}; folders: {' '.join(lists.FOLDERS)}; modes: {' '.join(MODES)}")
    options.kanor = os.path.abspath(options.kanor)
    if options.reference:
        options.modes = [REFERENCE]
    return options


def main():
    options = parse()
    try:
        suite = Suite(options, os.path.join(ROOT, "build", "mpi_suite"))
    except builds.Failed as failure:
        sys.exit(f"scripts/conformance: {failure}")
    if not suite.tests:
        sys.exit("scripts/conformance: no such test counts (--all runs those that do not)")
    suite.run()
    suite.table()
    passed = {name for (name, _), outcome in suite.outcomes.items() if outcome.passed}
    if options.reference:
        lists.write_passed_by_mpich(passed | lists.passed_by_mpich())
        return
    if not all(outcome.passed for outcome in suite.outcomes.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
