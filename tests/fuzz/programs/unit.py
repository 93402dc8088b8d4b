# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A unit: one source file with many blocks, as C++ for kanorc and as functions of the oracle.

A unit is a list of steps; a step is one C++ function with one or two blocks in some surroundings. A program is a
sequence of steps of one unit with a seed for its first state and parameters: see oracle.py.
"""

import collections
import random

import model
import oracle
import windows
from expressions import E, Scope, Variable, condition, integer, parameter, positive
from statements import StatementMaker

FEATURES = frozenset(["async", "grids", "knows", "sections", "teams", "windows"])
SURROUNDINGS = ["function", "function", "member", "lambda", "generic lambda", "template", "locals", "pointers", "static member"]
CONTROLS = ["plain", "plain", "plain", "loop", "if", "if else", "unbraced if", "switch"]


class Block:
    """One @communicate: statements, modifiers, spelling."""

    def __init__(self):
        self.statements, self.modifiers, self.macro = [], [], False
        self.knows = None  # the side that alone evaluates clauses and ranks
        self.gifts = {}  # names of copies, made before the block, that it may give away: of which variable

    def text(self, draw):
        texts = [statement.text(draw) for statement in self.statements]
        gifts = "".join(f"auto {name} = {variable}.clone();\n    " for name, variable in sorted(self.gifts.items()))
        body = draw.choice([";\n      ", "; ", ";\n\n      /* next */ "]).join(texts) + draw.choice(["", "", ";"])
        if self.macro:
            modifiers = f"({', '.join(self.modifiers)}), " if self.modifiers else ""
            return f"{gifts}KANOR_COMMUNICATE({modifiers}{body});"
        modifiers = f" ({', '.join(self.modifiers)})" if self.modifiers else ""
        return f"{gifts}@communicate{modifiers} {{\n      {body}\n    }}"

    def compile(self):
        """The oracle's functions of the statements, and what it needs to apply their results."""
        compiled = []
        for number, statement in enumerate(self.statements):
            names = dict(vars(model))
            names["CONVERT"] = {type_.name: type_.convert for type_ in model.ARITHMETIC}
            names["TYPE"] = statement.value_type
            names["min"], names["max"] = min, max
            exec(statement.python(number, self.knows), names)  # the generator's own text
            fold = eval(f"lambda D: {statement.operation[1]}", names) if statement.operation else None
            # Where the bits in a section of a vector<bool> lie is not seen in checked mode: a documented limit.
            unseen = statement.place.variable.name if statement.place.variable.type.name == "std::vector<bool>" else None
            compiled.append((names[f"s{number}"], fold, model.conversion(statement.value_type, statement.place_type), unseen))
        return compiled


class Split:
    """How a step makes its team: C++ and Python texts of colour and key, and of those of a second split of that team; whether
    only the teams of the first colour go on."""

    COLOURS = [E("d_all.goal[me_all] % 2", "D.goal[me] % 2"), E("me_all % 2", "me % 2"), E("me_all % 3", "me % 3"), E("0", "0"),
               E("me_all", "me"), E("me_all / 2", "me // 2"), E("d_all.perm[me_all] < 3", "int(D.perm[me] < 3)")]
    KEYS = [E("0", "0"), E("me_all", "me"), E("-me_all", "-me"), E("d_all.perm[me_all]", "D.perm[me]"), E("d_all.goal[me_all]", "D.goal[me]")]

    def __init__(self, draw):
        self.colour, self.key = draw.choice(self.COLOURS), draw.choice(self.KEYS)
        self.again = draw.random() < 0.3
        self.only = draw.random() < 0.2

    def text(self):
        first = f"kanor::world.split({self.colour.c}, {self.key.c})"
        lines = ["  const int me_all = kanor::world.rank();",
                 f"  const kanor::team {'t_1' if self.again else 't'} = {first};"]
        if self.again:
            lines.append("  const kanor::team t = t_1.split(t_1.rank() % 2, -t_1.rank());")
        if self.only:
            lines.append(f"  if (({self.colour.c}) != 0) return;")
        return lines + ["  const Data d = make_data(d_all.seed, t.size());", "  (void)d;"]

    def teams(self, data):
        """The members of each team, as world ranks."""
        colour = eval(f"lambda me, D: {self.colour.p}")
        key = eval(f"lambda me, D: {self.key.p}")
        ranks = range(len(data.perm))
        found = []
        for wanted in sorted({colour(me, data) for me in ranks}):
            members = sorted((me for me in ranks if colour(me, data) == wanted), key=lambda me: (key(me, data), me))
            if wanted != 0 and self.only:
                continue
            if self.again:
                found += [part for part in (members[0::2][::-1], members[1::2][::-1]) if part]
            else:
                found.append(members)
        return found


class Step:
    def __init__(self, number):
        self.number, self.blocks = number, []
        self.surroundings, self.control = "function", "plain"
        self.condition = None  # E
        self.turns = None  # E
        self.copies = []  # variables that are locals here
        self.extra = None  # E: a template's argument
        self.team = None  # Split
        self.grids = False
        self.waits = None  # of a step with async blocks: how they end
        self.work = None  # the variable that is computed on between start and end
        self.windows = None  # windows.StepWindows
        self.fixed = set()  # variables whose memory must stay where it is
        self.features = collections.Counter()


class Unit:
    def __init__(self, seed, steps, features=FEATURES):
        self.seed, self.features = seed, features
        self.draw = random.Random(seed)
        draw = self.draw
        types = list(model.TYPES)
        draw.shuffle(types)
        types += [model.INT, model.DOUBLE, model.vector(model.INT, 5), model.STRING] + draw.sample(model.ARRAYS + model.VECTORS, 4)
        self.variables = [Variable(f"v{at}", type_, draw.choice(["member"] * 3 + ["global", "static"])) for at, type_ in enumerate(types)]
        self.sample = []  # first states of some ranks
        self.steps = [self.step(number) for number in range(steps)]

    # Drawing

    @staticmethod
    def spelled(step, variable):
        """How the step's surroundings name a variable."""
        plain = variable.name
        if variable.storage == "global":
            return plain if step.surroundings != "function" else f"::{plain}"
        if variable.storage == "static":
            return plain if step.surroundings in ("member", "static member") else f"State::{plain}"
        if step.surroundings == "member":
            return plain
        if variable in step.copies:
            return f"(*p_{plain})" if step.surroundings == "pointers" else f"my_{plain}"
        return f"s.{plain}"

    def step(self, number):
        draw, step = self.draw, Step(number)
        step.surroundings, step.control = draw.choice(SURROUNDINGS), draw.choice(CONTROLS)
        if "teams" in self.features and draw.random() < 0.22:
            step.team = Split(draw)
        step.grids = "grids" in self.features and draw.random() < 0.2
        members = [v for v in self.variables if v.storage == "member" and (step.surroundings == "pointers" or v.type.kind != "buffer" and "@" not in v.type.name)]
        if step.surroundings in ("locals", "pointers"):
            step.copies = draw.sample(members, 8)
        for variable in self.variables:
            variable.c = self.spelled(step, variable)
        uniform = Scope(draw, self.variables)
        uniform.size_spelling = ["n", "t.size()"] if step.team else ["n", "kanor::world.size()"]
        if step.surroundings in ("template", "generic lambda"):
            step.extra = parameter(uniform)
        if step.control == "loop":
            step.turns = E(f"1 + {parameter(uniform).c} % 3", "")
            at = step.turns.c.split("[")[1].split("]")[0]
            step.turns.p = f"1 + D.c[{at}] % 3"
        if step.control in ("if", "if else", "unbraced if"):
            step.condition = condition(uniform)
        if step.control == "switch":
            e = positive(integer(uniform, 1))
            step.condition = E(f"({e.c}) % 2 == 0", f"({e.p}) % 2 == 0")
        count = 2 if step.control in ("if else", "switch") or draw.random() < 0.15 and step.control != "unbraced if" else 1
        opened = []  # variables over which there are windows
        if "windows" in self.features and step.control in ("plain", "loop", "if") and draw.random() < 0.25:
            opened = windows.choose(draw, self.variables)
            step.fixed = {v.name for v in opened}
            count = draw.choice([1, 2])
        among, visible = [self.variables] * count, self.variables
        if "async" in self.features and step.control in ("plain", "loop", "if") and draw.random() < 0.25:
            # Blocks that are pending together touch no common variable, nor does the work meanwhile.
            shuffled = draw.sample(self.variables, len(self.variables))
            step.work = next(v for v in shuffled if v.type is model.INT)
            shuffled.remove(step.work)
            if opened:
                shuffled, visible = [v for v in shuffled if v not in opened], opened
            half = len(shuffled) // 2
            count = draw.choice([1, 2, 2])
            among = [shuffled[:half], shuffled[half:]]
            step.waits = draw.choice(["in order", "in reverse", "at the end"])
            step.features[f"async: {count} blocks, waits {step.waits}"] += 1
        while len(step.blocks) < count:
            block = self.block(step, among[len(step.blocks)])
            if step.waits and (not step.blocks or draw.random() < 0.6):
                block.modifiers.append(f"async = pending_{len(step.blocks)}")
            # Blocks in which the last update wins are not for checked mode: a few are enough.
            if block.statements and (draw.random() < 0.15 or not self.conflicts(block)):
                step.blocks.append(block)
        if opened:
            uniform.variables, uniform.local, uniform.grids = visible, True, step.grids
            uniform.extras = self.extras(step)
            step.windows = windows.draw_windows(draw, step, opened, len(step.blocks), uniform, self.first_states(4))
            step.features.update(step.windows.features())
        step.features[f"surroundings: {step.surroundings}"] += 1
        step.features[f"control: {step.control}"] += 1
        if step.team:
            step.features["team"] += 1
            step.features["team of a team"] += step.team.again
            step.features["team: the others do something else"] += step.team.only
        for block in step.blocks:
            step.features["blocks"] += 1
            step.features["statements"] += len(block.statements)
            step.features["spelling: " + ("macro" if block.macro else "@communicate")] += 1
            for modifier in block.modifiers:
                step.features["modifier: " + (modifier if "knows" in modifier else modifier.split(" =")[0])] += 1
            step.features["buffers given away"] += len(block.gifts)
            if len(block.modifiers) > 1:
                step.features["modifiers combined"] += 1
            if len(block.statements) > 1:
                step.features["block of several statements"] += 1
            for statement in block.statements:
                step.features.update(statement.features)
        return step

    def block(self, step, among):
        """A block that touches these variables alone."""
        draw, block = self.draw, Block()
        block.macro = draw.random() < 0.12
        block.modifiers = draw.choice([[], [], [], [], [], ["copy"], ["knows = both"], ["knows = both", "copy"]])
        if "knows" in self.features and draw.random() < 0.2:
            block.knows = draw.choice(["sender", "receiver"])
            block.modifiers = [f"knows = {block.knows}"] + draw.choice([[], ["copy"]])
        if step.team:
            block.modifiers.append("team = t")
        hidden = [v.name for v in among if v.type.kind == "map" and draw.random() < 0.5]
        # Few places a block, so that statements meet each other's.
        places = draw.sample(among, min(len(among), draw.choice([2, 4, 8, 99])))
        seen = set()
        for _ in range(draw.choice([1, 1, 1, 2, 2, 3, 4, 5])):
            scope = Scope(draw, among, hidden)
            if step.control in ("plain", "loop", "if"):
                scope.gifts, scope.gift_prefix = block.gifts, f"given{len(step.blocks)}_"
            scope.grids = step.grids
            if step.team:
                scope.team, scope.size_spelling = "t", ["n", "t.size()"]
            scope.extras, scope.fixed = self.extras(step), step.fixed
            statement = StatementMaker(scope, places, block.knows, "sections" in self.features).make()
            if not statement or statement.surely_repeats():
                continue
            # A bit of a vector<bool> that the same block replaces is not looked up again: a documented limit.
            variable = statement.place.variable
            has_bits = "vector<bool>" in variable.type.name
            key = (variable, "" if has_bits else statement.receiver.c)
            if key not in seen:
                seen.add(key)
                block.statements.append(statement)
        return block

    @staticmethod
    def extras(step):
        """Ints of the surroundings that all ranks know."""
        found = [E("turn", "turn", 0, 2, True)] if step.control == "loop" else []
        return found + ([E("extra", "extra", 0, 30, True)] if step.extra else [])

    def first_states(self, n):
        """First states of n ranks, to try something on."""
        while len(self.sample) < n:
            rank = len(self.sample)
            self.sample.append({v.name: v.type.fill(model.state_random(1, rank)) for v in self.variables})
        return self.sample[:n]

    def conflicts(self, block, n=4, seed=1):
        """Whether updates meet, tried on n ranks."""
        return oracle.execute(block.compile(), n, model.Data(seed, n), self.first_states(n), 0, 0)[1]

    def always_conflicts(self, step):
        """Whether updates meet in a block of the step for all teams and parameters that are tried."""
        return any(all(self.conflicts(block, n, seed) for n in (2, 3, 4, 5, 8) for seed in (1, 2)) for block in step.blocks)

    # C++

    def source(self, steps=None):
        """The unit's text, or that of some of its steps."""
        steps = self.steps if steps is None else steps
        out = [f"// Unit {self.seed}, made by tests/fuzz/programs.", '#include "support.hpp"', "", "namespace {", "", "using namespace fuzz;", ""]

        def declaration(variable, prefix=""):
            name = variable.type.name
            text = name.replace("@", prefix + variable.name) if "@" in name else f"{name} {prefix}{variable.name}"
            return text + ";"
        out += [declaration(v) for v in self.variables if v.storage == "global"]
        out += ["", "struct State {", "  explicit State(Random& random);"]
        out += ["  " + declaration(v) for v in self.variables if v.storage == "member"]
        out += ["  static " + declaration(v) for v in self.variables if v.storage == "static"]
        for step in steps:
            if step.surroundings == "member":
                out.append(f"  void step_{step.number}(const Data& d);")
            if step.surroundings == "static member":
                out.append(f"  static void step_{step.number}(State& s, const Data& d);")
        out += ["};"]
        out += [declaration(v, "State::") for v in self.variables if v.storage == "static"]
        out += ["State::State(Random& random) {"]
        out += ["  " + self.filled(v) for v in self.variables]
        out += ["}", "", "void describe(const State& s, Digest& digest) {"]
        spelled = {"member": "s.", "static": "State::", "global": ""}
        out += [f'  digest.add("{v.name}", {spelled[v.storage]}{v.name});' for v in self.variables]
        out += ["}", ""]
        for step in steps:
            out += self.step_text(step)
        out += ["void step(int number, State& s, const Data& d) {", "  switch (number) {"]
        for step in steps:
            called = {"member": "s.step_{}(d)", "static member": "State::step_{}(s, d)"}.get(step.surroundings, "step_{}(s, d)")
            if step.surroundings == "template":
                called = "step_{}(s, d, " + step.extra.c + ")"
            out.append(f"    case {step.number}: return {called.format(step.number)};")
        out += ["  }", "}", "", "}  // namespace", "", "int main(int argc, char** argv) { return run<State>(argc, argv, &step, &describe); }", ""]
        return "\n".join(out)

    @staticmethod
    def filled(variable):
        """The statement that gives a variable its first value."""
        type_ = variable.type
        if type_.kind == "indices":
            return f"fill_indices({variable.name}, random, {type_.length}, {type_.bound});"
        length = f", {type_.length}" if type_.kind in ("vector", "buffer") and type_.element else ""
        return f"fill({variable.name}, random{length});"

    def step_text(self, step):
        draw = random.Random(self.seed * 1000 + step.number)
        team = "t" if step.team else "kanor::world"
        before = step.team.text() if step.team else []
        before += [f"  const int n = {team}.size(), me = {team}.rank();", "  (void)n, (void)me;"]
        if step.grids:
            before += [f"  const kanor::grid<1> g1({team}, {{n}}, {{true}});", f"  const kanor::grid<2> g2({team});",
                       f"  const kanor::grid<3> g3({team});", f"  const kanor::grid<2> h2({team}, "
                       "d.flag[2] ? std::array{1, n} : std::array{n, 1}, {d.flag[0], d.flag[1]});"]
        after = []
        for variable in step.copies:
            if step.surroundings == "pointers":
                before.append(f"  auto* const p_{variable.name} = &s.{variable.name};")
            else:
                before.append(f"  auto my_{variable.name} = s.{variable.name};")
                after.append(f"  s.{variable.name} = my_{variable.name};")
        blocks, windows_ = ["    " + block.text(draw) for block in step.blocks], step.windows
        if windows_:
            count = len(blocks)
            between = [["    " + event.text() for event in windows_.before(at, count)] for at in range(count + 1)]
            blocks = ["\n".join(between[at] + [block]) for at, block in enumerate(blocks)]
            blocks[0] = "\n".join([f"    {text}" for text in windows_.openings(True, team)] + blocks[:1])
            behind = between[count] + [f"    {fence.text()}" for fence in windows_.last_fences(True)]
            before += [f"  {text}" for text in windows_.openings(False, team)]
            after = [f"  {fence.text()}" for fence in windows_.last_fences(False)] + after
        if step.waits:
            names = [m.split("= ")[1] for block in step.blocks for m in block.modifiers if m.startswith("async")]
            if step.work:
                c = self.spelled(step, step.work)
                blocks.insert(1, f"    {c} = opaque({c} & 1023, me);")
            if windows_:
                blocks += behind
            if step.waits != "at the end":
                blocks += [f"    {name}.wait();" for name in (names if step.waits == "in order" else reversed(names))]
            blocks = ["    {"] + blocks + ["    }"]
        elif windows_:
            blocks += behind
        if step.control == "loop":
            body = [f"  for (int turn = 0; turn < {step.turns.c}; ++turn) {{"] + blocks + ["  }"]
        elif step.control == "if":
            body = [f"  if ({step.condition.c}) {{"] + blocks + ["  }"]
        elif step.control == "unbraced if":
            body = [f"  if ({step.condition.c})"] + blocks
        elif step.control == "if else":
            body = [f"  if ({step.condition.c})", blocks[0], "  else {", blocks[1], "  }"]
        elif step.control == "switch":
            body = [f"  switch (static_cast<int>({step.condition.c})) {{", "    case 1:", blocks[0], "      break;", "    default: {", blocks[1], "    }", "  }"]
        else:
            body = blocks
        if step.surroundings == "lambda":
            body = ["  const auto exchange = [&] {"] + body + ["  };", "  exchange();"]
        if step.surroundings == "generic lambda":
            body = ["  const auto exchange = [&](auto extra) {", "  (void)extra;"] + body + ["  };", f"  exchange({step.extra.c});"]
        d = "d_all" if step.team else "d"
        head = {"member": f"void State::step_{step.number}(const Data& {d}) {{", "static member": f"void State::step_{step.number}(State& s, const Data& {d}) {{",
                "template": f"template <class T>\nvoid step_{step.number}(State& s, const Data& {d}, T extra) {{"}
        return [head.get(step.surroundings, f"void step_{step.number}(State& s, const Data& {d}) {{")] + before + body + after + ["}", ""]
