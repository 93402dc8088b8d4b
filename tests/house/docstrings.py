# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What users may call is documented: every declaration of the public headers has a /// comment.

A declaration that follows a documented one without a blank line between them belongs to its comment (a
group of overloads). Constructors, operators and what every container has mean what they mean in C++. Headers in abi/ are for emitted code alone and must say so at their beginning.
"""

import re

import house

PUBLIC = "runtime/include/kanor/"

# What needs no comment of its own.
EXEMPT = re.compile(r"""(inline\ )?namespace\b | (friend|using|typedef|static_assert|extern\ \"\") | template\ (class|struct)\b
                    | .*=\s*(default|delete)\s*; | (class|struct|union|enum)(\ class)?\ [\w:<>,\ ]+; | [~};]""", re.VERBOSE)
CUSTOMARY = re.compile(r"\boperator\b|\b(begin|end|cbegin|cend|size|empty|data)\(\)")
TYPE = re.compile(r"(template\s*<.*>\s*)?(requires .*)?(class|struct|union|enum)\b")


def without_literals(line):
    line = re.sub(r'"(\\.|[^"\\])*"', '""', line)
    line = re.sub(r"'(\\.|[^'\\])+'", "''", line)
    return line.split("//")[0]


class Scan:
    """One pass over a header's lines, keeping the stack of open scopes: 'open' where declarations are
    public, 'closed' elsewhere."""

    def __init__(self, path, text):
        self.path, self.lines = path, text.splitlines()
        self.scopes, self.pending = ["open"], ""
        self.types = []  # the names of the open scopes, None where a scope is no type
        self.documented, self.found = False, []

    def declare(self, number, line):
        if self.scopes[-1] != "open" or EXEMPT.match(line.strip()):
            return
        name = self.types[-1] if self.types else None
        if CUSTOMARY.search(line) or (name and re.match(rf"(constexpr |explicit )*{name}\(", line.strip())):
            return
        if not self.documented and "///<" not in self.lines[number - 1]:
            self.found.append(f"{self.path}:{number}: public, but without a /// comment: {line.strip()}")

    def open_scope(self):
        head = " ".join(self.pending.split())
        self.types.append(None)
        if self.scopes[-1] == "open" and re.match(r"(inline )?namespace\b|extern \"\"", head) and not re.search(r"\b(detail|abi)\b", head):
            self.scopes.append("open")
            self.documented = False
        elif self.scopes[-1] == "open" and TYPE.match(head) and "(" not in head.split("{")[0].replace("requires (", ""):
            self.scopes.append("closed" if re.search(r"\bclass\b", TYPE.match(head).group(3)) else "open")
            if TYPE.match(head).group(3) == "enum":
                self.scopes[-1] = "closed"
            self.types[-1] = re.match(r"\w+(?: class)?\s+(\w+)", head[TYPE.match(head).start(3):]).group(1)
            self.documented = False
        else:
            self.scopes.append("closed")

    def run(self):
        in_macro, in_parentheses = False, 0
        for number, raw in enumerate(self.lines, 1):
            stripped = raw.strip()
            if in_macro or stripped.startswith("#"):
                in_macro = stripped.endswith("\\")
                continue
            if stripped.startswith("///"):
                self.documented = True
                continue
            if not stripped:
                self.documented = self.documented and bool(self.pending.strip())
                continue
            if stripped.startswith("//"):
                continue
            line = without_literals(raw)
            label = re.match(r"\s*(public|private|protected)\s*:", line)
            if label:
                self.scopes[-1] = "open" if label.group(1) == "public" else "closed"
                self.pending = ""
                continue
            if not self.pending.strip() and line.strip():
                self.declare(number, line)
            for letter in line:
                in_parentheses += (letter in "([") - (letter in ")]")
                self.pending += letter
                if in_parentheses:
                    continue
                if letter == "{":
                    self.open_scope()
                    self.pending = ""
                elif letter == "}":
                    if len(self.scopes) > 1:
                        self.scopes.pop()
                        self.types.pop()
                    self.pending = ""
                elif letter == ";":
                    self.pending = ""
            self.pending += " "
        return self.found


def rule(files):
    found = []
    for path, text in files.items():
        if not path.startswith(PUBLIC) or not path.endswith((".hpp", ".h")):
            continue
        if path.startswith(PUBLIC + "abi/"):
            if not re.search(r"//.*(emitted code|kanorc)", "\n".join(text.splitlines()[:25])):
                found.append(f"{path}:1: does not say at its beginning that it is for emitted code alone")
        else:
            found += Scan(path, text).run()
    return found


A = PUBLIC + "a.hpp"
CASES = [
    ({A: "#pragma once\n/// Adds.\nint add(int a,\n        int b);\nint add(long a);\n\nclass later;\n"}, []),
    ({A: "int add(int a);\n"}, ["a.hpp:1: public, but without"]),
    ({A: "/// One.\nint one();\n\nint two();\n"}, ["a.hpp:4"]),
    ({A: "namespace kanor {\nint one();\n}\n"}, ["a.hpp:2"]),
    ({A: "namespace kanor::detail {\nint one();\n}\n"}, []),
    ({A: "/// A.\nclass A {\n public:\n  /// B.\n  int b() const { return c; }\n\n private:\n  int c;\n};\n"}, []),
    ({A: "/// A.\nclass A {\n public:\n  int b() const { return c; }\n private:\n  int c;\n};\n"}, ["a.hpp:4"]),
    ({A: "/// A.\nstruct A {\n  int width;  ///< pixels\n  int height;\n};\n"}, ["a.hpp:4"]),
    ({A: "/// F.\ninline int f() {\n  int local = 1;\n  return local;\n}\n"}, []),
    ({A: "/// A.\nclass A {\n public:\n  A();\n  bool operator==(A) const;\n  int size() const;\n};\n"}, []),
    ({A: "/// A.\ntemplate <class T>\nclass A {\n public:\n  A(T t);\n};\nnamespace abi {\nint f();\n}\n"}, []),
    ({A: "/// A.\nclass A {\n public:\n  A make();\n};\n"}, ["a.hpp:4"]),
    ({PUBLIC + "abi/b.hpp": "#pragma once\nint f();\n"}, ["for emitted code alone"]),
    ({PUBLIC + "abi/b.hpp": "#pragma once\n// For emitted code alone.\nint f();\n"}, []),
]

if __name__ == "__main__":
    house.main(rule, CASES)
