# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws statements: clauses, rank expressions of every family, places, values, reductions."""

import re

import model
import sections
from expressions import (E, MOST_RANKS, Name, Place, add, bitwise, call, condition, constant, integer, modulo, multiply, parameter,
                         paths, positive, quotient, real, size, string, subtract, value, walk)
from model import DOUBLE, FLOAT, INT, LLONG, SHORT, STRING, UCHAR

NAMES = ["i", "j", "k", "r", "q", "a", "b", "left", "right", "step", "where_", "who", "x1", "in_", "source", "team"]
# With so many ranks a statement has at most so many bindings; with more, where two names are ranks, some thousands.
COUNTED_RANKS, MOST_BINDINGS = 9, 260


class Clause:
    """kind: generator (names, C++ set, Python iterable), let (one name), filter."""

    def __init__(self, kind, names, c, p):
        self.kind, self.names, self.c, self.p = kind, names, c, p

    def text(self):
        if self.kind == "generator":
            return f"{', '.join(self.names)} in {self.c}"
        return f"let {self.names[0]} = {self.c}" if self.kind == "let" else self.c


class Statement:
    def __init__(self):
        self.clauses = []
        self.sender = self.receiver = None  # E
        self.place = None  # Place
        self.value = None  # E
        self.value_type = self.place_type = None
        self.operation = None  # (C++ text, Python function's text), None for an assignment
        self.features = set()

    def surely_repeats(self):
        """Whether kanorc sees that a name which nothing depends on makes one update out of several."""
        if self.operation or any(clause.kind == "filter" for clause in self.clauses):
            return False
        for clause in self.clauses:
            others = [other.c for other in self.clauses if other is not clause]
            used = set(re.findall(r"\w+", " ".join([self.place.c, self.receiver.c] + others)))
            many = re.match(r"\{|(kanor::)?world$", clause.c)
            if clause.kind == "generator" and many and set(clause.names) - used:
                return True
        return False

    def text(self, draw):
        arrow = f"<< {self.operation[0]} <<" if self.operation else "<<="
        line = f"{self.place.c}@{self.receiver.c} {arrow} {self.value.c}@{self.sender.c}"
        if not self.clauses:
            return line
        separator = draw.choice([" ", " ", ", ", "\n        "])
        texts = [clause.text() for clause in self.clauses]
        # A filter that is one bare name would be read as the name of the generator after it.
        texts = [f"({text})" if clause.kind == "filter" and text.isidentifier() else text
                 for text, clause in zip(texts, self.clauses)]
        return f"{line}{separator}where {', '.join(texts)}"

    def python(self, number, by):
        """The function s<number>(n, D, old, out, turn, extra), which appends (receiver, path, sender, value) of each binding. `by`:
        None, or the side that alone evaluates clauses and ranks."""
        lines, depth = [f"def s{number}(n, D, old, out, turn, extra):"], 1

        def put(text):
            lines.append("  " * depth + text)
        if by:
            put("for me in range(n):")
            depth += 1
            put("S = old[me]; own = me")
        skip = "continue"
        if not by and not any(clause.kind == "generator" for clause in self.clauses):
            put("for _ in (0,):")
            depth += 1
        for clause in self.clauses:
            if clause.kind == "generator":
                for name in clause.names:
                    put(f"for {name} in {clause.p}:")
                    depth += 1
            elif clause.kind == "let":
                put(f"{clause.names[0]} = {clause.p}")
            else:
                put(f"if not ({clause.p}): {skip}")
        put(f"to = {self.receiver.p}; fr = {self.sender.p}")
        put("if to == NO_RANK or fr == NO_RANK: continue")
        put("assert 0 <= to < n and 0 <= fr < n, (to, fr)")
        if by:
            put(f"if {'fr' if by == 'sender' else 'to'} != own: continue")
        put("S = old[fr]; me = fr")
        put(f"v = {self.value.p}")
        put("S = old[to]; me = to")
        put(f"out.append((to, {self.place.path}, fr, v))")
        if by:
            put("S = old[own]; me = own")
        return "\n".join(lines) + "\n"


class StatementMaker:
    """Draws one statement for a block: `scope` sees the block's surroundings, `places` are the variables it may update."""

    def __init__(self, scope, places, knows=None, sections_too=False):
        self.scope, self.draw, self.places, self.knows = scope, scope.draw, places, knows
        self.sections = sections_too
        self.made = Statement()
        self.filters = []  # that keep ranks in the team
        self.bindings = 1

    def feature(self, name):
        self.made.features.add(name)

    # Clauses

    def fresh_name(self):
        used = {name.text for name in self.scope.names} | {e.c for e in self.scope.extras}
        return self.draw.choice([name for name in NAMES if name not in used])

    def generate(self, kind):
        """Adds a generator over a set of that kind, and its names to the scope."""
        draw, scope = self.draw, self.scope
        n = size(scope)
        rank, low, high, most = True, 0, MOST_RANKS - 1, COUNTED_RANKS
        last = E(f"{n.c} - 1", "n - 1", 0, MOST_RANKS - 1)
        if kind == "world":
            c, p = draw.choice(["world", "kanor::world"]) if scope.team == "world" else scope.team, "range(n)"
        elif kind == "interval of ranks":
            c, p = draw.choice([(f"{{0 ... {last.c}}}", "range(n)"), (f"{{0...{last.c}}}", "range(n)")])
        elif kind == "range of ranks":
            first = draw.choice([0, 0, 1, 2])
            step = draw.choice([1, 2, 3])
            name = draw.choice(["range", "kanor::range"])
            c, p = (f"{name}({first}, {n.c})", f"range({first}, n)") if step == 1 else draw.choice([
                (f"{name}({first}, {n.c}, {step})", f"range({first}, n, {step})"),
                (f"{name}({last.c}, {first} - 1, -{step})", f"range(n - 1, {first} - 1, -{step})")])
        elif kind == "part of the ranks":
            a, b = modulo(positive(integer(scope, 1)), n), modulo(positive(integer(scope, 1)), n)
            c, p = f"{{{a.c} ... {b.c}}}", f"inclusive({a.p}, {b.p})"
        elif kind == "list of ranks":
            members = [draw.choice([constant(0), last, modulo(positive(integer(scope, 1)), n)]) for _ in range(draw.randrange(1, 4))]
            c, p, most = f"{{{', '.join(m.c for m in members)}}}", f"({', '.join(m.p for m in members)},)", len(members)
        elif kind == "vector of ranks":
            earlier = [name.text for name in scope.names if name.rank]
            e = positive(integer(scope, 1))
            options = [("d.list", "D.list", 18), ("d.perm", "D.perm", COUNTED_RANKS), (f"some_ranks({e.c}, {n.c})", f"some_ranks({e.p}, n)", 6)]
            options += [(f"d.rows[{name}]", f"D.rows[{name}]", 3) for name in earlier] * 2
            c, p, most = draw.choice(options)
        elif kind == "dependent interval":
            name = draw.choice([name.text for name in scope.names if name.rank])
            c, p = draw.choice([(f"{{0 ... {name}}}", f"inclusive(0, {name})"), (f"{{{name} + 1 ... {last.c}}}", f"inclusive({name} + 1, n - 1)"),
                                (f"{{0...{name} - 1}}", f"inclusive(0, {name} - 1)"), (f"range({name}, {n.c})", f"range({name}, n)"),
                                (f"range({name}, {n.c}, 2)", f"range({name}, n, 2)"), (f"range({name}, -1, -3)", f"range({name}, -1, -3)")])
            most = 5
        elif kind == "elements":
            most = draw.choice([2, 3, 4, 4, 5])
            rank, high = False, most - 1
            c, p = draw.choice([(f"{{0 ... {most - 1}}}", f"range({most})"), (f"range(0, {most})", f"range({most})"), (f"{{0...{most}-1}}", f"range({most})")])
        else:  # numbers
            low = draw.randrange(-3, 12)
            most = draw.randrange(1, 5)
            high, rank = low + 3 * most, False
            option = draw.randrange(3)
            if option == 0:
                high = low + most - 1
                c, p = f"{{{low} ... {high}}}", f"inclusive({low}, {high})"
            elif option == 1:
                c, p = f"kanor::range({low}, {high}, 3)", f"range({low}, {high}, 3)"
            else:
                members = [draw.randrange(low, high) for _ in range(most)]
                c, p = f"{{{', '.join(map(str, members))}}}", f"({', '.join(map(str, members))},)"
        self.feature("set: " + kind)
        names = [self.fresh_name()]
        scope.names.append(Name(names[0], low, high, rank))
        if most * most * self.bindings <= MOST_BINDINGS and draw.random() < 0.12 and kind in ("world", "elements", "interval of ranks"):
            names.append(self.fresh_name())
            scope.names.append(Name(names[1], low, high, rank))
            most *= most
            self.feature("clause: several names in one generator")
        self.bindings *= most
        self.made.clauses.append(Clause("generator", names, c, p))

    def let(self):
        draw, scope = self.draw, self.scope
        kind = draw.randrange(5)
        rank, other = False, None
        if kind == 0:
            e, other = string(scope), STRING
        elif kind == 1:
            e, other = real(scope), DOUBLE
        elif kind <= 3:
            e = modulo(positive(integer(scope, 1)), size(scope))
            rank = True
        else:
            e = integer(scope, 1)
        name = self.fresh_name()
        self.made.clauses.append(Clause("let", [name], e.c, e.p))
        scope.names.append(Name(name, e.low, e.high, rank, other))
        self.feature("clause: let")

    def filter(self):
        draw, scope = self.draw, self.scope
        names = [name for name in scope.names if name.other is None]
        kind = draw.randrange(5)
        if kind <= 2 and len(names) >= 2:
            a, b = draw.sample(names, 2)
            op = draw.choice(["!=", "<", "<=", "!=", ">"])
            c = E(f"{a.text} {op} {b.text}", f"{a.text} {op} {b.text}")
        elif kind <= 3 and names:
            a = draw.choice(names).text
            e = integer(scope, 1).inner()
            op = draw.choice(["!=", "<", ">=", "!="])
            c = draw.choice([E(f"{a} {op} {e.c}", f"{a} {op} {e.p}"), E(f"{a} % 2 == 0", f"{a} % 2 == 0"), E(f"chosen({a} + 3)", f"chosen({a} + 3)")])
        else:
            c = condition(scope)
        self.made.clauses.append(Clause("filter", [], c.c, c.p))
        self.feature("clause: filter")

    def clauses(self):
        draw = self.draw
        for _ in range(draw.choice([0, 1, 1, 1, 1, 2, 2, 2, 3])):
            kinds = ["world"] * 5 + ["interval of ranks"] * 3 + ["range of ranks", "part of the ranks", "list of ranks", "vector of ranks", "elements", "elements",
                                                                 "elements", "numbers"]
            if any(name.rank for name in self.scope.names):
                kinds += ["dependent interval"] * 2
            for _attempt in range(4):
                kind = draw.choice(kinds)
                worst = {"elements": 5, "numbers": 4, "list of ranks": 3, "vector of ranks": 18, "dependent interval": 5}.get(kind, COUNTED_RANKS)
                if self.bindings * worst <= MOST_BINDINGS:
                    self.generate(kind)
                    break
            if draw.random() < 0.15:
                self.let()
            if draw.random() < 0.15:
                self.filter()
        if not self.made.clauses and draw.random() < 0.2:
            draw.choice([self.let, self.filter])()

    # Ranks

    def rank(self):
        """A rank expression, always in the team or kept there by a filter."""
        draw, scope = self.draw, self.scope
        n = size(scope)
        ranks = [name.expression() for name in scope.names if name.rank]
        numbers = [name.expression() for name in scope.names if name.other is None and name.low >= 0]
        if not ranks and not numbers or draw.random() < 0.12:
            self.feature("rank: constant")
            return draw.choice([constant(0), constant(0), E(f"{n.c} - 1", "n - 1", 0, MOST_RANKS - 1), modulo(parameter(scope), n),
                                modulo(constant(draw.randrange(1, 5)), n), E("d.goal[0]", "D.goal[0]", 0, MOST_RANKS - 1, True)])
        if not ranks or draw.random() < 0.1:
            self.feature("rank: number % n")
            return modulo(draw.choice(numbers) if numbers else positive(integer(scope, 1)), n)
        i = draw.choice(ranks)
        j = draw.choice(ranks)
        c = draw.choice([constant(1), constant(1), constant(2), constant(3), parameter(scope)])
        families = {
            "name": lambda: i, "name ": lambda: i, "name  ": lambda: i,
            "(i + c) % n": lambda: modulo(add(i, c), n),
            "(i + 1) % n": lambda: modulo(add(i, constant(1)), n),
            "(i + n - 1) % n": lambda: modulo(E(f"{i.c} + {n.c} - 1", f"{i.p} + n - 1", 0, 16), n),
            "(i - c % n + n) % n": lambda: modulo(E(f"{i.c} - {modulo(c, n).c} + {n.c}", f"{i.p} - {modulo(c, n).p} + n", 1, 17), n),
            "i + c, filtered": lambda: self.guarded(add(i, c), above=True),
            "i - c, filtered": lambda: self.guarded(subtract(i, c), below=True),
            "i ^ c, filtered": lambda: self.guarded(bitwise("^", i, c), above=True),
            "i | c, filtered": lambda: self.guarded(bitwise("|", i, c), above=True),
            "i & c": lambda: bitwise("&", i, c),
            "n - 1 - i": lambda: E(f"{n.c} - 1 - {i.c}", f"n - 1 - {i.p}", 0, MOST_RANKS - 1),
            "i / c": lambda: quotient(i, add(constant(1), draw.choice([constant(1), parameter(scope)]))),
            "i / c * c": lambda: (lambda k: multiply(quotient(i, k), k))(constant(draw.choice([2, 3]))),
            "i % c": lambda: modulo(i, add(constant(1), draw.choice([constant(1), constant(2), parameter(scope)]))),
            "(i * c) % n": lambda: modulo(multiply(i, c), n),
            "(i * c + b) % n": lambda: modulo(add(multiply(i, c), parameter(scope)), n),
            "i * c, filtered": lambda: self.guarded(multiply(i, constant(draw.choice([2, 3]))), above=True),
            "i * c + b, filtered": lambda: self.guarded(add(multiply(i, constant(2)), constant(draw.choice([1, 2]))), above=True),
            "i >> 1": lambda: E(f"({i.c} >> 1)", f"({i.p} >> 1)", 0, 4, True),
            "i << 1, filtered": lambda: self.guarded(E(f"({i.c} << 1)", f"({i.p} << 1)", 0, 18, True), above=True),
            "(i - 1) / 2, filtered": lambda: self.guarded_by(E(f"{i.c} > 0", f"{i.p} > 0"), E(f"({i.c} - 1) / 2", f"({i.p} - 1) // 2", 0, 4)),
            "looked up": lambda: E(f"d.perm[{i.c}]", f"D.perm[{i.p}]", 0, 8, True),
            "looked up ": lambda: E(f"d.goal[{i.c}]", f"D.goal[{i.p}]", 0, 8, True),
            "function": lambda: call("ring", "ring", [i, n], 0, 8),
            "function % n": lambda: modulo(call("opaque", "opaque", [i, j], 0, 1023), n),
            "(i + j) % n": lambda: modulo(add(i, j), n),
            "(i - j + n) % n": lambda: modulo(E(f"{i.c} - {j.c} + {n.c}", f"{i.p} - {j.p} + n", 1, 17), n),
            "choice": lambda: E(f"({i.c} % 2 ? {i.c} : {j.c})", f"({i.p} if {i.p} % 2 else {j.p})", 0, 8, True),
            "min, max": lambda: E(f"std::min<int>({i.c} + 1, {n.c} - 1)", f"min({i.p} + 1, n - 1)", 0, 8, True),
            "other integer type": lambda: E(f"static_cast<{draw.choice(['unsigned', 'long', 'short', 'std::size_t', 'unsigned char'])}>({i.c})", i.p, 0, 8, True),
            "any % n": lambda: modulo(positive(integer(scope, 2)), n),
        }
        families["choice of no_rank"] = lambda: E(f"({i.c} == {j.c} ? {draw.choice(['no_rank', 'kanor::no_rank'])} : {i.c})",
                                                  f"(NO_RANK if {i.p} == {j.p} else {i.p})", 0, 8, True)
        names = list(families)
        if scope.grids:
            grid, dimensions = draw.choice([("g1", 1), ("g2", 2), ("g3", 3), ("h2", 2)])
            at = draw.randrange(dimensions)
            offset = draw.choice(["1", "-1", "1", "-1", "2", f"{j.c}", f"-{j.c} - 1"])
            moved = [f"{grid}.coords({i.c})[{d}]" + (f" + {offset}" if d == at else "") for d in range(dimensions)]
            families["grid neighbour"] = lambda: E(f"{grid}.neighbor({i.c}, {at}, {offset})", f"D.{grid}.neighbor({i.p}, {at}, {offset})", 0, 8, True)
            families["grid position"] = lambda: E(f"{grid}({', '.join(moved)})", f"D.{grid}({', '.join('D.' + m for m in moved)})", 0, 8, True)
            families["grid coordinate"] = lambda: E(f"{grid}.coords({i.c})[{at}]", f"D.{grid}.coords({i.p})[{at}]", 0, 8, True)
            names += ["grid neighbour", "grid position"] * 8 + ["grid coordinate"] * 2
        name = draw.choice(names)
        self.feature("rank: " + name.strip())
        return families[name]()

    def guarded(self, e, above=False, below=False):
        n = size(self.scope)
        if above:
            self.filters.append(E(f"{e.inner().c} < {n.c}", f"{e.inner().p} < n"))
        if below:
            self.filters.append(E(f"{e.inner().c} >= 0", f"{e.inner().p} >= 0"))
        return e

    def guarded_by(self, filter_, e):
        self.filters.append(filter_)
        return e

    # Places and values

    def place(self, accept=lambda type_: True):
        scope = self.scope.copy(True)
        found = [(variable, steps) for variable in self.places for steps, type_ in paths(variable.type)
                 if accept(type_) and ("key" not in steps or variable.name in scope.hidden) and (steps or variable.name not in scope.fixed)]
        if not found:
            return None
        # Every variable has the same chance, however many parts it has.
        variable = self.draw.choice([variable for variable, _ in found])
        return walk(scope, variable, self.draw.choice([steps for other, steps in found if other is variable]), False)

    def with_section(self, made, kind):
        """Takes the parts of a statement that sections.py drew."""
        place_type, variable = made.place_type, made.variable
        self.made.place = Place(variable, made.place, "", made.path, place_type)
        self.made.value, self.made.value_type, self.made.place_type = made.value, made.value_type, place_type
        self.feature(f"section: {kind}")
        self.feature(f"section: place in {variable.type.kind}" if place_type.kind == "section" else "section: value to a whole list")
        if made.value_type.length == -1:
            self.feature("section: number of elements known at run time")
        self.made.features.update(made.features)
        if self.knows:
            self.made.features.update(f"{name}, knows = {self.knows}" for name in made.features if name.startswith("listed section: "))
        return True

    def assign(self):
        if self.sections and self.draw.random() < 0.22:
            made = sections.assignment(self, self.scope.copy(True))
            if made:
                return self.with_section(made, "assignment")
        place = self.place()
        target = place.type
        sources = [target] * 4 + [other for other in model.TYPES if other is not target and model.conversion(other, target)]
        self.draw.shuffle(sources)
        scope = self.scope.copy(True)
        for source in sources:
            if source.kind == "real" and target.kind == "integer":
                e = real(scope)
                e = E(f"tame({e.c})", f"tame({e.p})", atom=True)
                if source is FLOAT:
                    e = E(f"static_cast<float>({e.c})", f"CONVERT['float']({e.p})", atom=True)
            else:
                e = value(scope, source)
            if e is not None:
                break
        else:
            return False
        self.feature("place: " + ("whole " if place.path.count(",") == 1 else "part of ") + place.variable.type.kind)
        self.feature("value: " + source.kind + ("" if source is target else f" to {target.kind}"))
        self.made.place, self.made.value, self.made.value_type, self.made.place_type = place, e, source, target
        return True

    def callables(self, type_):
        """(C++ text, Python text) of callables for values of the type."""
        at = self.draw.randrange(16)
        of_ints = [("mix", "mix"), (f"[](int a_, int b_) {{ return (a_ - 3 * b_) & 4095; }}", "lambda a, b: (a - 3 * b) & 4095"),
                   (f"[&](int a_, int b_) {{ return (a_ * d.c[{at}] + b_) & 0xffff; }}", f"lambda a, b: (a * D.c[{at}] + b) & 0xffff"),
                   ("std::bit_xor<>{}", "lambda a, b: a ^ b"), ("std::plus<>()", "lambda a, b: a + b"), ("Scaled{7}", "lambda a, b: (a * 7 + b) & 0x7fff"),
                   ("[](auto a_, auto b_) { return (a_ + 2 * b_) & 1023; }", "lambda a, b: (a + 2 * b) & 1023")]
        if type_ in (INT, SHORT, UCHAR):
            return of_ints
        if type_ in (DOUBLE, FLOAT):
            return [("weigh", "weigh"), ("std::minus<>{}", "lambda a, b: a - b"),
                    ("[](auto a_, auto b_) { return a_ - b_ / 2; }", "lambda a, b: a - b / 2")]
        if type_ is STRING:
            return [("join", "join"), ("std::plus<>{}", "lambda a, b: a + b")]
        if type_.kind == "point":
            return [("merge", "merge")]
        if type_ is model.FREE_INTS:
            return [("longer", "longer")]
        return {model.MAP.name: [("unite", "unite")], model.MAYBE.name: [("prefer", "prefer")],
                model.PAIR.name: [("later", "later")]}.get(type_.name, [])

    def reduce(self):
        draw = self.draw
        if self.sections and draw.random() < 0.22:
            made = sections.reduction(self, self.scope.copy(True))
            if made:
                self.made.operation = (made.operator, f"listed_operation('{made.operator}', TYPE)")
                return self.with_section(made, "reduction")
        scope = self.scope.copy(True)
        place = self.place(lambda type_: type_.operations or self.callables(type_))
        if place is None:
            return False
        target = place.type
        sources = [target] * 4 + [other for other in model.ARITHMETIC if target.convert and model.conversion(other, target)
                                  and not (other.kind == "real" and target.kind in ("integer", "bool"))]
        source = draw.choice(sources)
        inner = source
        while inner.element is not None:
            inner = inner.element
        choices = [(op, f"listed_operation('{op}', TYPE)") for op in source.operations]
        choices += [(c, f"folder({p}, TYPE)") for c, p in self.callables(inner if source.element is not None else source)] * 2
        if not choices:
            return False
        op, python = draw.choice(choices)
        real_product = op == "*" and inner.kind == "real"
        if real_product or (op in ("*", "+") and source is INT) or (op == "*" and source is LLONG):
            if source.element is not None:
                return False
            if real_product:
                x = real(scope)
                e = E(f"0.5 + tame({x.c}) * 0.0009765625", f"0.5 + tame({x.p}) * 0.0009765625")
                if source is FLOAT:
                    e = E(f"static_cast<float>({e.c})", f"CONVERT['float']({e.p})")
            else:
                e = integer(scope)
                if op == "*":
                    e = subtract(modulo(positive(e), constant(3)), constant(1))
                elif source is INT:
                    e = modulo(e, constant(99991))  # some thousands of them are an int
                if source is LLONG:
                    e = E(f"static_cast<long long>({e.c})", e.p)
        elif source.element is not None and inner is INT and op in ("*", "+"):
            e = value(scope.copy(False), source)
        else:
            e = value(scope, source)
        if e is None:
            return False
        kind = op if op.isalpha() and op in ("min", "max") or not any(letter.isalnum() for letter in op) else "a callable"
        self.feature(f"reduction: {kind}")
        self.feature(f"reduction of {source.kind}")
        self.feature("place: " + ("whole " if place.path.count(",") == 1 else "part of ") + place.variable.type.kind)
        self.made.operation = (op, python)
        self.made.place, self.made.value, self.made.value_type, self.made.place_type = place, e, source, target
        return True

    def make(self, reductions=True):
        """The statement, or None where the draw led nowhere."""
        self.scope.local = self.knows is not None
        self.clauses()
        self.made.receiver, self.made.sender = self.rank(), self.rank()
        used = set(re.findall(r"\w+", self.made.receiver.c))
        if self.made.clauses and not used & {name.text for name in self.scope.names}:
            # Where all bindings surely update one rank's place, kanorc refuses the block; of a call it cannot know.
            n = size(self.scope)
            self.made.receiver = call("ring", "ring", [self.made.receiver, n], 0, MOST_RANKS - 1)
        self.scope.local = False
        for e in self.filters:
            self.made.clauses.append(Clause("filter", [], e.c, e.p))
        if reductions and self.draw.random() < 0.38:
            done = self.reduce()
        else:
            done = self.assign()
        return self.made if done else None
