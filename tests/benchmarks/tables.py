# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of docs/performance.md, from what scripts/bench has measured.

    tables.py build/bench/bench.json docs/performance.md

Replaces the rows of each table whose header is one of those below and whose benchmark has run. The rest of the page stays:
its sentences name figures too, and are for whoever runs this to read again.
"""

import argparse
import json
import sys

import results
from results import bytes_text

MODES = ("threads", "processes")
COLLECTIVES = ["broadcast", "reduce", "all-reduce", "gather", "scatter", "all-gather", "all-to-all", "scan", "barrier"]


def time(value):
    """Three figures, and all of a large number."""
    return f"{value:.2f}" if value < 9.995 else f"{value:.1f}" if value < 99.95 else f"{value:.0f}"


def told(row, side):
    """In the unit of the row's times."""
    return results.told(row.get("microseconds") or row.get("nanoseconds"), side)


def times(row, *sides):
    return [time(told(row, side)) for side in sides]


def ratios(of, *others):
    return [f"{of[other]:.2f}" if other in of else "" for other in others]


def grouped(rows, key):
    """The rows, each with its key, or with nothing where the row above has the same."""
    before = None
    for row in rows:
        yield key(row) if key(row) != before else "", row
        before = key(row)


def small_exchanges(rows):
    names = {"one_way": "one way of a ping-pong", "shift": "`MPI_Sendrecv`", "broadcast": "`MPI_Bcast`", "broadcast_from_0": "`MPI_Bcast`",
             "all_reduce": "`MPI_Allreduce`", "barrier": "`MPI_Barrier`", "all_to_all": "`MPI_Alltoall`", "halo": "`MPI_Isend`",
             "halo_neighbours": "`MPI_Neighbor_alltoallw`"}
    for row in rows:
        if row["case"] in ("elements", "puts", "histogram"):
            continue
        first = [row["title"].replace("doubles", "numbers"), *(f"{told(row, mode):,.0f}" for mode in MODES)]
        for side in (side for side in row["nanoseconds"] if side.startswith("MPI ")):
            mpi = told(row, side)
            yield [*first, f"{mpi:,.0f}: {names[side[4:]]}", ", ".join(f"{told(row, mode) / mpi:.2f}" for mode in MODES)]
            first = ["", "", ""]


def elements(rows):
    titles = {"elements": "1000 numbers by an index, `got[k]@next <<= values[index[k]]@i`",
              "puts": "1000 puts of single numbers into a `kanor::window`",
              "histogram": "histogram of 10,000 numbers, with `knows = sender`"}
    for row in rows:
        if row["case"] in titles:
            side_of_mpi = next(side for side in row["nanoseconds"] if side.startswith("MPI "))
            mpi = told(row, side_of_mpi)
            yield [titles[row["case"]], *(time(told(row, side) / 1000) for side in ("threads", "processes", side_of_mpi)),
                   ", ".join(time(told(row, mode) / mpi) for mode in MODES)]


def passing(rows):
    rows = [row for row in rows if row["operation"] == "one_way"]
    for kind, row in grouped(rows, lambda row: row["case"]):
        yield [kind, bytes_text(row["bytes"]), *times(row, "threads", "processes", "MPI", "one copy", "limit"),
               *ratios(row["is_times"]["threads"], "MPI", "one copy", "limit")]


def opbench(rows):
    for row in (row for row in rows if row["operation"] == "opbench"):
        yield [bytes_text(row["bytes"]), *times(row, "threads", "processes", "MPI", "one copy", "limit"),
               *ratios(row["is_times"]["threads"], "MPI", "one copy", "limit"), f"{row['gigabytes_per_second']['threads']:.1f}"]


def delta(rows):
    called = (row for row in rows if "microseconds" in row and not row["kernel"].endswith(("unchanged", "split")))
    for kernel, row in grouped(called, lambda row: f"{row['kernel']}, {row['ranks']} ranks"):
        faster = row["times_faster"]
        yield [kernel, bytes_text(row["bytes"]),
               *times(row, "threads, plain", "threads, delta", "processes, delta", "MPI, plain", "MPI, hand"),
               ", ".join(f"{faster[mode]['plain']:.2f}" for mode in MODES), ", ".join(f"{faster[mode]['MPI']:.2f}" for mode in MODES)]


def unchanged(rows):
    for kernel, row in grouped((row for row in rows if row["kernel"].endswith("unchanged")), lambda row: row["kernel"].split()[0]):
        faster = row["times_faster"]
        yield [kernel, bytes_text(row["bytes"]),
               *times(row, "threads, plain", "threads, delta", "processes, plain", "processes, delta", "MPI, plain"),
               ", ".join(f"{faster[mode]['plain']:.2f}" for mode in MODES), ", ".join(f"{faster[mode]['MPI']:.2f}" for mode in MODES)]


def split(rows):
    for kernel, row in grouped((row for row in rows if row["kernel"].endswith("split")), lambda row: row["kernel"].split()[0]):
        faster = row["times_faster"]
        yield [kernel, bytes_text(row["bytes"]),
               *times(row, "threads, plain", "threads, delta", "processes, plain", "processes, delta", "MPI, plain", "MPI, hand"),
               ", ".join(f"{faster[mode]['plain']:.2f}" for mode in MODES)]


def increments(rows):
    for row in (row for row in rows if row["kernel"] == "increments"):
        yield [bytes_text(row["bytes"]), *(f"{ratio:.2f}" for ratio in row["times_faster"].values())]


def pages(rows):
    for row in (row for row in rows if row["kernel"] == "pages"):
        yield [bytes_text(row["bytes"]), *(f"{ratio:.2f}" for ratio in row["times_faster"].values())]


def noncontiguous(rows):
    for layout, row in grouped(rows, lambda row: row["layout"]):
        yield [layout, bytes_text(row["bytes"]), *times(row, "threads", "processes", "MPI", "MPI, packed"),
               *ratios(row["is_times"]["threads"], "MPI", "MPI, packed"), *ratios(row["is_times"]["processes"], "MPI", "MPI, packed")]


def copy_loops(rows):
    for layout, row in grouped(rows, lambda row: row["rows"]):
        sides = [f"{mode}, {side}" for mode in MODES for side in ("loops", "replaced")]
        yield [layout, bytes_text(row["bytes"]), *times(row, *sides), *(f"{row['is_times'][mode]:.2f}" for mode in MODES)]


def mpi_programs(rows):
    names = {"all_reduce": "all-reduce", "one_way": "one way", "opbench": "pack, exchange, unpack"}
    for row in rows:
        if row["ranks"] == 2 and row["operation"] != "start":
            has_copy = "one copy" in row["microseconds"]
            yield [names.get(row["operation"], row["operation"]), bytes_text(row["bytes"]),
                   *times(row, "threads", "processes", "MPI"), *(times(row, "one copy") if has_copy else [""]),
                   *ratios(row["is_times"]["threads"], "MPI", "one copy")]


def collective_rows(rows, ranks):
    """By operation and size: the rows of all spellings."""
    found = {}
    for row in rows:
        if row["ranks"] == ranks and row["change"] == row["read"] == "all":
            found.setdefault((row["operation"].replace("_", "-"), row["bytes"]), {})[row["spelling"]] = row
    return sorted(found.items(), key=lambda item: (COLLECTIVES.index(item[0][0]), item[0][1]))


def collectives(rows, ranks):
    for title, ((operation, size), by) in grouped(collective_rows(rows, ranks), lambda item: item[0][0]):
        plain = by.get("numbers") or by["vectors"]
        blocks = [one for spelling, one in by.items() if spelling in ("numbers", "vectors", "sections")]
        best = min(told(one, mode) for one in blocks for mode in MODES)
        calls, columns = by["calls"], [title, "" if operation == "barrier" else bytes_text(size), *times(plain, "threads")]
        columns += times(by["sections"], "threads") if "sections" in by else [""]
        columns += times(calls, *MODES) + times(calls, "MPI")
        other = told(calls, "yields") if ranks > 2 else told(calls, "MPI")
        if ranks > 2:
            columns += times(calls, "yields")
        columns += [f"{told(calls, 'threads') / other:.2f}", f"{best / other:.2f}"]
        if ranks > 2:
            gains = told(calls, "MPI") / min(best, told(calls, "threads"), told(calls, "processes"))
            columns += [f"{gains:.1f}" if gains < 9.95 else f"{float(f'{gains:.2g}'):.0f}"]
        yield columns


def starts(rows):
    for row in (row for row in rows if row["operation"] == "start"):
        milliseconds = (row["microseconds"][side]["median"] / 1000 for side in ("Kanor", "MPI", "yields"))
        yield [str(row["ranks_per_host"]), *(f"{one:.0f} ms" for one in milliseconds), f"{row['is_times']:.2f}"]


def hosts(rows, ranks):
    """The ratios of all sizes; a barrier's, which has no size, stands in the text."""
    found = {}
    for row in rows:
        if row["ranks_per_host"] == ranks and row["operation"] not in ("start", "barrier") and "bytes" in row:
            found.setdefault(row["operation"], []).append(row)
    for operation, of in found.items():
        yield [operation.replace("_", "-") if operation != "one_way" else "one way", *(f"{row['is_times']:.2f}" for row in of)]


def sharing(rows):
    shown = (row for row in rows if row["bytes"] in (4096, 65536, 1 << 20, 16 << 20))
    ordered = sorted(shown, key=lambda row: (["all-to-all", "broadcast", "shift", "reduce"].index(row["operation"]), row["bytes"], row["case"]))
    for title, row in grouped(ordered, lambda row: f"{row['operation']}, {bytes_text(row['bytes'])}"):
        by_hand = "threads" in row["microseconds"]
        yield [title, row["case"], *times(row, "shared", "copied", "MPI"), *(times(row, "threads") if by_hand else [""]),
               *ratios(row["shared_is_times"], "copied", "MPI", "threads")]


def kernels(rows):
    for row in rows:
        if row["part"] == "communication":
            title = "its communication"
        else:
            title = f"Fourier transform, in all, {row['way']}" if row["kernel"] == "fft" else "molecular dynamics, a step"
        shown = (lambda value: f"{value:.0f}") if told(row, "MPI") >= 100 else (lambda value: f"{value:.1f}")
        yield [title, *(shown(told(row, side)) for side in (*MODES, "MPI")), *ratios(row["is_times_mpi"], *MODES)]


def library(rows):
    for row in rows:
        title = {"sort": "sorting {:,} keys", "gather": "gathering {:,} elements of other ranks"}[row["what"]]
        count = row["size"] // 10 if row["what"] == "gather" else row["size"]
        shown = (lambda value: f"{value:.1f}") if told(row, "MPI") < 1000 else (lambda value: f"{value / 1000:.0f} ms")
        yield [title.format(count), str(row["ranks"]), *(shown(told(row, side)) for side in (*MODES, "MPI")), *ratios(row["is_times_mpi"], *MODES),
               ", ".join(f"{ratio:.2f}" for ratio in row["faster_than_alone"].values())]


def applications(rows):
    titles = {"conjugate_gradient": "conjugate gradients, {:,} unknowns: an iteration", "pagerank": "PageRank, {:,} pages: a step",
              "particles": "particles, {:,} discs: a step"}
    for row in rows:
        count = row["size"] if row["application"] == "pagerank" else row["size"] ** 2
        yield [titles[row["application"]].format(count), str(row["ranks"]), *times(row, *MODES, "MPI"), *ratios(row["is_times_mpi"], *MODES),
               *(str(row["lines"][name]) for name in ("Kanor", "MPI"))]


def span(values):
    """The least and the greatest of some ratios; nothing of none."""
    shown = sorted({f"{value:.2f}" if value < 9.995 else f"{value:.0f}" for value in values}, key=float)
    return " to ".join(shown[:1] + shown[1:][-1:])


def by_case(rows, mpi, *cases):
    """Ratios of both modes in small exchanges, to what MPI calls `mpi` (None: all that stand beside them)."""
    return [told(row, mode) / told(row, side) for row in rows if row["case"] in cases for mode in MODES for side in row["nanoseconds"]
            if side.startswith("MPI ") and mpi in (None, side[4:])]


def in_modes(rows, holds, modes=MODES):
    """Ratios to MPI of the rows for which holds(row)."""
    return [row["is_times"][mode]["MPI"] for row in rows if holds(row) for mode in modes if mode in row["is_times"]]


def overview(measured, lines):
    """The first table, which sums up all others. Of parts that were not measured, nothing. The row of sixteen cores, which the
    page has of another machine, stays."""
    sixteen_cores = next((line for line in lines if line.startswith("| collectives of 16 ranks")), None)
    if sixteen_cores is None:
        sys.exit("tables.py: the page's overview has no row 'collectives of 16 ranks'")
    latency, owned, programs = (measured[name] for name in ("latency", "ownership", "mpi_programs"))
    loops = [1 / row["times_faster"][mode]["MPI"] for row in measured["delta"] if row["kernel"] == "pair" for mode in MODES]
    calls = [row for row in measured["collectives"] if row["ranks"] == 2 and row["spelling"] == "calls"]
    best = [float(row[-1]) for row in collectives(measured["collectives"], 2)]
    over = [row for row in measured["hosts"] if row["operation"] != "start" and "bytes" in row]
    shared = measured["sharing"]
    parts = {(row["kernel"], row["part"] == "communication"): row["is_times_mpi"] for row in measured["kernels"] if row["way"] != "at once"}
    two = [row for row in programs if row["ranks"] == 2 and row["operation"] != "start"]
    compiled = measured["compile_time"][0]["seconds"]
    small, halo = "[Small exchanges](#small-exchanges)", ("halo",)
    return [
        ["broadcast, all-reduce, all-to-all and barrier, 8 bytes",
         span(by_case(latency, None, "broadcast", "broadcast_from_0", "all_reduce", "all_to_all", "barrier")), small],
        ["shift of 8 bytes, compared with one way of a ping-pong; with `MPI_Sendrecv`",
         "; ".join(span(by_case(latency, mpi, "shift")) for mpi in ("one_way", "shift")), ""],
        ["halo exchange, compared with `MPI_Isend`", span(by_case(latency, "halo", *halo)), ""],
        ["halo exchange, compared with `MPI_Neighbor_alltoallw`", span(by_case(latency, "halo_neighbours", *halo)), ""],
        ["single elements by an index; a histogram", "; ".join(span(by_case(latency, None, case)) for case in ("elements", "histogram")), ""],
        ["passing a buffer of up to 1 KiB", span(in_modes(owned, lambda row: row["operation"] == "one_way" and row["bytes"] <= 1024)),
         "[Ownership passing](#ownership-passing)"],
        ["passing a buffer of 4 KiB or more", span(in_modes(owned, lambda row: row["operation"] == "one_way" and row["bytes"] > 1024)), ""],
        ["packing, exchanging and unpacking, 1 KiB to 16 MiB", span(in_modes(owned, lambda row: row["operation"] == "opbench")), ""],
        ["two loops that run at the same time, 8 KiB to 1 MiB", span(loops), "[Pipelines](#messages-that-travel-while-they-are-computed)"],
        ["MPI programs: shift and collectives of 8 bytes, halo rows",
         span(in_modes(two, lambda row: row["operation"] not in ("one_way", "opbench"))), "[MPI programs](#mpi-programs)"],
        ["MPI programs: messages of 8 bytes to 16 MiB, threads",
         span(in_modes(two, lambda row: row["operation"] in ("one_way", "opbench"), ["threads"])), ""],
        ["the same, processes", span(in_modes(two, lambda row: row["operation"] in ("one_way", "opbench"), ["processes"])), ""],
        ["collectives as calls, 8 bytes to 8 MiB, threads", span(in_modes(calls, lambda row: True, ["threads"])), "[Collectives](#collectives)"],
        ["collectives as calls, 8 bytes to 8 MiB, processes", span(in_modes(calls, lambda row: True, ["processes"])), ""],
        ["collectives as blocks, 8 bytes to 8 MiB, fastest form", span(best), ""],
        ["messages and collectives between two hosts, 8 bytes to 1 MiB", span([row["is_times"] for row in over if row["ranks_per_host"] == 1]),
         "[Several hosts](#several-hosts)"],
        ["the same, two or four ranks on each host", span([row["is_times"] for row in over if row["ranks_per_host"] > 1]), ""],
        [cell.strip() for cell in sixteen_cores.split("|")[1:-1]],
        ["sharing 4 and 16 KiB", span([row["shared_is_times"]["MPI"] for row in shared if row["bytes"] <= 16384]),
         "[Sharing](#sharing-instead-of-copying)"],
        ["sharing 64 KiB or more, not overwritten while others read",
         span([row["shared_is_times"]["MPI"] for row in shared if row["bytes"] >= 65536 and row["case"] in ("1", "2a")]), ""],
        ["sharing 64 KiB or more, overwritten at once",
         span([row["shared_is_times"]["MPI"] for row in shared if row["bytes"] >= 65536 and row["case"] in ("2b", "3")]), ""],
        ["Fourier transform in tiles: in all; its communication", "; ".join(span(parts["fft", part].values()) for part in (False, True)),
         "[Kernels](#kernels-of-applications)"],
        ["molecular dynamics: a step; its communication", "; ".join(span(parts["md", part].values()) for part in (False, True)), ""],
        ["compiling a program with blocks", span([compiled["kanorc"]["median"] / compiled["mpicxx"]["median"]]), "[Compile time](#compile-time)"],
    ]


# By a table's header, where those of several tables are the same by the text that comes before: benchmark, and rows.
TABLES = [
    ("", "| | threads | processes | MPI, fastest of 5 | ratio |", "latency", small_exchanges),
    ("", "| | threads | processes | MPI | ratio |", "latency", elements),
    ("", "| | bytes | Kanor | processes | MPI | one copy | limit |", "ownership", passing),
    ("", "| bytes | Kanor | processes | MPI | one copy | limit |", "ownership", opbench),
    ("", "| | bytes | plain | delta | processes, delta |", "delta", delta),
    ("", "| | bytes | threads | threads, `-fdelta` |", "delta", unchanged),
    ("", "| work | bytes |", "delta", split),
    ("", "| bytes | increments of", "delta", increments),
    ("", "| bytes | threads, by calls |", "delta", pages),
    ("", "| pieces | bytes | threads | processes | MPI |", "noncontiguous", noncontiguous),
    ("", "| row | bytes | threads, loops |", "copy_loops", copy_loops),
    ("", "| | bytes | threads | processes | MPI | one copy | to MPI |", "mpi_programs", mpi_programs),
    ("", "|  | bytes | vectors | sections | calls | calls, processes | MPI | calls", "collectives", lambda rows: collectives(rows, 2)),
    ("Eight ranks", "|  | bytes | vectors", "collectives", lambda rows: collectives(rows, 8)),
    ("Four ranks", "|  | bytes | vectors", "collectives", lambda rows: collectives(rows, 4)),
    ("", "| ranks of each host | Kanor | MPI", "hosts", starts),
    ("one rank on each host", "| | 8 bytes | 1 KiB", "hosts", lambda rows: hosts(rows, 1)),
    ("Two ranks on each host", "| | 8 bytes | 1 KiB", "hosts", lambda rows: hosts(rows, 2)),
    ("Four ranks on each host", "| | 8 bytes | 1 KiB", "hosts", lambda rows: hosts(rows, 4)),
    ("", "| | case | shared | copied | MPI | by hand |", "sharing", sharing),
    ("", "| | threads | processes | MPI | threads are", "kernels", kernels),
    ("", "| | ranks | threads | processes | MPI by hand |", "library", library),
    ("", "| example | ranks | threads | processes | MPI by hand |", "applications", applications),
]
OVERVIEW = ["latency", "sharing", "ownership", "delta", "mpi_programs", "collectives", "hosts", "kernels", "compile_time"]


def replaced(lines, after, header, rows):
    """The page with other rows in the table; as it is, where there are none."""
    if not rows:
        return lines
    begin = next((at for at, line in enumerate(lines) if after in line), 0)
    at = next((at for at in range(begin, len(lines)) if lines[at].startswith(header)), None)
    if at is None:
        sys.exit(f"tables.py: the page has no table '{header}'")
    columns = lines[at].count("|") - 1
    wrong = [row for row in rows if len(row) != columns]
    if wrong:
        sys.exit(f"tables.py: '{header}' has {columns} columns, not as {wrong[:1]}")
    end = at + 2
    while lines[end].startswith("|"):
        end += 1
    return lines[:at + 2] + ["| " + " | ".join(row) + " |" for row in rows] + lines[end:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("measured")
    parser.add_argument("page")
    options = parser.parse_args()
    with open(options.measured, encoding="utf-8") as file:
        measured = json.load(file)["benchmarks"]
    with open(options.page, encoding="utf-8") as file:
        lines = file.read().split("\n")
    for after, header, benchmark, rows in TABLES:
        if measured.get(benchmark):
            lines = replaced(lines, after, header, list(rows(measured[benchmark])))
    if all(measured.get(name) for name in OVERVIEW):
        lines = replaced(lines, "", "| | ratio | section |", overview(measured, lines))
    with open(options.page, "w", encoding="utf-8") as out:
        out.write("\n".join(lines))


if __name__ == "__main__":
    main()
