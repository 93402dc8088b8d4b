# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements in their order, and what they leave of the variables."""


class Unit:
    """A statement, or a compound one with others inside: its text with blocks and its text for simulated ranks."""

    def __init__(self, what, real, simulated=None, inside=None, tail="", kind="plain"):
        self.what, self.real, self.simulated = what, real, real if simulated is None else simulated
        self.inside, self.tail, self.kind = inside, tail, kind
        self.need, self.kill, self.set, self.need_length, self.odd, self.carry = (), (), (), (), (), ()
        self.own_ranks = kind == "own"  # only some ranks execute what is inside
        self.droppable = True

    def write(self, simulated, dropped, depth):
        if self in dropped:
            return []
        lines = ["  " * depth + line for line in (self.simulated if simulated else self.real).split("\n") if line]
        if self.inside is not None:
            for unit in self.inside:
                lines += unit.write(simulated, dropped, depth + 1)
            lines += ["  " * depth + line for line in self.tail.split("\n") if line]
        return lines

    def all(self):
        yield self
        for unit in self.inside or []:
            yield from unit.all()


def flow(units, dead, odd, dropped=frozenset()):
    """The variables that are dead (their value is unspecified on some rank) and odd (of another length) after the units,
    given those before; or None where a unit needs one that is."""
    for unit in units:
        if unit in dropped:
            continue
        if unit.inside is None:
            if dead.intersection(unit.need) or odd.intersection(unit.need_length):
                return None
            carried = set(unit.carry) if odd.intersection(unit.need).intersection(unit.carry) else set()
            dead = (dead - set(unit.set)) | set(unit.kill)
            odd = (odd - set(unit.set)) | carried | set(unit.odd)
            continue
        after = flow(unit.inside, dead, odd, dropped)
        if after is None:
            return None
        if unit.kind == "scope":
            dead, odd = after
        elif unit.kind != "loop":  # it may be passed over
            dead, odd = dead | after[0], odd | after[1]
        else:  # it may end where a unit jumps, and begins again with what its end leaves
            killed = {name for one in unit.all() for name in one.kill}
            lengths = {name for one in unit.all() for name in (*one.odd, *one.carry)} if after[1] else set()
            early = (killed, lengths) if jumps(unit, dropped) else (set(), set())
            after = flow(unit.inside, dead | after[0] | early[0], odd | after[1] | early[1], dropped)
            if after is None:
                return None
            dead, odd = dead | after[0] | early[0], odd | after[1] | early[1]
    return set(dead), set(odd)


def jumps(unit, dropped=frozenset()):
    """Whether something inside ends a turn of the loop early."""
    return any(one.kind == "jump" and one not in dropped for one in unit.all())
