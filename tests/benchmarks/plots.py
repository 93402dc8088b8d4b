# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the figures of sharing.py, ownership.py and collectives.py, the time of an exchange against its size; and of
delta.py, how many times faster pipelined messages are.

    plots.py bench.json [--out FOLDER] [--format svg]

Writes for each operation of sharing sharing_broadcast.svg and so on, for each number of ranks that ownership or collectives
had ownership_2.svg, collectives_2.svg and so on, and delta_increments.svg. The same figures make the same bytes. A line is the median of the runs; MPI's is the fastest of its runs.
"""

import argparse
import json
import os

import matplotlib

matplotlib.use("agg")
matplotlib.rcParams.update({"svg.hashsalt": "kanor", "svg.fonttype": "none", "font.family": ["DejaVu Sans"], "font.size": 9})

import matplotlib.pyplot as plt
import results

# What a side is called, its colour and its mark.
SIDES = {"shared": ("shared", "#0b6e4f", "o"), "copied": ("copied", "#c8553d", "s"), "MPI": ("MPI", "#5b5f97", "^"),
         "threads": ("by hand", "#8a8d91", "D")}
CASES = {"1": "1: nobody writes", "2a": "2a: written when the others have read", "2b": "2b: written at once", "3": "3: both sides write"}


# The same of messages that are handed over.
MESSAGES = {"threads": ("threads", "#0b6e4f", "o"), "processes": ("processes", "#c8553d", "s"), "MPI": ("MPI", "#5b5f97", "^"),
            "one copy": ("one copy by hand", "#d4a017", "v"), "limit": ("limit by hand", "#8a8d91", "D")}
MESSAGE_KINDS = {("one_way", "passed"): "one way: a buffer passed on", ("one_way", "fresh"): "one way: got, written, read, freed",
                 ("opbench", "exchange"): "packed, exchanged, unpacked"}

# The same of collectives, where a side of Kanor's is a way in which ranks run, with blocks of whole vectors.
COLLECTIVES = {"threads": ("threads", "#0b6e4f", "o"), "processes": ("processes", "#c8553d", "s"), "MPI": ("MPI", "#5b5f97", "^"),
               "yields": ("MPI that yields", "#8a8d91", "D")}


def time_text(microseconds):
    return f"{microseconds / 1000:g} ms" if microseconds >= 1000 else f"{microseconds:g} µs"


def new_panels(rows, columns):
    """All have the same axes."""
    return plt.subplots(rows, columns, figsize=(0.6 + 2.5 * columns, 2.9 * rows), sharex=True, sharey=True, layout="constrained", squeeze=False)


def draw_panel(panel, title, sides, rows):
    """A line for each side that the rows have."""
    sizes = sorted({row["bytes"] for row in rows})
    for side, (label, colour, mark) in sides.items():
        of = [(row["bytes"], row["microseconds"][side]["fastest" if side in ("MPI", "yields") else "median"])
              for row in rows if side in row["microseconds"]]
        if of:
            panel.plot(*zip(*sorted(of)), color=colour, marker=mark, markersize=3.5, linewidth=1.2, label=label)
    panel.set(xscale="log", yscale="log")
    panel.set_title(title, fontsize=9)
    panel.set_xticks(sizes[::2], [results.bytes_text(size) for size in sizes[::2]], rotation=35, ha="right")
    panel.minorticks_off()
    panel.yaxis.set_major_formatter(lambda value, _: time_text(value))
    panel.grid(True, color="#e3e3e3", linewidth=0.6)
    panel.spines[["top", "right"]].set_visible(False)


def draw_sharing(operation, rows):
    """A panel for each case."""
    cases = [case for case in CASES if any(row["case"] == case for row in rows)]
    figure, panels = new_panels(1, len(cases))
    for panel, case in zip(panels[0], cases):
        draw_panel(panel, CASES[case], SIDES, [row for row in rows if row["case"] == case])
    panels[0][0].set_ylabel(f"one {operation}, read included")
    panels[0][0].legend(frameon=False)
    return figure


def draw_messages(ranks, rows):
    """A panel for each kind."""
    kinds = [kind for kind in MESSAGE_KINDS if any((row["operation"], row["case"]) == kind for row in rows)]
    figure, panels = new_panels(1, len(kinds))
    for panel, kind in zip(panels[0], kinds):
        draw_panel(panel, MESSAGE_KINDS[kind], MESSAGES, [row for row in rows if (row["operation"], row["case"]) == kind])
    panels[0][0].set_ylabel(f"one message, {ranks} ranks, all read")
    panels[0][0].legend(frameon=False)
    return figure


def draw_collectives(ranks, rows):
    """A panel for each operation that has vectors."""
    operations = list(dict.fromkeys(row["operation"] for row in rows))
    figure, panels = new_panels(-(-len(operations) // 4), min(len(operations), 4))
    for panel in panels.flat[len(operations):]:
        panel.set_visible(False)
    for panel, operation in zip(panels.flat, operations):
        draw_panel(panel, operation.replace("_", "-"), COLLECTIVES, [row for row in rows if row["operation"] == operation])
    panels[0][0].set_ylabel(f"{ranks} ranks, all changed and read")
    panels[0][0].legend(frameon=False)
    return figure


def draw_increments(rows):
    """A panel for each way to know what is final; a line for each length of increments."""
    ways = {"delta": "by calls", "pages": "by page protection"}
    figure, panels = new_panels(1, len(ways))
    for panel, (way, title) in zip(panels[0], ways.items()):
        of = sorted((row for row in rows if row["way"] == way), key=lambda row: row["bytes"])
        sizes = [row["bytes"] for row in of]
        for number, increment in enumerate(of[0]["times_faster"]):
            panel.plot(sizes, [row["times_faster"][increment] for row in of], color=plt.cm.viridis(number / 5), marker="o",
                       markersize=3.5, linewidth=1.2, label=results.bytes_text(int(increment)))
        panel.set(xscale="log")
        panel.set_title(title, fontsize=9)
        panel.set_xticks(sizes[::2], [results.bytes_text(size) for size in sizes[::2]], rotation=35, ha="right")
        panel.minorticks_off()
        panel.grid(True, color="#e3e3e3", linewidth=0.6)
        panel.spines[["top", "right"]].set_visible(False)
    panels[0][0].set_ylabel("times faster than plain messages")
    panels[0][0].legend(frameon=False, title="increments of")
    return figure


def write(figure, name, options):
    path = os.path.join(options.out, f"{name}.{options.format}")
    figure.savefig(path, dpi=150, metadata={"Date": None, "Creator": None} if options.format == "svg" else None)
    plt.close(figure)
    print(f"plot: {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("json")
    parser.add_argument("--out", default=".")
    parser.add_argument("--format", default="svg", choices=["svg", "png"])
    options = parser.parse_args()

    with open(options.json, encoding="utf-8") as file:
        found = json.load(file)["benchmarks"]
    sharing = found.get("sharing", [])
    for operation in dict.fromkeys(row["operation"] for row in sharing):
        write(draw_sharing(operation, [row for row in sharing if row["operation"] == operation]), f"sharing_{operation}", options)
    messages = [row for row in found.get("ownership", []) if "case" in row]
    for ranks in dict.fromkeys(row["ranks"] for row in messages):
        write(draw_messages(ranks, [row for row in messages if row["ranks"] == ranks]), f"ownership_{ranks}", options)
    if increments := [row for row in found.get("delta", []) if row["kernel"] == "sweep"]:
        write(draw_increments(increments), "delta_increments", options)
    collectives = [row for row in found.get("collectives", []) if row["spelling"] == "vectors"]
    for ranks in dict.fromkeys(row["ranks"] for row in collectives):
        write(draw_collectives(ranks, [row for row in collectives if row["ranks"] == ranks]), f"collectives_{ranks}", options)


if __name__ == "__main__":
    main()
