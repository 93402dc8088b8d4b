# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws sections, `base[first : count : stride]` in each dimension and `base[indices]` in the last, as places and as values."""

import lists
import model
from expressions import MOST_RANKS, E, call, constant, integer, modulo, paths, positive, readable, walk
from model import BOOL, DOUBLE, INT

LISTS = ("array", "c_array", "vector", "buffer")


class Section:
    """C++ text, Python text of the value or of the path (a model.Parts), type of an element, how many (-1: known at run time
    alone), the list of indices (lists.Listed) of the last dimension or None, number of dimensions."""

    def __init__(self, variable, c, p, element, count, listed=None, dimensions=1):
        self.variable, self.c, self.p, self.element, self.count = variable, c, p, element, count
        self.listed, self.dimensions = listed, dimensions

    def type(self):
        return section_type(self.element, self.count)


class Made:
    """What a statement takes: place, value, operator of a reduction; features for the report."""

    def __init__(self, place, value, op=None):
        """The sides: each a Section, or (C++ text, Python text, type[, variable])."""
        self.place, self.path, self.place_type, self.variable = parts(place)
        c, p, self.value_type, _ = parts(value)
        self.value, self.operator = E(c, p), op
        self.features = []
        for section_, side in ((place, "place"), (value, "value")):
            listed = section_.listed if isinstance(section_, Section) else None
            if listed:
                self.features += [f"listed section: {side}", f"listed section: {side} of a{' reduction' if op else 'n assignment'}",
                                  f"list: {listed.kind}"]
                if section_.dimensions > 1:
                    self.features.append("listed section: in several dimensions")
                if section_.count == 0:
                    self.features.append("listed section: empty")


def parts(side):
    if isinstance(side, Section):
        return side.c, side.p, side.type(), side.variable
    return side if len(side) == 4 else side + (None,)


def section_type(element, count):
    """The type in which a section travels; of -1 elements where the number is known at run time alone."""
    return model.Type(f"a section of {element.name}", None, None, element, count, kind="section", operations=element.operations)


def slice_of(scope, length, count):
    """`count` of `length` elements: (C++ text, Python text), with a drawn stride and beginning."""
    draw = scope.draw
    strides = [stride for stride in (1, 1, 2, 3) if (count - 1) * stride < length]
    stride = draw.choice(strides)
    if count == length and draw.random() < 0.5:
        return ":", f"sliced(0, {length}, 1)"
    last = length - 1 - max(count - 1, 0) * stride
    first = constant(draw.randrange(last + 1))
    if last > 0 and draw.random() < 0.3:
        e = positive(integer(scope, 1))
        first = e if e.high <= last else modulo(e, constant(last + 1))
    text = f"{first.inner().c} : {count}" + (f" : {stride}" if stride > 1 or draw.random() < 0.1 else "")
    return text, f"sliced({first.p}, {count}, {stride})"


def shapes(lengths, count, spare=0):
    """The numbers of elements in each dimension whose product is `count`; all numbers for None. In the last dimension there
    may be `spare` more elements than the base has, which only a list with repeated ones has."""
    if not lengths:
        return [()] if count in (None, 1) else []
    found = []
    for here in range(1, lengths[0] + 1 + (spare if len(lengths) == 1 else 0)):
        if count is None or count % here == 0:
            found += [(here,) + rest for rest in shapes(lengths[1:], None if count is None else count // here, spare)]
    if count == 0:
        found += [(0,) + lengths[1:], lengths[:-1] + (0,)]
    return found


def shaped(scope, c, length):
    """A flat list as the rows of a `kanor::section`: (C++ text, numbers of rows and columns), or None."""
    draw = scope.draw
    columns = draw.randrange(1, 5)
    rows = length // columns
    if rows == 0:
        return None
    return f"kanor::section({c}, {rows}, {columns})", (rows, columns)


def section(scope, variables, reading, accept, count=None):
    """A section of `count` elements (any number for None) whose element type is accepted, or None. A place unless `reading`."""
    draw = scope.draw
    listing = draw.random() < 0.45
    spare = 2 if listing and reading else 0
    if count is None and draw.random() < 0.04:
        count = 0
    found = []
    for variable in variables:
        if reading and variable.name in scope.hidden:
            continue
        for steps, type_ in paths(variable.type):
            dimensions, inner = (), type_
            while inner.kind in LISTS and inner.element is not None and "key" not in steps:
                dimensions, inner = dimensions + (inner.length,), inner.element
                if accept(inner) and shapes(dimensions, count, spare):
                    found.append((variable, steps, dimensions, inner))
    if not found:
        return None
    variable, steps, dimensions, inner = draw.choice(found)
    base = walk(scope, variable, steps, reading)
    c, type_, width = base.c, base.type, 0
    flat = len(dimensions) == 1 and type_.element is not BOOL and type_.element.kind != "c_array"
    if flat and draw.random() < 0.12:
        made = shaped(scope, c, dimensions[0])
        if made and shapes(made[1], count, spare):
            c, dimensions = made
            width = dimensions[1]
    elif flat and draw.random() < 0.06:
        c = f"std::span({c})"
    elif type_.kind in ("array", "vector") and type_.element is not BOOL and draw.random() < 0.15:
        c += ".data()"
    shape = draw.choice(shapes(dimensions, count, spare))
    taken, listed = [], None
    for at, (length, here) in enumerate(zip(dimensions, shape)):
        if at == len(dimensions) - 1 and (listing or here > length):
            listed = lists.listed(scope, length, here, reading)
            text, python = listed.c, listed.p
        else:
            text, python = slice_of(scope, length, here)
            # A pointer does not know where its elements end.
            if text == ":" and c.endswith(".data()"):
                text = f"0 : {length}"
        c, taken = f"{c}[{text}]", taken + [python]
    total = 1
    for here in shape:
        total *= here
    if width:
        taken = [f"[row_ * {width} + column_ for row_ in {taken[0]} for column_ in {taken[1]}]"]
    return Section(variable, c, taken_from(base, taken, reading), inner, total, listed, len(dimensions))


def taken_from(base, dimensions, reading):
    """The Python text of those elements: their value, or their paths."""
    p = f"({', '.join(dimensions)},)"
    return f"section_value({base.p}, {p})" if reading else f"section_paths({base.path}, {p})"


def of_list(scope, variables, accept, reading, length, dimension):
    """A section of a list of at least `length` elements. `dimension` draws what it takes of a list of some length: (C++ text,
    Python text, lists.Listed or None)."""
    found = [(variable, steps, type_) for variable in variables if not (reading and variable.name in scope.hidden)
             for steps, type_ in paths(variable.type)
             if type_.kind in LISTS and type_.element is not None and type_.length >= length and accept(type_.element) and "key" not in steps]
    if not found:
        return None
    variable, steps, type_ = scope.draw.choice(found)
    base = walk(scope, variable, steps, reading)
    drawn = dimension(type_.length)
    if drawn is None:
        return None
    c, p, listed = drawn
    return Section(variable, f"{base.c}[{c}]", taken_from(base, [p], reading), type_.element, -1, listed)


def counted(scope, variables, accept, reading, e):
    """`e` elements, 0 .. 2, of something: the number is known at run time alone."""
    def dimension(length):
        if scope.draw.random() < 0.5:
            return f"0 : {e.c}", f"sliced(0, {e.p}, 1)", None
        listed = lists.as_many(scope, length, e, reading)
        return listed.c, listed.p, listed
    return of_list(scope, variables, accept, reading, 2, dimension)


def as_ranks(scope, variables, accept, reading):
    """As many elements as the team has ranks."""
    def dimension(length):
        listed = lists.ranks(scope, length, reading)
        return listed.c, listed.p, listed
    return of_list(scope, variables, accept, reading, MOST_RANKS, dimension)


def free(scope, accept):
    """A value of as many elements as a variable has indices."""
    def dimension(length):
        listed = lists.free(scope, length)
        return listed and (listed.c, listed.p, listed)
    return of_list(scope, scope.variables, accept, True, 3, dimension)


def elements(scope, element, count):
    """A value of `count` elements that is no section, or None: a list that an expression makes, or a variable."""
    if scope.draw.random() < 0.5:
        place = readable(scope, lambda t: t.kind in LISTS and t.element is element and t.length == count)
        if place:
            return place.c, place.p, place.type
    function = {INT: "sequence", DOUBLE: "series", BOOL: "bits", model.STRING: "words"}.get(element)
    if function is None or count <= 0:
        return None
    made = call(function, function, [positive(integer(scope)), constant(count)], 0, 0)
    return made.c, made.p, section_type(element, count)


def assignment(maker, scope):
    """An assignment with a section, or None."""
    draw = maker.draw
    kind = draw.random()
    if kind < 0.25:  # numbers of elements that are known at run time alone
        if kind < 0.17:
            e = modulo(positive(integer(maker.scope, 1)), constant(3))

            def side(variables, accept, reading):
                return counted(scope, variables, accept, reading, e)
        else:
            def side(variables, accept, reading):
                return as_ranks(scope, variables, accept, reading)
        place = side(maker.places, lambda t: True, False)
        value = place and side(scope.variables, lambda t: fits(t, place.element), True)
        return value and Made(place, value)
    if kind < 0.45:  # a section goes to a whole list
        whole = maker.place(lambda t: t.kind in LISTS and (t.element is not None or t in (model.FREE_INTS, model.FREE_REALS)))
        if whole is None:
            return None
        element = whole.type.element or (INT if whole.type is model.FREE_INTS else DOUBLE)
        if not whole.type.length and draw.random() < 0.4:
            value = free(scope, lambda t: fits(t, element))
        else:
            value = section(scope, scope.variables, True, lambda t: fits(t, element), whole.type.length or None)
        return value and Made((whole.c, whole.path, whole.type, whole.variable), value)
    place = section(scope, maker.places, False, lambda t: True)
    if place is None:
        return None
    made = elements(scope, place.element, place.count) if draw.random() < 0.2 else None
    made = made or section(scope, scope.variables, True, lambda t: fits(t, place.element), place.count)
    return made and Made(place, made)


def fits(source, target):
    """Whether elements of the one are assigned to elements of the other."""
    if source.kind == "real" and target.kind in ("integer", "bool"):
        return False
    return model.conversion(source, target) is not None


def reduction(maker, scope):
    """A reduction with a section, or None."""
    draw = maker.draw
    place = section(scope, maker.places, False, lambda t: bool(t.operations))
    if place is None:
        return None
    value = elements(scope, place.element, place.count) if draw.random() < 0.1 else None
    value = value or section(scope, scope.variables, True, lambda t: t is place.element, place.count)
    if value is None:
        return None
    inner = place.element
    while inner.element is not None:
        inner = inner.element
    operators = [op for op in inner.operations if not (inner is INT and op in "+*") and not (inner.kind == "real" and op == "*")]
    return Made(place, value, draw.choice(operators))
