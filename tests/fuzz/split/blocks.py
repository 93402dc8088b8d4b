# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random blocks: who sends to whom, places that do not overlap, and values that fit them."""

from typing import NamedTuple

from pieces import Block, Place, Text, Transfer, both, same


class Pattern(NamedTuple):
    to: str
    sender: str
    clauses: str
    binds: tuple
    keep: str = "1"
    op: str = ""
    bound: str = ""    # a name that differs between the receivers


def pattern(function, folds):
    """Who sends to whom. Without a fold, no rank receives twice."""
    draw = function.draw
    team, every = "part" if function.team else "world", (("i", "range(n)"),)
    ranks = "i in " + draw.choice([team, team, team, "{0 ... n - 1}", "range(0, n)"])
    if folds:
        two = draw.choice(["i, (i + 1) % n", "(i + n - 1) % n, (i + 1) % n", "(i + 2) % n, i"])
        return Pattern("i", "j", f"{ranks}, j in {{{two}}}", every + (("j", f"[{two}]"),), bound="j")
    by = draw.randint(1, 3)
    if function.counters and draw.random() < 0.2:
        by = draw.choice(function.counters)[0]
    shift = f"(i + {by}) % n"
    return draw.choice([
        Pattern(shift, "i", ranks, every, bound="i"), Pattern(shift, "i", ranks, every, bound="i"),
        Pattern("i", shift, ranks, every, bound="i"), Pattern("(i + n - 1) % n", "i", ranks, every, bound="i"),
        Pattern("(i + 1) % n", "i", f"{ranks}, i % 2 == 0", every, "i % 2 == 0", bound="i"),
        Pattern("i", shift, f"{ranks}, i % 2 == 1", every, "i % 2 == 1", bound="i"),
        Pattern("i + 1", "i", f"{ranks}, i < n - 1", every, "i < n - 1", bound="i"),
        Pattern("i", "i + 1", "i in {0 ... n - 2}", (("i", "range(n - 1)"),), bound="i"),
        Pattern("n - 1 - i", "i", ranks, every, bound="i"),
        Pattern("j", "i", f"{ranks}, let j = {shift}", every + (("j", f"[{shift}]"),), bound="j"),
        Pattern("n - 1", "0", "", ()), Pattern("0", "n - 1", "", ()), Pattern("n >> 1", "n - 1", "", ()),
        Pattern("i", draw.choice(["0", "n - 1"]), ranks, every, bound="i") if draw.random() < 0.5
        else Pattern("i", "i", ranks, every, bound="i")])


def subscript(function, names):
    if names and function.draw.random() < 0.25:
        return same(f"({names} + {function.draw.randrange(8)}) % 8")
    return function.index()


def section(function, row, count, low=0, high=8):
    """`count` elements of a row."""
    draw = function.draw
    if count == high - low == 8:
        return Place(f"{row.text.cpp}[{draw.choice([':', '0 : 8'])}]", ((row.text.py, None),))
    scalar = function.scalar() if low == 0 and high == 8 and draw.random() < 0.25 else None
    if scalar:
        first = both("{} % " + str(9 - count), scalar)
    else:
        first = same(str(draw.randint(low, high - count)))
    if first.py.isdigit() and int(first.py) + 2 * count <= high and draw.random() < 0.4:
        return Place(f"{row.text.cpp}[{first.cpp} : {count} : 2]", ((row.text.py, f"range({first.py}, {first.py} + {2 * count}, 2)"),))
    return Place(f"{row.text.cpp}[{first.cpp} : {count}]", ((row.text.py, f"range({first.py}, {first.py} + {count})"),))


def listed(function, row):
    """The elements that the list `q` names, or nothing if there is no such list."""
    if not function.of(("pick",), False):
        return None
    function.log.add("q")
    return Place(f"{row.text.cpp}[q]", ((row.text.py, "q"),))


def element(row, at):
    return Place(f"{row.text.cpp}[{at.cpp}]", ((row.text.py, at.py),))


def single(text):
    """The place of a number that is not an element."""
    name, _, member = text.partition(".")
    return Place(text, ((f"{name}.__dict__", f"'{member}'"),) if member else (("", name),))


def plain_scalars(function):
    return [(root, text) for root, text in function.scalars(True) if text.cpp.replace(".", "").isalnum() and text.cpp == text.py]


def sent_number(function, names):
    """A value for a place that is one number."""
    draw = function.draw
    way = draw.random()
    if way < 0.3:
        return function.number() or same("me")
    if way < 0.4 and names:
        return both("({} + {} * 3) % P", function.leaf(), same(names))
    return function.expression()


def whole(function, op):
    """A whole struct or vector of vectors, or parts of its rows; and the value."""
    draw = function.draw
    kinds = ("rows",) if op else ("struct", "rows")
    to = function.pick([one for one in function.of(kinds, True) if not function.pinned(one.name)], lambda one: one.name)
    if not to:
        return None
    source = function.pick(function.of((to.kind,), False), lambda one: one.name)
    if to.kind == "rows" and (op or draw.random() < 0.6):
        rows, count = draw.randint(1, 2), draw.randint(1, 4)
        cut = lambda name, row, first: Place(f"{name}[{row} : {rows}][{first} : {count}]", tuple(
            (f"{name}[{at}]", f"range({first}, {first + count})") for at in range(row, row + rows)))
        corner = lambda name: cut(name, draw.randint(0, 3 - rows), draw.randint(0, 8 - count))
        return corner(to.name), corner(source.name)
    return Place(to.name, ((to.name, None),)), Place(source.name, ((source.name, None),))


def part(function, names, op, row, low, high):
    """A place in a row, and its value."""
    draw = function.draw
    way = draw.random()
    if way < 0.35:
        at = subscript(function, names) if (low, high) == (0, 8) else same(str(draw.randrange(low, high)))
        return element(row, at), sent_number(function, names)
    source = function.row()
    if way < 0.45 and (low, high) == (0, 8):
        place = listed(function, row)
        if place:
            return place, section(function, source, 3)
    if way < 0.7 and (low, high) == (0, 8) and not function.pinned(row.root):
        place = Place(row.text.cpp, ((row.text.py, None),)) if draw.random() < 0.7 else section(function, row, 8)
        alike = [one for one in function.rows() if one.kind == row.kind]
        if alike and not place.cpp.endswith("]") and draw.random() < 0.8:
            source = function.pick(alike, lambda one: one.root)
            return place, Place(source.text.cpp, ((source.text.py, None),))
        return place, section(function, source, 8)
    count = draw.randint(1, min(5, high - low))
    place = section(function, row, count, low, high)
    return place, (listed(function, source) if count == 3 and not op and draw.random() < 0.3 else None) or section(function, source, count)


def sides(function, names, op):
    """A place and a value that fits."""
    draw = function.draw
    way, rows, scalars = draw.random(), function.rows(True), plain_scalars(function)
    if way < 0.15:
        both_sides = whole(function, op)
        if both_sides:
            return both_sides
    if rows and (way < 0.65 or not scalars):
        return part(function, names, op, function.row(True), 0, 8)
    return single(function.pick(scalars, lambda one: one[0])[1].cpp), sent_number(function, names)


def transfer(function, pick_sides):
    """A statement; and the variable that it updates."""
    draw = function.draw
    op = draw.choice(["+", "max", "min", "^", "|"]) if draw.random() < 0.2 else ""
    made = pattern(function, bool(op))
    place, sent = pick_sides(made.bound if made.bound != "j" or not op else "", op)
    if op == "+":    # sums stay small
        if not isinstance(sent, Text):
            op = "max"
        else:
            sent = both("({}) % P", sent)
    return Transfer(place, made.to, sent, made.sender, made.clauses, made.binds, made.keep, op)


def halves(function):
    """Two statements that update different parts of one variable."""
    row = function.row(True)
    made = [transfer(function, lambda names, op, low=low: part(function, names, op, row, low, low + 4)) for low in (0, 4)]
    return made, {row.root}


def block(function):
    """A block, the variables that it updates, and all that it uses."""
    draw, old = function.draw, function.log
    function.log, transfers, places = set(), [], set()
    if draw.random() < 0.1 and function.rows(True):
        transfers, places = halves(function)
    else:
        for _ in range(draw.choice([1, 1, 1, 2, 2, 3])):
            with function.limits(unwritten=places):
                if not plain_scalars(function):
                    break
                transfers.append(transfer(function, lambda names, op: sides(function, names, op)))
            places.add(root_of(transfers[-1].place, function))
    used = function.log
    function.log = old | used
    modifiers = ["team = part"] if function.team else []
    if draw.random() < 0.06:
        modifiers.insert(0, "copy")
    return Block(transfers, ", ".join(modifiers), draw.choice(["flat", "lines", "lines"])), places, used


def root_of(place, function):
    """The variable that a place is part of, also if an alias names it."""
    name = place.cpp.partition("[")[0].partition(".")[0]
    roots = {row.text.cpp: row.root for row in function.aliases if hasattr(row, "text")}
    return roots.get(name, name)
