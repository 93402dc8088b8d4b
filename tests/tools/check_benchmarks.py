# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what the tests' run of all benchmarks has left in a folder: every row, and plots that are the same if drawn again.

    check_benchmarks.py FOLDER
"""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "benchmarks"))
import bench
import kernels
import results
import tables

MOST_BYTES = 60000  # of a plot


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: there is {found}, and should be {wanted}")


def check_collectives(rows, cores):
    operations = ["broadcast", "reduce", "all_reduce", "gather", "scatter", "all_gather", "all_to_all", "scan"]
    spelled = [(8, "numbers")] + [(size, spelling) for size in (8, 1024) for spelling in ("vectors", "sections", "calls", "library", "joined")]
    expect("collectives", [(row["ranks"], row["operation"], row["bytes"], row["spelling"]) for row in rows],
           [row for ranks in (2, 3) for row in
            [(ranks, operation, *how) for operation in operations for how in spelled
             if how[1] != "joined" or (how[0] > 8 and operation in ("gather", "all_gather"))]
            + [(ranks, "barrier", 0, spelling) for spelling in ("numbers", "calls", "library")]])
    for row in rows:
        sides = ["MPI"] + ["yields"] * (row["ranks"] > cores)
        expect(f"collectives {row}", list(row["microseconds"]), ["threads", "processes", *sides])
        expect(f"collectives {row}: ratios", [list(of) for of in row["is_times"].values()], [sides, sides])


def check_rows(rows, cores):
    """By benchmark."""
    kinds = ["shift", "broadcast", "broadcast_from_0", "all_reduce", "barrier", "all_to_all"]
    expect("latency", [row["case"] for row in rows["latency"]], kinds + 3 * ["halo"] + ["elements", "puts", "histogram"])
    for row in rows["latency"]:
        sides = [side for side in row["nanoseconds"] if not side.startswith("MPI")]
        expect(row["title"], sides, ["threads", "processes"] + ["mpiexec"] * (row["case"] == "halo"))
        expect(f"{row['title']}: MPI", len(row["nanoseconds"]) - len(sides), 2 if row["case"] in ("shift", "halo", "puts") else 1)

    cases = [(of, case) for of in ("all-to-all", "broadcast", "shift") for case in ("1", "2a", "2b", "3")] + [("reduce", "1"), ("reduce", "2b")]
    expect("sharing", [(row["operation"], row["case"], row["bytes"]) for row in rows["sharing"]],
           [(*case, size) for case in cases for size in (4096, 8192)])
    for row in rows["sharing"]:
        by_hand = row["case"] in ("1", "2a") and row["operation"] != "reduce"
        expect(f"sharing {row}", list(row["microseconds"]), ["shared", "copied", "MPI"] + ["threads"] * by_hand)

    messages = [("one_way", "passed", 8), ("one_way", "passed", 1024), ("one_way", "fresh", 8), ("one_way", "fresh", 1024),
                ("opbench", "exchange", 1024)]
    expect("ownership", [(row["operation"], row.get("case"), row["bytes"]) for row in rows["ownership"]],
           messages + [(operation, None, 8) for operation in ("alloc_free", "kept", "handed_over")])
    for row in rows["ownership"][:len(messages)]:
        expect(f"ownership {row}", list(row["microseconds"]), ["threads", "processes", "MPI", "one copy", "limit"])
    expect("ownership: allocation", [len(row["nanoseconds"]) for row in rows["ownership"][len(messages):]], [4, 4, 4])

    many = [min(cores, 16)] if cores >= 4 else []
    kernels_of_delta = [("pair", 1024, 2), ("pair", 409600, 2), ("ring", 409600, 2)]
    kernels_of_delta += [(kernel, 1024, ranks) for kernel in ("lu", "hycom", "mg") for ranks in [2, *many]]
    kernels_of_delta += [("pair by blocks", 409600, 2), ("ring by blocks", 409600, 2)]
    expect("delta", [(row["kernel"], row["bytes"], row["ranks"]) for row in rows["delta"]], kernels_of_delta)
    for row in rows["delta"]:
        by_kanor = ["plain", "delta"] if "by blocks" in row["kernel"] else ["plain", "delta", "hand"]
        ways = {"threads": by_kanor, "processes": by_kanor, "MPI": ["plain", "hand"]}
        expect(f"delta {row}", list(row["microseconds"]), [f"{side}, {way}" for side in ways for way in ways[side]])

    expect("noncontiguous", [(row["layout"], row["bytes"]) for row in rows["noncontiguous"]], [("12/24", 1024), ("4/irregular", 1024)])
    for row in rows["noncontiguous"]:
        expect(f"noncontiguous {row}", list(row["microseconds"]), ["threads", "processes", "MPI", "MPI, packed"])

    check_collectives(rows["collectives"], cores)
    small = [("shift", 8), ("broadcast", 8), ("all_reduce", 8), ("barrier", 8), ("halo", 512), ("halo", 8192), ("halo", 131072)]
    expect("MPI programs", [(row["ranks"], row["operation"], row["bytes"]) for row in rows["mpi_programs"]],
           [(ranks, *what) for ranks in (2, 4) for what in
            [("start", 0), *small, ("one_way", 8), ("one_way", 1024), ("opbench", 1024)]])
    for row in rows["mpi_programs"]:
        by_hand = row["ranks"] == 2 and row["operation"] in ("one_way", "opbench")
        expect(f"MPI programs {row}", list(row["microseconds"]),
               ["threads", "processes", "yields" if row["ranks"] > cores else "MPI"] + ["one copy"] * by_hand)
    if rows["hosts"]:
        expect("hosts", [(row["operation"], row["bytes"]) for row in rows["hosts"]], [("start", 0), ("one_way", 8), ("one_way", 1024)])
        for row in rows["hosts"]:
            expect(f"hosts {row}", list(row["microseconds"]), ["Kanor", "MPI", "yields"])
    else:
        print("several hosts are not checked: this machine permits none")
    expect("library", [(row["what"], row["size"]) for row in rows["library"]], [("sort", 1001), ("gather", 100)])
    for row in rows["library"]:
        expect(f"library {row}", list(row["microseconds"]), ["threads", "processes", "MPI"] + ["alone"] * (row["what"] == "sort"))
    expect("applications", [(row["application"], row["size"]) for row in rows["applications"]],
           [("conjugate_gradient", 16), ("pagerank", 100), ("particles", 16)])
    for row in rows["applications"]:
        expect(f"applications {row}", list(row["microseconds"]), ["threads", "processes", "MPI"])
        expect(f"applications {row}: lines", [name for name in ("Kanor", "MPI", "both") if row["lines"][name] > 0], ["Kanor", "MPI", "both"])
    ways = [("fft", 256, "at once"), ("fft", 256, "in tiles"), ("md", 4, "")]
    wanted = [(*way, part) for way in ways for part in ("total", "communication")]
    if not kernels.has_fftw([results.MPICXX]):
        print("the Fourier transform is not checked: there is no FFTW")
        del wanted[:4]
    expect("kernels", [(row["kernel"], row["size"], row["way"], row["part"]) for row in rows["kernels"]], wanted)
    for row in rows["kernels"]:
        expect(f"kernels {row}", list(row["microseconds"]), ["threads", "processes", "MPI"])

    sizes = {"pool": (8, 4096, 1 << 20), "pool_of_another": (8, 4096), "message": (8, 256, 4096), "few_bytes": (8, 32, 256)}
    expect("parts", [(row["part"], row["bytes"]) for row in rows["parts"] if "bytes" in row], [(part, size) for part in sizes for size in sizes[part]])
    expect("parts: matching", [row["part"] for row in rows["parts"] if "bytes" not in row], 3 * ["match"] + 2 * ["match_kept"])

    expect("planning", sorted((row["pattern"], row["how"], row["ranks"]) for row in rows["planning"]),
           sorted((pattern, how, ranks) for pattern in ("shift", "halo_2d", "halo_3d", "all_to_all_row")
                  for how in ("solved", "cached") for ranks in (729, 1000000)))
    expect("compile time", [list(row["seconds"]) for row in rows["compile_time"]],
           [["kanorc", "mpicxx", "front end"], ["kanorc", "mpicxx"], ["shared", "copied", "front end, shared", "front end, copied"]] + 3 * [["-O0", "-O2"]])
    expect("variables that are copied", rows["compile_time"][2]["variables_copied"], 0)


def check_times(rows):
    for name, of in rows.items():
        for row in of:
            times = row.get("nanoseconds") or row.get("microseconds") or row["seconds"]
            least = -float("inf") if name == "applications" else 0  # they are differences, of runs that are too short here
            for side, time in times.items():
                if not least < time["fastest"] <= time["median"] <= time["slowest"]:
                    sys.exit(f"{name}: {side}: {time}")


def check_plots(folder, cores):
    python = bench.python_with_matplotlib()
    if not python:
        print("the plots are not checked: there is no matplotlib")
        return
    again = os.path.join(folder, "again")
    os.makedirs(again)
    subprocess.run([python, os.path.join(bench.HERE, "plots.py"), os.path.join(folder, "bench.json"), "--out", again], check=True)
    lines = {"sharing_all-to-all": 4, "sharing_broadcast": 4, "sharing_shift": 4, "sharing_reduce": 3,
             "ownership_2": 5, "collectives_2": 3 + (cores < 2), "collectives_3": 3 + (cores < 3)}
    labels = ("shared", "copied", "MPI", "by hand", "threads", "processes", "MPI that yields", "one copy by hand", "limit by hand")
    for name, count in lines.items():
        with open(os.path.join(folder, name + ".svg"), "rb") as first, open(os.path.join(again, name + ".svg"), "rb") as second:
            drawn = first.read()
            expect(f"{name}, drawn again, is the same", second.read() == drawn, True)
        expect(f"{name} is small", len(drawn) < MOST_BYTES, True)
        texts = [element.text for element in xml.etree.ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]
        expect(f"lines of {name}", len([text for text in texts if text in labels]), count)


def check_tables(folder, measured):
    """The page's tables hold what was measured, and its sentences stay. Of hosts this run has fewer sizes than the page."""
    page, rows = os.path.join(folder, "performance.md"), os.path.join(folder, "shown.json")
    with open(os.path.join(bench.ROOT, "docs", "performance.md"), encoding="utf-8") as file:
        before = file.read().split("\n")
    results.write(rows, {"benchmarks": dict(measured, hosts=[])})
    with open(page, "w", encoding="utf-8") as out:
        out.write("\n".join(before))
    subprocess.run([sys.executable, os.path.join(bench.HERE, "tables.py"), rows, page], check=True)
    with open(page, encoding="utf-8") as file:
        after = file.read().split("\n")
    expect("the page's sentences", *([line for line in text if not line.startswith("|")] for text in (after, before)))
    row = next(row for row in measured["ownership"] if row.get("case") == "fresh" and row["bytes"] == 8)
    shown = [line.split(" | ")[2:4] for line in after if line.startswith("| fresh | 8 B |")]
    exact = [row["microseconds"][side]["median"] for side in ("threads", "processes")]
    if len(shown) != 1 or any(abs(float(one) - other) > 0.01 * other + 0.005 for one, other in zip(*shown, exact)):
        sys.exit(f"fresh buffers of 8 bytes: there is {shown}, and should be {exact}")
    at = before.index("| | ratio | section |") + 2
    kept = [line.split("|")[1].strip() for line in before[at:before.index("", at)]]
    expect("the overview's rows", [row[0] for row in tables.overview(measured, before)], kept)
    at = after.index(next(line for line in after if line.startswith("| | case | shared | copied")))
    expect("sharing's rows", next(i for i in range(at, len(after)) if not after[i]) - at - 2, len(measured["sharing"]) // 2)


def main():
    with open(os.path.join(sys.argv[1], "bench.json"), encoding="utf-8") as file:
        found = json.load(file)
    for what in ("commit", "date", "scale"):
        expect(f"'{what}' is in the file", what in found, True)
    expect("machine", [what for what in ("processor", "cores", "system", "compiler", "mpi") if not found["machine"][what]], [])
    check_rows(found["benchmarks"], found["machine"]["cores"])
    check_times(found["benchmarks"])
    check_plots(sys.argv[1], found["machine"]["cores"])
    check_tables(sys.argv[1], found["benchmarks"])


if __name__ == "__main__":
    main()
