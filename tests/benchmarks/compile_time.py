# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long kanorc takes, beside mpicxx on the same program written by hand against MPI, and what its analysis takes.

    compile_time.py --kanorc K [--mpicxx M] [--runs 11] [--flags -O2] [--lines 3000] [--many 500,1000,2000] [--json FILE]

Compiles serially and without a cache, the compilers taking turns so that a busy machine slows all, and prints medians.
`front end` is kanorc --emit-cpp: everything but the host compiler. The analysis decides which variables ranks may share;
what it takes is the difference to --no-globalize, for a generated program of so many lines all of whose variables are candidates.
Last come functions with so many blocks, with a block of so many statements, and with so many calls, each compiled once.
"""

import argparse
import os
import shlex
import sys
import tempfile
import time

import results

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def measure(commands, runs, folder):
    """What each of {name: command} took, in seconds. Where there are several runs one more comes first, and does not count."""
    times = {name: [] for name in commands}
    for run in range(-1 if runs > 1 else 0, runs):
        for name, command in commands.items():
            began = time.perf_counter()
            results.run(command, {"CCACHE_DISABLE": "1"}, folder)
            if run >= 0:
                times[name].append(time.perf_counter() - began)
    return {name: results.summary(values) for name, values in times.items()}


def compilers(options, flags, folder):
    """Rows of kanorc beside mpicxx."""
    kanor, mpi = (os.path.join(HERE, "compile_time", name) for name in ("solver_kanor.cpp", "solver_mpi.cpp"))
    plain = os.path.join(ROOT, "examples", "03_wordcount", "words.cpp")
    whole = measure({
        "kanorc": [options.kanorc, *flags, kanor, "-o", "a"],
        "mpicxx": [options.mpicxx, *flags, mpi, "-o", "b"],
        "front end": [options.kanorc, *flags, "--emit-cpp", kanor, "-o", "emitted.cpp"],
    }, options.runs, folder)
    without = measure({
        "kanorc": [options.kanorc, *flags, "-c", plain, "-o", "a.o"],
        "mpicxx": [options.mpicxx, *flags, "-c", plain, "-o", "b.o"],
    }, options.runs, folder)
    print(f"{'program':34} {'kanorc':>9} {'mpicxx':>9} {'ratio':>7}")
    rows = []
    for name, times in (("10 blocks, compiled and linked", whole), ("a source without blocks, -c", without)):
        ours, theirs = times["kanorc"]["median"], times["mpicxx"]["median"]
        print(f"{name:34} {ours:7.2f} s {theirs:7.2f} s {ours / theirs:7.2f}")
        rows.append({"program": name, "seconds": times})
    print(f"of the first, before the host compiler starts (--emit-cpp): {whole['front end']['median']:.2f} s", flush=True)
    return rows


def analysis(options, flags, folder):
    """The row of kanorc with and without its analysis."""
    source = os.path.join(folder, "many_variables.cpp")
    text = results.run([sys.executable, os.path.join(HERE, "compile_time", "many_variables.py"), str(options.lines)])
    with open(source, "w", encoding="utf-8") as out:
        out.write(text)
    verdicts = results.run([options.kanorc, *flags, "--dump=analysis", source])
    lines, blocks, shared, copied = (text.count("\n"), text.count("@communicate"), verdicts.count(": globalised"),
                                     verdicts.count(": not globalised"))
    ways = {"shared": [], "copied": ["--no-globalize"]}
    times = measure({
        **{way: [options.kanorc, *flags, *option, "-c", source, "-o", "a.o"] for way, option in ways.items()},
        **{f"front end, {way}": [options.kanorc, *flags, *option, "--emit-cpp", source, "-o", "emitted.cpp"] for way, option in ways.items()},
    }, options.runs, folder)
    print(f"{lines} lines, {blocks} blocks, {shared} variables shared, {copied} copied")
    print(f"{'':34} {'shared':>9} {'copied':>9} {'of the whole compilation':>26}")
    for name, prefix in (("compiled, -c", ""), ("before the host compiler starts", "front end, ")):
        ours, theirs = times[prefix + "shared"]["median"], times[prefix + "copied"]["median"]
        print(f"{name:34} {ours:7.2f} s {theirs:7.2f} s {(ours - theirs) / times['shared']['median']:26.1%}")
    return {"program": "many variables, -c", "lines": lines, "blocks": blocks, "variables_shared": shared, "variables_copied": copied,
            "seconds": times}


def growth(options, flags, folder):
    """Rows of functions that have much of one thing."""
    rows = []
    print(f"{'in one function':34} {'-O0':>9} {'-O2':>9}")
    for kind in ("blocks", "statements", "calls"):
        for number in options.many:
            source = os.path.join(folder, f"{kind}.cpp")
            with open(source, "w", encoding="utf-8") as out:
                out.write(results.run([sys.executable, os.path.join(HERE, "compile_time", "many_blocks.py"), kind, str(number)]))
            times = measure({level: [options.kanorc, *flags, level, "-c", source, "-o", "a.o"] for level in ("-O0", "-O2")}, 1, folder)
            print(f"{f'{number} {kind}':34} {times['-O0']['median']:7.2f} s {times['-O2']['median']:7.2f} s", flush=True)
            rows.append({"program": f"{number} {kind}", "seconds": times})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kanorc", required=True, type=os.path.abspath)
    parser.add_argument("--mpicxx", default=results.MPICXX)
    parser.add_argument("--flags", default="-O2", help="of all compilers (default -O2)")
    parser.add_argument("--lines", type=int, default=3000, help="of the generated program (default 3000)")
    parser.add_argument("--many", default="500,1000,2000", type=lambda text: [int(number) for number in text.split(",")],
                        help="blocks, statements and calls of one function (default 500,1000,2000)")
    results.add_arguments(parser, runs=11)
    options = parser.parse_args()

    flags = ["-std=c++20"] + shlex.split(options.flags)
    print(f"medians of {options.runs} interleaved runs, {' '.join(flags)}, without a cache")
    with tempfile.TemporaryDirectory() as folder:
        rows = compilers(options, flags, folder)
        rows.append(analysis(options, flags, folder))
        rows += growth(options, flags, folder)
    results.write(options.json, rows)


if __name__ == "__main__":
    main()
