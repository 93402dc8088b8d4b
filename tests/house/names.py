# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One name, one class: two classes of one namespace with one name break C++'s one-definition rule, and the linker may
take the inline functions of one for the other's, without a word. Rooms that never include each other do not notice."""

import re

import house

TREES = ("compiler/", "runtime/src/")
SOURCE = re.compile(r"\.(cpp|hpp)$")
# What may hold a brace that is none: comments, raw strings, strings, characters (no digit separators).
TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'',
                  re.DOTALL)
TOKEN = re.compile(r"[{};]|\bnamespace\b([^{};=]*)(?=\{)|(?<!enum )\b(?:class|struct)\b([^{};()=<>]*?)(?=\{|:(?!:)|\bfinal\b)")


def classes(text):
    """Yields (namespace, name, line) of each class that is defined in a namespace with a name."""
    text = TEXT.sub(lambda found: re.sub(r"[^\n]", " ", found.group(0)), text)
    around, opens = [], None
    for token in TOKEN.finditer(text):
        if token.group(0).startswith("namespace"):
            opens = token.group(1).strip() or "(unnamed)"
        elif token.group(0) == "{":
            around.append(opens)
            opens = None
        elif token.group(0) == "}":
            if around:
                around.pop()
        elif token.group(0) != ";":
            words = re.sub(r"\[\[.*?\]\]|alignas|\s+$", "", token.group(2)).split()
            if words and "::" not in words[-1] and None not in around and "(unnamed)" not in around:
                yield "::".join(around), words[-1], text.count("\n", 0, token.start()) + 1


def rule(files):
    first, found = {}, []
    for path, text in files.items():
        if not path.startswith(TREES) or not SOURCE.search(path) or path.endswith("_test.cpp") or "/test_" in path:
            continue
        for namespace, name, line in classes(text):
            before = first.setdefault((namespace, name), f"{path}:{line}")
            if before != f"{path}:{line}":
                found.append(f"{path}:{line}: {namespace}::{name} is another class than that at {before}")
    return found


A, B = "runtime/src/a/x.hpp", "runtime/src/b/y.hpp"
IN = "namespace kanor::rt {\n%s\n}  // namespace kanor::rt\n"

CASES = [
    ({A: IN % "class Loan;\nstruct Loan {};", B: IN % "class Lender {\n  struct Loan {};\n};"}, []),
    ({A: IN % "struct Loan {};", B: IN % "class Loan final : public Receive {};"}, ["y.hpp:2: kanor::rt::Loan is another"]),
    ({A: IN % "namespace {\nstruct Loan {};\n}", B: IN % "struct Loan {};"}, []),
    ({A: IN % "struct Loan {};", B: "namespace kanor::rt::c_api {\nstruct Loan {};\n}\n"}, []),
    ({A: IN % "namespace plan {\nclass Plan;\n}\n/* { */ const char* s = \"{\";\nstruct Loan : Base {};",
      B: IN % "struct Other {};\nclass [[nodiscard]] Loan {};"}, ["y.hpp:3: kanor::rt::Loan"]),
    ({A: IN % "template <class T>\nstruct Loan {};\nvoid f() {\n  struct Local {};\n}", B: IN % "struct Local {};"}, []),
    ({A: IN % "struct Loan {};", B: IN % "struct Loan::Rare {\n};\nenum class Side : unsigned char;", "runtime/src/c.hpp":
      IN % "enum class Side : unsigned char { one };"}, []),
]

if __name__ == "__main__":
    house.main(rule, CASES)
