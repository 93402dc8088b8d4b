# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The serial oracle of examples/03_wordcount: wordcount_oracle.py TOP DIRECTORY."""

import collections
import os
import re
import sys


def main():
    top, directory = int(sys.argv[1]), sys.argv[2]
    counts, files, skipped = collections.Counter(), 0, 0
    for folder, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.islink(path) or not os.path.isfile(path):
                continue
            text = open(path, "rb").read()
            if b"\0" in text:
                skipped += 1
                continue
            files += 1
            counts.update(re.findall(rb"[a-z\x80-\xff]+", text.lower()))
    for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:top]:
        sys.stdout.buffer.write(b"%10d  %s\n" % (count, word))
    sys.stdout.buffer.write(b"%d words, %d different, in %d files (%d others skipped)\n" %
                            (sum(counts.values()), len(counts), files, skipped))


if __name__ == "__main__":
    main()
