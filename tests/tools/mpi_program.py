# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles an MPI program with MPICH's compiler and with Kanor's, and compares how it runs.

    mpi_program.py [--kanor-mpicc C] [--kanor-mpicxx C] [--kanor-mpiexec M]
                   [--mpicc C] [--mpicxx C] [--mpiexec M] [--no-mpich]
                   [--ranks 1,2,...] [--modes threads,processes] [--timeout S] [--keep FOLDER]
                   [--args ARGUMENT]... [--set NAME=VALUE]... [--without OPTION] SOURCE... [-- OPTION...]

The sources are C, or C++ where one of them ends with .cpp, .cc or .cxx; the options after -- go to
both compilers. MPICH is the oracle: for each number of ranks the program runs under it once, and
with Kanor once in each mode (KANOR_MODE). The exit status and standard output must be the same as
MPICH's; without it (--no-mpich), the status must be 0, and the output that of the first mode. With
--without, the oracle is instead the same program, compiled by Kanor without this one of the options,
in the first mode. A run may take --timeout seconds. What differs is printed to stderr, with the end
of the run's stderr, and the exit status is then 1. Every run is made, whatever comes of those before it.
"""

import argparse
import difflib
import os
import signal
import subprocess
import sys
import tempfile

CXX = (".cpp", ".cc", ".cxx")
MOST_LINES = 40  # of a run's stderr that are shown


class Failed(Exception):
    """A program that does not compile, or a run that is not as it should be."""


def ending(text):
    """The last lines of what a run printed to stderr."""
    lines = text.rstrip().splitlines()
    left_out = [f"({len(lines) - MOST_LINES} lines before)"] if len(lines) > MOST_LINES else []
    return "".join(f"    {line}\n" for line in left_out + lines[-MOST_LINES:])


def run(arguments, timeout, variables=None):
    """The exit status, stdout and stderr of a command.

    After its time it is ended, with all that it has started.
    """
    environment = {k: v for k, v in os.environ.items() if not k.startswith("KANOR_")}
    environment.update(variables or {})
    try:
        job = subprocess.Popen(arguments, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               errors="replace", start_new_session=True)
    except OSError as error:
        raise Failed(f"{arguments[0]}: {error.strerror}") from error
    with job:
        try:
            out, err = job.communicate(timeout=timeout)
        except subprocess.TimeoutExpired as late:
            os.killpg(job.pid, signal.SIGKILL)
            out, err = job.communicate()
            said = ending(out) + ending(err)
            raise Failed(f"not finished after {timeout:g} s; until then:\n{said}") from late
    return job.returncode, out, err


def compile_program(compiler, sources, flags, binary, timeout):
    """Compiles and links the sources into one program."""
    line = [compiler, *sources, *flags, "-o", binary]
    status, out, err = run(line, timeout)
    if status != 0:
        raise Failed(f"does not compile: {' '.join(line)}\n{ending(out + err)}")


def compare(status, out, err, expected):
    """What differs between a run and the expected status and output; an empty text for nothing."""
    found = ""
    if status != expected[0]:
        found += f"exit status {status}, not {expected[0]}\n"
    if out != expected[1]:
        found += "".join(difflib.unified_diff(expected[1].splitlines(True), out.splitlines(True),
                                              "expected", "printed"))
        found += "" if found.endswith("\n") else "\n"
    return found + ending(err) if found else ""


class Program:
    """One program, compiled for both sides as far as that went well."""

    def __init__(self, options, folder):
        self.options = options
        self.failures = 0
        self.name = os.path.basename(options.sources[0])
        cxx = any(source.endswith(CXX) for source in options.sources)
        self.sides = {}  # the name of a side, and its program
        sides = {"kanor": options.kanor_mpicxx if cxx else options.kanor_mpicc}
        if options.without:
            sides["without"] = sides["kanor"]
        elif not options.no_mpich:
            sides["mpich"] = options.mpicxx if cxx else options.mpicc
        for side, compiler in sides.items():
            binary = f"{os.path.join(folder, os.path.splitext(self.name)[0])}.{side}"
            try:
                flags = options.flags
                if side != "kanor":
                    flags = [flag for flag in flags if flag != options.without]
                compile_program(compiler, options.sources, flags, binary, 10 * options.timeout)
                self.sides[side] = binary
            except Failed as failure:
                self.fail(side, failure)

    def fail(self, where, what):
        self.failures += 1
        print(f"mpi_program: {self.name}: {where}: {what}", file=sys.stderr)

    def run_with(self, ranks):
        """Runs it with one number of ranks on both sides."""
        options, expected = self.options, None
        oracle, where = options.mpiexec, f"{ranks} ranks under MPICH"
        if "without" in self.sides:
            oracle, where = options.kanor_mpiexec, f"{ranks} ranks without {options.without}"
        for side in self.sides.keys() & {"mpich", "without"}:
            line = [oracle, "-n", str(ranks), self.sides[side], *options.args]
            try:
                status, out, err = run(line, options.timeout,
                                       {"KANOR_MODE": options.modes[0]} if side == "without" else {})
                expected = (status, out)
                if status != 0:
                    self.fail(where, f"exit status {status}\n{ending(err)}")
            except Failed as failure:
                self.fail(where, failure)
        for mode in options.modes if "kanor" in self.sides else []:
            line = [options.kanor_mpiexec, "-n", str(ranks), self.sides["kanor"], *options.args]
            where = f"{ranks} ranks as {mode}"
            try:
                status, out, err = run(line, options.timeout,
                                       {"KANOR_MODE": mode, **dict(options.set)})
            except Failed as failure:
                self.fail(where, failure)
                continue
            expected = expected or (0, out)
            differs = compare(status, out, err, expected)
            if differs:
                self.fail(where, differs)


def split_at_dashes(arguments):
    """The arguments before and after --."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:at], arguments[at + 1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kanor-mpicc", default="kanor-mpicc")
    parser.add_argument("--kanor-mpicxx", default="kanor-mpicxx")
    parser.add_argument("--kanor-mpiexec", default="kanor-mpiexec")
    parser.add_argument("--mpicc", default="mpicc.mpich")
    parser.add_argument("--mpicxx", default="mpicxx.mpich")
    parser.add_argument("--mpiexec", default="mpiexec.mpich")
    parser.add_argument("--ranks", default="1,2,3,4,5,8",
                        help="the numbers of ranks, separated by commas")
    parser.add_argument("--modes", default="threads,processes",
                        help="values of KANOR_MODE, separated by commas")
    parser.add_argument("--no-mpich", action="store_true", help="run with Kanor alone")
    parser.add_argument("--without", default="", help="an option that the oracle has not")
    parser.add_argument("--timeout", type=float, default=60, help="the seconds a run may take")
    parser.add_argument("--keep", default="", help="a folder in which the compiled programs stay")
    parser.add_argument("--args", action="append", default=[], help="an argument of the program")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                        type=lambda text: text.split("=", 1), help="an environment variable for Kanor")
    parser.add_argument("sources", nargs="+")
    own, flags = split_at_dashes(sys.argv[1:])
    options = parser.parse_args(own)
    options.flags = flags
    options.modes = [mode for mode in options.modes.split(",") if mode]
    with tempfile.TemporaryDirectory(prefix="mpi_program.") as folder:
        program = Program(options, options.keep or folder)
        for ranks in options.ranks.split(","):
            program.run_with(int(ranks))
    if program.failures:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
