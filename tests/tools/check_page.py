# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a page of `kanorc --explain=html`: well-formed, needs nothing else, and its pictures have this size.

    check_page.py FILE RANKS
"""

import re
import sys
import xml.etree.ElementTree


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        page = file.read()
    ranks = int(sys.argv[2])
    pictures = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert pictures and page.count("<section>") == len(pictures), "one picture a block"
    assert not re.search(r'(src|href)="', page), "a page of its own refers to nothing"
    for picture in pictures:
        root = xml.etree.ElementTree.fromstring(picture)
        cells = [title.text for title in root.iter("{http://www.w3.org/2000/svg}title")]
        for cell in cells:
            sender, receiver = re.fullmatch(r"rank (\d+) to rank (\d+): \d+", cell).groups()
            assert int(sender) < ranks and int(receiver) < ranks, cell


if __name__ == "__main__":
    main()
