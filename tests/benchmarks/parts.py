# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the parts of a message take by themselves: runs the micro-benchmark of parts/ and prints its figures.

    parts.py --program build/release/tests/benchmarks/parts/kanor_parts_benchmark [--runs 5] [--seconds 0.1] [--json FILE]

One core plays both ranks, so the other core's cache is no part of it. Prints CPU time: medians of the runs.
"""

import results

# What the number of each part is.
NUMBERS = {"pool": "bytes", "pool_of_another": "bytes", "message": "bytes", "few_bytes": "bytes", "match": "receives", "match_kept": "messages"}


def rows_of(iterations):
    times = {}
    for run in iterations:
        times.setdefault(run["run_name"], []).append(run["cpu_time"])
    rows = []
    for name, of in times.items():
        part, number = name.split("/")
        rows.append({"part": part, NUMBERS[part]: int(number), "nanoseconds": {"CPU": results.summary(of)}})
    return rows


def main():
    options, iterations = results.run_google_benchmark(__doc__)
    rows = rows_of(iterations)
    for row in rows:
        number = NUMBERS[row["part"]]
        print(f"{row['part']:16} {row[number]:8} {number:9} {row['nanoseconds']['CPU']['median']:9.1f} ns")
    results.write(options.json, rows)


if __name__ == "__main__":
    main()
