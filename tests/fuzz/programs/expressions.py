# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws expressions: each is a pair of texts, C++ and Python, that mean the same; integers carry their bounds, so that
nothing overflows and ranks stay in the team.

In the Python text `S` is the state of the rank that evaluates, `me` its number, `n` the size of the team, `D` the
parameters that all ranks know, and names are the language's.
"""

import model
from model import BOOL, COLOUR, DOUBLE, FLOAT, INT, LLONG, SHORT, UCHAR, UINT

MOST_RANKS = 33
LIMIT = 1000000


class E:
    """An int expression with bounds, or one of another type (whose bounds mean nothing)."""

    def __init__(self, c, p, low=0, high=0, atom=False):
        self.c, self.p, self.low, self.high, self.atom = c, p, low, high, atom

    def inner(self):
        """As an operand."""
        return self if self.atom else E(f"({self.c})", f"({self.p})", self.low, self.high, True)


class Name:
    """A name of the clauses: what it ranges over. `rank`: surely a rank of the team."""

    def __init__(self, text, low, high, rank=False, other=None):
        self.text, self.low, self.high, self.rank = text, low, high, rank
        self.other = other  # the type, where it is no int

    def expression(self):
        return E(self.text, self.text, self.low, self.high, True)


class Scope:
    """What an expression may use: names so far, parameters, and, if `local`, the evaluating rank's own state."""

    def __init__(self, draw, variables, hidden=()):
        self.draw = draw
        self.variables = variables
        self.hidden = set(hidden)  # variables that this block must not read
        self.fixed = set()  # variables that no statement replaces as a whole: their memory stays where it is
        self.names = []
        self.local = False
        self.reading = 0  # how many parts of the state are being drawn around this expression
        self.size_spelling = ["n", "world.size()", "kanor::world.size()"]
        self.team = "world"
        self.grids = False  # whether g1, g2, g3 and h2 are there
        self.extras = []  # uniform ints of the block's surroundings, such as a loop's counter
        self.gifts, self.gift_prefix = None, ""  # of the block, if copies for it can be made before it

    def copy(self, local):
        other = Scope(self.draw, self.variables, self.hidden)
        other.names, other.local, other.fixed = list(self.names), local, self.fixed
        other.size_spelling, other.extras = self.size_spelling, self.extras
        other.team, other.grids = self.team, self.grids
        other.gifts, other.gift_prefix = self.gifts, self.gift_prefix
        return other


def size(scope):
    return E(scope.draw.choice(scope.size_spelling), "n", 1, MOST_RANKS, True)


def constant(value):
    return E(str(value), str(value), value, value, value >= 0)


def negative(value):
    return E(f"(-{value})", f"(-{value})", -value, -value, True)


def parameter(scope):
    at = scope.draw.randrange(16)
    return E(f"d.c[{at}]", f"D.c[{at}]", 0, 30, True)


def modulo(a, b):
    """a % b for b > 0; not negative where a is not."""
    a, b = a.inner(), b.inner()
    p = f"{a.p} % {b.p}" if a.low >= 0 else f"cmod({a.p}, {b.p})"
    return E(f"{a.c} % {b.c}", p, 0 if a.low >= 0 else 1 - b.high, b.high - 1)


def quotient(a, b):
    a, b = a.inner(), b.inner()
    p = f"{a.p} // {b.p}" if a.low >= 0 else f"cdiv({a.p}, {b.p})"
    return E(f"{a.c} / {b.c}", p, min(0, a.low), max(0, a.high))


def add(a, b):
    return E(f"{a.c} + {b.inner().c}", f"{a.p} + {b.inner().p}", a.low + b.low, a.high + b.high)


def subtract(a, b):
    return E(f"{a.c} - {b.inner().c}", f"{a.p} - {b.inner().p}", a.low - b.high, a.high - b.low)


def multiply(a, b):
    a, b = a.inner(), b.inner()
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return E(f"{a.c} * {b.c}", f"{a.p} * {b.p}", min(ends), max(ends))


def bitwise(op, a, b):
    """Of two that are not negative."""
    a, b = a.inner(), b.inner()
    return E(f"{a.c} {op} {b.c}", f"{a.p} {op} {b.p}", 0, (1 << max(a.high, b.high, 1).bit_length()) - 1)


def call(c_name, p_name, arguments, low, high):
    return E(f"{c_name}({', '.join(a.c for a in arguments)})", f"{p_name}({', '.join(a.p for a in arguments)})", low, high, True)


def tamed(e):
    return modulo(e, constant(9973)) if max(-e.low, e.high) > LIMIT else e


def positive(e):
    """Any int made one that is not negative, below 1024."""
    return e if e.low >= 0 and e.high <= LIMIT else E(f"{e.inner().c} & 1023", f"{e.inner().p} & 1023", 0, 1023)


def leaf(scope):
    draw = scope.draw
    if scope.local and draw.random() < 0.35:
        # An index reads no further state: indices of indices have no end.
        return read_int(scope) if scope.reading == 0 else E("me", "me", 0, MOST_RANKS - 1, True)
    choices = [constant(draw.randrange(10))] * 2 + [parameter(scope), size(scope)]
    choices += [name.expression() for name in scope.names if name.other is None] * 3
    choices += scope.extras * 3
    return draw.choice(choices)


def read_int(scope):
    """Some of the state as a small int."""
    place = readable(scope, lambda t: t.kind in ("integer", "real", "bool", "string", "map", "vector", "buffer", "enum"))
    if place is None:
        return constant(4)
    type_ = place.type
    if type_ is BOOL:
        return E(f"({place.c} ? 5 : 2)", f"(5 if {place.p} else 2)", 2, 5, True)
    if type_ is COLOUR:
        return E(f"static_cast<int>({place.c})", place.p, 0, 2, True)
    if type_.kind == "real":
        return E(f"whole({place.c})", f"whole({place.p})", 0, 1023, True)
    if type_ is UINT:
        return E(f"static_cast<int>({place.c} % 997u)", f"({place.p} % 997)", 0, 996, True)
    if type_ is LLONG:
        return E(f"static_cast<int>({place.c} % 997)", f"cmod({place.p}, 997)", -996, 996, True)
    if type_.kind == "integer":
        return E(f"({place.c} % 997)", f"cmod({place.p}, 997)", -996, 996, True)
    if type_.kind == "map":
        key = f"text({scope.draw.randrange(500)})"
        return E(f"look_up({place.c}, {key})", f"look_up({place.p}, {key})", -996, 996, True)
    if type_ is model.FREE_INTS:
        at = scope.draw.randrange(6)
        return E(f"element({place.c}, {at})", f"element({place.p}, {at})", -996, 996, True)
    return E(f"static_cast<int>({place.c}.size() % 100)", f"(len({place.p}) % 100)", 0, 99, True)


def condition(scope, depth=1):
    draw = scope.draw
    kind = draw.randrange(7)
    if kind == 0:
        at = draw.randrange(4)
        return E(f"d.flag[{at}]", f"D.flag[{at}]", atom=True)
    if kind == 1:
        e = positive(integer(scope, depth))
        return E(f"chosen({e.c})", f"chosen({e.p})", atom=True)
    if kind == 2 and depth:
        a, b = condition(scope, 0).inner(), condition(scope, 0).inner()
        op, word = draw.choice([("&&", "and"), ("||", "or")])
        return E(f"{a.c} {op} {b.c}", f"{a.p} {word} {b.p}")
    if kind == 3:
        a = condition(scope, 0).inner()
        return E(f"!{a.c}", f"not {a.p}")
    a, b = integer(scope, depth).inner(), integer(scope, 0).inner()
    op = draw.choice(["==", "!=", "<", "<=", ">", ">="])
    return E(f"{a.c} {op} {b.c}", f"{a.p} {op} {b.p}")


def integer(scope, depth=2):
    """An int expression."""
    draw = scope.draw
    if depth == 0 or draw.random() < 0.2:
        return leaf(scope)
    a, b = tamed(integer(scope, depth - 1)), tamed(integer(scope, depth - 1))
    kind = draw.randrange(12)
    if kind <= 2:
        return add(a, b)
    if kind == 3:
        return subtract(a, b)
    if kind <= 5:
        return tamed(multiply(a, constant(draw.randrange(1, 12)) if max(-b.low, b.high) > 999 or max(-a.low, a.high) > 999 else b))
    if kind == 6:
        return modulo(a, constant(draw.randrange(1, 12)))
    if kind == 7:
        return quotient(a, constant(draw.randrange(1, 6)))
    if kind == 8:
        return bitwise(draw.choice("^&|"), positive(a), positive(b))
    if kind == 9:
        return call("opaque", "opaque", [a, b], 0, 1023)
    if kind == 10:
        c = condition(scope, 0).inner()
        return E(f"({c.c} ? {a.c} : {b.c})", f"(({a.p}) if {c.p} else ({b.p}))", min(a.low, b.low), max(a.high, b.high), True)
    return call("std::min<int>", "min", [a, b], min(a.low, b.low), min(a.high, b.high))


def index(scope, length):
    """0 .. length - 1."""
    fitting = [name.expression() for name in scope.names if name.other is None and 0 <= name.low and name.high < length]
    if fitting and scope.draw.random() < 0.7:
        return scope.draw.choice(fitting)
    if scope.draw.random() < 0.3:
        return constant(scope.draw.randrange(length))
    e = positive(integer(scope, 1))
    return e if e.high < length else modulo(e, constant(length))


# State


class Variable:
    def __init__(self, name, type_, storage):
        self.name, self.type, self.storage = name, type_, storage
        self.c = name  # how this block spells it


class Place:
    """A part of a variable: its C++ text, its value's Python text, its path's Python text."""

    def __init__(self, variable, c, p, path, type_):
        self.variable, self.c, self.p, self.path, self.type = variable, c, p, path, type_


def paths(type_):
    """The types of all parts that have a place, with the steps to them: positions None for an element, else parts."""
    yield (), type_
    if type_.element is not None:
        for steps, inner in paths(type_.element):
            yield ((None,) + steps, inner)
    for part in type_.parts:
        for steps, inner in paths(part[2]):
            yield ((part,) + steps, inner)
    if type_.kind == "map":
        yield (("key",), INT)


def walk(scope, variable, steps, reading):
    """The place that the steps lead to, with drawn indices; None where it cannot be read."""
    scope.reading += 1
    place = steps_taken(scope, variable, steps, reading)
    scope.reading -= 1
    return place


def steps_taken(scope, variable, steps, reading):
    c, p, path, type_ = variable.c, f"S['{variable.name}']", [], variable.type
    for step in steps:
        if step is None:
            at = index(scope, type_.length)
            if scope.draw.random() < 0.1 and type_.kind in ("array", "vector") and type_.element is not BOOL and not reading:
                c = f"pick({c}, {at.c})"
            else:
                c = f"{c}[{at.c}]"
            p, path = f"{p}[{at.p}]", path + [at.p]
            type_ = type_.element
        elif step == "key":
            if reading:
                return None
            key = f"text({positive(integer(scope, 1)).c} % 4)"
            e = positive(integer(scope, 1))
            key, p_key = f"text(({e.c}) % 4)", f"text(({e.p}) % 4)"
            c, p, path, type_ = f"{c}[{key}]", "", path + [f"('key', {p_key})"], INT
        else:
            c = step[0].replace("@", c)
            p, path, type_ = f"{p}[{step[1]}]", path + [str(step[1])], step[2]
    return Place(variable, c, p, "(" + "".join(f"{at}, " for at in [f"'{variable.name}'"] + path) + ")", type_)


def readable(scope, accept):
    """A random part of the state whose type is accepted, or None."""
    found = [(variable, steps) for variable in scope.variables if variable.name not in scope.hidden
             for steps, type_ in paths(variable.type) if accept(type_) and "key" not in steps]
    return walk(scope, *scope.draw.choice(found), True) if found else None


# Values of all types


def real(scope, depth=1):
    """A double, of moderate size."""
    draw = scope.draw
    choices = [E(f"{value}", f"{value}", atom=True) for value in ("0.5", "3.25", "1.1")]
    e = integer(scope, 1).inner()
    choices.append(E(f"{e.c} * 0.37", f"{e.p} * 0.37"))
    place = readable(scope, lambda t: t.kind == "real") if scope.local else None
    if place:
        choices += [E(f"tame({place.c})", f"tame({place.p})", atom=True)] * 4
    a = draw.choice(choices)
    if depth == 0:
        return a
    b = real(scope, depth - 1)
    op = draw.choice("+-*")
    return E(f"{a.inner().c} {op} {b.inner().c}", f"{a.inner().p} {op} {b.inner().p}")


def string(scope):
    draw = scope.draw
    place = readable(scope, lambda t: t.kind == "string") if scope.local else None
    e = positive(integer(scope, 1))
    kind = draw.randrange(4)
    if draw.random() < 0.04:
        return E("std::string(300, 'q')", "'q' * 300", atom=True)
    if kind == 0 or place is None:
        return E(f"text({e.c})", f"text({e.p})", atom=True)
    if kind == 1:
        return E(f"std::to_string({e.c})", f"str({e.p})", atom=True)
    if kind == 2:
        return E(f"{place.c}.substr(0, 7)", f"{place.p}[:7]", atom=True)
    return E(f"{place.c}.substr(0, 5) + text({e.c})", f"{place.p}[:5] + text({e.p})")


def made(scope, type_):
    """A value of the type, made by an expression; None for types that only variables have."""
    e = integer(scope)
    if type_ is INT:
        return E(f"static_cast<int>({e.c})" if scope.draw.random() < 0.1 else e.c, e.p)
    if type_ is BOOL:
        return condition(scope)
    if type_ in (SHORT, UCHAR, UINT, LLONG):
        return E(f"static_cast<{type_.name}>({e.c})", f"CONVERT['{type_.name}']({e.p})", atom=True)
    if type_ is DOUBLE:
        return real(scope)
    if type_ is FLOAT:
        x = real(scope)
        return E(f"static_cast<float>({x.c})", f"CONVERT['float']({x.p})", atom=True)
    if type_ is COLOUR:
        m = modulo(positive(e), constant(3))
        return E(f"static_cast<Colour>({m.c})", m.p, atom=True)
    if type_.kind == "string":
        return string(scope)
    if type_ is model.MAYBE:
        x = real(scope)
        return E(f"maybe({positive(e).c}, {x.c})", f"maybe({positive(e).p}, {x.p})", atom=True)
    if type_ is model.EITHER:
        return E(f"either({positive(e).c})", f"either({positive(e).p})", atom=True)
    if type_ in (model.MAP, model.SET):
        function = "table" if type_ is model.MAP else "several"
        length = index(scope, 4)
        return call(function, function, [e, length], 0, 0)
    if type_ in (model.FREE_INTS, model.FREE_REALS, model.MARKS):
        length = constant(900) if scope.draw.random() < 0.05 else index(scope, 6)
        return call(*["series" if type_ is model.FREE_REALS else "sequence"] * 2, [e, length], 0, 0)
    if type_ is model.FREE_MEMORY:
        e = call("sequence", "sequence", [e, index(scope, 6)], 0, 0)
        return E(f"buffer_of({e.c})", e.p, atom=True)
    if type_.kind == "indices" and "@" not in type_.name:
        length = constant(type_.length) if type_.length else index(scope, type_.bound + 1)
        return E(f"picks<{type_.name}>({positive(e).c}, {length.c}, {type_.bound})", f"picks({positive(e).p}, {length.p}, {type_.bound})", atom=True)
    if type_.kind == "vector" and type_.element in (INT, DOUBLE, BOOL, model.STRING) and scope.draw.random() < 0.6:
        function = {INT: "sequence", DOUBLE: "series", BOOL: "bits", model.STRING: "words"}[type_.element]
        return call(function, function, [positive(e), constant(type_.length)], 0, 0)
    if type_.kind in ("point", "pair", "tuple"):
        parts = [value(scope, part[2]) for part in type_.parts]
    elif type_.kind in ("array", "vector", "buffer") and type_.element.kind in ("integer", "real", "string", "point"):
        parts = [value(scope, type_.element) for _ in range(type_.length)]
    else:
        return None
    if any(part is None for part in parts):
        return None
    types = [part[2] for part in type_.parts] or [type_.element] * type_.length
    parts_c = ", ".join(f"static_cast<{t.name}>({part.c})" if t.convert else part.c for t, part in zip(types, parts))
    parts_p = ", ".join(f"CONVERT['{t.name}']({part.p})" if t.convert else part.p for t, part in zip(types, parts))
    return E(f"{type_.name}{{{parts_c}}}", f"({parts_p},)", atom=True)


def value(scope, type_):
    """A value whose C++ type is exactly this one."""
    if type_.kind == "buffer" and scope.local and scope.gifts is not None and scope.draw.random() < 0.4:
        own = [v for v in scope.variables if v.type is type_ and v.name not in scope.hidden]
        if own:
            variable = scope.draw.choice(own)
            name = scope.gift_prefix + variable.name
            scope.gifts[name] = variable.c
            return E(f"std::move({name})", f"S['{variable.name}']", atom=True)
    if scope.local and scope.draw.random() < 0.45:
        same = (lambda t: t.name == type_.name and t.length == type_.length and t.kind == type_.kind) \
            if type_.kind in ("vector", "buffer", "indices") else (lambda t: t.name == type_.name)
        place = readable(scope, same)
        if place:
            return E(place.c, place.p, -2**31, 2**31 - 1, True)
    return made(scope, type_)
