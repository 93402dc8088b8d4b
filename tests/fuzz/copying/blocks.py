# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random blocks, with loops that pack before them and unpack behind them."""

MOST = 5
SOURCES = ["vector", "vector", "array", "std", "held", "member", "pointer", "span", "reference", "inner", "grid", "call", "cell", "rows"]
SIZE = {"double": 8, "float": 4, "int": 4, "long": 8, "short": 2, "unsigned": 4}

# The pattern's receiver, sender, clauses; and the bindings in Python.
PATTERNS = [("(r + 1) % P", "r", "r in world", "[((r + 1) % P, r, r) for r in range(P)]"),
            ("r", "(r + 2) % P", "r in world", "[(r, (r + 2) % P, r) for r in range(P)]"),
            ("r + 1", "r", "r in {0 ... P - 2}", "[(r + 1, r, r) for r in range(P - 1)]"),
            ("r - 1", "r", "r in {1 ... P - 1}", "[(r - 1, r, r) for r in range(1, P)]"),
            ("P - 1 - r", "r", "r in world", "[(P - 1 - r, r, r) for r in range(P)]"),
            ("r", "0", "r in world", "[(r, 0, r) for r in range(P)]"),
            ("r", "P - 1", "r in world, r % 2 == 0", "[(r, P - 1, r) for r in range(P) if r % 2 == 0]"),
            ("0", "P - 1", "", "[(0, P - 1)]"),
            ("(r + 1) % P", "r", "r in world, r > 0", "[((r + 1) % P, r, r) for r in range(P) if r > 0]")]


def names(bindings):
    return "r" if "r in" in bindings else ""


def section(f, name, size, first, count, stride=1):
    if first == 0 and count == size and stride == 1 and f.chance(0.3):
        return f"{name}[:]", f"({name}, range({size}))"
    more = f" : {stride}" if stride > 1 else ""
    return (f"{name}[{first} : {f.number(count)}{more}]", f"({name}, range({first}, {first} + {count} * {stride}, {stride}))")


def copied(f, total):
    """A nest that packs: its loops, the index of the buffer, and the number of elements that it fills."""
    nest = f.nest(f.counts(total))
    first = f.draw.choice([0, 0, 0, 0, 2])
    index, size = f.dense(nest, first)
    if size > 9000:
        nest = f.plain(f.counts(total))
        index, size = f.dense(nest, first)
    return nest, index, size, first


class Pair:
    """A buffer that is sent and one that is received, the loops for both, and the statements."""
    def __init__(self, f, shared):
        self.f = f
        self.type = f.draw.choice(["double", "double", "double", "float", "int", "long", "short", "unsigned"])
        self.total = f.draw.randrange(8300, 17000) // SIZE[self.type] if f.chance(0.85) else f.draw.randrange(40, 8190) // SIZE[self.type]
        self.nest, self.index, self.size, self.first = copied(f, self.total)
        self.source, self.element = f.place(self.nest, SOURCES, self.type)
        self.pattern = f.draw.choice(PATTERNS)
        self.way = f.draw.choice(["same"] * 5 + ["gather", "part", "halves", "strided", "bigger"])
        self.unpacked = f.draw.random() < 0.85
        if self.way == "gather":
            self.got = self.size * MOST
            counts = [MOST, self.size] if f.chance(0.6) else [self.got]
            self.other = f.plain(counts, {0: "P"}) if len(counts) == 2 else f.plain(counts)
            self.to = " + ".join([f"{self.other[0].name} * {self.size}", self.other[1].name]) if len(counts) == 2 else self.other[0].name
            if len(counts) == 2 and f.chance(0.3):
                self.to = None
            self.start = 0
        else:
            self.other, self.to, self.got, self.start = copied(f, self.total)
            self.got = max(self.got, self.size)
        kept = shared if f.chance(0.5) else self.source if f.chance(0.5) else None
        self.target, self.goal = f.place(self.other, SOURCES, self.type, kept)
        self.out = self.into = ""

    def buffers(self):
        f = self.f
        extra = f.draw.choice([0, 0, 0, 5])
        self.room, self.space = self.size + extra, self.got + f.draw.choice([0, 0, 0, 7])
        self.out = f.buffer(self.type, self.room, f.draw.choice([0, 0, 4]))
        self.into = f.buffer(self.type, self.space, f.draw.choice([0, 0, 6]))

    def statements(self):
        """Each is its text, and its Python."""
        f = self.f
        to, source, where, bindings = self.pattern
        count, first = self.size, 0
        if self.way == "gather":
            out, py = section(f, self.out, self.room, 0, count)
            yield (f"{self.into}[r * {count} : {count}]@P - 1 <<= {out}@r where r in world",
                   f"([(P - 1, r, r) for r in range(P)], lambda r: ({self.into}, range(r * {count}, r * {count} + {count})), lambda r: {py})")
            return
        pieces = [(0, count, 1)]
        if self.way == "part":
            first = f.draw.randrange(min(count, 4))
            pieces = [(first, max(1, count - first - f.draw.randrange(4)), 1)]
        elif self.way == "halves" and count > 4:
            half = f.draw.randrange(1, count - 1)
            pieces = [(0, half, 1), (half, count - half, 1)]
            f.draw.shuffle(pieces)
        elif self.way == "strided":
            pieces = [(0, count // 2, 2)]
        elif self.way == "bigger":
            pieces = [(0, min(self.room, self.space), 1)]
        elif self.first:
            pieces = [(self.first, count - self.first, 1)]
        for first, number, stride in pieces:
            value = section(f, self.out, self.room, first, number, stride)
            place = section(f, self.into, self.space, first, number, stride)
            more = f" where {where}" if where else ""
            called = names(where)
            yield (f"{place[0]}@{to} <<= {value[0]}@{source}{more}", f"({bindings}, lambda {called}: {place[1]}, lambda {called}: {value[1]})")


def block(f, pairs):
    texts = [one for pair in pairs for one in pair.statements()]
    modifier = " (copy)" if f.chance(0.15) else ""
    f.line(f"@communicate{modifier} {{\n  " + ";\n  ".join(one[0] for one in texts) + "\n}", f"yield [{', '.join(one[1] for one in texts)}]")


def turn(f, pairs, inside):
    """The loops and the block once."""
    if inside:
        for pair in pairs:
            pair.buffers()
    some = [pair.source for pair in pairs]
    for pair in pairs:
        if f.calm or f.chance(0.9):
            f.copy(pair.nest, pair.out, pair.index, pair.element, True, pair.first)
            f.between(some)
    if f.time and not f.calm and f.chance(0.15):
        f.line("if (t == 1) continue;", "if t == 1:\n  t += 1\n  continue")
    block(f, pairs)
    if not f.calm and f.chance(0.1):
        f.line(f"{pairs[0].out}[0] = 9;", f"{pairs[0].out}[0] = 9")
    if f.chance(0.08):
        f.line("x = x + 1;", "x = x + 1")
    if f.chance(0.06):
        cpp, py = f.draw.choice(pairs).target.at("0", "0")
        f.line(f"x = static_cast<int>({cpp});", f"x = {py}")
    for pair in pairs:
        if pair.unpacked:
            f.copy(pair.other, pair.into, pair.to, pair.goal, False, pair.start)
    for pair in pairs:
        if not f.calm and f.chance(0.15):
            read = f.draw.choice([pair.out, pair.into])
            f.line(f"x = x * 3 % 1000 + static_cast<int>({read}[0]);", f"x = x * 3 % 1000 + {read}[0]")
    again(f, pairs)


def again(f, pairs):
    """Sometimes a second block with the same buffers; what the loops counted is used."""
    if not f.calm and f.chance(0.3):
        if f.chance(0.5):
            pair = f.draw.choice(pairs)
            f.copy(pair.nest, pair.out, pair.index, pair.element, True, pair.first, True)
        block(f, pairs)
        if f.chance(0.5) and pairs[0].unpacked:
            f.line(f"add(line, &{pairs[0].into}[0], {pairs[0].space});", f"line += add({pairs[0].into}, {pairs[0].space})")
    for one in f.later:
        if f.chance(0.4):
            f.line(f"x = (x * 3 + 5000 + static_cast<int>({one})) % 1000;", f"x = (x * 3 + 5000 + {one}) % 1000")
    f.later = []


def exchange(f, rounds):
    """All of a function between its first and its last lines."""
    pairs = [Pair(f, None)]
    if f.chance(0.35):
        pairs.append(Pair(f, pairs[0].target))
    for one in f.stores:
        f.each(one, f"{{q}} * {f.draw.randrange(2, 9)} + me * 37 + {f.draw.randrange(90)}")
    inside = rounds > 0 and f.chance(0.5)
    if not inside:
        for pair in pairs:
            pair.buffers()
    if rounds:
        f.time = "t"
        f.line(f"for (int t = 0; t < {rounds}; ++t) {{", f"t = 0\nwhile t < {rounds}:")
        f.depth += 1
    turn(f, pairs, inside)
    if rounds:
        if f.chance(0.6):
            f.each(f.draw.choice(f.stores), "{x} * 3 + {q} + t")
        f.py.append("  " * f.depth + "t += 1")
        f.depth -= 1
        f.cpp.append("  " * f.depth + "}")
        f.time = None
