# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lit suites of Kanor: golden, compile_fail, conformance, programs, driver, headers, examples, docs.

A test is a .cpp or .test file with RUN lines. Beside lit's own %s, %S, %t and %T a RUN line may use

  %kanorc %kanorrun              the programs under test
  %mpiexec %mpicxx               MPICH's launcher and compiler
  %mpirun %openmpi_cxx           Open MPI's
  %FileCheck %not %llvm-strip    LLVM's tools
  %host_cxx %clang_cxx %python   compilers of emitted C++, and the interpreter of helper scripts
  %run_everywhere                runs a program in every mode and with every number of ranks, see
                                 tests/tools/run_everywhere.py
  %include                       the directory that holds kanor/kanor.hpp
  %build %root                   the build tree, the repository

Files under a directory named Inputs are not tests. Features for REQUIRES: full (--full), mpi (MPICH), openmpi, clang,
eigen, ccache, cmake, gdb, lldb-19, pkg-config, one-host (not in the bed).
"""

import glob
import os
import re
import sys

import lit.util

sys.path.append(os.path.join(config.kanor_root, "tests", "tools"))
import openmpi  # noqa: E402
import lit_format  # noqa: E402

config.name = "kanor"
# The interpreter itself: what CMake has found may be a version manager's script, which takes half a second for each test.
config.python = sys.executable
config.test_format = lit_format.SessionPerTest(execute_external=False)
config.suffixes = [".cpp", ".test"]
config.excludes = ["Inputs", "tools", "house", "benchmarks", "fuzz", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.kanor_build, "tests")

# --param hosts=1, inside of tests/hosts/bed.py: over several hosts, and nothing else.
hosts = bool(lit_config.params.get("hosts"))

# A build with sanitizers runs the conformance tests that only compile and run everywhere, without MPI, whose
# libraries the sanitizers do not know; ThreadSanitizer has nothing to say about processes.
sanitized_modes = {"": "", "thread": "threads,checked", "address,undefined": "threads,processes,checked"}[config.sanitize]
# Every unit test runs with sanitizers, and with --full every program. Otherwise these do, each of which takes another way
# through the runtime: programs about what the language's parts compute exchange as they do.
if config.sanitize and not config.full:
    ways = ["async", "delta_blocks", "initialisers", "many_messages", "one_sided", "ownership_lending"]
    ways += ["random_exchange", "sharing", "superstep", "windows"]
    conformance = glob.glob(os.path.join(config.test_source_root, "conformance", "*.cpp"))
    names = {os.path.basename(path) for path in conformance}
    config.excludes += sorted(names - {name + ".cpp" for name in ways})
if config.sanitize or hosts:
    for path in glob.glob(os.path.join(config.test_source_root, "conformance", "*.cpp")):
        with open(path, encoding="utf-8") as file:
            steps = re.findall(r"RUN:(.*)", file.read())
        if any(re.search(r"%(?!kanorc|run_everywhere|[sSt]\b)|--modes", step) for step in steps):
            config.excludes.append(os.path.basename(path))

# --param quick=1: fewer modes and ranks, for whoever runs the suites a hundred times (tests/faults).
quick = "--only-modes threads,mpi --ranks 1,3,4" if lit_config.params.get("quick") else ""
sparse = "" if quick or config.full else "--sparse"
if config.sanitize and not config.full:
    sparse += " --ranks 1,2,3,4,9"

run_everywhere = "{} {} --kanorrun {} {} {}".format(
    config.python,
    os.path.join(config.test_source_root, "tools", "run_everywhere.py"),
    os.path.join(config.kanor_bin, "kanorrun"),
    " ".join(f"--{name} {path}" for name, path in (("mpiexec", config.mpiexec), ("mpirun", config.mpirun)) if path),
    "--hosts" if hosts else "--only-modes " + sanitized_modes if sanitized_modes else "",
)
# Seeded faults are sought in both modes over MPI, and a mode of several hosts stands for one of them.
check_failure = run_everywhere.replace("run_everywhere.py", "check_failure.py") + (" --sparse" if sparse and not hosts else "")
kanorc = os.path.join(config.kanor_bin, "kanorc")
if config.sanitize:
    kanorc += " -g1 -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=" + config.sanitize

# Messages are compared with the white space before their carets, and none may be left over or speak of names
# that only the emitted code has.
check_output = "{} --strict-whitespace --match-full-lines{} %s".format(
    config.filecheck,
    "".join(" --implicit-check-not='{{.*}}%s{{.*}}'" % text for text in ("error:", "warning:", "kanor_", "thread_local")),
)

mpi_program = "{} {} --kanor-mpicc {} --kanor-mpicxx {} --kanor-mpiexec {} --no-mpich".format(
    config.python, os.path.join(config.test_source_root, "tools", "mpi_program.py"),
    *(os.path.join(config.kanor_bin, name) for name in ("kanor-mpicc", "kanor-mpicxx", "kanor-mpiexec")))

# The longer of two names with a common beginning comes first: lit replaces in this order.
config.substitutions += [
    ("%run_everywhere", f"{run_everywhere} {quick}{sparse}"),
    ("%check_failure", check_failure),
    ("%check_diagnostics", "{} {} -c %s -o %t.o 2>&1 | {}".format(config.llvm_not, kanorc, check_output)),
    ("%check_output", check_output),
    ("%mpi_program", mpi_program),
    ("%kanor-mpicc", os.path.join(config.kanor_bin, "kanor-mpicc")),
    ("%kanor-mpicxx", os.path.join(config.kanor_bin, "kanor-mpicxx")),
    ("%kanor-mpiexec", os.path.join(config.kanor_bin, "kanor-mpiexec")),
    ("%kanorrun", os.path.join(config.kanor_bin, "kanorrun")),
    ("%kanor-tune", os.path.join(config.kanor_bin, "kanor-tune")),
    ("%kanorc", kanorc),
    ("%mpiexec", config.mpiexec or "mpiexec-not-found"),
    ("%mpicxx", config.mpicxx or "mpicxx-not-found"),
    ("%mpirun", config.mpirun or "mpirun-not-found"),
    ("%openmpi_cxx", config.openmpi_cxx or "mpicxx-not-found"),
    ("%FileCheck", config.filecheck),
    ("%not", config.llvm_not),
    ("%llvm-strip", os.path.join(os.path.dirname(os.path.realpath(config.llvm_not)), "llvm-strip")),
    ("%host_cxx", config.host_cxx),
    ("%clang_cxx", config.clang_cxx or "clang-not-found"),
    ("%python", config.python),
    ("%include", os.path.join(config.kanor_build, "include")),
    ("%build", config.kanor_build),
    ("%root", config.kanor_root),
]

if not hosts:
    config.available_features.add("one-host")
if config.mpiexec:
    config.available_features.add("mpi")
if config.mpirun:
    config.available_features.add("openmpi")
if config.full:
    config.available_features.add("full")
if config.clang_cxx:
    config.available_features.add("clang")
if os.path.exists("/usr/include/eigen3/Eigen/Core"):
    config.available_features.add("eigen")
for tool in ("ccache", "cmake", "gdb", "lldb-19", "pkg-config"):
    if lit.util.which(tool, config.environment.get("PATH")):
        config.available_features.add(tool)

if all(lit.util.which(daemon, "/usr/sbin:/usr/bin") for daemon in ("slurmctld", "slurmd", "munged", "srun")):
    config.available_features.add("slurm")

# A test says itself what it wants; the environment of whoever runs the tests has no say.
for name in [name for name in config.environment if name.startswith("KANOR_")]:
    del config.environment[name]
config.environment["KANOR_TUNING"] = "none"
config.environment.update(openmpi.ENVIRONMENT)
config.environment["HOME"] = os.environ.get("HOME", "/")
for name in ("BED_RSH", "CCACHE_DIR", "CCACHE_MAXSIZE", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
