# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of blocks between statements that compute, with what every rank prints at the end of each function.

Most blocks have neighbours that do not use what the block updates, so that kanorc splits the block: it starts earlier, or is
complete later. Every program is run in a simulator (pieces.py), where a block is executed where it stands.
"""

import contextlib
import os
import random
from typing import NamedTuple

from blocks import block
from pieces import (AtOnce, Body, Call, Each, If, Jump, Lambda, Loop, Plain, Scope, Text, both, execute, leaves, numbers, same)

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "head.txt"), encoding="utf-8") as head_file:
    HEAD = head_file.read()

NAMES = {"long": "wxyz", "array": "AB", "std": "CD", "vector": "EF", "struct": "st", "rows": "RS", "pick": "q"}
TYPES = {"long": "long {}", "array": "long {}[8]", "std": "std::array<long, 8> {}", "vector": "std::vector<long> {}",
         "struct": "Mixed {}", "rows": "std::vector<std::vector<long>> {}", "pick": "std::vector<int> {}"}
ROWS = 3


class Variable(NamedTuple):
    name: str
    kind: str


class Row(NamedTuple):
    """Eight numbers: an array, a vector, or a part of a variable."""
    root: str
    kind: str
    text: Text
    pointer: str


class Function:
    """A random function: its text, and what its ranks print."""
    def __init__(self, draw, number):
        self.draw, self.name, self.names, self.blocks = draw, f"f{number}", 0, 0
        self.unread, self.unwritten, self.wanted, self.log = frozenset(), frozenset(), frozenset(), set()
        self.counters, self.lambdas, self.aliases, self.marks, self.depth = [], [], [], [], 0
        self.team, self.spots, self.scopes = draw.random() < 0.15, draw.random() < 0.12, draw.random() < 0.3
        kinds = ["array", "std", "vector", "struct", "rows"]
        draw.shuffle(kinds)
        kinds = ["long"] + kinds[: draw.choice([2, 3, 3])] + (["pick"] if draw.random() < 0.3 else [])
        self.variables = [Variable(name, kind) for kind in kinds for name in NAMES[kind]]
        self.body = self.whole()

    # names and variables

    def fresh(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    @contextlib.contextmanager
    def limits(self, unread=(), unwritten=(), wanted=()):
        """In statements that are drawn meanwhile, some variables are not read or written, and some are preferred."""
        old = self.unread, self.unwritten, self.wanted
        self.unread, self.unwritten = self.unread | set(unread), self.unwritten | set(unread) | set(unwritten)
        self.wanted = frozenset(wanted)
        yield
        self.unread, self.unwritten, self.wanted = old

    def allowed(self, root, write):
        return root not in (self.unwritten if write else self.unread)

    def pick(self, choices, root):
        """One of the choices, preferably with a wanted variable; remembers its variable."""
        if not choices:
            return None
        best = [one for one in choices if root(one) in self.wanted]
        one = self.draw.choice(best if best and self.draw.random() < 0.7 else choices)
        self.log.add(root(one))
        return one

    def of(self, kinds, write):
        return [one for one in self.variables if one.kind in kinds and self.allowed(one.name, write)]

    def rows(self, write=False):
        """All rows of eight numbers that may be used."""
        found = []
        for one in self.of(("array", "std", "vector", "struct", "rows"), write):
            name = one.name
            if one.kind == "struct":
                found.append(Row(name, "array", same(f"{name}.list"), f"{name}.list"))
            elif one.kind == "rows":
                found += [Row(name, "vector", same(f"{name}[{at}]"), f"{name}[{at}].data()") for at in range(ROWS)]
            else:
                found.append(Row(name, one.kind, same(name), name if one.kind == "array" else f"{name}.data()"))
        return found + [row for row in self.aliases if isinstance(row, Row) and self.allowed(row.root, write)]

    def row(self, write=False):
        return self.pick(self.rows(write), lambda row: row.root)

    def scalars(self, write=False):
        found = [(one.name, same(one.name)) for one in self.of(("long",), write)]
        found += [(one.name, same(f"{one.name}.one")) for one in self.of(("struct",), write)]
        return found + [one for one in self.aliases if not isinstance(one, Row) and self.allowed(one[0], write)]

    def scalar(self, write=False):
        chosen = self.pick(self.scalars(write), lambda one: one[0])
        return chosen and chosen[1]

    def index(self):
        """A subscript from 0 to 7."""
        way = self.draw.random()
        if self.counters and way < 0.6:
            name, short = self.draw.choice(self.counters[-2:])
            near = [name, f"7 - {name}"] if short and way < 0.3 else [f"({name} + {self.draw.randrange(8)}) % 8"]
            return same(self.draw.choice(near))
        if way < 0.8:
            return same(str(self.draw.randrange(8)))
        chosen = self.scalar() if way < 0.95 else None
        return both("{} % 8", chosen) if chosen else same("me % 8")

    def number(self, write=False):
        """A number that a statement may use: a variable or an element."""
        rows = self.rows(write)
        if rows and self.draw.random() < 0.55:
            return both("{}[{}]", self.row(write).text, self.index())
        return self.scalar(write)

    def leaf(self):
        draw = self.draw
        way = draw.random()
        if way < 0.07:
            return same("me")
        if way < 0.12:
            return Text("seen()", "tally")
        if way < 0.2 and self.counters:
            return same(draw.choice(self.counters)[0])
        return self.number() or same("me")

    def expression(self):
        """A number below P that is not negative."""
        draw = self.draw
        form = draw.choice(["({0} + {1}) % P", "({0} * 3 + {1} + 1) % P", "({0} * {1} + 5) % P", "({0} + P + 3 - {1} % P) % P",
                            "({0} + {1} * 2 + {2}) % P", "({0} * 11 + 7) % P", "?", "f"])
        if form == "?":
            test = draw.choice(["me == 0", "me % 2 == 0", "me < n - 1"])
            one, other = self.leaf(), self.leaf()
            return Text(f"({test} ? {one.cpp} : {other.cpp}) % P", f"({one.py} if {test} else {other.py}) % P")
        if form == "f":
            return self.called() or same("(me + 1) % P")
        return both(form, self.leaf(), self.leaf(), self.leaf())

    def called(self):
        structs = self.of(("struct",), False)
        if structs and self.draw.random() < 0.4:
            name = self.pick(structs, lambda one: one.name).name
            return same(f"weight({name})")
        row = self.row()
        return row and Text(f"total({row.text.cpp})", f"total({row.text.py})")

    def pinned(self, root):
        """Whether an alias names a part of the variable, so that the memory of the variable's elements must stay."""
        return root in {one.root if isinstance(one, Row) else one[0] for one in self.aliases}

    # statements that compute

    def style(self):
        return self.draw.choice(["open", "open", "braces", "braces", "flat"])

    def assignment(self):
        to = self.number(True)
        if not to:
            return self.filler()
        if self.spots and self.draw.random() < 0.3 and self.rows(True):
            row, at = self.row(True), self.index()
            return Plain(both("{} = {}", Text(f"spot({row.text.cpp}, {at.cpp})", f"{row.text.py}[({at.py}) % 8]"), self.expression()))
        return Plain(both("{} = {}", to, self.expression()))

    def filler(self):
        return Plain(Text("", ""))

    def simple(self, most=2):
        return Body([self.assignment() for _ in range(self.draw.randint(1, most))], {1, 2} if self.draw.random() < 0.3 else ())

    def loop(self):
        draw, name = self.draw, self.fresh("k")
        first, last, step = draw.choice([("0", "8", 1), ("0", "8", 1), ("1", "7", 1), ("0", "8", 2), ("7", "0", -1), ("0", "n", 1),
                                         ("0", "3", 1)])
        self.counters.append((name, last != "n"))
        inner = Body([self.loop()]) if draw.random() < 0.1 and len(self.counters) < 4 else self.simple()
        self.counters.pop()
        return Loop(name, first, last, step, inner, self.style(), draw.choice(["int", "int", "long"]))

    def each(self):
        draw, name = self.draw, self.fresh("e")
        writes = bool(self.rows(True)) and draw.random() < 0.55
        row = self.row(writes)
        if not row:
            return self.assignment()
        if writes and self.allowed(row.root, False):
            change = Plain(both("{0} = {1}", same(name), both(draw.choice(["({0} * 3 + {1}) % P", "({0} + {1} * 2 + 1) % P"]),
                                                              same(name), self.leaf())))
            return Each("long&", name, row.text, Body([change]), self.style())
        row, to = self.row(), self.scalar(True)
        if not to or not row:
            return self.assignment()
        change = Plain(both("{0} = ({0} * {2} + {1}) % P", to, same(name), same(str(draw.randint(1, 5)))))
        return Each(draw.choice(["long", "const long&", "const auto"]), name, row.text, Body([change]), self.style())

    def branch(self):
        condition = self.draw.choice(["me == 0", "me % 2 == 1", "me < n - 1", "me == n - 1", ""])
        chosen = same(condition) if condition else both("{} % 3 == 0", self.leaf())
        inner = Body([self.compute(1)]) if self.draw.random() < 0.4 else self.simple()
        return If(chosen, inner, self.simple() if self.draw.random() < 0.4 else None, self.style())

    def changed_whole(self):
        """A statement that changes a whole variable, perhaps from another."""
        draw = self.draw
        kind = draw.choice(sorted({one.kind for one in self.variables} - {"array"}))
        to = self.pick(self.of((kind,), True), lambda one: one.name)
        if not to:
            return self.call()
        if kind == "pick":
            return Plain(Text(f"for (int& one : {to.name}) one = (one + 3) % 8", f"{to.name}[:] = list((x + 3) % 8 for x in {to.name})"))
        others = [one for one in self.of((kind,), False) if one.name != to.name]
        if not others:
            return self.call()
        other = self.pick(others, lambda one: one.name).name
        if kind == "long":
            return Plain(same(f"{to.name} = {other}"))
        if self.pinned(to.name) or self.pinned(other):
            return self.call()
        if self.allowed(other, True) and draw.random() < 0.4:
            return Plain(Text(f"std::swap({to.name}, {other})", f"exchange({to.name}, {other})"))
        return Plain(Text(f"{to.name} = {other}", f"assign({to.name}, {other})"))

    def call(self):
        """A call of a function of the head, by reference or by pointer."""
        draw = self.draw
        way = draw.choice(["bump", "bump", "part", "turn", "mix", "grow", "pointer", "counted"])
        to, by = self.scalar(True), self.leaf()
        structs = self.of(("struct",), True)
        row = self.row(True) if way in ("bump", "part", "turn") or not to else None
        if way == "mix" and structs:
            return Plain(both("mix({}, {})", same(self.pick(structs, lambda one: one.name).name), by))
        if way == "counted" and to:
            return Plain(Text(f"{to.cpp} = counted({by.cpp})",
                              "".join(f"tally = (tally * 7 + {by.py if not k else 'by_'} + {k}) % P; " if k else
                                      f"by_ = {by.py}; tally = (tally * 7 + by_) % P; " for k in range(3)) + f"{to.py} = tally"))
        if row and way == "turn":
            return Plain(Text(f"turn({row.text.cpp})", f"turn({row.text.py})"))
        if row and way == "part":
            first, count = draw.randrange(4), draw.randint(1, 4)
            return Plain(Text(f"bump(&{row.text.cpp}[{first}], {count}, {by.cpp})", f"bump({row.text.py}, {first}, {count}, {by.py})"))
        if row:
            return Plain(Text(f"bump({row.pointer}, 8, {by.cpp})", f"bump({row.text.py}, 0, 8, {by.py})"))
        if to:
            return Plain(Text(f"grow({'&' if way == 'pointer' else ''}{to.cpp}, {by.cpp})", f"{to.py} = grown({to.py}, {by.py})"))
        return self.filler()

    def alias(self, chosen=None):
        """The declaration of a reference or pointer, and what is known by its name."""
        draw, name = self.draw, self.fresh("r")
        row = chosen or self.row(True)
        if not row:
            return None, None
        kind = {"array": "long (&{})[8]", "std": "std::array<long, 8>& {}", "vector": "std::vector<long>& {}"}[row.kind]
        way = draw.choice(["row", "element", "pointer"])
        if way == "row":
            py = f"{name}_row"
            return Plain(Text(f"{kind.format(name)} = {row.text.cpp}", f"{py} = {row.text.py}")), \
                Row(row.root, row.kind, Text(name, py), name if row.kind == "array" else f"{name}.data()")
        at, py = self.index(), f"{name}_at"
        kept = f"{py} = {at.py}; {py}_row = {row.text.py}"
        element = f"{py}_row[{py}]"
        if way == "element":
            return Plain(Text(f"long& {name} = {row.text.cpp}[{at.cpp}]", kept)), (row.root, Text(name, element))
        return Plain(Text(f"long* const {name} = &{row.text.cpp}[{at.cpp}]", kept)), (row.root, Text(f"*{name}", element))

    def aliased(self):
        """A scope with an alias."""
        declared, known = self.alias()
        if not known:
            return self.assignment()
        self.aliases.append(known)
        with self.limits(wanted=[known.root if isinstance(known, Row) else known[0]]):
            inner = [declared, Plain(both("{0} = ({0} * 2 + {1}) % P", self.seen_through(known), self.leaf())), self.compute(1)]
        self.aliases.remove(known)
        return Scope(Body(inner), self.style())

    def seen_through(self, known):
        return both("{}[{}]", known.text, self.index()) if isinstance(known, Row) else known[1]

    def lambda_call(self):
        usable = [one for one, used in self.lambdas if not used & (self.unread | self.unwritten)]
        if not usable or self.draw.random() < 0.5:
            return AtOnce(Body([self.compute(1)]), self.style())
        return Call(self.draw.choice(usable), self.expression())

    def declare_lambda(self):
        old, self.log = self.log, set()
        parameter = self.fresh("by") if self.draw.random() < 0.5 else ""
        if parameter:
            self.variables.append(Variable(parameter, "long"))
        inner = Body([self.compute(1) for _ in range(self.draw.randint(1, 2))])
        if parameter:
            self.variables.pop()
        made = Lambda(self.fresh("g"), parameter, inner, self.style())
        self.lambdas.append((made, self.log))
        self.log = old | self.log
        return made

    def compute(self, nested=0):
        """A statement that only computes; more often than not, one with a loop."""
        ways = [self.loop] * 6 + [self.each] * 4 + [self.call] * 3 + [self.assignment] * 2 + [self.branch, self.changed_whole]
        return self.draw.choice(ways if nested or not self.scopes else ways + [self.aliased, self.aliased, self.lambda_call])()

    # blocks and what surrounds them

    def several(self, most, least=0):
        return [self.compute() for _ in range(self.draw.randint(least, most))]

    def parts(self):
        """A block, and the statements before it, behind it, and those that use what it updates."""
        made, places, used = block(self)
        self.blocks += 1
        with self.limits(unread=places, unwritten=used):
            before = self.several(2) if self.draw.random() < 0.4 else []
        with self.limits(unread=places):
            after = self.several(3, 1) if self.draw.random() < 0.75 else []
        with self.limits(wanted=places):
            users = self.several(2, 1) if self.draw.random() < 0.8 else []
        return before, made, after, users

    def cluster(self):
        before, made, after, users = self.parts()
        return before + [made] + after + users

    def round(self):
        """The body of a loop: its blocks are at the end, at the beginning, or between."""
        way, items = self.draw.choice(["end", "end", "end", "end", "end", "middle", "begin", "two", "three", "only"]), []
        if way == "only":
            return [self.parts()[1]]
        if way in ("two", "three"):
            items = self.cluster() + (self.cluster() if way == "three" else [])
        if way == "begin":
            before, made, after, users = self.parts()
            return [made] + after + users
        if way == "middle":
            return self.several(2, 1) + self.cluster()
        before, made, after, users = self.parts()
        return after + items + users + before + [made] + (after[:1] if self.draw.random() < 0.2 else [])

    def turns(self):
        """A loop around blocks."""
        draw, name = self.draw, self.fresh("t")
        last = draw.choice(["3"] * 6 + ["2"] * 4 + ["4"] * 3 + ["n"] * 3 + ["n - 1"] * 2 + ["1", "0"])
        self.counters.append((name, last not in ("n", "n - 1")))
        self.depth += 1
        first, items = self.declared(), self.round()
        if self.depth < 2 and draw.random() < 0.3:
            items.insert(draw.randint(0, len(items)), self.turns())
        if draw.random() < 0.3:
            condition = f"{name} {draw.choice(['==', '==', '>='])} {draw.choice([0, 1, 1, 2])}"
            items.insert(draw.randint(0, len(items)), Jump(draw.choice(["continue", "continue", "break"]), condition))
        self.depth -= 1
        self.counters.pop()
        step, kind = draw.choice([1, 1, 1, 2]), draw.choice(["int", "int", "long"])
        made = Loop(name, "0", last, step, self.dressed(first + items), self.style(), kind)
        self.forget()
        return made

    def declared(self):
        """Sometimes, variables of the next loop's or scope's own; `forget` ends them."""
        self.marks.append(len(self.variables))
        if self.draw.random() < 0.75:
            return []
        name, start = self.fresh("l"), self.expression()
        self.variables.append(Variable(name, "long"))
        return [Plain(Text(f"[[maybe_unused]] long {name} = {start.cpp}", f"{name} = {start.py}"))]

    def forget(self):
        del self.variables[self.marks.pop():]

    def dressed(self, items):
        """The statements with some line breaks left out, and comments."""
        draw = self.draw
        glued = [at for at in range(len(items)) if draw.random() < 0.25]
        comments = {at: draw.choice([" /* a */", "/* b */", "  // c; {", " /* @communicate { */ "])
                    for at in range(len(items)) if draw.random() < 0.08}
        return Body(items, glued, comments)

    def item(self):
        way = self.draw.random()
        if way < 0.4:
            return self.cluster()
        if way < 0.85:
            made = self.turns()
            return [made] + (self.several(2) if self.draw.random() < 0.5 else [])
        items = self.declared() + self.cluster()
        if way < 0.95:
            made = If(same(self.draw.choice(["n > 1", "n != 3"])), self.dressed(items), None, self.style())
        else:
            made = Scope(self.dressed(items), self.draw.choice(["braces", "flat"]))
        self.forget()
        return [made]

    def whole(self):
        draw, items = self.draw, []
        if draw.random() < 0.12:
            declared, known = self.alias()
            if known:
                self.aliases.append(known)
                items += [declared, Plain(both("{0} = ({0} + 1) % P", self.seen_through(known)))]
        if self.scopes and draw.random() < 0.6:
            made = self.declare_lambda()
            items += [made, Call(made, self.expression())]
        for _ in range(draw.randint(1, 3)):
            items += self.item()
        return self.dressed(items)

    # the text, and the simulation

    def started(self, variable):
        """The declaration of a variable."""
        draw = random.Random(f"{self.name} {variable.name}")
        one = lambda: f"me * {draw.randrange(1, 40)} + {draw.randrange(50)}"
        row = lambda: [one() for _ in range(8)]
        name, kind = variable
        begin = TYPES[kind].format(name)
        if kind == "long":
            text = one()
            return Text(f"{begin} = {text}", f"{name} = {text}")
        if kind == "pick":
            return Text(f"{begin}{{me % 8, (me + 3) % 8, (me + 5) % 8}}", f"{name} = [me % 8, (me + 3) % 8, (me + 5) % 8]")
        if kind == "struct":
            first, rest = one(), ", ".join(row())
            return Text(f"{begin}{{{first}, {{{rest}}}}}", f"{name} = Mixed(one={first}, list=[{rest}])")
        if kind == "rows":
            rows = [", ".join(row()) for _ in range(ROWS)]
            cpp, py = (", ".join(left + text + right for text in rows) for left, right in ("{}", "[]"))
            return Text(f"{begin}{{{cpp}}}", f"{name} = [{py}]")
        text = ", ".join(row())
        return Text(f"{begin}{{{text}}}", f"{name} = [{text}]")

    def lines(self):
        team = "part" if self.team else "world"
        out = [f"static void {self.name}() {{"]
        inner = ["const kanor::team part = world.split(world.rank() % 2, world.rank());"] if self.team else []
        inner += [f"[[maybe_unused]] const int n = {team}.size(), me = {team}.rank();", "tally = me;"]
        for one in self.variables:
            inner.append(self.started(one).cpp + ";")
        inner += self.body.lines() + [f"report(\"{self.name}\", tally, {', '.join(one.name for one in self.variables)});"]
        return out + ["  " + line for line in inner] + ["}"]

    def printed(self, size):
        """What the ranks print."""
        teams = [range(0, size, 2), range(1, size, 2)] if self.team else [range(size)]
        ranks = {}
        for team in teams:
            for me, at in enumerate(team):
                ranks[at] = {"n": len(team), "me": me, "tally": me}
                for one in self.variables:
                    execute(self.started(one).py, ranks[at])
            if team:
                self.body.run([ranks[at] for at in team])
        lines = []
        for at, rank in ranks.items():
            found = [rank["tally"]]
            for one in self.variables:
                found += [rank[one.name]] if one.kind == "long" else numbers(leaves(rank[one.name]))
            lines.append(f"{self.name} rank {at}: " + " ".join(map(str, found)) + "\n")
        return lines


class Program:
    """Functions, and what they print."""
    def __init__(self, seed, functions):
        draw = random.Random(seed)
        self.seed, self.functions = seed, [Function(draw, number) for number in range(functions)]
        self.blocks = sum(one.blocks for one in self.functions)

    def text(self):
        lines = [line for one in self.functions for line in one.lines() + [""]]
        calls = [f"  {one.name}();" for one in self.functions]
        return f"// Seed {self.seed}: made by tests/fuzz/split.\n{HEAD}" + "\n" + "\n".join(lines + ["int main() {"] + calls + ["}"]) + "\n"

    def printed(self, size):
        """The sorted lines that the ranks of a world of this size print."""
        return "".join(sorted(line for one in self.functions for line in one.printed(size)))
