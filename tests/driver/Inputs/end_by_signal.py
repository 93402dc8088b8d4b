# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts a command with a slow host compiler and ends it by each signal in turn; fails if it lives on."""
import os
import signal
import stat
import subprocess
import sys
import time

temporary = os.environ["TMPDIR"]
slow = os.path.abspath("slow-host")
with open(slow, "w") as script:
    script.write('#!/bin/sh\ncase "$*" in *" -c "*) touch started; exec sleep 60;; esac\nexec g++ "$@"\n')
os.chmod(slow, os.stat(slow).st_mode | stat.S_IXUSR)

for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    if os.path.exists("started"):
        os.remove("started")
    # A test runner may ignore signals, and kanorc leaves an ignored one ignored.
    process = subprocess.Popen(sys.argv[1:] + ["--host-cxx=" + slow],
                               preexec_fn=lambda: signal.signal(ending, signal.SIG_DFL))
    for _ in range(600):
        if os.path.exists("started"):
            break
        time.sleep(0.1)
    assert os.listdir(temporary), "nothing to clean up: the test would prove nothing"
    process.send_signal(ending)
    assert process.wait(30) == -ending, process.returncode
    assert not os.listdir(temporary), os.listdir(temporary)
