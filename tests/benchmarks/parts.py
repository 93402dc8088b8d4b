"""What the parts of a message take by themselves: runs the micro-benchmark of parts/ and prints its figures.

    parts.py --program build/release/tests/benchmarks/parts/kanor_parts_benchmark [--runs 5] [--seconds 0.1] [--json FILE]

One core plays both ranks, so the other core's cache is no part of it. Prints CPU time: medians of the runs.
"""

import argparse
import json
import os

import results

# What the number of each part is.
NUMBERS = {"pool": "bytes", "pool_of_another": "bytes", "message": "bytes", "few_bytes": "bytes", "match": "receives", "match_kept": "messages"}


def rows_of(report):
    """The rows of Google Benchmark's report."""
    times = {}
    for run in report["benchmarks"]:
        if run["run_type"] == "iteration":
            times.setdefault(run["run_name"], []).append(run["cpu_time"])
    rows = []
    for name, of in times.items():
        part, number = name.split("/")
        rows.append({"part": part, NUMBERS[part]: int(number), "nanoseconds": {"CPU": results.summary(of)}})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--program", required=True, type=os.path.abspath)
    parser.add_argument("--seconds", type=float, default=0.1, help="least length of a run (default 0.1)")
    results.add_arguments(parser, runs=5)
    options = parser.parse_args()

    rows = rows_of(json.loads(results.run([options.program, "--benchmark_format=json", f"--benchmark_min_time={options.seconds}",
                                           f"--benchmark_repetitions={options.runs}"])))
    for row in rows:
        number = NUMBERS[row["part"]]
        print(f"{row['part']:16} {row[number]:8} {number:9} {row['nanoseconds']['CPU']['median']:9.1f} ns")
    results.write(options.json, rows)


if __name__ == "__main__":
    main()
