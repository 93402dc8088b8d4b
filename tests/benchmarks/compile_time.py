"""How long kanorc takes, beside mpicxx on the same program written by hand against MPI.

    compile_time.py --kanorc K [--mpicxx M] [--runs 11] [--flags -O2]

Compiles and links serially and without a cache, the compilers taking turns so that a busy machine slows
both, and prints the medians and their ratio. `front end` is kanorc --emit-cpp: everything but the host
compiler.
"""

import argparse
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def seconds(command, folder):
    environment = dict(os.environ, CCACHE_DISABLE="1")
    began = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    took = time.perf_counter() - began
    if done.returncode:
        sys.exit(f"{shlex.join(command)} failed:\n{done.stderr}")
    return took


def measure(commands, runs, folder):
    """The median seconds of each of {name: command}; one round before that counts does not."""
    times = {name: [] for name in commands}
    for run in range(runs + 1):
        for name, command in commands.items():
            took = seconds(command, folder)
            if run:
                times[name].append(took)
    return {name: statistics.median(values) for name, values in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kanorc", required=True, type=os.path.abspath)
    parser.add_argument("--mpicxx", default="mpicxx")
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--flags", default="-O2", help="of both compilers (default -O2)")
    options = parser.parse_args()

    flags = ["-std=c++20"] + shlex.split(options.flags)
    kanor, mpi = (os.path.join(HERE, "compile_time", name) for name in ("solver_kanor.cpp", "solver_mpi.cpp"))
    plain = os.path.join(ROOT, "examples", "03_wordcount", "words.cpp")
    with tempfile.TemporaryDirectory() as folder:
        whole = measure({
            "kanorc": [options.kanorc] + flags + [kanor, "-o", "a"],
            "mpicxx": [options.mpicxx] + flags + [mpi, "-o", "b"],
            "front end": [options.kanorc] + flags + ["--emit-cpp", kanor, "-o", "emitted.cpp"],
        }, options.runs, folder)
        without = measure({
            "kanorc": [options.kanorc] + flags + ["-c", plain, "-o", "a.o"],
            "mpicxx": [options.mpicxx] + flags + ["-c", plain, "-o", "b.o"],
        }, options.runs, folder)

    print(f"medians of {options.runs} interleaved runs, {' '.join(flags)}, without a cache")
    print(f"{'program':34} {'kanorc':>9} {'mpicxx':>9} {'ratio':>7}")
    for name, times in (("10 blocks, compiled and linked", whole), ("a source without blocks, -c", without)):
        print(f"{name:34} {times['kanorc']:7.2f} s {times['mpicxx']:7.2f} s {times['kanorc'] / times['mpicxx']:7.2f}")
    print(f"of the first, before the host compiler starts (--emit-cpp): {whole['front end']:.2f} s")


if __name__ == "__main__":
    main()
