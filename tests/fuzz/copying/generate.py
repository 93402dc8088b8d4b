# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of blocks between loops that copy to and from buffers, each function as C++ and as Python.

The Python form executes each loop as it is written, and stops at each block; simulate() executes the blocks of all ranks.
"""

import os
import random
from typing import NamedTuple

from blocks import exchange

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "head.txt"), encoding="utf-8") as head_file:
    HEAD = head_file.read()

SIZE = {"double": 8, "float": 4, "int": 4, "long": 8, "short": 2, "unsigned": 4}
MOST = 5                                                    # ranks


class Loop(NamedTuple):
    name: str
    start: int
    step: int
    count: int
    text: str                                               # the count, if it is not a number
    down: bool

    def last(self):
        return self.start + (self.count - 1) * self.step

    def extent(self):
        return (self.count - 1) * self.step + 1


class Store(NamedTuple):
    """Memory that loops copy from and to: how its elements are written in C++ and in Python, by row and column."""
    name: str
    type: str
    kind: str
    size: int
    width: int
    cpp: str
    py: str

    def at(self, row, column):
        flat = f"({row}) * {self.width} + {column}" if row != "0" else column
        return (self.cpp.format(flat=flat, row=row, column=column), self.py.format(flat=flat))


class Function:
    """One function: two texts, and the number of its loops that copy."""
    def __init__(self, draw, number):
        self.draw, self.name = draw, f"f{number}"
        self.cpp, self.py, self.depth, self.names, self.loops = [], [], 1, 0, 0
        self.stores, self.numbers, self.time, self.later, self.outer = [], {}, None, [], set()
        self.named = draw.random() < 0.5                    # whether the bounds of loops are named
        self.calm = draw.random() < 0.7                     # whether nothing prevents the replacement of loops
        self.line("const int me = world.rank();", "pass")
        self.line("[[maybe_unused]] const int P = world.size();", "pass")
        self.line("std::string line = __func__;", "line = ''")
        top = len(self.cpp), len(self.py)
        self.first_cpp, self.first_py = [], []
        self.whole()
        self.cpp[top[0]:top[0]], self.py[top[1]:top[1]] = self.first_cpp, self.first_py

    # text

    def line(self, cpp, py=None):
        for text in cpp.split("\n"):
            self.cpp.append("  " * self.depth + text)
        for text in (py if py is not None else cpp.rstrip(";")).split("\n"):
            self.py.append("  " * self.depth + text)

    def fresh(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def chance(self, share):
        return self.draw.random() < share

    def number(self, value):
        """A number, or a name that has this value."""
        if self.chance(0.05) if self.named else value < 2 or self.chance(0.6):
            return str(value)
        if value not in self.numbers:
            self.numbers[value] = name = self.fresh("c")
            kind = self.draw.choice(["const int", "const int", "int", "constexpr int"])
            self.first_cpp.append(f"  [[maybe_unused]] {kind} {name} = {value};")
            self.first_py.append(f"  {name} = {value}")
        return self.numbers[value]

    # memory

    def store(self, kind, size, width, type_):
        name, text, plain = self.fresh("a"), "{}[{{flat}}]", "{}[{{flat}}]"
        root = name
        if kind == "vector":
            self.line(f"std::vector<{type_}> {name}({size});", f"{name} = [0] * {size}")
        elif kind in ("array", "std"):
            self.line(f"{type_} {name}[{size}] = {{}};" if kind == "array" else f"std::array<{type_}, {size}> {name}{{}};",
                      f"{name} = [0] * {size}")
        elif kind == "held":
            self.line(f"Held<{type_}> {name};\n{name}.v.resize({size});", f"{name} = [0] * {size}")
            text = "{}.v[{{flat}}]"
        elif kind == "member":
            self.line(f"struct {{ int id; {type_} v[{size}]; }} {name}{{}};", f"{name} = [0] * {size}")
            text = "{}.v[{{flat}}]"
        elif kind in ("pointer", "span", "reference", "inner"):
            root = name + "r"
            self.line(f"std::vector<{type_}> {root}({size + 3});", f"{root} = [0] * {size + 3}")
            self.line({"pointer": f"{type_}* const {name} = {root}.data() + 3;", "inner": f"{type_}* {name} = &{root}[3];",
                       "span": f"std::span<{type_}> {name}({root});", "reference": f"auto& {name} = {root};"}[kind], "pass")
            plain = "{}[3 + {{flat}}]" if kind in ("pointer", "inner") else plain
        elif kind in ("grid", "call", "cell"):
            self.line(f"Grid {name};\n{name}.w = {width};\n{name}.cells.resize({size});", f"{name} = [0] * {size}")
            text = {"grid": "{}.at({{row}}, {{column}})", "call": "{}({{row}}, {{column}})",
                    "cell": f"cell({{}}.cells, {width}, {{{{row}}}}, {{{{column}}}})"}[kind]
        elif kind == "rows":
            self.line(f"{type_} {name}[{size // width}][{width}] = {{}};", f"{name} = [0] * {size}")
            text = "{}[{{row}}][{{column}}]"
        one = Store(name, type_, kind, size, width, text.format(name), plain.format(root))
        self.stores.append(one)
        return one

    def each(self, one, formula):
        """Computes all elements of some memory; not a copy."""
        q = self.fresh("q")
        cpp, py = one.at(q + " / " + str(one.width), q + " % " + str(one.width))
        if "{row}" not in one.cpp:
            cpp, py = one.at("0", q)
        py = one.py.format(flat=q)
        body = formula.format(x="{x}", q=q)
        cast = f"static_cast<{one.type}>(static_cast<long>({body}) % 1000)"
        self.line(f"for (int {q} = 0; {q} < {one.size}; ++{q}) {cpp} = {cast.format(x=f'static_cast<long>({cpp})')};",
                  f"for {q} in range({one.size}): {py} = ({body.format(x=py)}) % 1000")

    def buffer(self, type_, size, value=0):
        kind = self.draw.choice(["vector", "vector", "array", "std"])
        name = self.fresh("b")
        if kind == "vector":
            self.line(f"std::vector<{type_}> {name}({self.number(size)}" + (f", {value});" if value else ");"), f"{name} = [{value}] * {size}")
        else:
            self.line(f"{type_} {name}[{size}] = {{}};" if kind == "array" else f"std::array<{type_}, {size}> {name}{{}};",
                      f"{name} = [0] * {size}")
        return name

    # loops that copy

    def counts(self, total):
        """Numbers of iterations of a nest with about this product."""
        deep = self.draw.choice([1, 1, 2, 2, 2, 3])
        found = []
        for left in range(deep, 1, -1):
            one = max(1, min(total, int(total ** (1 / left) * self.draw.choice([0.3, 0.7, 1, 1.6])) or 1))
            found.append(one)
            total = max(1, total // one)
        return found + [total]

    def nest(self, counts, texts=None):
        return [Loop(self.fresh("i"), self.draw.choice([0, 0, 0, 1, 3]) if self.chance(0.7) else self.draw.randrange(-4, 9),
                     self.draw.choice([1, 1, 1, 2, 3]) if len(counts) < 3 else 1, count, (texts or {}).get(at, ""),
                     self.chance(0.25) and not (texts or {}).get(at))
                for at, count in enumerate(counts)]

    def plain(self, counts, texts=None):
        """A nest whose counters begin at 0."""
        return [Loop(self.fresh("i"), 0, 1, count, (texts or {}).get(at, ""), self.chance(0.2) and not (texts or {}).get(at))
                for at, count in enumerate(counts)]

    def sum(self, terms, more):
        """An expression: the sum of multiples of counters, all indices at least `more`."""
        text, offset = [], more
        for factor, loop in terms:
            offset -= min(factor * loop.start, factor * loop.last())
            if factor:
                text.append(loop.name if factor == 1 else f"{self.number(factor)} * {loop.name}" if factor > 0 and self.chance(0.5)
                            else f"{loop.name} * {factor}" if factor > 0 else f"-{loop.name} * {-factor}")
        self.draw.shuffle(text)
        if offset or not text:
            text.append(str(offset))
        return " + ".join(text).replace("+ -", "- ")

    @staticmethod
    def most(terms):
        return sum(abs(factor) * (loop.count - 1) * loop.step for factor, loop in terms)

    def place(self, nest, kinds, type_, old=None):
        """Memory for a nest, and the element for its counters."""
        order = list(nest)
        if self.chance(0.5):
            self.draw.shuffle(order)
        factors, next_ = {}, 1
        for loop in reversed(order):
            factors[loop] = next_
            next_ = factors[loop] * (loop.extent() + self.draw.choice([0, 0, 1, 2])) if not self.chance(0.06) else next_
        if self.chance(0.3):
            factors = {loop: factor * 2 for loop, factor in factors.items()}
        if self.chance(0.2):
            some = self.draw.choice(nest)
            factors[some] = self.draw.choice([-factors[some], -factors[some], 0, 1])
        kind = self.draw.choice(kinds)
        if kind in ("grid", "call", "cell", "rows"):
            cut = self.draw.randrange(len(nest) + 1)
            rows = [(self.draw.choice([1, 1, -1]) * max(1, self.draw.choice([1, l.extent()]) if cut > 1 else 1), l) for l in nest[:cut]]
            columns = [(self.draw.choice([1, 1, 2, -1]), l) for l in nest[cut:]]
            width = self.most(columns) + 1 + self.draw.randrange(3)
            size = (self.most(rows) + 2) * width
            if size <= 16000:
                one = self.store(kind if kind == "rows" or type_ == "double" else "rows", size, width, type_)
                return one, one.at(self.sum(rows, self.draw.randrange(2)), self.sum(columns, 0))
        terms = [(factor, loop) for loop, factor in factors.items()]
        more = self.draw.choice([0, 0, 1, 7])
        size = self.most(terms) + more + 1
        if old and old.size >= size and old.type == type_ and old.width == 1 and old.kind != "rows":
            return old, old.at("0", self.sum(terms, more))
        if kind in ("grid", "call", "cell", "rows"):
            kind = "vector"
        one = self.store(kind, size + self.draw.randrange(4), 1, type_)
        return one, one.at("0", self.sum(terms, more))

    def dense(self, nest, more=0):
        """The element of the buffer for each turn of a nest: its text, or nothing for a running index; and the buffer's size."""
        order = list(nest)
        if self.chance(0.35):
            self.draw.shuffle(order)
        factors, next_ = {}, 1
        for loop in reversed(order):
            factors[loop], next_ = next_, next_ * loop.extent()
        running = self.chance(0.3) or next_ > 9000
        if running:
            total = 1
            for loop in nest:
                total *= loop.count
            return None, more + total
        return self.sum([(factors[loop], loop) for loop in order], more), more + next_

    def copy(self, nest, buffer, index, element, pack, first=0, again=False):
        """Writes a loop."""
        self.loops += 1
        condition = self.draw.choice(["me % 2 == 0", "me > 0", "P < 3"] + (["t % 2 == 0", "(me + t) % 3 > 0"] if self.time else [])) \
            if self.chance(0.2) else ""
        running = index is None
        name = self.fresh("k")
        if running:
            self.line(f"int {name} = {first};", f"{name} = {first}")
            index = name
        outside = [loop.name for loop in nest if (loop.name in self.outer if again else self.chance(0.1))]
        self.outer |= set(outside)
        if outside and not again:
            self.line("int " + ", ".join(one + (self.draw.choice(["", " = 0"]) if one == nest[0].name else " = 0") for one in outside) + ";", "pass")
        head, depth = [], self.depth
        if condition:
            head.append(f"if ({condition})")
            self.py.append("  " * self.depth + f"if {condition}:")
            self.depth += 1
        ends = []
        for loop in nest:
            end = f"{self.bound(loop)}"
            kind = "" if loop.name in outside else self.draw.choice(["int ", "int ", "int ", "long ", "auto "])
            step = f"{loop.name} {'-' if loop.down else '+'}= {loop.step}" if loop.step > 1 or self.chance(0.1) else \
                self.draw.choice([f"{'--' if loop.down else '++'}{loop.name}", f"{loop.name}{'--' if loop.down else '++'}"])
            start = loop.last() if loop.down else loop.start
            head.append(f"for ({kind}{loop.name} = {start}; {loop.name} {end}; {step})" + self.draw.choice(["", " {"]))
            ends.append(head[-1].endswith("{"))
            self.py.append("  " * self.depth + f"{loop.name} = {start}")
            self.py.append("  " * self.depth + f"while {loop.name} {end}:")
            self.depth += 1
        self.body(buffer, index, element, pack, running)
        for loop in reversed(nest):
            self.py.append("  " * self.depth + f"{loop.name} {'-' if loop.down else '+'}= {loop.step}")
            self.depth -= 1
        self.depth = depth
        self.cpp[-1] = "  " * depth + self.draw.choice([" ", "\n    "]).join(head + [self.cpp[-1].strip() + "}" * sum(ends)])
        self.later += [one for one in outside if not condition] + ([name] if running else [])

    def bound(self, loop):
        if self.named:
            return f"> {self.number(loop.start - 1)}" if loop.down else f"< {loop.text or self.number(loop.last() + 1)}"
        if loop.down:
            return self.draw.choice([f">= {loop.start}", f"> {loop.start - 1}"])
        if loop.text:
            return f"< {loop.text}" if loop.start == 0 else f"< {loop.start} + {loop.text}"
        exact = loop.last() + 1
        last = exact + (loop.step - 1 if self.chance(0.3) else 0)
        return self.draw.choice([f"< {self.number(last)}", f"< {last}", f"<= {last - 1}", f"< {last - 2} + 2"])

    def body(self, buffer, index, element, pack, running):
        cpp, py = element
        post = running and self.chance(0.8)
        mine = f"{buffer}[{index}{'++' if post else ''}]"
        more = f" {index}++;" if running and not post else ""
        left, right = (mine, cpp) if pack else (cpp, mine)
        self.cpp.append(f"{{ {left} = {right};{more} }}" if more else f"{left} = {right};")
        where = "  " * self.depth
        self.py.append(where + (f"{buffer}[{index}] = {py}" if pack else f"{py} = {buffer}[{index}]"))
        if running:
            self.py.append(where + f"{index} += 1")

    # the function

    def between(self, some):
        """A statement between a loop and the block."""
        way = self.draw.random()
        if way < 0.1 and not self.calm:
            one = self.draw.choice(some)
            cpp, py = one.at("0", "0")
            self.line(f"{cpp} = 77;", f"{py} = 77")
        elif way < 0.25:
            name = self.fresh("z")
            self.line(f"[[maybe_unused]] int {name} = {self.draw.randrange(9)};", f"{name} = 0")
        elif way < 0.32:
            name = self.draw.choice(self.extra)
            self.line(f"{name} = {name} + 1;", f"{name} = {name} + 1")

    def whole(self):
        self.extra = ["x"]
        self.line("[[maybe_unused]] int x = 0;", "x = 0")
        rounds = self.draw.choice([0, 0, 2, 3])
        exchange(self, rounds)
        text = "; ".join(f"add(line, &{one.at('0', '0')[0]}, {one.size})" for one in self.stores) + ";"
        self.line(text, "\n".join(f"line += add({one.py.format(flat='0').replace('[0]', '').replace('[3 + 0]', '[3:]')}, {one.size})"
                                  for one in self.stores))
        self.line("line += ' ' + std::to_string(x);", "line += f' {x}'")
        self.line('std::printf("rank %d: %s\\n", me, line.c_str());', "log.append(f'rank {me}: ' + name + line)")


def add(values, size):
    total = 0
    for one in values[:size]:
        total = (total * 31 + one) % 1000003
    return f" {total}"


def meet(ranks):
    """Executes a block: all values first, then all places."""
    updates = []
    for at, (bindings, _, _) in enumerate(ranks[0]):
        for receiver, sender, *names in bindings:
            base, indices = ranks[sender][at][2](*names)
            updates.append((receiver, at, names, [base[one] for one in indices]))
    ready = [(ranks[receiver][at][1](*names), values) for receiver, at, names, values in updates]
    for (base, indices), values in ready:
        assert len(indices) == len(values)
        for one, value in zip(indices, values):
            base[one] = value


class Program:
    def __init__(self, seed, functions):
        draw = random.Random(seed)
        self.functions = [Function(draw, number) for number in range(functions)]
        self.loops = sum(one.loops for one in self.functions)

    def text(self):
        parts = [HEAD] + [f"static void {one.name}() {{\n" + "\n".join(one.cpp) + "\n}\n" for one in self.functions]
        return "\n".join(parts) + "\nint main() {\n" + "".join(f"  {one.name}();\n" for one in self.functions) + "}\n"

    def printed(self, size):
        """The lines that all ranks print, sorted."""
        log = []
        for one in self.functions:
            space = {"add": add}
            exec(f"def run(me, P, log, name):\n" + "\n".join(one.py) + "\n  yield None\n", space)    # pylint: disable=exec-used
            ranks = [space["run"](me, size, log, one.name) for me in range(size)]
            while True:
                stops = [next(rank) for rank in ranks]
                if stops[0] is None:
                    break
                meet(stops)
        return sorted(line + "\n" for line in log)
