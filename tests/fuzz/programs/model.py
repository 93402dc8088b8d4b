# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What support.hpp says, in Python: types and their first values, the functions of expressions, operations of
reductions, the bracketing of a fold, and conversions.

All values are immutable, so a state can be kept while the next one is made: numbers, str, tuples for lists, structures
and optionals (empty or one element), dict (never changed in place) for maps, frozenset for sets, (index, value)
for variants.
"""

import math
import struct

from grids import NO_RANK, Grid, near_cubic  # noqa: F401  (the oracle's functions use all names of this module)


class Random:
    def __init__(self, state):
        self.state = state & 0xFFFFFFFFFFFFFFFF

    def next(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return self.state >> 11

    def below(self, bound):
        return self.next() % bound


def of_width(bits, signed):
    """C++'s conversion of an integer to a type of that width."""
    def wrap(number):
        number &= (1 << bits) - 1
        return number - (1 << bits) if signed and number >> (bits - 1) else number
    return wrap


def to_float(number):
    try:
        return struct.unpack("<f", struct.pack("<f", number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)


def cdiv(a, b):
    return a // b if (a >= 0) == (b > 0) else -(-a // b)


def cmod(a, b):
    return a - b * cdiv(a, b)


# Functions of expressions


def opaque(a, b):
    return (a * 7 + b * 13 + 5) & 1023


def ring(i, n):
    return (i + 1) % n


def spread(a):
    return 3 * a + 1 if a % 2 else a // 2


def chosen(a):
    return cmod(a, 3) != 1


def tame(x):
    # std::floor keeps the sign of a zero, which math.floor drops: -0.0 becomes 0.0 there.
    return x - float(math.floor(x / 1024.0)) * 1024.0 + 0.0 if abs(x) < 1e15 else 1.0


def whole(x):
    return int(tame(x))


def text(e):
    e &= 1023
    return "".join(chr(97 + (e + k) % 26) for k in range((e & 7) + 1))


def sequence(e, length):
    return tuple(e + 3 * k for k in range(length))


def series(e, length):
    return tuple((e + k) * 0.37 for k in range(length))


def words(e, length):
    return tuple(text((e & 1023) + k) for k in range(length))


def bits(e, length):
    return tuple((e >> k) & 1 for k in range(length))


def some_ranks(e, n):
    return [r for r in range(n) if (r * 5 + e) % 3 != 0]


def maybe(e, x):
    return (float(x),) if e % 2 else ()


def either(e):
    return (1, text(e)) if e % 2 else (0, e)


def table(e, length):
    return {text((e & 1023) + 2 * k): e + k for k in range(length)}


def look_up(all_, key):
    return cmod(all_[key], 997) if key in all_ else -7


def several(e, length):
    return frozenset((e + 5 * k) & 31 for k in range(length))


def picks(e, count, length):
    step = 1 + e % 5
    while math.gcd(step, length) != 1:
        step += 1
    return tuple((e + k * step) % length for k in range(count))


def within(list_, length):
    return tuple(number % length for number in list_)


def element(list_, at):
    return cmod(list_[at % len(list_)], 997) if list_ else -3


# Callables of reductions


def mix(a, b):
    return (a * 31 + b) & 0xFFFF


def weigh(a, b):
    return 0.5 * a + b


def join(a, b):
    return a[:9] + "," + b[:9]


def merge(a, b):
    return ((a[0] * 3 + b[0]) & 0xFFF, a[1] * 0.5 - b[1])


def longer(a, b):
    return b if len(a) < len(b) else a


def unite(a, b):
    return {**a, **b}


def prefer(a, b):
    return a if a else b


def later(a, b):
    return ((a[0] + 2 * b[0]) & 0xFFF, b[1])


def inclusive(first, last):
    return range(first, last + 1)


# Types


class Type:
    """A C++ type: its name, how a first value is drawn, how a value is shown, its parts.

    parts: (C++ step, Python step, type) of each member that has a name; element: the type of each of `length` elements.
    """

    def __init__(self, name, fill, show, element=None, length=0, parts=(), convert=None, kind="", operations=()):
        self.name, self.fill, self.show = name, fill, show
        self.element, self.length, self.parts = element, length, parts
        self.convert = convert  # from a number to this arithmetic type
        self.kind = kind
        self.operations = operations

    def __repr__(self):
        return self.name


def number(name, bits_, signed):
    low = 1000 if signed else 0
    wrap = of_width(bits_, signed)
    return Type(name, lambda random: wrap(random.below(2000) - low), lambda v: f"{v};", convert=lambda v: wrap(int(v)),
                kind="integer", operations=("+", "*", "&", "|", "^", "min", "max", "&&", "||"))


def fill_real(random):
    return (random.next() / 4503599627370496.0 - 1.0) * (1 << random.below(14))


def bits_of(form, size):
    return lambda v: struct.pack(form, v).hex().rjust(size, "0") + ";"


INT = number("int", 32, True)
SHORT = number("short", 16, True)
UCHAR = number("unsigned char", 8, False)
UINT = number("unsigned", 32, False)
LLONG = number("long long", 64, True)
BOOL = Type("bool", lambda random: random.below(2), lambda v: f"{int(v)};", convert=lambda v: int(v != 0), kind="bool",
            operations=("&&", "||", "&", "|", "^", "min", "max"))
DOUBLE = Type("double", fill_real, bits_of(">d", 16), convert=float, kind="real", operations=("+", "*", "min", "max"))
FLOAT = Type("float", lambda random: to_float(fill_real(random)), bits_of(">f", 8), convert=to_float, kind="real",
             operations=("+", "*", "min", "max"))
COLOUR = Type("Colour", lambda random: random.below(3), lambda v: f"{v};", kind="enum", operations=("min", "max"))
STRING = Type("std::string", lambda random: text(random.below(1024)), lambda v: f"{len(v)}:{v};", kind="string",
              operations=("+", "min", "max"))


def sequence_type(name, of, length, kind, random_length=False):
    def fill(random):
        count = random.below(5) if random_length else length
        return tuple(of.fill(random) for _ in range(count))

    def show(v):
        return "[" + "".join(map(of.show, v)) + "]"
    return Type(name, fill, show, None if random_length else of, length, kind=kind,
                operations=() if random_length else of.operations)


def array(of, length):
    return sequence_type(f"std::array<{of.name}, {length}>", of, length, "array")


def c_array(of, length):
    """`int x[4]`: the name has a hole for the variable."""
    suffix = f"[{length}]"
    if of.kind == "c_array":
        base, inner = of.name.split(" @")
        return sequence_type(f"{base} @{suffix}{inner}", of, length, "c_array")
    return sequence_type(f"{of.name} @{suffix}", of, length, "c_array")


def vector(of, length=0):
    """Of `length` elements, which no program changes; 0 for vectors of all lengths."""
    return sequence_type(f"std::vector<{of.name}>", of, length, "vector", random_length=length == 0)


def buffer(of, length=0):
    return sequence_type(f"kanor::buffer<{of.name}>", of, length, "buffer", random_length=length == 0)


def structure(name, members, kind, operations=()):
    """members: (how C++ names it, with @ for the object; type)."""
    types = [type_ for _, type_ in members]
    parts = tuple((step, at, type_) for at, (step, type_) in enumerate(members))
    return Type(name, lambda random: tuple(type_.fill(random) for type_ in types),
                lambda v: "(" + "".join(type_.show(part) for type_, part in zip(types, v)) + ")",
                parts=parts, kind=kind, operations=operations)


class Indices(Type):
    """A list of different indices below `bound`, `length` of them (0: of any number), which always stays one."""

    def __init__(self, name, length, bound):
        super().__init__(name, self.drawn, lambda v: "[" + "".join(map(INT.show, v)) + "]", length=length, kind="indices")
        self.bound = bound

    def drawn(self, random):
        order = list(range(self.bound))
        count = self.length or random.below(self.bound + 1)
        for at in range(count):
            other = at + random.below(self.bound - at)
            order[at], order[other] = order[other], order[at]
        return tuple(order[:count])


FREE_INTS = vector(INT)
FREE_REALS = vector(DOUBLE)
FREE_MEMORY = buffer(INT)
MAYBE = Type("std::optional<double>", lambda random: maybe(random.below(2), random.below(100)),
             lambda v: "+" + DOUBLE.show(v[0]) if v else "-", kind="optional")
MAYBE_INT = Type("std::optional<int>", lambda random: (random.below(9),), lambda v: "+" + INT.show(v[0]) if v else "-",
                 kind="optional")
EITHER = Type("std::variant<int, std::string>", lambda random: either(random.below(1000)),
              lambda v: f"{v[0]}/" + (STRING if v[0] else INT).show(v[1]), kind="variant")


def fill_table(random):
    e = random.below(500)
    return table(e, random.below(4))


def fill_several(random):
    e = random.below(500)
    return several(e, random.below(5))


def fill_marks(random):
    e = random.below(50)
    return sequence(e, random.below(4))


MAP = Type("std::map<std::string, int>", fill_table,
           lambda v: "[" + "".join(f"({STRING.show(key)}{INT.show(v[key])})" for key in sorted(v)) + "]", kind="map")
SET = Type("std::set<int>", fill_several, lambda v: "[" + "".join(f"{e};" for e in sorted(v)) + "]", kind="set")
MARKS = Type("std::vector<int>", fill_marks, FREE_INTS.show, kind="vector")
POINT = structure("Point", [("@.x", INT), ("@.y", DOUBLE)], "point", ("+", "min", "max"))
FLAT = structure("Flat", [("@.tag", SHORT), ("@.cells", c_array(INT, 2))], "struct")
RECORD = structure("Record", [("@.name", STRING), ("@.marks", MARKS), ("@.extra", MAYBE_INT)], "struct")
PAIR = structure("std::pair<int, std::string>", [("@.first", INT), ("@.second", STRING)], "pair")
TUPLE = structure("std::tuple<int, double, bool>",
                  [("std::get<0>(@)", INT), ("std::get<1>(@)", DOUBLE), ("std::get<2>(@)", BOOL)], "tuple")

ARRAYS = [array(INT, 3), array(DOUBLE, 3), array(FLOAT, 2), array(SHORT, 4), array(POINT, 2), array(array(INT, 2), 3),
          c_array(INT, 4), c_array(DOUBLE, 3), c_array(c_array(INT, 3), 2), c_array(STRING, 2)]
VECTORS = [vector(INT, 5), vector(DOUBLE, 4), vector(STRING, 3), vector(BOOL, 6), vector(POINT, 3), vector(UCHAR, 4),
           vector(vector(INT, 2), 3), vector(DOUBLE, 70), vector(INT, 40)]
BUFFERS = [buffer(INT, 5), buffer(DOUBLE, 70), FREE_MEMORY]
INDICES = [Indices("std::vector<int>", 4, 4), Indices("std::array<unsigned, 3>", 3, 3), Indices("short @[2]", 2, 3),
           Indices("std::list<short>", 3, 4), Indices("std::vector<std::size_t>", 2, 2), Indices("std::vector<long long>", 0, 3)]
TYPES = [INT, INT, DOUBLE, DOUBLE, SHORT, UCHAR, UINT, LLONG, BOOL, FLOAT, COLOUR, STRING, POINT, FLAT, RECORD, PAIR, TUPLE,
         MAYBE, EITHER, MAP, SET, FREE_INTS, FREE_REALS] + ARRAYS + VECTORS + BUFFERS + INDICES
ARITHMETIC = [INT, SHORT, UCHAR, UINT, LLONG, BOOL, DOUBLE, FLOAT]


def conversion(source, target):
    """The function that assignment applies to a value of one type at a place of another, or None where there is none."""
    if source.name == target.name:
        return (lambda v: v) if source.length == target.length else None
    if source.convert and target.convert:
        # A number too large for the target has no meaning in C++; values are kept below a short's.
        return None if source.kind == "real" and target is UCHAR else target.convert
    if target.kind == "optional" and source.convert:
        inner = float if target is MAYBE else INT.convert
        return lambda v: (inner(v),)
    lists = ("array", "c_array", "vector", "buffer", "section")
    lengthy = ("vector", "buffer")
    if source.kind == "section" and target in (FREE_INTS, FREE_REALS, FREE_MEMORY):
        each = conversion(source.element, DOUBLE if target is FREE_REALS else INT)
        return each and (lambda v: tuple(map(each, v)))
    if source.kind in lists and target.kind in lists and not (source.kind in lengthy and target.kind in lengthy):
        if source.element and target.element and source.length == target.length:
            each = conversion(source.element, target.element)
            if each and not (source.element.kind == "real" and target.element.kind == "integer"):
                return lambda v: tuple(map(each, v))
    return None


# Operations of reductions


def smaller(a, b):
    return b if b < a else a


def larger(a, b):
    return b if a < b else a


LISTED = {
    "+": lambda a, b: a + b, "*": lambda a, b: a * b, "&": lambda a, b: a & b, "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b, "&&": lambda a, b: int(bool(a) and bool(b)), "||": lambda a, b: int(bool(a) or bool(b)),
    "min": smaller, "max": larger,
}


def folder(op, type_):
    """op(a, b) on two values of the type, `op` being a function of two innermost values."""
    if type_.element is not None:
        each = folder(op, type_.element)

        def fold_lists(a, b):
            return tuple(map(each, a, b))
        return fold_lists
    if type_.convert:
        convert = type_.convert
        return lambda a, b: convert(op(a, b))
    return op


def point_operation(name):
    if name == "+":
        return lambda a, b: ((a[0] + b[0]) & 0xFFFF, a[1] + b[1])
    if name == "min":
        return lambda a, b: b if b[0] < a[0] else a
    return lambda a, b: b if a[0] < b[0] else a


def listed_operation(name, type_):
    """Of one of the operators that the language lists."""
    inner = type_
    while inner.element is not None:
        inner = inner.element
    return folder(point_operation(name) if inner is POINT else LISTED[name], type_)


def bracketed(op, terms):
    if len(terms) == 1:
        return terms[0]
    power = 1 << (len(terms) - 1).bit_length() - 1
    return op(bracketed(op, terms[:power]), bracketed(op, terms[power:]))


def reduced(op, contributions):
    """The result of (sender, value) pairs in binding order."""
    runs, last = [], None
    for sender, value in contributions:
        if sender != last:
            runs.append([])
            last = sender
        runs[-1].append(value)
    return bracketed(op, [bracketed(op, run) for run in runs])


# Parameters that all ranks know


class Data:
    def __init__(self, seed, n):
        self.seed = seed
        random = Random(seed * 1000003 + 17)
        for _ in range(4):
            random.next()
        self.c = [random.below(31) for _ in range(16)]
        self.flag = [bool(random.below(2)) for _ in range(4)]
        self.perm = list(range(n))
        for r in range(n - 1, 0, -1):
            other = random.below(r + 1)
            self.perm[r], self.perm[other] = self.perm[other], self.perm[r]
        self.goal = [random.below(n) for _ in range(n)]
        self.list = [random.below(n) for _ in range(random.below(2 * n + 1))]
        self.g1 = Grid((n,), (True,))
        self.g2 = Grid(near_cubic(n, 2), (False, False))
        self.g3 = Grid(near_cubic(n, 3), (False,) * 3)
        self.h2 = Grid((1, n) if self.flag[2] else (n, 1), (self.flag[0], self.flag[1]))
        self.rows = [[random.below(n) for _ in range(random.below(4))] for _ in range(n)]


def state_random(seed, rank):
    random = Random(seed * 7919 + rank * 104729 + 1)
    for _ in range(4):
        random.next()
    return random


class Parts(tuple):
    """The paths of a section's elements, in row-major order."""


def sliced(first, count, stride):
    return range(first, first + count * stride, stride)


def section_indices(dimensions):
    """The indices of a section's elements; of each dimension those that it takes, in its order."""
    for at in dimensions[0]:
        for rest in section_indices(dimensions[1:]) if len(dimensions) > 1 else ((),):
            yield (at,) + rest


def section_value(value, dimensions):
    found = []
    for indices in section_indices(dimensions):
        part = value
        for at in indices:
            part = part[at]
        found.append(part)
    return tuple(found)


def section_paths(path, dimensions):
    return Parts(path + indices for indices in section_indices(dimensions))


def updated(value, path, new):
    """The value with one part replaced. Steps of a path are positions, or ("key", key) in a map."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(step, tuple):
        changed = dict(value)
        changed[step[1]] = new
        return changed
    return value[:step] + (updated(value[step], rest, new),) + value[step + 1:]
