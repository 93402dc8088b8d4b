# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The section on costs of the standard library's page says how much its functions send.

    check_costs.py --kanorc K --kanorrun R [--mpiexec M] --work DIRECTORY --counts FILE PAGE.md
    check_costs.py --counts FILE PAGE.md

Compiles Inputs/stdlib_costs.cpp, which counts blocks, messages and bytes of calls of all functions, runs it in several
ways, and writes what it prints to the file. Without --kanorc it takes the file of an earlier run. Then it compares the
counts with the table of the section:

- The row of a function says how many blocks it executes, and how many messages and bytes the rank sends that sends most of
  them; or that it is `at most` so many. B in a formula is the number of blocks that were counted. In a team of one rank
  nothing is sent.
- Long values may be read where they lie, and other machines answer: then there may be up to twice as many messages.
- Some call needs half of each `at most`, at least: otherwise the row says too much.
- Each function that other tables of the page list has a row, and is called, unless the page says that it communicates
  nothing. An example calls it, too.
"""

import argparse
import collections
import math
import os
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "Inputs", "stdlib_costs.cpp")
RUNTIME = os.path.join(HERE, "..", "..", "runtime", "src")
COLUMNS = ["blocks", "messages", "bytes"]
FEW, MANY = 6, 1500  # elements

# kind: exact; answers: there may be twice as many messages; direct: only what is no `at most` is compared, because without
# patterns more messages are sent.
Run = collections.namedtuple("Run", "mode ranks elements disable kind")
RUNS = [Run("threads", ranks, FEW, "", "exact") for ranks in (1, 2, 3, 4, 8)]
RUNS += [Run("processes", ranks, FEW, "", "exact") for ranks in (1, 3, 4)]
RUNS += [Run("threads", ranks, MANY, "", "answers") for ranks in (2, 3, 8)]
RUNS += [Run("processes", 4, MANY, "", "answers")]
RUNS += [Run("threads", 4, MANY, "patterns,sharing", "direct"), Run("processes", 3, MANY, "patterns,sharing", "direct")]
MPI_RUNS = [Run("mpi", 4, FEW, "node-memory", "answers")]

Cell = collections.namedtuple("Cell", "formula is_limit")
Call = collections.namedtuple("Call", "run names counted")  # names and counted: of each rank


def run(command, **environment):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("KANOR_")}
    done = subprocess.run(command, env={**kept, **environment}, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        sys.exit(f"{shlex.join(command)} ends with status {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def count(options):
    """Runs the program everywhere, and writes what it says to the file."""
    with open(PROGRAM, encoding="utf-8") as file:
        wrapped = re.findall(r'"(_ZN\w+)"', file.read())
    binary = os.path.join(options.work, "stdlib_costs")
    run([*options.kanorc, "-I", RUNTIME, *(f"-Wl,--wrap={name}" for name in wrapped), PROGRAM, "-o", binary])
    with open(options.counts, "w", encoding="utf-8") as file:
        for one in RUNS + (MPI_RUNS if options.mpiexec else []):
            launch = options.mpiexec if one.mode == "mpi" else [*options.kanorrun, "--mode", one.mode]
            said = run([*launch, "-n", str(one.ranks), binary, str(one.elements)], KANOR_DISABLE=one.disable)
            print(*one[:3], one.disable or "nothing", one.kind, file=file)
            file.write(said)


def read_counts(path):
    """{function: its calls}"""
    calls, lines = collections.defaultdict(list), collections.defaultdict(list)

    def end_run(one):
        # Each rank makes the same calls in the same order.
        for of_all in zip(*(lines[rank] for rank in sorted(lines)), strict=True):
            calls[of_all[0][0]].append(Call(one, [names for _, names, _ in of_all], [counted for _, _, counted in of_all]))
        lines.clear()

    one = None
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if ":" not in line:
                end_run(one)
                one = Run(words[0], int(words[1]), int(words[2]), words[3], words[4])
                continue
            names = {name: int(value) for name, value in re.findall(r"(\w)=(\d+)", line)}
            lines[int(words[1])].append((words[0], names, [int(word) for word in words[-3:]]))
    end_run(one)
    return calls


def rows_of(text, *header):
    """The cells of the rows of all tables whose header begins like this."""
    inside = False
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if not line.strip():
            inside = False
        elif tuple(cells[:len(header)]) == header:
            inside = True
        elif inside and cells and not cells[0].startswith("--"):
            yield cells


def functions_in(cell):
    return [re.match(r"[\w.]+", code)[0] for code in re.findall(r"`([^`]+)`", cell)]


def listed_functions(page):
    """All functions that communicate."""
    found = {function for row in rows_of(page, "header", "call") for function in functions_in(row[1])}
    silent = re.search(r"((?:`\w+`(?:,|and|\s)*)+)\s+communicate\s+nothing", page)
    return found - set(functions_in(silent[1]) if silent else [])


def cell_of(text):
    match = re.fullmatch(r"(at most )?(?:`([^`]+)`|(\d+))", text)
    if not match:
        sys.exit(f"'{text}' is no formula")
    return Cell(match[2] or match[3], bool(match[1]))


def costs_in(page):
    """{function: the three cells of its row}"""
    section = re.search(r"^## Costs\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    costs = {}
    for row in rows_of(section[1] if section else "", "function"):
        for function in functions_in(row[0]):
            if function in costs:
                sys.exit(f"{function} has two rows")
            costs[function] = [cell_of(text) for text in row[1:]]
    return costs


def value_of(formula, names):
    functions = {"log2": lambda x: math.log2(x) if x > 0 else 0, "ceil": math.ceil, "min": min, "pow": pow}
    return eval(formula, {"__builtins__": {}}, {**functions, **names})


def check_call(function, cells, call, ratios):
    """What is wrong with a call's numbers."""
    run_of, ranks = call.run, len(call.counted)
    where = f"{function} in {ranks} {run_of.mode} with {run_of.elements} elements, disabled: {run_of.disable}"
    for column, cell in enumerate(cells):
        # The names may stand for other numbers on each rank: the most that one sends is that of the largest.
        limit = max(value_of(cell.formula, {**names, "P": ranks, "B": counted[0]})
                    for names, counted in zip(call.names, call.counted, strict=True))
        found = max(counted[column] for counted in call.counted)
        if column > 0 and ranks == 1:
            limit = 0
        elif run_of.kind == "direct" and cell.is_limit:
            continue
        is_limit = cell.is_limit
        if run_of.kind == "answers" and column > 0:
            limit, is_limit = limit * (2 if column == 1 else 1), True
        elif limit > 0:
            ratios[column] = max(ratios[column], found / limit)
        if found > limit or (found < limit and not is_limit):
            yield f"{where}: {COLUMNS[column]}: {found}, and the page says {'at most ' if is_limit else ''}{limit:g}"


def is_in_example(function, page):
    examples = "".join(re.findall(r"^```cpp\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
    scope, _, name = function.rpartition(".")
    return re.search(rf"{'[.]' if scope else 'kanor::'}{name}\b", examples)


def check(page, calls):
    listed, costs = listed_functions(page), costs_in(page)
    wrong = [f"{function} has no row" for function in sorted((listed | set(calls)) - set(costs))]
    wrong += [f"{function} is in no example" for function in sorted(listed) if not is_in_example(function, page)]
    wrong += [f"{function} has a row, and is in no other table" for function in sorted(set(costs) - listed)]
    wrong += [f"{function} is not called: add it to {PROGRAM}" for function in sorted((listed | set(costs)) - set(calls))]
    for function in sorted(set(costs) & set(calls)):
        cells, ratios = costs[function], [0.0] * len(COLUMNS)
        found = [complaint for call in calls[function] for complaint in check_call(function, cells, call, ratios)]
        wrong += dict.fromkeys(found)  # once
        wrong += [f"{function}: no call has half of '{cell.formula}' {column}"
                  for cell, column, ratio in zip(cells, COLUMNS, ratios, strict=True) if cell.is_limit and ratio < 0.5]
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kanorc", type=shlex.split)
    parser.add_argument("--kanorrun", type=shlex.split)
    parser.add_argument("--mpiexec", type=shlex.split)
    parser.add_argument("--work")
    parser.add_argument("--counts", required=True)
    parser.add_argument("page")
    options = parser.parse_args()
    if options.kanorc:
        count(options)
    with open(options.page, encoding="utf-8") as file:
        page = file.read()
    calls = read_counts(options.counts)
    wrong = check(page, calls)
    print("\n".join(wrong) or f"{len(calls)} functions, {sum(map(len, calls.values()))} calls")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
