# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Links between pages of the documentation lead somewhere: the file is there, and so is its heading."""

import os
import re

import house

LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")


def anchors_of(text):
    """The anchors that GitHub makes of a page's headings."""
    found = set()
    for heading in re.findall(r"^#+ +(.*)$", FENCE.sub("", text), re.MULTILINE):
        bare = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
        found.add(re.sub(r"[^\w\- ]", "", bare).replace(" ", "-"))
    return found


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def rule(files):
    folders = {os.path.dirname(path) for path in files}
    folders |= {os.path.dirname(folder) for folder in folders}
    for path, text in files.items():
        if not path.endswith(".md"):
            continue
        shown = CODE.sub(blank, FENCE.sub(blank, text))
        for link in LINK.finditer(shown):
            target, _, anchor = link.group(1).partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            where = f"{path}:{shown.count(chr(10), 0, link.start()) + 1}:"
            page = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
            # Pictures are no text, and so not among the files.
            if page not in files and page not in folders and not page.endswith(".png"):
                yield f"{where} '{page}' is not there"
            elif anchor and anchor not in anchors_of(files.get(page, "")):
                yield f"{where} '{page}' has no heading for '#{anchor}'"


def complaints(files):
    return list(rule(files))


PAGE = "# One `word` of [two](c.md)\n\n```\n[no](link.md)\n```\n"
CASES = [
    ({"a.md": "[b](docs/b.md#one-word-of-two) [c](docs) `[d](e)`", "docs/b.md": PAGE}, ["docs/b.md:1: 'docs/c.md' is not there"]),
    ({"a.md": "# A\n[a](#a) [x](https://example.org/#y) [p](p.png)\n"}, []),
    ({"a.md": "# A\n\n[a](#b)\n"}, ["a.md:3: 'a.md' has no heading for '#b'"]),
    ({"a.md": "[a](nowhere.md)\n"}, ["a.md:1: 'nowhere.md' is not there"]),
]

if __name__ == "__main__":
    house.main(complaints, CASES)
