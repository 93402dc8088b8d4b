"""A unit: one source file with many blocks, as C++ for kanorc and as functions of the oracle.

A unit is a list of steps; a step is one C++ function with one or two blocks in some surroundings. A program is a
sequence of steps of one unit with a seed for its first state and parameters: see oracle.py.
"""

import collections
import random

import model
import oracle
from expressions import E, Scope, Variable, condition, integer, parameter, positive
from statements import StatementMaker

SURROUNDINGS = ["function", "function", "member", "lambda", "generic lambda", "template", "locals", "pointers", "static member"]
CONTROLS = ["plain", "plain", "plain", "loop", "if", "if else", "unbraced if", "switch"]


class Block:
    """One @communicate: statements, modifiers, spelling."""

    def __init__(self):
        self.statements, self.modifiers, self.macro, self.knows = [], [], False, None

    def text(self, draw):
        texts = [statement.text(draw) for statement in self.statements]
        body = draw.choice([";\n      ", "; ", ";\n\n      /* next */ "]).join(texts) + draw.choice(["", "", ";"])
        if self.macro:
            modifiers = f"({', '.join(self.modifiers)}), " if self.modifiers else ""
            return f"KANOR_COMMUNICATE({modifiers}{body});"
        modifiers = f" ({', '.join(self.modifiers)})" if self.modifiers else ""
        return f"@communicate{modifiers} {{\n      {body}\n    }}"

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
            compiled.append((names[f"s{number}"], fold, model.conversion(statement.value_type, statement.place_type)))
        return compiled


class Step:
    def __init__(self, number):
        self.number, self.blocks = number, []
        self.surroundings, self.control = "function", "plain"
        self.condition = None  # E
        self.turns = None  # E
        self.copies = []  # variables that are locals here
        self.extra = None  # E: a template's argument
        self.features = collections.Counter()


class Unit:
    def __init__(self, seed, steps, features=frozenset()):
        self.seed, self.features = seed, features
        self.draw = random.Random(seed)
        draw = self.draw
        types = list(model.TYPES)
        draw.shuffle(types)
        types += [model.INT, model.DOUBLE, model.vector(model.INT, 5), model.STRING] + draw.sample(model.ARRAYS + model.VECTORS, 4)
        self.variables = [Variable(f"v{at}", type_, draw.choice(["member"] * 3 + ["global", "static"])) for at, type_ in enumerate(types)]
        self.sample = []
        self.steps = [self.step(number) for number in range(steps)]

    # Drawing

    def spell(self, step):
        """How the step's surroundings name each variable."""
        for variable in self.variables:
            plain = variable.name
            if variable.storage == "global":
                variable.c = plain if step.surroundings != "function" else f"::{plain}"
            elif variable.storage == "static":
                variable.c = plain if step.surroundings in ("member", "static member") else f"State::{plain}"
            elif step.surroundings == "member":
                variable.c = plain
            elif variable in step.copies:
                variable.c = f"(*p_{plain})" if step.surroundings == "pointers" else f"my_{plain}"
            else:
                variable.c = f"s.{plain}"

    def step(self, number):
        draw, step = self.draw, Step(number)
        step.surroundings, step.control = draw.choice(SURROUNDINGS), draw.choice(CONTROLS)
        members = [v for v in self.variables if v.storage == "member" and (step.surroundings == "pointers" or v.type.kind != "c_array")]
        if step.surroundings in ("locals", "pointers"):
            step.copies = draw.sample(members, 8)
        self.spell(step)
        uniform = Scope(draw, self.variables)
        uniform.size_spelling = ["n", "kanor::world.size()"]
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
        while len(step.blocks) < count:
            block = self.block(step)
            # Blocks in which the last update wins are not for checked mode: a few are enough.
            if block.statements and (draw.random() < 0.15 or not self.conflicts(block)):
                step.blocks.append(block)
        step.features[f"surroundings: {step.surroundings}"] += 1
        step.features[f"control: {step.control}"] += 1
        for block in step.blocks:
            step.features["blocks"] += 1
            step.features["statements"] += len(block.statements)
            step.features["spelling: " + ("macro" if block.macro else "@communicate")] += 1
            for modifier in block.modifiers:
                step.features[f"modifier: {modifier}"] += 1
            if len(block.statements) > 1:
                step.features["block of several statements"] += 1
            for statement in block.statements:
                step.features.update(statement.features)
        return step

    def block(self, step):
        draw, block = self.draw, Block()
        block.macro = draw.random() < 0.12
        block.modifiers = draw.choice([[], [], [], [], [], ["copy"], ["knows = both"], ["knows = both", "copy"]])
        hidden = [v.name for v in self.variables if v.type.kind == "map" and draw.random() < 0.5]
        # Few places a block, so that statements meet each other's.
        places = draw.sample(self.variables, draw.choice([2, 4, 8, len(self.variables)]))
        seen = set()
        for _ in range(draw.choice([1, 1, 1, 2, 2, 3, 4, 5])):
            scope = Scope(draw, self.variables, hidden)
            if step.control == "loop":
                scope.extras.append(E("turn", "turn", 0, 2, True))
            if step.extra:
                scope.extras.append(E("extra", "extra", 0, 30, True))
            statement = StatementMaker(scope, places, block.knows).make()
            if statement and (statement.place.c, statement.receiver.c) not in seen:
                seen.add((statement.place.c, statement.receiver.c))
                block.statements.append(statement)
        return block

    def conflicts(self, block):
        """Whether updates meet, tried on four ranks."""
        if not self.sample:
            self.sample = [{v.name: v.type.fill(model.state_random(1, rank)) for v in self.variables} for rank in range(4)]
        return oracle.execute(block.compile(), 4, model.Data(1, 4), self.sample, 0, 0)[1]

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
        out += [f"  fill({v.name}, random{f', {v.type.length}' if v.type.kind == 'vector' and v.type.element else ''});" for v in self.variables]
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

    def step_text(self, step):
        draw = random.Random(self.seed * 1000 + step.number)
        before = ["  const int n = kanor::world.size(), me = kanor::world.rank();", "  (void)n, (void)me;"]
        after = []
        for variable in step.copies:
            if step.surroundings == "pointers":
                before.append(f"  auto* const p_{variable.name} = &s.{variable.name};")
            else:
                before.append(f"  auto my_{variable.name} = s.{variable.name};")
                after.append(f"  s.{variable.name} = my_{variable.name};")
        blocks = ["    " + block.text(draw) for block in step.blocks]
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
        head = {"member": f"void State::step_{step.number}(const Data& d) {{", "static member": f"void State::step_{step.number}(State& s, const Data& d) {{",
                "template": f"template <class T>\nvoid step_{step.number}(State& s, const Data& d, T extra) {{"}
        return [head.get(step.surroundings, f"void step_{step.number}(State& s, const Data& d) {{")] + before + body + after + ["}", ""]
