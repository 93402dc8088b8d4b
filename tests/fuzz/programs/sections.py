# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws sections, `base[first : count : stride]` in each dimension, as places and as values."""

import model
from expressions import E, call, constant, integer, modulo, paths, positive, walk
from model import BOOL, DOUBLE, INT

LISTS = ("array", "c_array", "vector", "buffer")


class Section:
    """C++ text, Python text of the value or of the path (a model.Parts), type of an element, how many."""

    def __init__(self, variable, c, p, element, count):
        self.variable, self.c, self.p, self.element, self.count = variable, c, p, element, count


def section_type(element, count):
    """The type in which a section travels; of -1 elements where the number is known at run time alone."""
    return model.Type(f"a section of {element.name}", None, None, element, count, kind="section", operations=element.operations)


def slice_of(scope, length, count):
    """`count` of `length` elements: (C++ text, Python text), with a drawn stride and beginning."""
    draw = scope.draw
    strides = [stride for stride in (1, 1, 2, 3) if (count - 1) * stride < length]
    stride = draw.choice(strides)
    if count == length and draw.random() < 0.5:
        return ":", f"(0, {length}, 1)"
    last = length - 1 - max(count - 1, 0) * stride
    first = constant(draw.randrange(last + 1))
    if last > 0 and draw.random() < 0.3:
        e = positive(integer(scope, 1))
        first = e if e.high <= last else modulo(e, constant(last + 1))
    spelled = f"{first.inner().c} : {count}" + (f" : {stride}" if stride > 1 or draw.random() < 0.1 else "")
    return spelled, f"({first.p}, {count}, {stride})"


def shapes(lengths, count):
    """The numbers of elements in each dimension whose product is `count`; all numbers for None."""
    if not lengths:
        return [()] if count in (None, 1) else []
    found = []
    for here in range(1, lengths[0] + 1):
        if count is None or count % here == 0:
            found += [(here,) + rest for rest in shapes(lengths[1:], None if count is None else count // here)]
    if count == 0:
        found.append((0,) + lengths[1:])
    return found


def section(scope, variables, reading, accept, count=None):
    """A section of `count` elements (any number for None) whose element type is accepted, or None. A place unless `reading`."""
    draw = scope.draw
    found = []
    for variable in variables:
        if reading and variable.name in scope.hidden:
            continue
        for steps, type_ in paths(variable.type):
            dimensions, inner = (), type_
            while inner.kind in LISTS and inner.element is not None and "key" not in steps:
                dimensions, inner = dimensions + (inner.length,), inner.element
                if accept(inner) and shapes(dimensions, count):
                    found.append((variable, steps, dimensions, inner))
    if not found:
        return None
    variable, steps, dimensions, inner = draw.choice(found)
    base = walk(scope, variable, steps, reading)
    c = base.c
    type_ = base.type
    if type_.kind in ("array", "vector") and type_.element is not BOOL and draw.random() < 0.15:
        c += ".data()"
    shape = draw.choice(shapes(dimensions, count))
    slices = []
    for length, here in zip(dimensions, shape):
        spelled, python = slice_of(scope, length, here)
        # A pointer does not know where its elements end.
        if spelled == ":" and c.endswith(".data()"):
            spelled = f"0 : {length}"
        c, slices = f"{c}[{spelled}]", slices + [python]
    total = 1
    for here in shape:
        total *= here
    p = f"({', '.join(slices)},)"
    p = f"section_value({base.p}, {p})" if reading else f"section_paths({base.path}, {p})"
    return Section(variable, c, p, inner, total)


def counted(scope, variables, accept, reading, e):
    """The first `e` elements, 0 .. 2, of something: the number is known at run time alone."""
    found = [(variable, steps, type_) for variable in variables if not (reading and variable.name in scope.hidden)
             for steps, type_ in paths(variable.type)
             if type_.kind in LISTS and type_.element is not None and type_.length >= 2 and accept(type_.element) and "key" not in steps]
    if not found:
        return None
    variable, steps, type_ = scope.draw.choice(found)
    base = walk(scope, variable, steps, reading)
    p = f"section_value({base.p}, ((0, {e.p}, 1),))" if reading else f"section_paths({base.path}, ((0, {e.p}, 1),))"
    return Section(variable, f"{base.c}[0 : {e.c}]", p, type_.element, -1)


def elements(scope, element, count):
    """A value of `count` elements that is no section, or None: a list that an expression makes."""
    function = {INT: "sequence", DOUBLE: "series", BOOL: "bits", model.STRING: "words"}.get(element)
    if function is None or count <= 0:
        return None
    return call(function, function, [positive(integer(scope)), constant(count)], 0, 0)


def assignment(maker, scope):
    """(place text, path text, place type, value, value type, variable) of an assignment with a section, or None."""
    draw = maker.draw
    uniform = draw.random() < 0.2
    if uniform:
        e = modulo(positive(integer(maker.scope, 1)), constant(3))
        place = counted(scope, maker.places, lambda t: True, False, e)
        if place is None:
            return None
        value = counted(scope, scope.variables, lambda t: fits(t, place.element), True, e)
        if value is None:
            return None
        return place.c, place.p, section_type(place.element, -1), E(value.c, value.p), section_type(value.element, -1), place.variable
    if draw.random() < 0.25:  # a section goes to a whole list
        whole = maker.place(lambda t: t.kind in LISTS and (t.element is not None or t in (model.FREE_INTS, model.FREE_REALS)))
        if whole is None:
            return None
        element = whole.type.element or (INT if whole.type is model.FREE_INTS else DOUBLE)
        value = section(scope, scope.variables, True, lambda t: fits(t, element), whole.type.length or None)
        if value is None:
            return None
        return whole.c, whole.path, whole.type, E(value.c, value.p), section_type(value.element, value.count), whole.variable
    place = section(scope, maker.places, False, lambda t: True)
    if place is None:
        return None
    type_ = section_type(place.element, place.count)
    made = elements(scope, place.element, place.count) if draw.random() < 0.2 else None
    if made is not None:
        return place.c, place.p, type_, made, section_type(place.element, place.count), place.variable
    value = section(scope, scope.variables, True, lambda t: fits(t, place.element), place.count)
    if value is None:
        return None
    return place.c, place.p, type_, E(value.c, value.p), section_type(value.element, value.count), place.variable


def fits(source, target):
    """Whether elements of the one are assigned to elements of the other."""
    if source.kind == "real" and target.kind in ("integer", "bool"):
        return False
    return model.conversion(source, target) is not None


def reduction(maker, scope):
    """The same for a reduction: (place text, path text, place type, value, value type, variable, operator)."""
    draw = maker.draw
    place = section(scope, maker.places, False, lambda t: bool(t.operations))
    if place is None:
        return None
    value = section(scope, scope.variables, True, lambda t: t is place.element, place.count)
    if value is None:
        return None
    inner = place.element
    while inner.element is not None:
        inner = inner.element
    operators = [op for op in inner.operations if not (inner is INT and op in "+*") and not (inner.kind == "real" and op == "*")]
    type_ = section_type(value.element, value.count)
    return place.c, place.p, section_type(place.element, place.count), E(value.c, value.p), type_, place.variable, draw.choice(operators)

