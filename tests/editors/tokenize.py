# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tokenizes a C++ file by the TextMate grammar of editors/vscode, as far as that grammar goes, and prints every
token that it names as `line: text -> scope`.

A stand-in for an editor: it knows match, begin/end, captures, include and repositories; what the grammar leaves to
C++ (source.cpp) has no names here, except that comments and strings are passed over as an editor does outside of
blocks. Regular expressions are Python's, which agree with Oniguruma on what the grammar uses; `\\G` becomes an anchor
at the place where the enclosing rule began.
"""

import json
import re
import sys

CPP_PASSED_OVER = re.compile(r'//.*|/\*[\s\S]*?\*/|"(?:\\.|[^"\\])*"')


class Grammar:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.data = json.load(file)

    def expand(self, patterns):
        for pattern in patterns:
            include = pattern.get("include")
            if include is None:
                yield pattern
            elif include.startswith("#"):
                rule = self.data["repository"][include[1:]]
                yield from self.expand(rule["patterns"]) if "patterns" in rule and "begin" not in rule else [rule]
            elif include != "source.cpp":
                raise ValueError("an include of something unknown: " + include)


def find(expression, text, at, anchor):
    if "\\G" in expression:
        found = re.compile(expression.replace("\\G", ""), re.M).match(text, anchor)
        return found if found and anchor == at else None
    return re.compile(expression, re.M).search(text, at)


def captures(rule, key, found):
    for number, capture in sorted(rule.get(key, rule.get("captures", {})).items()):
        if found.group(int(number)):
            yield found.start(int(number)), found.group(int(number)), capture["name"]


def tokens(grammar, text):
    """Yields (offset, text, scope)."""
    at, stack = 0, []
    while True:
        rule, anchor = stack[-1] if stack else (grammar.data, 0)
        candidates = []
        if stack:
            candidates.append((find(rule["end"], text, at, anchor), None))
        else:
            candidates.append((CPP_PASSED_OVER.search(text, at), None))
        for pattern in grammar.expand(rule.get("patterns", [])):
            candidates.append((find(pattern.get("begin", pattern.get("match")), text, at, anchor), pattern))
        candidates = [(found.start(), order, found, pattern)
                      for order, (found, pattern) in enumerate(candidates) if found]
        if not candidates:
            return
        _, _, found, pattern = min(candidates, key=lambda candidate: candidate[:2])
        at = found.end()
        if pattern is None:
            if stack:
                yield from captures(rule, "endCaptures", found)
                stack.pop()
        elif "begin" in pattern:
            yield from captures(pattern, "beginCaptures", found)
            stack.append((pattern, at))
        else:
            if "name" in pattern:
                yield found.start(), found.group(), pattern["name"]
            yield from captures(pattern, "captures", found)


def main():
    grammar = Grammar(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        text = file.read()
    for offset, word, scope in tokens(grammar, text):
        print(f"{text.count(chr(10), 0, offset) + 1}: {word} -> {scope}")


if __name__ == "__main__":
    main()
