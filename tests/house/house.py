# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the house tests share: the repository's files, and one way to run, report and self-test a rule.

A rule is a function from {path: text} to a list of complaints, each "path:line: what is wrong". So a
self-test needs no files: it hands the rule a small made-up repository and looks at the complaints.
"""

import os
import subprocess
import sys


def read_repository(root):
    """Every text file that git tracks or would track, by its path from the root."""
    listing = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                             capture_output=True, check=False)
    if listing.returncode == 0:
        paths = [os.fsdecode(path) for path in listing.stdout.split(b"\0") if path]
    else:  # an unpacked archive
        paths = []
        for folder, folders, names in os.walk(root):
            folders[:] = [name for name in folders if name not in (".git", "build", ".cache")]
            paths += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    files = {}
    for path in sorted(set(paths)):
        full = os.path.join(root, path)
        if not os.path.isfile(full):
            continue
        with open(full, "rb") as file:
            data = file.read()
        if b"\0" not in data:
            files[path] = data.decode(errors="replace")
    return files


def main(rule, cases):
    """Runs `rule` on the repository named by the first argument, or, with --self-test, on `cases`: a list
    of (files, the complaints expected: a part of each, in order)."""
    if sys.argv[1:] == ["--self-test"]:
        for files, expected in cases:
            complaints = rule(files)
            fits = len(complaints) == len(expected) and all(part in got for part, got in zip(expected, complaints))
            if not fits:
                print(f"self-test: for {files}\nexpected {expected}\ngot      {complaints}")
                sys.exit(1)
        if not any(expected for _, expected in cases) or all(expected for _, expected in cases):
            print("self-test: needs a case that fails and a case that passes")
            sys.exit(1)
        print(f"{len(cases)} cases")
        return
    files = read_repository(sys.argv[1])
    if not files:
        print(f"no files in '{sys.argv[1]}'")
        sys.exit(1)
    complaints = rule(files)
    for complaint in complaints:
        print(complaint)
    if complaints:
        print(f"{len(complaints)} complaint(s)")
        sys.exit(1)
