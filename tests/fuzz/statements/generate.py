# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs with a statement of the table between blocks, and the same program for simulated ranks."""

import os
import random

import table
from flow import Unit, flow, jumps

ENTRIES = table.read()
with open(os.path.join(table.FOLDER, "helpers.txt"), encoding="utf-8") as helpers:
    HEAD = helpers.read()

SHIFTS = [
    # receiver, sender, filter: of the name i
    ("(i + {d}) % n", "i", ""), ("i", "(i + {d}) % n", ""), ("i", "0", ""), ("i", "n - 1", ""), ("i", "0", "i != 0"),
    ("i + 1", "i", "i < n - 1"), ("i", "i + 1", "i + 1 < n"), ("i", "i", ""), ("n - 1 - i", "i", ""), ("i", "{k} % n", ""),
    ("(i + {d}) % n", "i", "i % 2 == {k} % 2"), ("0", "n - 1", "i == 0"), ("i", "(i + {k}) % n", ""),
]
FOLDS = [("i", "j", "true"), ("0", "j", "i == 0"), ("i", "j", "j <= i"), ("(i + 1) % n", "j", "true")]
OPERATIONS = {"+": "std::plus<>()", "max": "[](auto a, auto b) { return a > b ? a : b; }", "min": "[](auto a, auto b) { return a < b ? a : b; }"}


class Function:
    def __init__(self, draw, number, entries):
        self.draw, self.number, self.entries, self.unique = draw, number, entries, number * 1000
        self.blocks, self.turn = 0, "1"
        letter = draw.choice("vvvvvvaaacccpbbblwxms")
        small = [10, 600, 1000, 1000, 1000, 1024]
        length = {"m": 40, "s": draw.choice([100, 5000, 8192]), "x": draw.choice([10, 600, 1000]), "w": draw.choice([10, 600])}.get(letter)
        if length is None:
            length = draw.choice(small + ([8192] if letter in "vbca" else []))
            if letter in "vba" and draw.random() < 0.03:
                length = 32768 if letter == "a" else 262144  # arrays lie on the stack, several of them at once
        rows = 4
        if letter == "p":
            length = draw.choice([10, 256, 300])
        self.form = table.Form(letter, length, rows)
        self.large = length > 100000
        self.names = [f"a{at}" for at in range(draw.choice([3, 3, 3, 4]))]
        self.dead, self.odd = set(), set()
        self.shape = draw.choice(["plain"] * 7 + ["template", "member", "lambda"])
        self.style = draw.choice(["issue"] * 5 + ["mixed"] * 3 + ["straight", "inner"])
        self.wanted = [entry for entry in entries if letter in entry.forms]
        self.fitting = [entry for entry in ENTRIES if letter in entry.forms]
        self.body = self.make()

    # -- text

    def text(self, simulated, dropped=frozenset()):
        lines = []
        for unit in self.body:
            lines += unit.write(simulated, dropped, 1)
        f = f"{'simulated' if simulated else 'real'}_{self.number}"
        first = "  const int n = int(sim::Ranks::running->posted.size());" if simulated else "  const int me = world.rank(), n = world.size();"
        start = [first, "  (void)me, (void)n;"]
        given = "int me" if simulated else ""
        if self.shape == "template":
            head, tail = [f"template <class Element>\nstatic void {f}_in({given}) {{"] + start, ["}", f"static void {f}({given}) {{ {f}_in<double>({'me' if simulated else ''}); }}"]
        elif self.shape == "member":
            head = [f"struct Of_{f} {{", f"  int extra = 0;\n  void run({given}) {{"] + start
            tail = ["  }", "};", f"static void {f}({given}) {{ Of_{f}().run({'me' if simulated else ''}); }}"]
        elif self.shape == "lambda":
            head, tail = [f"static void {f}({given}) {{"] + start + ["  [&] {"], ["  }();", "}"]
        else:
            head, tail = [f"static void {f}({given}) {{"] + start, ["}"]
        return "\n".join(head + lines + tail) + "\n"

    def units(self):
        return [one for unit in self.body for one in unit.all()]

    # -- drawing

    def fresh(self):
        self.unique += 1
        return self.unique

    def value(self):
        return self.draw.choice(["me", f"me + {self.turn}", "1000 + me", f"10 * me + {self.turn}", "7"])

    def marked(self, text):
        """The text, perhaps behind a pragma: g++ rejects its own ones if anything but a loop follows."""
        if self.draw.random() < 0.85:
            return text
        loops = ["GCC ivdep", "GCC unroll 2", "omp parallel for"] if text.startswith("for (") and " : " not in text and ";;" not in text else []
        return f"#pragma {self.draw.choice(loops + ['omp critical'])}\n{text}"

    def fill(self, name):
        text = self.form.fill(name, f"double({self.value()})", self.fresh())
        if self.form.letter in "vlbwxms" and self.draw.random() < 0.3:
            text = f"{name} = {self.form.make(f'double({self.value()})')};"
        unit = Unit(f"fill {name}", self.marked(text))
        unit.set = (name,)
        if self.form.letter in "cp":
            unit.set = ()
        return unit

    def check(self, name):
        number = self.fresh()
        texts = [f"look({number}, {name});"] * 3
        if self.form.letter in "vlacb":  # in ways that leave the variable shareable
            texts += [f"{{ double total = 0; for (const auto& x : {name}) total += double(x); note({number}, total); }}",
                      f"note({number}, {name}[3]);"]
        if self.form.letter in "vlab":
            texts += [f"note({number}, std::accumulate({name}.begin(), {name}.end(), 0.0));",
                      f"for (std::size_t at = 0; at < {name}.size(); at += 3) note({number}, {name}[at]);"]
        unit = Unit(f"check {name}", self.marked(self.draw.choice(texts)))
        unit.need = (name,)
        return unit

    def block(self, places=None):
        """A block between variables that are alive."""
        draw = self.draw
        alive = [name for name in self.names if name not in self.dead]
        if not alive:
            return None
        statements, simulated, used_places, values, given = [], [], set(), set(), set()
        unit = Unit("block", "", kind="block")
        for _ in range(draw.choice([1, 1, 1, 1, 2])):
            place, value = draw.choice(self.names), draw.choice(alive)
            if place == value and draw.random() < 0.7:
                place = draw.choice(self.names)
            if place in used_places:
                continue
            used_places.add(place)
            values.add(value)
            d = draw.randint(1, 3)
            reduce = self.form.reduces and draw.random() < 0.2 and not self.odd and value not in self.dead
            if reduce:
                receiver, sender, condition = draw.choice(FOLDS)
                op = draw.choice(list(OPERATIONS))
                where = f"i, j in {{0 ... n - 1}}" + (f", {condition}" if condition != "true" else "")
                statements.append(f"{place}@({receiver}) << {op} << {value}@({sender}) where {where}")
                simulated.append(f"sim::reduce([&](int, int) -> auto& {{ return {place}; }}, [&](int, int) -> auto& {{ return {value}; }}, {OPERATIONS[op]}, "
                                 f"sim::two(n, [&](int i, int) {{ (void)i; return {receiver}; }}, [&](int, int j) {{ return {sender}; }}, [&](int i, int j) {{ (void)i, (void)j; return {condition}; }}))")
                unit.need_length += (value, place)
                continue
            receiver, sender, condition = (one.format(d=d, k=self.turn) for one in draw.choice(SHIFTS))
            give = self.form.letter == "b" and draw.random() < 0.2 and receiver in ("(i + 1) % n", "(i + 2) % n", "n - 1 - i") and len(statements) == 0
            if give and value == place:
                give = False
            text = f"std::move({value})" if give else value
            where = "i in " + draw.choice(["world", "{0 ... n - 1}", "world"]) + (f", {condition}" if condition else "")
            statements.append(f"{place}@({receiver}) <<= {text}@({sender}) where {where}")
            simulated.append(f"sim::put([&](int, int) -> auto& {{ return {place}; }}, [&](int, int) -> auto& {{ return {value}; }}, "
                             f"sim::one(n, [&](int i) {{ (void)i; return {receiver}; }}, [&](int i) {{ (void)i; return {sender}; }}, [&](int i) {{ (void)i; return {condition or 'true'}; }}), {'true' if give else 'false'})")
            if give:
                given.add(value)
                break
        if not statements:
            return None
        if used_places & self.dead:
            return None  # where nothing arrives it would stay unspecified
        unit.need = tuple(values | used_places)
        modifier = draw.choice([""] * 12 + ["(copy) ", "(knows = both) "])
        unit.real = f"@communicate {modifier}{{ {'; '.join(statements)} }}"
        unit.simulated = "sim::block(" + ", ".join(simulated) + ");"
        unit.kill = tuple(given)
        unit.carry = tuple(used_places | values)
        self.blocks += 1
        self.apply(unit)
        return unit

    def pending(self, block):
        """Makes the block asynchronous: a statement about other variables, and the end."""
        name, names = f"pending{self.fresh()}", self.names
        block.real = f"@communicate (async = {name}) " + block.real[block.real.index("{"):]
        self.names = [one for one in names if one not in block.carry]
        between = self.some(1, False) if self.names else []
        self.names = names
        return between + [Unit("wait", f"{name}.wait();", "")]

    def gather(self):
        number, value = self.fresh(), self.draw.choice([name for name in self.names if name not in self.dead] or [None])
        if value is None or self.form.letter not in "vlaws":
            return None
        g = f"g{number}"
        real = f"std::vector<{self.form.type}> {g}(n);\n@communicate {{ {g}[j]@i <<= {value}@j where i, j in world }}\nfor (const auto& one : {g}) look({number}, one);"
        simulated = (f"std::vector<{self.form.type}> {g}(n);\nsim::block(sim::put([&](int, int j) -> auto& {{ return {g}[j]; }}, [&](int, int) -> auto& {{ return {value}; }}, "
                     f"sim::two(n, [&](int i, int) {{ return i; }}, [&](int, int j) {{ return j; }}, [](int, int) {{ return true; }})));\nfor (const auto& one : {g}) look({number}, one);")
        unit = Unit("gather", real, simulated)
        unit.need = (value,)
        self.blocks += 1
        return unit

    def apply(self, unit):
        after = flow([unit], self.dead, self.odd)
        assert after is not None, unit.what
        self.dead, self.odd = after

    def statement(self, looped, aligned=True):
        """A statement of the table, or one of those that are asked for."""
        draw = self.draw
        for _ in range(30):
            if self.wanted:
                entry = self.wanted[-1]
            else:
                entry = draw.choice(self.fitting)
            names = list(self.names)
            draw.shuffle(names)
            if draw.random() < 0.5 and "a1" in names and entry.used[:1] == ["B"]:
                names.remove("a1")
                names.insert(0, "a1")
            chosen = dict(zip("BCD", names))
            if "C" in chosen and draw.random() < 0.5 and entry.used == ["B", "C"]:
                rest = [name for name in names[1:] if name != "a0"]
                if rest:
                    chosen["C"] = draw.choice(rest)
            if len({chosen.get(one) for one in entry.used} - {None}) < len(entry.used):
                continue
            unit = self.written(entry, chosen, looped)
            if unit is None:
                if self.wanted:
                    self.wanted.insert(0, self.wanted.pop())
                    entry = None
                continue
            if self.wanted and self.wanted[-1] is entry:
                self.wanted.pop()
            return unit
        return None

    def written(self, entry, chosen, looped):
        draw, number = self.draw, self.fresh()
        needed = {chosen[one] for one in entry.used if one not in entry.set}
        touched = {chosen[one] for one in entry.used}
        if needed & self.dead or (entry.needs_length and self.form.letter not in "acp" and touched & self.odd) or (looped and (entry.kill or entry.once)):
            return None
        text = table.write(entry, self.form, chosen, number, self.turn, draw)
        if not entry.own:
            text = self.marked(text)
        unit = Unit(entry.name, text)
        unit.need, unit.kill = tuple(needed), tuple(chosen[one] for one in entry.kill)
        unit.set, unit.odd = tuple(chosen[one] for one in entry.set), tuple(chosen[one] for one in entry.odd)
        unit.carry = tuple(touched)
        if entry.needs_length:
            unit.need_length = tuple(touched)
        if self.form.letter in "acp":
            unit.kill, unit.odd = (), ()
        elif len(touched) > 1:
            unit.set = tuple(unit.set)
        bare = "\n" not in text and not text.startswith(("struct", "T&"))
        if entry.own or (draw.random() < 0.6 and not bare):
            unit.real = unit.simulated = "{\n  " + text.replace("\n", "\n  ") + "\n}"
        wrapper = draw.random()
        outer = None
        if not entry.own and wrapper < 0.3:
            own = draw.choice(["me % 2 == 0", "me % 2", "me == 0", "me + 1 < n", "me > 0"])
            if wrapper < 0.14:
                outer = Unit("if", f"if ({own}) {{", inside=[unit], tail="}", kind="own")
            elif wrapper < 0.17:
                outer = Unit("else", f"if ({own}) {{\n  note({number}, me);\n}} else {{", inside=[unit], tail="}", kind="own")
            elif wrapper < 0.20:
                outer = Unit("switch", f"switch (me % 3) {{\n  default: note({number}, 1); break;\n  case 1: {{", inside=[unit], tail="  }\n}", kind="own")
            elif wrapper < 0.205:
                outer = Unit("try", f"try {{ if (me % 2) throw me;", inside=[unit], tail=f"}} catch (int caught) {{ note({number}, caught); }}", kind="own")
            elif wrapper < 0.24 and "return" not in text and "goto" not in text:
                outer = Unit("lambda", f"[&] {{", inside=[unit], tail="}();", kind="scope")
            elif wrapper < 0.27 and not unit.kill and not entry.once and not unit.odd:
                outer = Unit("loop", f"for (int turn{number} = 0; turn{number} < me % 3; ++turn{number}) {{", inside=[unit], tail="}", kind="own")
            else:
                outer = Unit("do", "do {", inside=[unit], tail="} while (false);", kind="scope")
        if unit.simulated.startswith("{") is False and outer is None and "\n" in text and any(word in text for word in ("switch", "goto")):
            unit.real = unit.simulated = "{\n  " + text.replace("\n", "\n  ") + "\n}"
        result = outer or unit
        after = flow([result], self.dead, self.odd)
        if after is None:
            return None
        self.dead, self.odd = after
        return result

    def some(self, count, looped):
        made = []
        for _ in range(count):
            unit = self.statement(looped)
            if unit:
                made.append(unit)
        return made

    def revive(self):
        made = []
        for name in sorted(self.dead | self.odd):
            unit = self.fill(name)
            if unit.set:
                self.apply(unit)
                made.append(unit)
        return made

    def loop(self, turns):
        """A loop of the issue's kind: fill, block, a statement or two."""
        draw, outer_turn = self.draw, self.turn
        k = f"k{self.fresh()}"
        self.turn = k
        body = []
        if draw.random() < 0.8:
            unit = self.fill(draw.choice(["a1", "a1", *self.names]))
            self.apply(unit)
            body.append(unit)
        for _ in range(draw.choice([1, 1, 2])):
            body += self.some(draw.choice([0, 0, 0, 1]), False)
            block = self.block() or self.gather()
            if not block:
                body += self.revive()
                block = self.block()
            if block:
                chance = draw.random()
                if chance < 0.12:
                    block = Unit("if", f"if (({k} + n) % 2 == {draw.randrange(2)}) {{", inside=[block], tail="}", kind="uniform")
                elif chance < 0.16:
                    block = Unit("lambda block", "[&] {", inside=[block], tail="}();", kind="scope")
                body.append(block)
                if block.kind == "block" and not block.kill and chance > 0.94:
                    body += self.pending(block)
            body += self.some(draw.choice([1, 1, 1, 2]), False)
            body += [self.check(name) for name in self.names if name not in self.dead and draw.random() < (0.25 if name == "a1" else 0.5)]
        if draw.random() < 0.1:
            body.append(Unit("jump", f"if ({k} == {draw.randrange(3)}) {draw.choice(['continue', 'break'])};", kind="jump"))
            body += self.some(1, False)
        forms = [(f"for (int {k} = 0; {k} < {turns}; ++{k}) {{", "}")] * 4 + [(f"for (int {k} : std::views::iota(0, {turns})) {{", "}")]
        if not any(unit.kind == "jump" for unit in body):
            forms += [(f"int {k} = 0;\nwhile ({k} < {turns}) {{", f"  ++{k};\n}}"), (f"int {k} = 0;\ndo {{", f"}} while (++{k} < {turns});")]
        head, tail = draw.choice(forms)
        loop = Unit("loop", head, inside=body, tail=tail, kind="loop")
        # What is dead or odd at the end is made anew at the beginning.
        killed = {name for one in loop.all() for name in one.kill} | {name for one in loop.all() for name in (*one.odd, *one.carry)}
        if self.form.is_class and self.form.letter != "a":
            last = flow(body, set(), set())
            late = (last[0] | last[1]) if last else killed
            if jumps(loop):
                late = killed
            for name in sorted(late):
                unit = self.fill(name)
                body.insert(0, unit)
        self.turn = outer_turn
        return loop

    def make(self):
        draw, body = self.draw, []
        declarations = [Unit("declaration", self.form.declaration(name, f"double({self.value()})")) for name in self.names]
        if draw.random() < 0.25 and self.form.letter not in "cp":
            declarations[-1].real = declarations[-1].simulated = self.form.declaration(self.names[-1], "-1.0")
        for unit in declarations:
            unit.droppable = False
        if self.style == "inner":
            k = f"k{self.fresh()}"
            loop = Unit("loop", f"for (int {k} = 0; {k} < 2; ++{k}) {{", inside=[], tail="}", kind="loop")
            self.turn = k
            inside = loop.inside
            inside += declarations
            loop.droppable = False
            for unit in declarations:
                unit.set = (unit.real.split("(")[0].split(" =")[0].split("[")[0].split()[-1],)
            body.append(loop)
        else:
            body += declarations
            inside = body
        if self.style in ("straight", "inner"):
            for _ in range(draw.choice([1, 2])):
                inside += self.some(draw.choice([0, 1]), False)
                block = self.block() or self.gather()
                if block:
                    inside.append(block)
                inside += self.some(draw.choice([1, 2]), False)
                inside += self.revive() if draw.random() < 0.4 else []
                inside += [self.check(name) for name in self.names if name not in self.dead and draw.random() < 0.4]
        else:
            for _ in range(1 if self.style == "issue" else 2):
                for _ in range(20):
                    saved = (set(self.dead), set(self.odd), list(self.wanted))
                    loop = self.loop(draw.choice([1, 2, 3]) if not self.large else 2)
                    after = flow([loop], saved[0], saved[1])
                    if after is not None:
                        self.dead, self.odd = after
                        inside.append(loop)
                        break
                    self.dead, self.odd, self.wanted = saved
                if self.style == "mixed":
                    inside += self.some(1, False)
        inside += [self.check(name) for name in self.names if name not in self.dead]
        return body


class Listed(Function):
    """One statement in the plainest frame: a loop that fills a variable, sends it, and has the statement behind."""

    def __init__(self, draw, number, entry, letter):
        self.entry, self.letter = entry, letter
        super().__init__(draw, number, [])

    def make(self):
        draw, letter, entry = self.draw, self.letter, self.entry
        self.form = table.Form(letter, {"m": 300, "s": 8192, "p": 300}.get(letter, 1000), 4)
        self.large, self.shape, self.names = False, "plain", ["a0", "a1", "a2", "a3"]
        body = [Unit("declaration", self.form.declaration(name, f"double({value})")) for name, value in zip(self.names, ("0", "1000 + me", "-1", "-2"))]
        for unit in body:
            unit.droppable = False
        self.turn = "k"
        fill = Unit("fill", self.form.fill("a1", "double(1000 + 10 * me + k)", self.fresh()))
        block = Unit("block", "@communicate { a0@(i + 1) % n <<= a1@i where i in world }",
                     "sim::block(sim::put([&](int, int) -> auto& { return a0; }, [&](int, int) -> auto& { return a1; }, "
                     "sim::one(n, [&](int i) { return (i + 1) % n; }, [&](int i) { return i; }, [&](int) { return true; })));")
        chosen = {"B": "a1", "C": "a2", "D": "a3"}
        if "C" in entry.used and draw.random() < 0.25:
            chosen = {"B": "a2", "C": "a1", "D": "a3"}
        text = table.write(entry, self.form, chosen, self.fresh(), "k", draw)
        statement = Unit(entry.name, "{\n  " + text.replace("\n", "\n  ") + "\n}")
        checks = [Unit("check", f"look({self.fresh()}, {name});") for name in ("a0", "a1", "a2", "a3")
                  if (name != "a1" or draw.random() < 0.6) and (letter in "acp" or name not in {chosen[one] for one in entry.kill})]
        fills = [Unit("fill", self.form.fill(chosen[one], "double(k)", self.fresh())) for one in (*entry.kill, *entry.odd) if chosen[one] != "a1" and letter not in "acp"]
        self.blocks = 1
        return body + [Unit("loop", "for (int k = 0; k < 3; ++k) {", inside=[fill, block, statement] + checks + fills, tail="}", kind="loop")]


def listed():
    """Every statement with every form."""
    return [(entry, letter) for entry in ENTRIES for letter in entry.forms]


def listed_program(seed, functions, chosen):
    """The functions of a part of the list."""
    draw = random.Random(seed)
    return [Listed(random.Random(draw.random()), number, entry, letter) for number, (entry, letter) in enumerate(chosen[:functions])]


def program(seed, functions, wanted=()):
    """Functions; `wanted`: entries that shall occur, a list for each function."""
    draw = random.Random(seed)
    made = []
    while len(made) < functions:
        entries = [entry for entry in ENTRIES if entry.name in wanted]
        function = Function(random.Random(draw.random()), len(made), entries)
        if function.blocks and flow(function.body, set(), set()) is not None:
            made.append(function)
    return made


def function_of_line(functions, seed, line):
    """The function that has this line of the program, or None."""
    at = f"// Made by tests/fuzz/statements, seed {seed}.\n{HEAD}".count("\n")
    for function in functions:
        length = ("\n" + function.text(False) + function.text(True)).count("\n")
        if at < line <= at + length:
            return function
        at += length
    return None


def source(functions, seed, dropped=frozenset(), real=True):
    text = f"// Made by tests/fuzz/statements, seed {seed}.\n" + HEAD
    for function in functions:
        text += "\n" + (function.text(False, dropped) if real else "") + function.text(True, dropped)
    calls = "".join(f"  if (wanted({function.number}{', 3' if function.large else ''})) right &= sim::same({function.number}, me, n, "
                    f"{f'&real_{function.number}' if real else 'nullptr'}, &simulated_{function.number});\n" for function in functions)
    return text + f"""
int main(int argc, char** argv) {{
  const int me = world.rank(), n = world.size();
  bool right = true;
  auto wanted = [&](int number, int most = 1000) {{
    if (n > most) return false;
    for (int at = 1; at < argc; ++at)
      if (std::atoi(argv[at]) == number) return true;
    return argc == 1;
  }};
{calls}  std::printf("END %d %s\\n", me, right ? "right" : "wrong");
}}
"""
