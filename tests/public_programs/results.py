# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The results of a run, without what differs from run to run, and how they are compared."""

import difflib
import re

MOST_LINES = 40  # of a difference that are shown
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def filtered(text, case):
    """The lines of a result that must be the same, in sorted order if ranks print in any order.

    `only` and `ignore` are expressions for lines, `erase` for parts of lines.
    """
    lines = []
    for line in text.replace("\r", "\n").splitlines():
        if case.get("only") and not re.search(case["only"], line):
            continue
        if case.get("ignore") and re.search(case["ignore"], line):
            continue
        lines.append((re.sub(case["erase"], "", line) if case.get("erase") else line).rstrip())
    return sorted(lines) if case.get("sorted") else lines


def close(one, other, digits):
    """If two lines are the same but for the last digits of their numbers."""
    if one == other:
        return True
    if not digits or NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return False
    for a, b in zip(NUMBER.findall(one), NUMBER.findall(other)):
        a, b = float(a), float(b)
        if abs(a - b) > 10.0 ** -digits * max(abs(a), abs(b)):
            return False
    return True


def difference(expected, found, digits=0):
    """What differs between two results' lines; an empty text for nothing."""
    if len(expected) == len(found) and all(close(a, b, digits) for a, b in zip(expected, found)):
        return ""
    lines = list(difflib.unified_diff(expected, found, "MPICH", "Kanor", lineterm=""))
    left_out = [f"({len(lines) - MOST_LINES} more lines)"] if len(lines) > MOST_LINES else []
    return "\n".join(lines[:MOST_LINES] + left_out)
