"""What it takes one rank to find its own messages: runs the micro-benchmark of planning/ and prints its figures.

    planning.py --program build/release/tests/benchmarks/planning/kanor_planning_benchmark [--runs 5] [--seconds 0.1]
                [--json FILE]

`solved` is a block's first execution with new values in its clauses and ranks, `cached` a later one with the same. Prints
CPU time: medians of the runs.
"""

import argparse
import json
import os

import results


def rows_of(report):
    """The rows of Google Benchmark's report."""
    times, rows = {}, {}
    for run in report["benchmarks"]:
        if run["run_type"] != "iteration":
            continue
        name = run["run_name"]
        pattern, how, _ = name.split("/")
        times.setdefault(name, []).append(run["cpu_time"])
        rows[name] = {"pattern": pattern, "how": how, **{of: round(run[of]) for of in ("ranks", "messages", "first_bytes", "later_bytes")},
                      "nanoseconds": {"CPU": results.summary(times[name])}}
    return list(rows.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--program", required=True, type=os.path.abspath)
    parser.add_argument("--seconds", type=float, default=0.1, help="least length of a run (default 0.1)")
    results.add_arguments(parser, runs=5)
    options = parser.parse_args()

    rows = rows_of(json.loads(results.run([options.program, "--benchmark_format=json", f"--benchmark_min_time={options.seconds}",
                                           f"--benchmark_repetitions={options.runs}"])))
    print(f"{'pattern':16} {'':7} {'ranks':>8} {'messages':>9} {'CPU time':>12} {'allocated at first':>20} {'later':>6}")
    for row in rows:
        print(f"{row['pattern']:16} {row['how']:7} {row['ranks']:8} {row['messages']:9} {row['nanoseconds']['CPU']['median'] / 1000:9.2f} us "
              f"{row['first_bytes']:14} bytes {row['later_bytes']:6}")
    results.write(options.json, rows)


if __name__ == "__main__":
    main()
