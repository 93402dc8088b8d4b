# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Three of the examples, beside the same programs written by hand with MPI.

    applications.py --kanorc K [--mpicxx M] [--mpiexec E] [--cc C] [--ranks 2,4,8] [--runs 7] [--only conjugate_gradient,pagerank,particles]
                    [--conjugate-gradient 300] [--pagerank 200000] [--particles 200] [--steps 200] [--json FILE]

Compiles examples/06_conjugate_gradient, 07_pagerank and 09_particles as they are, and library/*_mpi.cpp, with -O3, and runs
them in turn. Sizes may be several, separated by commas:
  conjugate_gradient  Poisson's equation on so many points along each edge of a square
  pagerank            so many pages, each with four links to others at random
  particles           so many discs along each wall of a room
Sides: Kanor's ranks as threads and as processes; MPI, whose waits give the core away where ranks outnumber cores
(collectives/yield.c). Prints microseconds of an iteration or a step: medians of the runs, of
MPI's the fastest; then the ratios of Kanor's to MPI's; and lines of code of Kanor's and of MPI's program, without blank
lines, comments, and lines that both programs have in the same order, such as reading the file.

The times do not contain start and input. A program runs twice, with few iterations and with many, on input of the same
size, and the difference is what the other iterations took. Of the runs with few, the median counts, of MPI's the fastest.
Tolerances decide how many iterations there are in the first two programs, so the input for few differs in its numbers:
  conjugate_gradient  9 instead of 4 on the diagonal
  pagerank            as many links lead to each page as to any other, so scores are right at once. For many steps, a link
                      of every 14th page leads to one of ten pages with odd numbers instead. No link leads from odd
                      numbers to even ones, so the scores of the latter shrink slowly.
  particles           --steps, and a tenth of that

All sides must have the same results in each run. Particles: the same text and the same picture, bit for bit. PageRank: the
same pages, numbers of links and steps, and scores that differ by one unit of their last digit at most. Conjugate gradients,
where sums of more than two ranks depend on the order in which MPI adds: the same residuals within a hundredth in the first
30 iterations, numbers of iterations that differ by a hundredth or by one at most, and an error of less than a millionth.
"""

import difflib
import hashlib
import os
import random
import re
import shlex
import sys
import tempfile
import time

import collectives
import results

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(HERE)), "examples")
# And what they are linked with.
APPLICATIONS = {"conjugate_gradient": [], "pagerank": [], "particles": [os.path.join(EXAMPLES, "02_heat", "picture.cpp"), "-lpng"]}
FOLDERS = {"conjugate_gradient": "06_conjugate_gradient", "pagerank": "07_pagerank", "particles": "09_particles"}
COUNTS = {"conjugate_gradient": r"^ *(\d+)  \S+$", "pagerank": r"(\d+) steps$", "particles": r"^step (\d+):"}  # of iterations, the last
MODES = ("threads", "processes")
SIDES = [*MODES, "MPI"]
LINKS = 4  # from each page
EARLY = 30  # iterations of conjugate gradients after which roundings may have grown


def sources(application):
    return {"Kanor": os.path.join(EXAMPLES, FOLDERS[application], f"{application}.cpp"),
            "MPI": os.path.join(HERE, "library", f"{application}_mpi.cpp")}


def build(folder, application, options):
    programs = {}
    for name, compiler in (("Kanor", [options.kanorc]), ("MPI", shlex.split(options.mpicxx))):
        programs[name] = os.path.join(folder, f"{application}_{name}")
        results.run([*compiler, "-std=c++20", "-O3", sources(application)[name], *APPLICATIONS[application], "-o", programs[name]])
    programs["yield"] = collectives.build_yield(folder, options)
    return programs


def lines_of_code(application):
    """Of each program: those that only it has; and those that both have."""
    code = {}
    for name, path in sources(application).items():
        with open(path, encoding="utf-8") as file:
            stripped = [re.sub(r"\s*//.*", "", line).strip() for line in file]
        code[name] = [line for line in stripped if line]
    blocks = difflib.SequenceMatcher(None, *code.values(), autojunk=False).get_matching_blocks()
    both = sum(block.size for block in blocks)
    return {**{name: len(lines) - both for name, lines in code.items()}, "both": both}


def make_matrices(folder, side):
    """Files of the same length; by whether the tolerance needs many iterations."""
    script = os.path.join(EXAMPLES, FOLDERS["conjugate_gradient"], "make_poisson.py")
    matrix = results.run([sys.executable, script, str(side)])
    found = {}
    for many, diagonal in ((False, 9), (True, 4)):
        found[many] = os.path.join(folder, f"diagonal_{diagonal}.mtx")
        with open(found[many], "w", encoding="utf-8") as out:
            out.write(matrix.replace(" 4\n", f" {diagonal}\n"))
    return found


def make_links(folder, pages):
    """As make_matrices(). In four random orders of the pages with even numbers, and of those with odd ones, each links to the
    page at its place."""
    chance = random.Random(1)
    links = []
    for odd in (0, 1):
        numbers = list(range(odd, pages, 2))
        for _ in range(LINKS):
            targets = numbers.copy()
            chance.shuffle(targets)
            links += zip(numbers, targets)
    links.sort()
    preferred = [2 * chance.randrange(pages // 2) + 1 for _ in range(10)]
    found = {}
    for many in (False, True):
        found[many] = os.path.join(folder, f"links_{many}.tsv")
        with open(found[many], "w", encoding="utf-8") as out:
            for at, (page, target) in enumerate(links):
                changed = many and page % 14 == 0 and at % LINKS == 0
                print(page, chance.choice(preferred) if changed else target, sep="\t", file=out)
    return found


def arguments(folder, application, size, options):
    """Of the program, by whether there shall be many iterations."""
    if application == "particles":
        steps = {False: max(1, options.steps // 10), True: options.steps}
        return {many: [str(size), str(count), os.path.join(folder, "picture.png")] for many, count in steps.items()}
    make = {"conjugate_gradient": make_matrices, "pagerank": make_links}[application]
    return {many: [path] for many, path in make(folder, size).items()}


def execute(programs, side, given, ranks, options):
    """What the program prints, and a digest of its picture if it writes one; and the seconds that it takes."""
    command, environment = [programs["Kanor"]], {"KANOR_RANKS": str(ranks), "KANOR_MODE": side}
    if side == "MPI":
        command = [*shlex.split(options.mpiexec), "-n", str(ranks), programs["MPI"]]
        environment = collectives.yielding(ranks, programs["yield"])
    begin = time.perf_counter()
    output = results.run([*command, *given], environment)
    taken = time.perf_counter() - begin
    if os.path.exists(given[-1]) and given[-1].endswith(".png"):
        with open(given[-1], "rb") as picture:
            output += hashlib.sha256(picture.read()).hexdigest()
        os.remove(given[-1])
    return output, taken


def iterations(application, output):
    return int(re.findall(COUNTS[application], output, re.MULTILINE)[-1])


def agree(application, one, other):
    """Whether two outputs are equal, but for roundings."""
    if application == "particles":
        return one == other
    if application == "pagerank":
        first, second = one.split(), other.split()
        return len(first) == len(second) and all(
            a == b or ("." in a and "." in b and abs(float(a) - float(b)) < 1.5e-6) for a, b in zip(first, second))
    counts = [iterations(application, output) for output in (one, other)]
    errors = [float(output.split()[-1]) for output in (one, other)]
    early = [[float(found) for done, found in re.findall(r"^ *(\d+)  (\S+)$", output, re.MULTILINE) if int(done) < min(EARLY, *counts)]
             for output in (one, other)]
    return (abs(counts[0] - counts[1]) <= max(1, 0.01 * counts[0]) and all(error < 1e-6 for error in errors)
            and len(early[0]) == len(early[1]) and all(abs(a - b) <= 0.01 * a for a, b in zip(*early)))


def measure(application, size, ranks, programs, options, folder):
    """Prints a line, and answers its row."""
    given = arguments(folder, application, size, options)
    taken = {many: {side: [] for side in SIDES} for many in given}
    counts = {}
    for _ in range(options.runs):
        outputs = {}
        for side in SIDES:
            for many in given:
                outputs[many, side], seconds = execute(programs, side, given[many], ranks, options)
                taken[many][side].append(seconds)
                counts[many, side] = iterations(application, outputs[many, side])
                if not agree(application, outputs[many, SIDES[0]], outputs[many, side]):
                    raise SystemExit(f"{application} of {size}: the programs disagree:\n" + "\n".join(
                        f"{which}:\n{outputs[many, which]}" for which in (SIDES[0], side)))
    row = {}
    for side in SIDES:
        if counts[True, side] <= counts[False, side]:
            raise SystemExit(f"{application} of {size}: {counts[True, side]} iterations, and should be more than {counts[False, side]}")
        start = results.told({side: results.summary(taken[False][side])}, side)
        row[side] = results.summary([1e6 * (seconds - start) / (counts[True, side] - counts[False, side]) for seconds in taken[True][side]])
    ratios = {mode: row[mode]["median"] / row["MPI"]["fastest"] for mode in MODES}
    lines = lines_of_code(application)
    print(f"{ranks:5} {application:18} {size:7} {counts[True, 'MPI']:10}", *(f"{results.told(row, side):10.1f}" for side in SIDES),
          *(f"{ratio:9.2f}" for ratio in ratios.values()), *(f"{lines[name]:6}" for name in lines), flush=True)
    return {"application": application, "size": size, "ranks": ranks, "microseconds": row, "is_times_mpi": ratios, "lines": lines,
            "iterations": {side: [counts[many, side] for many in given] for side in SIDES},
            "seconds": {side: {name: results.summary(taken[many][side]) for many, name in ((False, "few"), (True, "many"))} for side in SIDES}}


def main():
    parser = results.comparison(__doc__)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--ranks", type=results.numbers, default=[2, 4, 8], help="how many, separated by commas (default 2,4,8)")
    parser.add_argument("--only", default=",".join(APPLICATIONS), help="applications, separated by commas (default all)")
    parser.add_argument("--conjugate-gradient", default=[300], type=results.numbers, metavar="SIZES", help="points along an edge (default 300)")
    parser.add_argument("--pagerank", default=[200_000], type=results.numbers, metavar="SIZES", help="pages, even numbers from 50 (default 200,000)")
    parser.add_argument("--particles", default=[200], type=results.numbers, metavar="SIZES", help="discs along a wall, 16 to 4096 (default 200)")
    parser.add_argument("--steps", type=int, default=200, help="of particles, at least 2 (default 200)")
    results.add_arguments(parser, runs=7)
    options = parser.parse_args()
    if any(pages % 2 or pages < 50 for pages in options.pagerank) or options.steps < 2:
        parser.error("--pagerank must be even numbers from 50, and --steps 2 or more")

    print(f"microseconds of an iteration: medians of {options.runs} runs, MPI's fastest; then ratios to MPI, and lines of code")
    print(f"ranks {'':18} {'size':>7} {'iterations':>10}", *(f"{side:>10}" for side in SIDES), *(f"{mode:>9}" for mode in MODES),
          *(f"{name:>6}" for name in ("Kanor", "MPI", "both")))
    rows = []
    for application in options.only.split(","):
        with tempfile.TemporaryDirectory() as folder:
            programs = build(folder, application, options)
            for ranks in options.ranks:
                for size in getattr(options, application):
                    rows.append(measure(application, size, ranks, programs, options, folder))
    results.write(options.json, rows)


if __name__ == "__main__":
    main()
