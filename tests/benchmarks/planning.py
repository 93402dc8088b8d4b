# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What it takes one rank to find its own messages: runs the micro-benchmark of planning/ and prints its figures.

    planning.py --program build/release/tests/benchmarks/planning/kanor_planning_benchmark [--runs 5] [--seconds 0.1]
                [--json FILE]

`solved` is a block's first execution with new values in its clauses and ranks, `cached` a later one with the same. Prints
CPU time: medians of the runs.
"""

import results


def rows_of(iterations):
    times, rows = {}, {}
    for run in iterations:
        name = run["run_name"]
        pattern, how, _ = name.split("/")
        times.setdefault(name, []).append(run["cpu_time"])
        rows[name] = {"pattern": pattern, "how": how, **{of: round(run[of]) for of in ("ranks", "messages", "first_bytes", "later_bytes")},
                      "nanoseconds": {"CPU": results.summary(times[name])}}
    return list(rows.values())


def main():
    options, iterations = results.run_google_benchmark(__doc__)
    rows = rows_of(iterations)
    print(f"{'pattern':16} {'':7} {'ranks':>8} {'messages':>9} {'CPU time':>12} {'allocated at first':>20} {'later':>6}")
    for row in rows:
        print(f"{row['pattern']:16} {row['how']:7} {row['ranks']:8} {row['messages']:9} {row['nanoseconds']['CPU']['median'] / 1000:9.2f} us "
              f"{row['first_bytes']:14} bytes {row['later_bytes']:6}")
    results.write(options.json, rows)


if __name__ == "__main__":
    main()
