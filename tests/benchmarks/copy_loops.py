# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks that pack and unpack rows of a matrix by loops, with and without kanorc's leaving the loops out.

    copy_loops.py --kanorc K [--runs 7] [--rows 1/8,3/12] [--sizes 8192,...] [--json FILE]

Compiles noncontiguous/copy_loops.cpp with and without --no-copy-loops. Rows are WIDTH/STRIDE in doubles. Prints
microseconds of an exchange between two ranks: medians of the runs, which take turns; then the ratios.
"""

import argparse
import os
import statistics
import tempfile

import results

HERE = os.path.dirname(os.path.abspath(__file__))
MODES = ("threads", "processes")


def build(folder, kanorc):
    programs = {}
    for name, flags in (("replaced", []), ("loops", ["--no-copy-loops"])):
        programs[name] = os.path.join(folder, name)
        results.run([kanorc, "-O3", *flags, os.path.join(HERE, "noncontiguous", "copy_loops.cpp"), "-o", programs[name]])
    return programs


def measure(rows, size, programs, options):
    width, stride = map(int, rows.split("/"))
    sides = [(mode, name) for mode in MODES for name in programs]
    times, checksums = {side: [] for side in sides}, set()
    for _ in range(options.runs):
        for mode, name in sides:
            arguments = [str(size // (8 * width)), str(width), str(stride), "7", str(max(10, (16 << 20) // size))]
            run = [os.path.join(os.path.dirname(options.kanorc), "kanorrun"), "-n", "2", programs[name], *arguments]
            checksum, *batches = results.run(run, {"KANOR_MODE": mode}).split()
            times[mode, name].append(statistics.median(map(float, batches)))
            checksums.add(checksum)
    if len(checksums) != 1:
        raise SystemExit(f"{rows}, {size} bytes: the sides disagree: {checksums}")
    row = {f"{mode}, {name}": results.summary(times[mode, name]) for mode, name in sides}
    ratios = {mode: row[f"{mode}, replaced"]["median"] / row[f"{mode}, loops"]["median"] for mode in MODES}
    print(f"{rows:8} {size:9}", *(f"{one['median']:10.2f}" for one in row.values()), *(f"{ratios[mode]:7.2f}" for mode in MODES), flush=True)
    return {"rows": rows, "bytes": size, "ranks": 2, "microseconds": row, "is_times": ratios}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kanorc", default="kanorc", type=os.path.abspath)
    parser.add_argument("--rows", default="1/8,3/12", help="of doubles, separated by commas")
    parser.add_argument("--sizes", default="4096,8192,65536,524288,4194304", help="of messages, in bytes, separated by commas")
    results.add_arguments(parser, runs=7)
    options = parser.parse_args()
    print("microseconds of an exchange: threads without and with the loops, processes; ratios")
    with tempfile.TemporaryDirectory() as folder:
        programs = build(folder, options.kanorc)
        rows = [measure(rows, int(size), programs, options) for rows in options.rows.split(",") for size in options.sizes.split(",")]
    results.write(options.json, rows)


if __name__ == "__main__":
    main()
