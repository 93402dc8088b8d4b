"""Draws the figures of sharing.py: the time of an exchange against its size, a file for each operation.

    plots.py bench.json [--out FOLDER] [--format svg]

Writes sharing_broadcast.svg, sharing_shift.svg and sharing_reduce.svg. The same figures make the same bytes. A line is the median of the
runs; MPI's is the fastest of its runs.
"""

import argparse
import json
import os

import matplotlib

matplotlib.use("agg")
matplotlib.rcParams.update({"svg.hashsalt": "kanor", "svg.fonttype": "none", "font.family": ["DejaVu Sans"], "font.size": 9})

import matplotlib.pyplot as plt

# What a side is called, its colour and its mark.
SIDES = {"shared": ("shared", "#0b6e4f", "o"), "copied": ("copied", "#c8553d", "s"), "MPI": ("MPI", "#5b5f97", "^"),
         "threads": ("by hand", "#8a8d91", "D")}
CASES = {"1": "1: nobody writes", "2a": "2a: written when the others have read", "2b": "2b: written at once", "3": "3: both sides write"}


def bytes_text(size):
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"


def time_text(microseconds):
    return f"{microseconds / 1000:g} ms" if microseconds >= 1000 else f"{microseconds:g} µs"


def draw(operation, rows):
    """A panel for each case, all with the same axes."""
    cases = [case for case in CASES if any(row["case"] == case for row in rows)]
    figure, panels = plt.subplots(1, len(cases), figsize=(0.6 + 2.5 * len(cases), 2.9), sharex=True, sharey=True, layout="constrained", squeeze=False)
    sizes = sorted({row["bytes"] for row in rows})
    for panel, case in zip(panels[0], cases):
        for side, (label, colour, mark) in SIDES.items():
            of = [(row["bytes"], row["microseconds"][side]["fastest" if side == "MPI" else "median"])
                  for row in rows if row["case"] == case and side in row["microseconds"]]
            if of:
                panel.plot(*zip(*sorted(of)), color=colour, marker=mark, markersize=3.5, linewidth=1.2, label=label)
        panel.set(xscale="log", yscale="log")
        panel.set_title(CASES[case], fontsize=9)
        panel.set_xticks(sizes[::2], [bytes_text(size) for size in sizes[::2]], rotation=35, ha="right")
        panel.minorticks_off()
        panel.yaxis.set_major_formatter(lambda value, _: time_text(value))
        panel.grid(True, color="#e3e3e3", linewidth=0.6)
        panel.spines[["top", "right"]].set_visible(False)
    panels[0][0].set_ylabel(f"one {operation}, read included")
    panels[0][0].legend(frameon=False)
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("json")
    parser.add_argument("--out", default=".")
    parser.add_argument("--format", default="svg", choices=["svg", "png"])
    options = parser.parse_args()

    with open(options.json, encoding="utf-8") as file:
        rows = json.load(file)["benchmarks"]["sharing"]
    for operation in dict.fromkeys(row["operation"] for row in rows):
        figure = draw(operation, [row for row in rows if row["operation"] == operation])
        path = os.path.join(options.out, f"sharing_{operation}.{options.format}")
        figure.savefig(path, dpi=150, metadata={"Date": None, "Creator": None} if options.format == "svg" else None)
        print(f"plot: {path}")


if __name__ == "__main__":
    main()
