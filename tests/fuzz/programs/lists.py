# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws lists of indices, as in `base[indices]`: ranges of integers of all kinds, as C++ and Python texts."""

import model
from expressions import MOST_RANKS, add, constant, index, integer, modulo, positive, size
from model import INT

# Classes of lists that hold any number of elements; `std::array` says its own.
CLASSES = ["std::vector<int>", "std::vector<unsigned>", "std::vector<short>", "std::vector<unsigned char>",
           "std::vector<std::size_t>", "std::vector<long long>", "std::list<short>", "std::list<int>", "std::deque<long>"]
ELEMENTS = ["int", "unsigned", "short", "unsigned char", "std::size_t", "long long"]
# More elements are not spelled one by one.
MOST_SPELLED = 9


class Listed:
    """C++ text, Python text of an iterable, what it is (for the report)."""

    def __init__(self, c, p, kind):
        self.c, self.p, self.kind = c, p, kind


def class_of(draw, count):
    return f"std::array<{draw.choice(ELEMENTS)}, {count}>" if draw.random() < 0.25 else draw.choice(CLASSES)


def element_of(class_):
    return class_[class_.index("<") + 1:-1].split(",")[0]


def spelled(scope, length, count, repeats):
    """`std::vector<int>{2, i, 0}`"""
    draw = scope.draw
    if repeats:
        members = [index(scope, length) for _ in range(count)]
    else:
        members = [constant(at) for at in draw.sample(range(length), count)]
        if draw.random() < 0.4:  # all moved by as many elements, so that none is there twice
            by = positive(integer(scope, 1))
            members = [modulo(add(by.inner(), member), constant(length)) for member in members]
    class_ = class_of(draw, count)
    texts = [m.c if m.c.isdigit() else f"static_cast<{element_of(class_)}>({m.c})" for m in members]
    kind = class_.split("<")[0] + " of " + element_of(class_)
    return Listed(f"{class_}{{{', '.join(texts)}}}", f"({''.join(m.p + ', ' for m in members)})", kind)


def progression(scope, length, count):
    """`range(first, last, step)`, upwards or downwards; an iota for steps of one."""
    draw = scope.draw
    step = draw.choice([step for step in (1, 1, 2, 3) if (count - 1) * step < length])
    last = length - 1 - max(count - 1, 0) * step
    first = index(scope, last + 1).inner()
    if draw.random() < 0.15 and step == 1:
        end = add(first, constant(count))
        return Listed(f"std::views::iota({first.c}, {end.c})", f"range({first.p}, {end.p})", "std::views::iota")
    name = draw.choice(["range", "kanor::range"])
    reach = count * step
    if draw.random() < 0.4:
        begin = add(first, constant((count - 1) * step)) if count else first
        c, p = f"{begin.c}, {begin.c} - {reach}, -{step}", f"{begin.p}, {begin.p} - {reach}, -{step}"
        kind = "kanor::range downwards"
    else:
        end = add(first, constant(reach))
        by = f", {step}" if step > 1 or draw.random() < 0.2 else ""
        c, p, kind = f"{first.c}, {end.c}{by}", f"{first.p}, {end.p}{by}", "kanor::range"
        if draw.random() < 0.2:
            type_ = draw.choice(["std::size_t", "unsigned", "long"])
            c = ", ".join(f"static_cast<{type_}>({part})" for part in c.split(", ")) if "(" not in c else c
    return Listed(f"{name}({c})", f"range({p})", kind)


def picked(scope, length, count, count_c=None, count_p=None):
    """A list that a function makes; of as many elements as the texts say where the number is no constant."""
    draw = scope.draw
    class_ = class_of(draw, count) if count_c is None else draw.choice(CLASSES)
    e = positive(integer(scope, 1))
    count_c, count_p = (count_c or count), (count_p or count)
    return Listed(f"picks<{class_}>({e.c}, {count_c}, {length})", f"picks({e.p}, {count_p}, {length})", "made by a call")


def variables_of(scope, accept):
    """The C++ and Python texts of variables of this block whose type is accepted."""
    return [(v.c, f"S['{v.name}']", v.type) for v in scope.variables if v.name not in scope.hidden and accept(v.type)]


def variable(scope, length, count):
    """A variable that always has different indices. It may be a place of the same block."""
    found = variables_of(scope, lambda t: t.kind == "indices" and t.length == count != 0 and t.bound <= length)
    if not found:
        return None
    c, p, type_ = scope.draw.choice(found)
    return Listed(c, p, "a variable, " + type_.name.replace(" @", "").split("<")[0])


def taken(scope, length, count):
    """The numbers of a variable, brought into the base's length: some of them equal."""
    found = variables_of(scope, lambda t: t.kind in ("array", "c_array", "vector", "buffer") and t.element is INT and t.length == count)
    if not found:
        return None
    c, p, _ = scope.draw.choice(found)
    return Listed(f"within({c}, {length})", f"within({p}, {length})", "numbers of a variable")


def listed(scope, length, count, repeats):
    """A list of `count` indices of a base of that length; none twice unless `repeats`."""
    draw = scope.draw
    for _ in range(4):
        kind = draw.randrange(7 if repeats else 6)
        found = None
        if kind <= 1 and count <= MOST_SPELLED:
            found = spelled(scope, length, count, repeats)
        elif kind == 2 and count <= length:
            found = progression(scope, length, count)
        elif kind == 3 and count <= length:
            found = picked(scope, length, count)
        elif kind <= 5:
            found = variable(scope, length, count)
        elif kind == 6:
            found = taken(scope, length, count)
        if found:
            return found
    if count <= length:
        return picked(scope, length, count)
    return spelled(scope, length, count, True)


def as_many(scope, length, number, repeats):
    """A list of as many indices as the expression, which all ranks know, says: 0 .. 2."""
    if scope.draw.random() < 0.3:
        return Listed(f"range(0, {number.c})", f"range({number.p})", "kanor::range")
    if repeats and scope.draw.random() < 0.3:
        at = index(scope, length)
        return Listed(f"std::vector<int>({number.inner().c}, {at.c})", f"({at.p},) * ({number.p})", "one index some times")
    return picked(scope, length, None, number.c, number.inner().p)


def free(scope, length):
    """A variable with indices of which nobody knows how many they are, or None."""
    found = variables_of(scope, lambda t: t.kind == "indices" and t.length == 0 and t.bound <= length)
    if not found:
        return None
    c, p, _ = scope.draw.choice(found)
    return Listed(c, p, "a variable of any length")


def ranks(scope, length, repeats):
    """A list of as many indices as the team has ranks: the team itself, a permutation of it."""
    assert length >= MOST_RANKS
    n = size(scope)
    last = constant(length - 1)
    choices = [(scope.team, "range(n)", "a team"), (scope.team, "range(n)", "a team"), ("d.perm", "D.perm", "ranks in a vector"),
               (f"range(0, {n.c})", "range(n)", "kanor::range"), (f"range({n.c} - 1, -1, -1)", "range(n - 1, -1, -1)", "kanor::range downwards"),
               (f"kanor::range({last.c}, {last.c} - {n.c}, -1)", f"range({last.p}, {last.p} - n, -1)", "kanor::range downwards")]
    if repeats:
        choices += [("d.goal", "D.goal", "ranks in a vector")] * 2
    return Listed(*scope.draw.choice(choices))
