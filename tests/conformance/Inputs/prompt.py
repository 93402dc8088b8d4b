# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Answers a program that asks "number? " on a terminal.

    prompt.py COMMAND...

Types 42 once the question is there, prints what the terminal shows then, and ends with the program's status.
"""

import os
import pty
import select
import sys


def main():
    process, terminal = pty.fork()
    if process == 0:
        os.execvp(sys.argv[1], sys.argv[1:])
    shown = b""
    while b"number? " not in shown:
        if not select.select([terminal], [], [], 30)[0]:
            os.kill(process, 9)
            sys.exit(f"no prompt within 30 seconds: {shown!r}")
        shown += os.read(terminal, 1000)
    os.write(terminal, b"42\n")
    try:
        while piece := os.read(terminal, 1000):
            shown += piece
    except OSError:
        pass  # the program has ended
    print(shown.decode().replace("\r\n", "\n"), end="")
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))


if __name__ == "__main__":
    main()
