# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The serial oracle of examples/07_pagerank: pagerank_oracle.py LINKS.tsv."""

import sys


def main():
    with open(sys.argv[1], encoding="ascii") as file:
        links = [tuple(map(int, line.split())) for line in file if line.strip() and not line.startswith("#")]
    pages = 1 + max(max(link) for link in links)
    degree = [0] * pages
    for page, _ in links:
        degree[page] += 1

    score, change, steps = [1 / pages] * pages, 1.0, 0
    while change > 1e-9:
        # Whoever is on a page without links goes to any page.
        lost = sum(one for one, links_of in zip(score, degree) if links_of == 0)
        following = [0.0] * pages
        for page, target in links:
            following[target] += score[page] / degree[page]
        after = [(0.15 + 0.85 * lost) / pages + 0.85 * one for one in following]
        change = sum(abs(one - other) for one, other in zip(after, score))
        score, steps = after, steps + 1
    print(f"{pages} pages, {len(links)} links, {steps} steps")
    for page in sorted(range(pages), key=lambda page: (-score[page], page))[:10]:
        print(f"{page:8d}  {score[page]:.6f}")


if __name__ == "__main__":
    main()
