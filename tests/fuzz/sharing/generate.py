# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs whose variables can be shared between ranks: what they compute must not depend on whether they are."""

import random

HEAD = r"""// Seed {seed}: made by tests/fuzz/sharing.
#include <kanor/kanor.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

using kanor::world;

static unsigned long long seen = 1469598103934665603ull;
static void note(double x) {{
  unsigned long long bits;
  std::memcpy(&bits, &x, sizeof bits);
  seen = (seen ^ bits) * 1099511628211ull;
}}
static double tame(double x) {{ return x - 64.0 * static_cast<long long>(x / 64.0); }}
static double total(const double* p, int n) {{
  double sum = 0;
  for (int i = 0; i < n; ++i) sum = tame(sum + p[i]);
  return sum;
}}
static void bump(double* p, int n, double by) {{
  for (int i = 0; i < n; ++i) p[i] = tame(p[i] + by);
}}
static double last(const std::vector<double>& v) {{ return v.empty() ? 0 : v.back(); }}
static double last(const kanor::buffer<double>& v) {{ return v.empty() ? 0 : v.back(); }}
static void renew(std::vector<double>& v, double x) {{ v.assign(v.size(), x); }}
static void renew(kanor::buffer<double>& v, double x) {{ v = kanor::buffer<double>(v.size(), x); }}
static double middle(const double (&a)[24]) {{ return a[12]; }}
template <class T>
static void scale(T& a, double by) {{
  for (auto& x : a) x = tame(x * by);
}}
"""


class Variable:
    def __init__(self, name, form):
        self.name, self.form = name, form

    def declaration(self, draw):
        value = f"{draw.randrange(9)} + 1.0 * me"
        return {
            "array": [f"double {self.name}[24] = {{{value}}};", f"double {self.name}[24] {{}};"],
            "plane": [f"double {self.name}[4][6] = {{}};", f"double {self.name}[4][6] = {{{{{value}}}, {{1, 2}}}};"],
            "std": [f"std::array<double, 24> {self.name}{{}};", f"std::array<double, 24> {self.name} = {{{value}}};"],
            "vector": [f"std::vector<double> {self.name}(24, {value});", f"std::vector<double> {self.name} = std::vector<double>(24, 1);"],
            "buffer": [f"kanor::buffer<double> {self.name}(24, {value});", f"kanor::buffer<double> {self.name} = kanor::buffer<double>(24, 1);"],
        }[self.form]

    def element(self, index):
        if self.form == "plane":
            return f"{self.name}[({index}) / 6][({index}) % 6]"
        return f"{self.name}[{index}]"


class Function:
    def __init__(self, draw, number):
        self.draw, self.number, self.lines, self.names, self.loops = draw, number, [], 0, 0
        forms = ["array", "plane", "std", "vector", "buffer"]
        draw.shuffle(forms)
        self.variables = []
        for form in forms[: draw.choice([1, 2, 2])]:
            for _ in range(draw.choice([2, 2, 3])):
                self.variables.append(Variable(f"a{len(self.variables)}", form))
        self.blocks = 0
        self.catches = draw.random() < 0.25

    def text(self):
        draw = self.draw
        self.add(0, f"static void f{self.number}(int turn) {{")
        self.add(1, "const int me = world.rank(), ranks = world.size();")
        self.add(1, "(void)me, (void)ranks;")
        rounds = draw.random() < 0.35
        if rounds:
            self.add(1, "for (int round = 0; round < 2; ++round) {")
        if draw.random() < (0.5 if rounds else 0.1):
            self.add(1, "try { if (turn % 3 == 1) throw turn; note(turn); } catch (int thrown) { note(-thrown); }")
        if self.catches:
            self.add(1, "try {")
        before = None
        for variable in self.variables:
            declaration = draw.choice(variable.declaration(draw))
            kind = declaration[: declaration.index(f" {variable.name}")]
            if kind == before and draw.random() < 0.4:
                self.lines[-1] = f"{self.lines[-1][:-1]},{declaration[len(kind):]}"
            else:
                self.add(1, declaration)
            before = kind
        for _ in range(draw.randint(4, 9)):
            self.statement(1, 0, True)
        for variable in self.variables:
            if draw.random() < 0.7:
                self.add(1, f"for (int i = 0; i < 24; ++i) note({variable.element('i')});")
        if self.catches:
            self.add(1, "} catch (int thrown) { note(thrown); }")
        if rounds:
            self.add(1, "}")
        if draw.random() < 0.4:
            self.add(1, "for (int i = 0; i < 3; ++i) note(i);")
        self.add(0, "}")
        return "\n".join(self.lines) + "\n"

    def add(self, depth, text):
        self.lines.append("  " * depth + text)

    def one(self, form=None):
        fitting = [v for v in self.variables if form is None or v.form == form]
        return self.draw.choice(fitting) if fitting else None

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def value(self):
        draw = self.draw
        other = self.one()
        return draw.choice([f"me + {draw.randrange(9)}", f"turn * 0.5 + {draw.randrange(5)}", f"{other.element(draw.randrange(24))} + 1",
                            f"tame({other.element(draw.randrange(24))} * 1.5)"])

    def uniform(self):
        draw = self.draw
        return draw.choice([f"turn % 2 == {draw.randrange(2)}", f"turn % 3 == {draw.randrange(3)}", f"ranks > {draw.randrange(1, 4)}"])

    def leave(self):
        return f"throw {self.draw.randrange(9)};" if self.catches and self.draw.random() < 0.7 else "return;"

    def own(self):
        draw = self.draw
        return draw.choice([f"me % 2 == {draw.randrange(2)}", "me == 0", "me + 1 < ranks", f"(me + turn) % 3 == {draw.randrange(3)}"])

    def statement(self, depth, nested, aligned):
        """`aligned`: all ranks execute it alike, so it may have blocks."""
        draw = self.draw
        kinds = ["element"] * 3 + ["fill", "fill", "part", "run", "read", "read", "each", "whole", "call", "call", "lambda", "swap", "own"]
        if aligned:
            kinds += ["block"] * 7 + ["rows", "uniform", "loop", "loop", "while", "switch", "scope"]
        if nested > 2:
            kinds = [kind for kind in kinds if kind not in ("lambda", "own", "uniform", "loop", "while", "switch", "scope")]
        getattr(self, "make_" + draw.choice(kinds))(depth, nested, aligned)

    def some(self, depth, nested, aligned, least=1, most=4):
        for _ in range(self.draw.randint(least, most)):
            self.statement(depth, nested, aligned)

    def make_element(self, depth, nested, aligned):
        place = self.one().element(self.draw.randrange(24))
        self.add(depth, self.draw.choice([f"{place} = {self.value()};", f"{place} += {self.draw.randrange(3)};", f"++{place};"]))

    def make_fill(self, depth, nested, aligned):
        variable, i = self.one(), self.fresh("i")
        if variable.form == "plane":
            j = self.fresh("j")
            self.add(depth, f"for (int {i} = 0; {i} < 4; ++{i})")
            self.add(depth + 1, f"for (int {j} = 0; {j} < 6; ++{j}) {variable.name}[{i}][{j}] = {i} * {j} + me + turn;")
        else:
            self.add(depth, f"for (int {i} = 0; {i} < 24; ++{i}) {variable.element(i)} = {i} + me * turn;")

    def make_part(self, depth, nested, aligned):
        variable, i, draw = self.one(), self.fresh("i"), self.draw
        first = draw.randrange(10)
        step = draw.choice(["++" + i, i + " += 2", i + "++"])
        condition = draw.choice(["", "", f"if ({i} % 2) "])
        self.add(depth, f"for (int {i} = {first}; {i} < {draw.randint(first, 24)}; {step}) {condition}{variable.element(i)} = {self.value()};")

    def make_run(self, depth, nested, aligned):
        variable, i = self.one(), self.fresh("i")
        self.add(depth, f"for (int {i} = 1; {i} < 24; ++{i}) {variable.element(i)} = tame({variable.element(i + ' - 1')} + {i});")

    def make_read(self, depth, nested, aligned):
        variable, draw = self.one(), self.draw
        x = self.fresh("x")
        choices = [f"note({variable.element(draw.randrange(24))});"]
        if variable.form != "plane":
            choices += [f"for (double {x} : {variable.name}) note({x});", f"for (const auto& {x} : {variable.name}) note({x});",
                        f"note(std::accumulate(std::begin({variable.name}), std::end({variable.name}), 0.0));"]
        choices.append(f"note(sizeof {variable.name});")
        self.add(depth, draw.choice(choices))

    def make_each(self, depth, nested, aligned):
        variable, x = self.one(), self.fresh("x")
        if variable.form == "plane":
            return self.make_run(depth, nested, aligned)
        self.add(depth, f"for (auto& {x} : {variable.name}) {x} = tame({x} + {self.draw.randrange(4)});")

    def make_whole(self, depth, nested, aligned):
        variable, draw = self.one(), self.draw
        other = self.one(variable.form)
        if variable.form == "std":
            text = draw.choice([f"{variable.name} = {other.name};", f"{variable.name}.fill({self.value()});"])
        elif variable.form == "vector":
            text = draw.choice([f"{variable.name} = {other.name};", f"{variable.name}.assign(24, {self.value()});",
                                f"{variable.name} = std::vector<double>(24, {draw.randrange(5)});",
                                f"{variable.name}.push_back(1); {variable.name}.resize(24);"])
        elif variable.form == "buffer":
            text = draw.choice([f"{variable.name} = {other.name}.clone();", f"{variable.name}.assign({other.name}.begin(), {other.name}.end());",
                                f"{variable.name} = kanor::buffer<double>(24, {draw.randrange(5)});",
                                f"{variable.name}.resize(25); {variable.name}.resize(24);"])
        else:
            text = f"std::memset({variable.name}, 0, sizeof {variable.name});"
        self.add(depth, text)

    def make_call(self, depth, nested, aligned):
        variable, draw = self.one(), self.draw
        if variable.form == "array":
            text = draw.choice([f"note(total({variable.name}, 24));", f"bump({variable.name}, {draw.randrange(25)}, 0.5);",
                                f"note(middle({variable.name}));", f"scale({variable.name}, 1.25);",
                                f"bump({variable.name} + 3, 4, me);", f"bump(&{variable.name}[5], 1, 1);"])
        elif variable.form == "plane":
            text = draw.choice([f"note(total({variable.name}[2], 6));", f"bump({variable.name}[1], 6, me);"])
        elif variable.form == "std":
            text = draw.choice([f"note(total({variable.name}.data(), 24));", f"scale({variable.name}, 0.75);",
                                f"std::fill({variable.name}.begin(), {variable.name}.begin() + 5, 2.5);"])
        else:
            text = draw.choice([f"note(last({variable.name}));", f"renew({variable.name}, turn);", f"bump({variable.name}.data(), 24, 0.25);",
                                f"scale({variable.name}, 1.5);", f"std::iota({variable.name}.begin(), {variable.name}.end(), me);"])
        self.add(depth, text)

    def make_lambda(self, depth, nested, aligned):
        """It runs where it stands, in an algorithm, or several times under a name."""
        draw, i = self.draw, self.fresh("i")
        variable, other = self.one(), self.one()
        explicit = ", ".join("&" + name for name in sorted({variable.name, other.name}))
        body = draw.choice([f"return {variable.element(i)} + {other.element('23 - ' + i)};",
                            f"{variable.element(i)} = tame({other.element('23 - ' + i)} + {i}); return {variable.element(i)} * 0.5;"])
        function = f"[{draw.choice(['&', explicit])}](int {i}) {{ {body} }}"
        way = draw.randrange(3)
        if way == 0:
            self.add(depth, f"note({function}({draw.randrange(24)}));")
        elif way == 1:
            order = self.fresh("order")
            self.add(depth, "{")
            self.add(depth + 1, f"int {order}[] = {{3, {draw.randrange(24)}, {draw.randrange(24)}}};")
            self.add(depth + 1, f"note(std::accumulate({order}, {order} + 3, 0.0, [&](double sum, int {i}) {{ return sum + {function}({i}); }}));"
                     if draw.random() < 0.3 else f"std::transform({order}, {order} + 3, {order}, {function});")
            self.add(depth + 1, f"note({order}[2]);")
            self.add(depth, "}")
        else:
            name = self.fresh("run")
            self.add(depth, "{")
            self.add(depth + 1, f"const auto {name} = {function};")
            self.add(depth + 1, f"note({name}({draw.randrange(24)}));")
            self.some(depth + 1, nested + 1, aligned, 1, 3)
            self.add(depth + 1, f"note({name}({draw.randrange(24)}));")
            self.add(depth, "}")

    def make_swap(self, depth, nested, aligned):
        variable = self.one()
        others = [v for v in self.variables if v.form == variable.form and v is not variable]
        if others:
            self.add(depth, f"std::swap({variable.name}, {self.draw.choice(others).name});")

    def make_own(self, depth, nested, aligned):
        self.add(depth, f"if ({self.own()}) {{")
        self.some(depth + 1, nested + 1, False)
        if self.draw.random() < 0.4:
            self.add(depth, "} else {")
            self.some(depth + 1, nested + 1, False)
        self.add(depth, "}")

    def make_uniform(self, depth, nested, aligned):
        self.add(depth, f"if ({self.uniform()}) {{")
        self.some(depth + 1, nested + 1, True)
        if self.draw.random() < 0.4:
            self.add(depth, "} else {")
            self.some(depth + 1, nested + 1, True)
        if self.draw.random() < 0.15:
            self.add(depth + 1, self.leave())
        self.add(depth, "}")

    def make_loop(self, depth, nested, aligned):
        draw, k = self.draw, self.fresh("k")
        self.add(depth, f"for (int {k} = 0; {k} < {draw.randint(1, 4)}; ++{k}) {{")
        self.some(depth + 1, nested + 1, True, 1, 3)
        if draw.random() < 0.35:
            self.add(depth + 1, f"if ({k} + turn > {draw.randint(1, 4)}) {draw.choice(['break;', 'continue;', 'break;', self.leave()])}")
            self.some(depth + 1, nested + 1, True, 1, 2)
        self.add(depth, "}")

    def make_while(self, depth, nested, aligned):
        draw, k = self.draw, self.fresh("k")
        self.add(depth, "{")
        self.add(depth, f"int {k} = {draw.randint(0, 3)};")
        if draw.random() < 0.5:
            self.add(depth, f"while ({k}-- > 0) {{")
            self.some(depth + 1, nested + 1, True, 1, 3)
            self.add(depth, "}")
        else:
            self.add(depth, "do {")
            self.some(depth + 1, nested + 1, True, 1, 3)
            self.add(depth, f"}} while (--{k} > 0);")
        self.add(depth, "}")

    def make_switch(self, depth, nested, aligned):
        self.add(depth, f"switch (turn % {self.draw.randint(2, 3)}) {{")
        for case in ("case 0:", "case 1:", "default:"):
            self.add(depth + 1, case)
            self.some(depth + 2, nested + 1, True, 1, 2)
            if self.draw.random() < 0.7:
                self.add(depth + 2, "break;")
        self.add(depth, "}")

    def make_scope(self, depth, nested, aligned):
        """A variable of its own."""
        variable = Variable(self.fresh("b"), self.one().form)
        self.add(depth, "{")
        self.add(depth + 1, self.draw.choice(variable.declaration(self.draw)))
        self.variables.append(variable)
        self.some(depth + 1, nested + 1, True, 2, 4)
        self.variables.remove(variable)
        self.add(depth, "}")

    def make_rows(self, depth, nested, aligned):
        """All to all, with rows that are not read again, or are."""
        draw, rows, got, k = self.draw, self.fresh("p"), self.fresh("q"), self.fresh("k")
        length, turns = draw.choice([3, 600]), draw.randint(1, 3)
        inside = draw.random() < 0.5
        declaration = f"std::vector<std::vector<double>> {rows}(ranks), {got}(ranks);"
        self.add(depth, "{" if inside else "{ " + declaration)
        self.add(depth + 1, f"for (int {k} = 0; {k} < {turns}; ++{k}) {{" + (" " + declaration if inside else ""))
        fill = draw.choice([f"{rows}[r].assign({length} + r, {self.value()});", f"{rows}[r].push_back({self.value()});",
                            f"{rows}[r] = std::vector<double>({length}, r + me);"])
        self.add(depth + 2, f"for (int r = 0; r < ranks; ++r) {fill}")
        some = draw.choice(["", "", f", (r + s) % 3 != {draw.randrange(3)}"])
        place, value, where = draw.choice([
            (f"{got}[s]@r", f"{rows}[r]@s", "where r, s in world"), (f"{got}[s]@r", f"{rows}[r]@s", "where s in {0 ... ranks - 1}, r in world"),
            (f"{got}[0]@r", f"{rows}[r]@turn % ranks", "where r in world"), (f"{got}[s]@0", f"{rows}[0]@s", "where s in world"),
            (f"{got}[s]@r", f"{rows}[(r + 1) % ranks]@s", "where r, s in world"), (f"{got}@(s + 1) % ranks", f"{rows}@s", "where s in world"),
            (f"{rows}[s]@r", f"{rows}[r]@s", "where r, s in world")])
        self.add(depth + 2, f"@communicate {{ {place} <<= {value} {where}{some if 'r, s' in where else ''} }}")
        self.blocks += 1
        self.add(depth + 2, f"for (const auto& row : {got}) for (double x : row) note(x);")
        if draw.random() < 0.4:
            self.add(depth + 2, draw.choice([f"for (const auto& row : {rows}) for (double x : row) note(x);", f"if (me == 0) note({rows}[0].size());",
                                             f"note({rows}.size());", f"const auto& one = {rows}[ranks - 1]; for (double x : one) note(x);"]))
        self.add(depth + 1, "}")
        if not inside and draw.random() < 0.3:
            self.add(depth + 1, f"for (const auto& row : {rows}) for (double x : row) note(x);")
        self.add(depth, "}")

    def make_block(self, depth, nested, aligned):
        draw = self.draw
        statements, places, given = [], set(), []
        for _ in range(draw.choice([1, 1, 1, 2, 2, 3])):
            place = self.one()
            if place.name in places:
                continue
            places.add(place.name)
            statements.append(self.communication(place, given))
        text = f"@communicate {{ {'; '.join(statements)} }}"
        self.add(depth, draw.choice(["", "", f"if ({self.uniform()}) "]) + text)
        for name in given:
            self.add(depth, f"if ({name}.empty()) {name} = kanor::buffer<double>(24, {draw.randrange(5)});")
        self.blocks += 1

    def communication(self, place, given):
        draw = self.draw
        variable = self.one(place.form)
        value = variable.name
        if place.form == "buffer" and draw.random() < 0.15:
            value = f"std::move({value})"
            given.append(variable.name)
        d = draw.randint(1, 3)
        if draw.random() < 0.2:
            op = draw.choice(["+", "max", "min"])
            where = draw.choice([("r", "s", "where r, s in world"), ("0", "s", "where s in world"),
                                 ("r", "s", "where r in world, s in {0 ... r}")])
            return f"{place.name}@{where[0]} << {op} << {value}@{where[1]} {where[2]}"
        receiver, sender, where = draw.choice([
            (f"(i + {d}) % world.size()", "i", "where i in world"),
            ("i", f"(i + {d}) % world.size()", "where i in world"),
            ("i", "0", "where i in world"),
            ("i", "world.size() - 1", "where i in world"),
            ("i", "0", "where i in world, i != 0"),
            ("i + 1", "i", "where i in {0 ... world.size() - 2}"),
            ("i", "i + 1", "where i in {0 ... world.size() - 2}"),
            ("i", f"(i + {d}) % world.size()", f"where i in world, (i + turn) % 2 == {draw.randrange(2)}"),
            ("0", "world.size() - 1", ""),
            ("i", "i", "where i in world"),
            ("i", f"turn % world.size()", "where i in world"),
            ("world.size() - 1 - i", "i", "where i in world"),
        ])
        return f"{place.name}@{receiver} <<= {value}@{sender} {where}".rstrip()


def program(seed, functions):
    draw = random.Random(seed)
    made = [Function(draw, number) for number in range(functions)]
    text = HEAD.format(seed=seed) + "".join("\n" + function.text() for function in made)
    turns = draw.randint(2, 4)
    calls = "\n".join(f"    f{number}(turn);" for number in range(functions))
    text += f"""
int main() {{
  for (int turn = 0; turn < {turns}; ++turn) {{
{calls}
  }}
  std::printf("%d %llx\\n", world.rank(), seen);
}}
"""
    return text, sum(function.blocks for function in made)
