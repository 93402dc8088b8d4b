# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The statements: read from moves.txt, overwrites.txt and uses.txt, and written for the variables of a program.

An entry is a line `== name | forms | what it leaves`, and C++ text in which B, C and D are variables of one form and

    T, N, ROWS, COLUMNS  the variables' type, their number of elements
    X, MAKE(x)           some number; a value of type T whose elements are x
    FILL(B, x) COPY(B, C) REV(B) EL(B, i) ASSIGN   what is spelled differently for arrays and classes
    me, n, k             the rank, the number of ranks, the turn of the loop around
    UU, HERE             a number that no other statement has

`kill=B`: afterwards B's value is unspecified on some rank (it was moved from); `set=B`: B is overwritten on every rank
and need not have had a value; `odd=B`: its length changes; `same`: needs equal lengths; `noloop`: not inside of a loop;
`own`: only in braces of its own.
"""

import os
import re

FOLDER = os.path.dirname(os.path.abspath(__file__))
CLASSES = {"C": "vlabwxms", "K": "vlawxms", "F": "vacb", "FP": "vacbp", "Z": "vlabwxmscp", "VLAB": "vla", "VLB": "vlb"}


class Form:
    """A type of variables. `length`: of its elements, as text."""

    def __init__(self, letter, length, rows=0):
        self.letter, self.length, self.rows = letter, length, rows

    @property
    def type(self):
        n = self.length
        return {"v": "std::vector<double>", "l": "std::vector<long>", "a": f"std::array<double, {n}>", "b": "kanor::buffer<double>",
                "w": "std::vector<std::array<double, 4>>", "x": "std::vector<std::vector<double>>", "m": "std::map<int, double>",
                "s": "std::string", "c": f"double[{n}]", "p": f"double[{self.rows}][{n}]"}[self.letter]

    @property
    def reduces(self):
        return self.letter in "vlacp"

    @property
    def is_class(self):
        return self.letter not in "cp"

    def make(self, x):
        n = self.length
        return {"v": f"std::vector<double>({n}, {x})", "l": f"std::vector<long>({n}, {x})", "a": f"filled<{n}>({x})",
                "b": f"kanor::buffer<double>({n}, {x})",
                "w": f"std::vector<std::array<double, 4>>({n}, std::array<double, 4>{{double({x}), 1, 2, 3}})",
                "x": f"std::vector<std::vector<double>>(3, std::vector<double>({n}, {x}))", "m": f"table({n}, {x})",
                "s": f"std::string({n}, char('a' + int({x}) % 26))"}[self.letter]

    def fill(self, name, x, number):
        n = self.length
        if self.letter == "c":
            return f"for (int q{number} = 0; q{number} < {n}; ++q{number}) {name}[q{number}] = {x};"
        if self.letter == "p":
            return (f"for (int p{number} = 0; p{number} < {self.rows}; ++p{number})\n"
                    f"  for (int q{number} = 0; q{number} < {n}; ++q{number}) {name}[p{number}][q{number}] = {x};")
        if self.letter == "a":
            return f"{name}.fill({x});"
        if self.letter in "vl":
            return f"{name}.assign({n}, {x});"
        return f"{name} = {self.make(x)};"

    def declaration(self, name, x):
        if self.letter == "c":
            return f"double {name}[{self.length}] = {{double({x}), 1, 2, 3}};"
        if self.letter == "p":
            return f"double {name}[{self.rows}][{self.length}] = {{{{double({x}), 1, 2}}, {{3}}}};"
        if self.letter in "vlb":
            return f"{self.type} {name}({self.length}, {x});"
        return f"{self.type} {name} = {self.make(x)};"

    def element(self, expression, index):
        return f"{expression}[0][{index}]" if self.letter == "p" else f"{expression}[{index}]"

    def copy(self, place, value):
        if self.letter == "b":
            return f"{place} = {value}.clone();"
        return f"{place} = {value};" if self.is_class else f"std::memcpy(&{place}, &{value}, sizeof {place});"

    def assign(self, x):
        return f"fill({x})" if self.letter == "a" else f"assign({self.length}, {x})"


class Entry:
    def __init__(self, name, forms, attributes, text):
        self.name, self.text = name, text
        self.forms = CLASSES.get(forms, forms)
        self.kill, self.set, self.odd = (re.findall("[BCD]", self._value(attributes, key)) for key in ("kill", "set", "odd"))
        words = attributes.split()
        self.same, self.once, self.own = "same" in words, "noloop" in words, "own" in words
        if name.split(": ")[1].startswith(("fill", "mem")):
            self.set = []  # these need the elements that they overwrite
        self.used = sorted(set(re.findall(r"\b[BCD]\b", text)))
        self.needs_length = self.same or bool(re.search(r"\b(N|ROWS|FILL)\b", text))

    @staticmethod
    def _value(attributes, key):
        found = re.search(key + r"=(\S*)", attributes)
        return found.group(1) if found else ""


def read():
    entries = []
    for name in ("moves", "overwrites", "uses"):
        with open(os.path.join(FOLDER, name + ".txt"), encoding="utf-8") as file:
            parts = re.split(r"^== ", file.read(), flags=re.M)[1:]
        for part in parts:
            head, text = part.split("\n", 1)
            title, forms, attributes = (one.strip() for one in head.split("|"))
            entries.append(Entry(f"{name}: {title}", forms, attributes, text.rstrip()))
    return entries


def arguments(text, start):
    """The arguments of the call whose `(` is at `start`, and where it ends."""
    depth, first, found = 0, start + 1, []
    for at in range(start, len(text)):
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth -= 1
            if depth == 0:
                return found + [text[first:at].strip()], at + 1
        elif text[at] == "," and depth == 1:
            found.append(text[first:at].strip())
            first = at + 1
    raise ValueError(text)


def write(entry, form, names, number, turn, draw):
    """The entry's text for variables `names` (B, C, D to names)."""
    text = entry.text.replace("UU", str(number))
    # Lambdas that capture nothing by default, local classes and constants know no `me`.
    captures = re.findall(r"(?<![\w\])])\[([^\[\]]*)\]\s*[({<m]", entry.text)
    plain = re.search(r"struct Do|constexpr|static_assert", entry.text) or any(one[:1] not in ("&", "=") or one[1:2].isalpha() for one in captures)

    def number_of(_):
        return f"{draw.randrange(9)}.0" if plain else draw.choice(["double(me + 3)", "7.0", f"double({turn} + 2)", "double(me * 10 + 1)", "double(n)"])

    text = re.sub(r"\bASSIGN\b", lambda _: form.assign("X"), text)
    macros = {"MAKE": lambda x: form.make(x), "REV": lambda b: f"reversed({b})", "FILL": lambda b, x: form.fill(b, x, number),
              "FILL1": lambda b, x: form.fill(b, x, number + 1000), "COPY": form.copy, "EL": form.element}
    while True:
        found = re.search(r"\b(MAKE|REV|FILL1?|COPY|EL)\(", text)
        if not found:
            break
        given, end = arguments(text, found.end() - 1)
        text = text[:found.start()] + macros[found.group(1)](*given) + text[end:]
    text = re.sub(r"\bX\b", number_of, text)
    for word, value in (("T", form.type), ("N", str(form.length)), ("ROWS", str(form.rows)), ("COLUMNS", str(form.length)),
                        ("HERE", str(number)), ("k", turn), *names.items()):
        text = re.sub(rf"\b{word}\b", lambda _, value=value: value, text)
    return text
