# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws windows: opened over a variable, loops of puts, fences between the blocks of a step, as C++ text and as functions
of the oracle.

A put evaluates its rank, index and value where it stands. A fence makes the puts of all ranks since the last one, in the
order of the ranks, of each rank in its own order.
"""

import model
import oracle
from expressions import MOST_RANKS, E, Name, condition, constant, index, integer, modulo, parameter, positive, value
from model import DOUBLE, FLOAT, INT, POINT, SHORT, UCHAR

ELEMENTS = (INT, DOUBLE, FLOAT, SHORT, UCHAR, POINT)


def fitting(variable):
    """Whether a window can be opened over it."""
    type_ = variable.type
    if type_.kind not in ("vector", "array", "c_array", "buffer") or not type_.length or type_.element is None:
        return False
    return type_.element in ELEMENTS or type_.element.kind == "array" and type_.element.element is INT


def choose(draw, variables):
    """One or two of the variables over which windows can be opened."""
    found = [variable for variable in variables if fitting(variable)]
    long = [variable for variable in found if variable.type.length >= MOST_RANKS]
    first = draw.choice(long if draw.random() < 0.4 else found)
    others = [variable for variable in found if variable is not first]
    return [first] + draw.sample(others, draw.choice([0, 0, 1]))


class Window:
    """A window of `length` elements of a variable, from the element `offset` on. `inside`: opened in each turn of the step's
    loop, or under its condition; else around that."""

    def __init__(self, draw, name, variable, c, inside):
        self.name, self.variable, self.inside = name, variable, inside
        type_, whole = variable.type, draw.random() < 0.6
        self.offset = 0 if whole else draw.randrange(type_.length)
        self.length = type_.length if whole else draw.randrange(1, type_.length - self.offset + 1)
        spare = type_.length - self.offset - self.length
        opens = str(self.length) if whole or draw.random() < 0.5 else f"{self.length} + me % {spare + 1}"
        element = type_.element.name
        if not whole:
            memory = draw.choice([f"&{c}[{self.offset}], {opens}", f"std::data({c}) + {self.offset}, {opens}"])
            self.kind = "a part" + ("" if opens == str(self.length) else ", as long as the rank says,") + " of"
        elif draw.random() < 0.3:
            memory, self.kind = f"std::span({c})", "a span of"
        else:
            memory, self.kind = c, "the whole of"
        self.memory, self.element = memory, element
        self.form = draw.choice(["plain", "plain", "typed", "optional", "pointer", "moved"])
        self.team_too = draw.random() < 0.3

    def opening(self, team):
        """The statements that open it."""
        arguments = self.memory + (f", {team}" if team != "kanor::world" or self.team_too else "")
        type_ = f"kanor::window<{self.element}>"
        if self.form == "optional":
            return f"std::optional<{type_}> {self.name}(std::in_place, {arguments});"
        if self.form == "pointer":
            return f"const auto {self.name} = std::make_unique<{type_}>({arguments});"
        # In parentheses `std::span(v)` could be a parameter; in braces a length must be a constant.
        begin, end = "{}" if arguments.startswith("std::span") else "()"
        if self.form == "moved":
            return f"{type_} first_{self.name}{begin}{arguments}{end};\n    {type_} {self.name}(std::move(first_{self.name}));"
        return f"{type_ if self.form == 'typed' else 'kanor::window'} {self.name}{begin}{arguments}{end};"

    def member(self):
        return self.name + ("->" if self.form in ("optional", "pointer") else ".")


class Fence:
    def __init__(self, window):
        self.window = window

    def text(self):
        return f"{self.window.member()}fence();"

    def compile(self):
        return self

    def execute(self, n, data, states, waiting, turn, extra):
        """Returns the new states, and whether two puts write one element."""
        changed, twice = [dict(state) for state in states], oracle.Conflict()
        name = self.window.variable.name
        for _, to, at, new in sorted(waiting.pop(self.window.name, []), key=lambda put: put[0]):
            path = (name, self.window.offset + at)
            twice.add(to, path)
            changed[to][name] = model.updated(changed[to][name], path[1:], new)
        return changed, twice.found


class Puts:
    """A loop of puts: lines of C++ and of Python before the put, which nest; rank, index and value of the put."""

    def __init__(self, window, kind, lines, to, at, new):
        self.window, self.kind, self.lines = window, kind, lines
        self.to, self.at, self.new = to, at, new

    def text(self):
        put = f"{self.window.member()}put({self.to.c}, {self.at.c}, {self.new.c});"
        if not self.lines:
            return put
        return " ".join(c for c, _ in self.lines) + f"\n      {put}"

    def compile(self):
        code = ["def puts(n, D, old, out, turn, extra):", "  for me in range(n):", "    S = old[me]"]
        for depth, (_, p) in enumerate(self.lines):
            code.append("  " * (depth + 2) + p)
        inner = "  " * (len(self.lines) + 2)
        code += [f"{inner}to, at, new = {self.to.p}, {self.at.p}, {self.new.p}",
                 f"{inner}assert (to == NO_RANK or 0 <= to < n) and 0 <= at < {self.window.length}, (to, at)",
                 f"{inner}if to != NO_RANK: out.append((me, to, at, new))"]
        names = dict(vars(model))
        names["CONVERT"] = {type_.name: type_.convert for type_ in model.ARITHMETIC}
        names["min"], names["max"] = min, max
        exec("\n".join(code), names)  # the generator's own text
        return CompiledPuts(self.window, names["puts"])


class CompiledPuts:
    def __init__(self, window, function):
        self.window, self.function = window, function

    def execute(self, n, data, states, waiting, turn, extra):
        self.function(n, data, states, waiting.setdefault(self.window.name, []), turn, extra)
        return states, False


def over(name, first, last, step=1):
    """A loop over integers, as lines of C++ and Python. The bounds are E; `last` is met if the steps lead there."""
    c = f"for (int {name} = {first.c}; {name} {'<=' if step > 0 else '>='} {last.c}; {name} += {step})"
    return c, f"for {name} in range({first.p}, {last.p} {'+' if step > 0 else '-'} 1, {step}):"


def over_ranks(draw, team):
    c = draw.choice([f"for (const int to_ : {team})", "for (int to_ = 0; to_ < n; ++to_)", "for (int to_ = n - 1; to_ >= 0; --to_)"])
    return c, "for to_ in range(n - 1, -1, -1):" if "--" in c else "for to_ in range(n):"


def only_if(e):
    return f"if ({e.c})", f"if {e.p}:"


def elements(scope, length):
    """A loop over k_ and the index of the k-th element: all different, with one distance, upwards or downwards."""
    draw = scope.draw
    step = draw.choice([step for step in (1, 1, 1, 2, 3, 7) if step < length] or [1])
    count = draw.randrange(1, (length - 1) // step + 2)
    spare = length - 1 - (count - 1) * step
    first = modulo(parameter(scope), constant(spare + 1)).inner() if draw.random() < 0.5 else constant(draw.randrange(spare + 1))
    if draw.random() < 0.4:
        first, step = E(f"({first.c} + {(count - 1) * step})", f"({first.p} + {(count - 1) * step})", atom=True), -step
    scope.names.append(Name("k_", 0, count - 1))
    if draw.random() < 0.5:
        return over("k_", constant(0), constant(count - 1)), E(f"{first.c} + k_ * {step}", f"{first.p} + k_ * {step}")
    return over("k_", constant(count - 1), constant(0), -1), E(f"{first.c} + k_ * {step}", f"{first.p} + k_ * {step}")


def any_rank(scope):
    e = modulo(positive(integer(scope, 1)), E("n", "n", 1, MOST_RANKS, True))
    return E(e.c, e.p)


def one_to_one(scope, window, grids):
    """To a rank to which no other puts."""
    c = parameter(scope)
    to = [E("d.perm[me]", "D.perm[me]"), E(f"(me + {c.c}) % n", f"(me + {c.p}) % n"), E("n - 1 - me", "n - 1 - me"), E("me", "me"),
          E("(me % 2 ? me : kanor::no_rank)", "(me if me % 2 else NO_RANK)")]
    if grids:
        step = scope.draw.choice(["1", "-1", "2"])
        to += [E(f"{grid}.neighbor(me, {at}, {step})", f"D.{grid}.neighbor(me, {at}, {step})")
               for grid, at in (("g1", 0), ("g2", 0), ("g2", 1), ("h2", 0), ("h2", 1))]
    to = scope.draw.choice(to)
    loop, at = elements(scope, window.length)
    return [loop], to, at, "grid" if "neighbor" in to.c else "to a rank of one's own"


def from_one(scope, window, team):
    """By one rank, to all."""
    e = any_rank(scope.copy(False))
    scope.names.append(Name("to_", 0, MOST_RANKS - 1, True))
    loop, at = elements(scope, window.length)
    ranks = over_ranks(scope.draw, team)
    loops = [ranks, loop] if scope.draw.random() < 0.5 else [loop, ranks]
    return [only_if(E(f"me == {e.inner().c}", f"me == {e.inner().p}"))] + loops, E("to_", "to_"), at, "by one rank to all"


def own_place(scope, window, team):
    """By all to all, or to some rank, each to a place of its own."""
    at = scope.draw.choice([E("me", "me"), E(f"{window.length - 1} - me", f"{window.length - 1} - me"), E("d.perm[me]", "D.perm[me]")])
    if scope.draw.random() < 0.3:
        return [], any_rank(scope), at, "to a place of one's own"
    scope.names.append(Name("to_", 0, MOST_RANKS - 1, True))
    return [over_ranks(scope.draw, team)], E("to_", "to_"), at, "to a place of one's own on all"


def owned(scope, window, team):
    """Each element is put by the rank that a function says, to one rank or to all."""
    c = parameter(scope)
    scope.names.append(Name("k_", 0, window.length - 1))
    loop = over("k_", constant(0), constant(window.length - 1))
    if scope.draw.random() < 0.4:
        loop = over("k_", constant(window.length - 1), constant(0), -1)
    at = E("k_", "k_")
    if scope.draw.random() < 0.5:
        other = parameter(scope)
        if_ = only_if(E(f"opaque(k_, {c.c}) % n == me", f"opaque(k_, {c.p}) % n == me"))
        return [loop, if_], E(f"opaque({other.c}, k_) % n", f"opaque({other.p}, k_) % n"), at, "elements by their owners"
    scope.names.append(Name("to_", 0, MOST_RANKS - 1, True))
    if_ = only_if(E(f"(k_ * {c.inner().c} + to_) % n == me", f"(k_ * {c.inner().p} + to_) % n == me"))
    loops = [loop, over_ranks(scope.draw, team)]
    scope.draw.shuffle(loops)
    return loops + [if_], E("to_", "to_"), at, "elements of all by their owners"


def anything(scope, window):
    """Elements that other puts may write, too."""
    count = scope.draw.randrange(1, 6)
    scope.names.append(Name("k_", 0, count - 1))
    at = index(scope, window.length)
    return [over("k_", constant(0), constant(count - 1))], any_rank(scope), E(at.c, at.p), "to any element"


def puts(scope, window, step, team):
    """A loop of puts whose expressions use the scope."""
    draw = scope.draw
    scope.names.clear()
    kind = draw.randrange(12)
    if kind <= 3:
        lines, to, at, name = one_to_one(scope, window, step.grids)
    elif kind <= 5:
        lines, to, at, name = from_one(scope, window, team)
    elif kind <= 7 and window.length >= MOST_RANKS:
        lines, to, at, name = own_place(scope, window, team)
    elif kind <= 10:
        lines, to, at, name = owned(scope, window, team)
    else:
        lines, to, at, name = anything(scope, window)
    if draw.random() < 0.25:
        lines = lines + [only_if(condition(scope))]
    new = value(scope, window.variable.type.element)
    return Puts(window, name, lines, to, at, new) if new else None


class StepWindows:
    """The windows of a step: what happens before each of its blocks, behind the last one, and behind its loop."""

    def __init__(self, windows, events):
        self.windows, self.events = windows, events

    def before(self, block, blocks):
        """Puts and fences before the block with that number; behind all `blocks` of them where there is no such block."""
        return self.events[block] if block < blocks else [event for events in self.events[blocks:] for event in events]

    def last_fences(self, inside):
        return [Fence(window) for window in self.windows if window.inside == inside]

    def openings(self, inside, team):
        return [window.opening(team) for window in self.windows if window.inside == inside]

    def twice(self, sample, turns):
        """Whether two puts write one element, tried with some parameters on some of the sample's ranks."""
        events = [event.compile() for events in self.events for event in events] + self.last_fences(True)
        for seed in range(4):
            for n in range(1, len(sample) + 1):
                data, waiting = model.Data(seed, n), {}
                for turn in range(turns):
                    for event in events:
                        if event.execute(n, data, sample[:n], waiting, turn, seed)[1]:
                            return True
        return False

    def features(self):
        found = []
        for window in self.windows:
            found += ["window", f"window: {window.kind} a {window.variable.type.kind}", f"window of {window.variable.type.element.kind}",
                      f"window: {window.form}", "window: opened " + ("in" if window.inside else "around") + " the step's control"]
        events = [event for events in self.events for event in events]
        found += [f"window: puts {event.kind}" for event in events if isinstance(event, Puts)]
        found += ["window: fences"] * sum(isinstance(event, Fence) for event in events)
        return found + (["window: several in a step"] if len(self.windows) > 1 else [])


def draw_windows(draw, step, variables, blocks, scope, sample):
    """Windows over the variables, and what happens to them between so many blocks. Few of them have elements that two
    puts write, as checked mode refuses them."""
    team = "t" if step.team else "kanor::world"
    windows = [Window(draw, f"w_{variable.name}", variable, variable.c, draw.random() < 0.4) for variable in variables]
    allowed = draw.random() < 0.08
    for attempt in range(12):
        events = []
        for _ in range(blocks + 1):
            events.append([])
            for window in draw.sample(windows, len(windows)):
                for _ in range(draw.choice([0, 1, 1, 2] if attempt < 6 else [0, 0, 1])):
                    events[-1].append(puts(scope, window, step, team))
                if draw.random() < (0.5 if attempt < 6 else 0.9):
                    events[-1].append(Fence(window))
            events[-1] = [event for event in events[-1] if event]
        made = StepWindows(windows, events)
        if allowed or not made.twice(sample, 2 if step.control == "loop" else 1):
            return made
    return StepWindows(windows, [[Fence(window) for window in windows] for _ in range(blocks + 1)])
