# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pieces of random programs. Each spells itself in C++ (`lines`), and runs itself in a simulator (`run`).

The simulator holds the variables of all ranks, a dictionary for each rank. A piece runs for all ranks of a team before the next
piece runs; each team runs by itself. Expressions have two spellings, because C++ and Python mostly agree, but not always.
"""

import functools
import itertools
import operator
from types import SimpleNamespace
from typing import NamedTuple

PRIME = 10007
OPERATORS = {"+": operator.add, "^": operator.xor, "|": operator.or_, "&": operator.and_, "max": max, "min": min}


class Text(NamedTuple):
    """An expression in C++ and in Python."""
    cpp: str
    py: str

    def __format__(self, _):
        raise TypeError("texts are joined by both()")


def both(form, *parts):
    return Text(form.format(*(part.cpp for part in parts)), form.format(*(part.py for part in parts)))


def same(text):
    return Text(text, text)


# What the functions of the generated program's head do, in Python.

def bump(box, first, count, by):
    for k in range(count):
        box[first + k] = (box[first + k] * 3 + by + k) % PRIME


def turn(box):
    box.append(box.pop(0))


def total(box):
    return functools.reduce(lambda sum_, one: (sum_ * 5 + one) % PRIME, box, 0)


def mix(struct, by):
    for k in range(len(struct.list)):
        struct.list[k] = (struct.list[k] + struct.one * k) % PRIME
        struct.one = (struct.one + struct.list[k] + by) % PRIME


def weight(struct):
    return (struct.one + total(struct.list)) % PRIME


def grown(x, by):
    for k in range(3):
        x = (x * 7 + by + k) % PRIME
    return x


def assign(to, source):
    for (box, key), one in zip(leaves(to), numbers(leaves(source))):
        box[key] = one


def exchange(one, other):
    mine = numbers(leaves(one))
    assign(one, other)
    for (box, key), number in zip(leaves(other), mine):
        box[key] = number


def leaves(box):
    """The numbers in a variable, as pairs of what holds them and their key."""
    if isinstance(box, SimpleNamespace):
        box = vars(box)
    found = []
    for key, part in box.items() if isinstance(box, dict) else enumerate(box):
        found += [(box, key)] if isinstance(part, int) else leaves(part)
    return found


def numbers(found):
    return [box[key] for box, key in found]


NAMES = {"__builtins__": {}, "P": PRIME, "range": range, "min": min, "list": list, "Mixed": SimpleNamespace, "bump": bump, "turn": turn,
         "total": total, "mix": mix, "weight": weight, "grown": grown, "assign": assign, "exchange": exchange}


@functools.lru_cache(maxsize=None)
def compiled(text, mode):
    return compile(text, text, mode)


def value(text, variables):
    return eval(compiled(text, "eval"), NAMES, variables)    # pylint: disable=eval-used


def execute(text, variables):
    exec(compiled(text, "exec"), NAMES, variables)    # pylint: disable=exec-used


class Plain:
    """A statement that both languages have."""
    def __init__(self, text):
        self.text, self.guards = text, False

    def lines(self):
        return [self.text.cpp + ";"]

    def run(self, ranks):
        if self.text.py:
            for rank in ranks:
                execute(self.text.py, rank)


class Body:
    """Statements, one on each line, or several without blanks between them; with comments."""
    def __init__(self, items, glued=(), comments=()):
        self.items, self.glued, self.comments = items, set(glued), dict(comments)

    def lines(self):
        out, free = [], False
        for at, item in enumerate(self.items):
            mine = item.lines()
            if free and at in self.glued and len(mine) == 1:
                out[-1] += mine[0]
            else:
                out += mine
            free = len(mine) == 1 and not item.guards
            comment = self.comments.get(at, "")
            if comment:
                out[-1] += comment
                free = free and "//" not in comment
        return out

    def run(self, ranks):
        for item in self.items:
            jump = item.run(ranks)
            if jump:
                return jump
        return None

    def flat(self):
        """In one line, or nothing if that is not possible without warnings."""
        mine = [item.lines() for item in self.items]
        if any(item.guards for item in self.items[:-1]) or any(len(lines) != 1 or "//" in lines[0] for lines in mine):
            return ""
        return "".join(lines[0] for lines in mine)


class Nest:
    """What has a body: head and body, in one of the styles `open` (no braces), `flat` (in one line), `braces`."""
    def __init__(self, head, body, style):
        self.head, self.body, self.style = head, body, style
        self.guards = self.unbraced()

    def unbraced(self):
        return self.style == "open" and len(self.body.items) == 1 and bool(self.head)

    def lines(self):
        inner, space = self.body.lines(), " " if self.head else ""
        if self.unbraced():
            if len(inner) == 1:
                return [f"{self.head} {inner[0]}"]
            return [self.head] + ["  " + line for line in inner]
        if self.style == "flat" and self.body.flat():
            return [f"{self.head}{{{self.body.flat()}}}"]
        return [f"{self.head}{space}{{"] + ["  " + line for line in inner] + ["}"]


class Scope(Nest):
    def __init__(self, body, style):
        super().__init__("", body, style)

    def run(self, ranks):
        return self.body.run(ranks)


class AtOnce(Scope):
    """A lambda that is called where it stands."""
    def __init__(self, body, style):
        super().__init__(body, "braces" if style == "open" else style)
        self.head = "[&]"

    def lines(self):
        mine = super().lines()
        mine[-1] += "();"
        return mine


class Loop(Nest):
    """A loop over a counter. All ranks of a team count alike."""
    def __init__(self, name, first, last, step, body, style, kind="int"):
        self.name, self.first, self.last, self.step = name, first, last, step
        forward = f"{name} < {last}; " + (f"++{name}" if step == 1 else f"{name} += {step}")
        super().__init__(f"for ({kind} {name} = {first}; " + (forward if step > 0 else f"{name} >= {last}; --{name}") + ")", body, style)

    def run(self, ranks):
        last = value(self.last, ranks[0])
        for count in range(int(self.first), last if self.step > 0 else last - 1, self.step):
            for rank in ranks:
                rank[self.name] = count
            if self.body.run(ranks) == "break":
                break


class Each(Nest):
    """A loop over the elements of a variable, by value or by reference."""
    def __init__(self, kind, name, over, body, style):
        self.name, self.over, self.writes = name, over, kind.endswith("&") and "const" not in kind
        super().__init__(f"for ({kind} {name} : {over.cpp})", body, style)

    def run(self, ranks):
        for at in range(len(value(self.over.py, ranks[0]))):
            for rank in ranks:
                rank[self.name] = value(self.over.py, rank)[at]
            self.body.run(ranks)
            if self.writes:
                for rank in ranks:
                    value(self.over.py, rank)[at] = rank[self.name]


class If(Nest):
    """A branch that some ranks take, with another for the rest; or that all take, or none."""
    def __init__(self, condition, body, other, style):
        self.condition, self.other = condition, other
        ambiguous = any("else" in line for line in body.lines())
        super().__init__(f"if ({condition.cpp})", body, "braces" if other or ambiguous else style)

    def lines(self):
        mine = super().lines()
        if self.other:
            mine[-1:] = ["} else {"] + ["  " + line for line in self.other.lines()] + ["}"]
        return mine

    def run(self, ranks):
        taken = [bool(value(self.condition.py, rank)) for rank in ranks]
        jump = None
        for body, wanted in ((self.body, True), (self.other, False)):
            chosen = [rank for rank, one in zip(ranks, taken) if one == wanted]
            if body and chosen:
                jump = body.run(chosen)
        return jump


class Jump:
    """`continue` or `break`, on all ranks or on none."""
    def __init__(self, kind, condition):
        self.kind, self.condition, self.guards = kind, condition, True

    def lines(self):
        return [f"if ({self.condition}) {self.kind};"]

    def run(self, ranks):
        return self.kind if value(self.condition, ranks[0]) else None


class Lambda(Nest):
    """The declaration of a function object that captures by reference."""
    def __init__(self, name, parameter, body, style):
        self.name, self.parameter = name, parameter
        head = f"const auto {name} = [&]" + (f"([[maybe_unused]] long {parameter})" if parameter else "")
        super().__init__(head, body, "braces" if style == "open" else style)

    def lines(self):
        mine = super().lines()
        mine[-1] += ";"
        return mine

    def run(self, ranks):
        pass


class Call:
    def __init__(self, function, argument):
        self.function, self.argument, self.guards = function, argument, False

    def lines(self):
        return [f"{self.function.name}({self.argument.cpp if self.function.parameter else ''});"]

    def run(self, ranks):
        if self.function.parameter:
            for rank in ranks:
                rank[self.function.parameter] = value(self.argument.py, rank)
        self.function.body.run(ranks)


class Place(NamedTuple):
    """A part of a variable: parts are pairs of what holds it (nothing: the rank) and its keys (nothing: all)."""
    cpp: str
    parts: tuple

    def leaves(self, rank, names):
        """Pairs of what holds a number and its key, where `names` are bound."""
        known = {**rank, **names}
        found = []
        for holder, keys in self.parts:
            box = value(holder, known) if holder else rank
            if keys is None:
                found += leaves(box)
                continue
            keys = value(keys, known) if holder else keys
            for key in keys if isinstance(keys, (list, range)) else [keys]:
                found += [(box, key)] if isinstance(box[key], int) else leaves(box[key])
        return found


class Transfer:
    """One statement of a block. `binds` are names and the sets (in Python) that they are taken from."""
    def __init__(self, place, to, sent, sender, clauses, binds, keep="1", op=""):
        self.place, self.to, self.sent, self.sender, self.clauses = place, to, sent, sender, clauses
        self.binds, self.keep, self.op = binds, keep, op

    def cpp(self):
        arrow = f"<< {self.op} <<" if self.op else "<<="
        return f"{self.place.cpp}@{self.to} {arrow} {self.sent.cpp}@{self.sender}" + (f" where {self.clauses}" if self.clauses else "")

    def bindings(self, rank):
        known = [{}]
        for name, members in self.binds:
            known = list(itertools.chain.from_iterable(
                [{**names, name: one} for one in value(members, {**rank, **names})] for names in known))
        return [names for names in known if value(self.keep, {**rank, **names})]

    def updates(self, team):
        """Lists of pairs of what holds a number and its key, and the new numbers."""
        found = {}
        for names in self.bindings(team[0]):
            sender = team[value(self.sender, {**team[0], **names})]
            if isinstance(self.sent, Place):
                sent = numbers(self.sent.leaves(sender, names))
            else:
                sent = [value(self.sent.py, {**sender, **names})]
            places = self.place.leaves(team[value(self.to, {**team[0], **names})], names)
            assert len(places) == len(sent), self.cpp()
            where = tuple((id(box), key) for box, key in places)
            if self.op and where in found:
                sent = [OPERATORS[self.op](*pair) for pair in zip(found[where][1], sent)]
            assert self.op or where not in found, self.cpp()
            found[where] = (places, sent)
        return list(found.values())


class Block:
    """An exchange within a team: all values are computed before the first update."""
    def __init__(self, transfers, modifiers, style):
        self.transfers, self.modifiers, self.style, self.guards = transfers, modifiers, style, False

    def lines(self):
        head, mine = "@communicate" + (f" ({self.modifiers})" if self.modifiers else ""), [one.cpp() for one in self.transfers]
        if self.style == "flat" or len(mine) == 1:
            space = "" if self.style == "flat" else " "
            return [f"{head}{space}{{{space}" + f";{space}".join(mine) + f"{space}}}"]
        return [head + " {"] + ["  " + one + (";" if one is not mine[-1] else "") for one in mine] + ["}"]

    def run(self, ranks):
        changes = [change for one in self.transfers for change in one.updates(ranks)]
        for places, sent in changes:
            for (box, key), one in zip(places, sent):
                box[key] = one
