# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the links between PAGES made-up web pages. The more links lead to a page, the more are added.

    python3 make_links.py PAGES > links.tsv
"""

import random
import sys


def main():
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    chance = random.Random(1).random
    targets = list(range(pages))
    print(f"# Links between {pages} pages: from, to")
    for page in range(pages):
        for _ in range(int(6 * chance())):
            target = targets[int(len(targets) * chance())]
            targets += 2 * [target]
            if target != page:
                print(page, target, sep="\t")


if __name__ == "__main__":
    main()
