# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of applications that hand their buffers over (kanor/opi.h), beside the same with MPI.

    kernels.py --kanorc K [--mpicxx M] [--mpiexec E] [--ranks 2] [--runs 7] [--only fft,md] [--fft 2048] [--md 10]
               [--fastest] [--json FILE]

Compiles the programs in kernels/ with -O3 and runs them in turn. They are those of "Ownership Passing" (PPoPP 2013):
  fft  the Fourier transform of a square of complex numbers by rows and columns, with two exchanges of all with all
       (section 5.3; needs FFTW, Debian's libfftw3-dev). --fft: edges of the square, separated by commas. In two ways: all
       that two ranks exchange at once (MPI: by MPI_Alltoall), and in tiles of 64 x 64 numbers, which stay in a cache.
  md   molecular dynamics in the manner of MiniMD, whose steps exchange positions and forces of atoms at borders (section
       5.2). --md: cells of the lattice on each edge of the box, separated by commas; a cell has 4 atoms.
Sides: Kanor's ranks as threads and as processes; MPI. Prints microseconds of a transform or a step, and of that part which
packs, exchanges and unpacks, each of the later rank: medians of the runs, of MPI's the fastest; and the ratios of Kanor's
to MPI's, of the transform to the faster of MPI's two ways. In the parts that are timed by themselves ranks start together: waiting for one that computes longer is no part
of them. With --fastest a run counts with its fastest batch, for a machine that others use too.

The transform is compared with FFTW's of the whole square, by the program. Of the atoms, energy and momentum must be
conserved, and the same in all programs and with one rank; after more than 100 steps roundings have grown too much for that.
"""

import os
import shlex
import statistics
import subprocess
import sys
import tempfile

import results

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = {"fft": ["-lfftw3"], "md": []}  # and what to link with
WAYS = {"fft": {"at once": [], "in tiles": ["64"]}, "md": {"": []}}  # and what they add to the command
MODES = ("threads", "processes")
SIDES = [*MODES, "MPI"]
PARTS = ("total", "communication")
ROUNDING = 1e-9  # of energies by atom, and of the transform's sum as part of it
STATE = 6  # numbers of a state of the atoms: energy, kinetic energy, momentum, all by atom, and how many atoms there are
EARLY = 4  # batches after which the second state is taken, or after fewer, the last; as in md.hpp
CONSERVED = 1e-3  # the energy by atom changes no more


def has_fftw(compiler):
    """Whether programs with FFTW can be compiled and linked."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*compiler, "-x", "c++", "-", "-o", os.path.join(folder, "program"), *KERNELS["fft"]]
        source = "#include <fftw3.h>\nint main() { fftw_cleanup(); }\n"
        return subprocess.run(command, input=source, text=True, capture_output=True, check=False).returncode == 0


def build(folder, kernel, options):
    """Compiles the kernel's programs into the folder; by name."""
    programs = {}
    for name, compiler in (("opi", [options.kanorc]), ("mpi", shlex.split(options.mpicxx))):
        programs[name] = os.path.join(folder, f"{kernel}_{name}")
        # Ranks make their plans in turn.
        safe = ["--thread-safe-library=fftw3"] if kernel == "fft" and "kanorc" in compiler[0] else []
        results.run([*compiler, "-std=c++20", "-O3", os.path.join(HERE, "kernels", f"{kernel}_{name}.cpp"), *KERNELS[kernel],
                     *safe, "-o", programs[name]])
    return programs


def sides(programs, ranks, options, rest=()):
    """The command and environment of each side; `rest` follows the numbers that execute() adds."""
    found = {mode: ([programs["opi"]], {"KANOR_RANKS": str(ranks), "KANOR_MODE": mode}) for mode in MODES}
    found["MPI"] = (shlex.split(options.mpiexec) + ["-n", str(ranks), programs["mpi"]], {})
    return {side: (command, environment, list(rest)) for side, (command, environment) in found.items()}


def execute(side, size, batches):
    """What a program has computed, and its times of each part."""
    command, environment, rest = side
    lines = results.run([*command, str(size), str(batches), *rest], environment).splitlines()
    checks, *times = [[float(number) for number in line.split()] for line in lines]
    return checks, dict(zip(PARTS, times))


def compare(what, checks):
    """By side. Differences count as part of numbers that are greater than 1."""
    first, *others = checks.items()
    for side, numbers in others:
        if len(numbers) != len(first[1]) or not all(abs(one - other) <= ROUNDING * max(1, abs(one)) for one, other in zip(first[1], numbers)):
            sys.exit(f"{what}: the programs disagree: {first}, {(side, numbers)}")


def check_atoms(side, checks):
    """What is conserved in the states, and answers the early ones, which depend on roundings but little."""
    states = [checks[at:at + STATE] for at in range(0, len(checks), STATE)]
    for energy, _, *momentum, atoms in states:
        if abs(energy - states[0][0]) > CONSERVED:
            sys.exit(f"md: {side}: the energy is {energy}, and was {states[0][0]} at the beginning")
        if any(abs(number) > ROUNDING for number in momentum):
            sys.exit(f"md: {side}: there is momentum: {momentum}")
        if atoms != states[0][-1]:
            sys.exit(f"md: {side}: there are {atoms} atoms, and were {states[0][-1]} at the beginning")
    return checks[:2 * STATE]


def check_alone(programs, size, batches, options):
    """With one rank; what it computes, by side."""
    found = {}
    for side, command in sides(programs, 1, options).items():
        name = f"{side}, one rank"
        found[name] = check_atoms(name, execute(command, size, min(batches, EARLY))[0])
    return found


def measure(kernel, size, programs, options):
    """Prints a line of each part, and answers their rows."""
    batches = options.batches or (10 if kernel == "fft" else 50)
    checks = check_alone(programs, size, batches, options) if kernel == "md" else {}
    times = {(way, part): {side: [] for side in SIDES} for way in WAYS[kernel] for part in PARTS}
    for _ in range(options.runs):
        for way, rest in WAYS[kernel].items():
            for side, command in sides(programs, options.ranks, options, rest).items():
                computed, took = execute(command, size, batches)
                checks[f"{side} {way}"] = check_atoms(side, computed) if kernel == "md" else computed
                for part in PARTS:
                    times[way, part][side].append(min(took[part]) if options.fastest else statistics.median(took[part]))
        compare(f"{kernel} {size}", checks)
    rows = []
    for (way, part), measured in times.items():
        row = {side: results.summary(of) for side, of in measured.items()}
        fastest = min(min(times[other, part]["MPI"]) for other in WAYS[kernel])
        ratios = {side: row[side]["median"] / fastest for side in MODES}
        columns = [f"{row[side]['fastest' if side == 'MPI' else 'median']:10.1f}" for side in SIDES]
        columns += [f"{ratio:9.2f}" for ratio in ratios.values()]
        print(f"{kernel:4} {size:6}  {part:14} {way:9}", *columns, flush=True)
        rows.append({"kernel": kernel, "size": size, "way": way, "part": part, "ranks": options.ranks, "microseconds": row,
                     "is_times_mpi": ratios})
    return rows


def main():
    parser = results.comparison(__doc__)
    parser.add_argument("--ranks", type=int, default=2, help="at least 2 (default 2)")
    parser.add_argument("--batches", type=int, default=0, help="of a run: transforms (default 10), or 20 steps each (default 50)")
    parser.add_argument("--fastest", action="store_true", help="for a busy machine")
    parser.add_argument("--only", default="fft,md", help="kernels, separated by commas (default fft,md)")
    parser.add_argument("--fft", default=[2048], type=results.numbers, metavar="SIZES", help="multiples of 4 (default 2048)")
    parser.add_argument("--md", default=[10], type=results.numbers, metavar="SIZES", help="default 10, which are 4000 atoms")
    results.add_arguments(parser, runs=7)
    options = parser.parse_args()
    if options.ranks < 2:
        parser.error("--ranks must be 2 or more")

    wanted = options.only.split(",")
    if "fft" in wanted and not has_fftw(shlex.split(options.mpicxx)):
        print("left out: fft needs FFTW, which is not installed (Debian: libfftw3-dev)", flush=True)
        wanted.remove("fft")
    rows = []
    print(f"{options.ranks} ranks; microseconds of a transform or a step: medians of {options.runs} runs, MPI's fastest; then ratios to MPI")
    print(f"{'kernel':11}  {'part':14} {'exchanged':9}", *(f"{side:>10}" for side in SIDES), *(f"{side:>9}" for side in MODES))
    for kernel in KERNELS:
        if kernel not in wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            programs = build(folder, kernel, options)
            for size in getattr(options, kernel):
                rows += measure(kernel, size, programs, options)
    results.write(options.json, rows)


if __name__ == "__main__":
    main()
