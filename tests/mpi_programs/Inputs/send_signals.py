# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sends signals to the jobs of tests/mpi_programs/signals_sent.c, as threads and as processes.

    send_signals.py KANOR-MPIEXEC PROGRAM
"""

import os
import signal
import subprocess
import sys
import threading

SECONDS = 60


def run(mode, numbers, arguments):
    """The exit status of a job that gets one of the signals each time it is ready, and what it prints at the end."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("KANOR_")}
    line = [sys.argv[1], "-n", "3", sys.argv[2], *arguments]
    with subprocess.Popen(line, env=environment | {"KANOR_MODE": mode}, stdout=subprocess.PIPE, text=True) as job:
        timer = threading.Timer(SECONDS, job.kill)
        timer.start()
        for number in numbers:
            while job.stdout.readline().strip() not in ("ready", ""):
                pass
            job.send_signal(number)
        printed = job.stdout.read()
        status = job.wait()
        timer.cancel()
    return status, printed


def main():
    wrong = []
    for mode in ("threads", "processes"):
        for numbers, arguments, expected in (
                ([signal.SIGUSR1, signal.SIGTERM], [], (0, "passed\n")),
                ([signal.SIGUSR2], ["end"], (-signal.SIGUSR2, "handled\n"))):
            found = run(mode, numbers, arguments)
            if found != expected:
                wrong.append(f"as {mode} {arguments}: {found}, not {expected}")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
