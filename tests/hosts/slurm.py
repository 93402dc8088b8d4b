# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Slurm on hosts a and b of tests/hosts/bed.py, while a command runs.

    bed.py -- slurm.py command...

Starts munged, slurmctld and one slurmd for each host, with all their files in a folder of their own. The command finds
them by SLURM_CONF. They end with it; its status is the bed's. A node takes more tasks than it has cores.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time

HOSTS = {"a": "10.77.0.1", "b": "10.77.0.2"}
START_SECONDS = 20

CONFIGURATION = """\
ClusterName=bed
SlurmctldHost=a({controller})
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
ReturnToService=2
KillWait=1
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmdSpoolDir={folder}/%n
TmpFS={folder}/%n
StateSaveLocation={folder}/state
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
SchedulerType=sched/builtin
SelectType=select/cons_tres
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
{nodes}
PartitionName=all Nodes=ALL Default=YES State=UP OverSubscribe=FORCE:64
"""


def write_configuration(folder):
    nodes = "\n".join(f"NodeName={name} NodeAddr={address} CPUs=8 State=UNKNOWN" for name, address in HOSTS.items())
    path = os.path.join(folder, "slurm.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(CONFIGURATION.format(controller=HOSTS["a"], folder=folder, nodes=nodes))
    key = os.path.join(folder, "munge.key")
    with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o400), "wb") as file:
        file.write(os.urandom(1024))
    for name in ("state", *HOSTS):
        os.mkdir(os.path.join(folder, name))
    return path


def start(folder):
    """Starts the daemons, which stay in the foreground."""
    def file(name):
        return os.path.join(folder, name)
    munged = ["munged", "--foreground", "--force", f"--key-file={file('munge.key')}", f"--socket={file('munge.socket')}",
              f"--pid-file={file('munged.pid')}", f"--log-file={file('munged.log')}", f"--seed-file={file('seed')}"]
    lines = [munged, ["slurmctld", "-D"]] + [[os.environ["BED_RSH"], name, f"exec slurmd -D -N {name}"] for name in HOSTS]
    return [subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for line in lines]


def wait_until_up():
    for _ in range(10 * START_SECONDS):
        states = subprocess.run(["sinfo", "--noheader", "--format=%t %D"], capture_output=True, text=True, check=False).stdout
        if states.split() == ["idle", str(len(HOSTS))]:
            return
        time.sleep(0.1)
    sys.exit(f"slurm.py: no nodes after {START_SECONDS} s: {states.strip()}")


def main():
    with tempfile.TemporaryDirectory(prefix="kanor-slurm-") as folder:
        os.chmod(folder, 0o755)  # munged wants others to come in
        os.environ["SLURM_CONF"] = write_configuration(folder)
        running = start(folder)
        try:
            wait_until_up()
            status = subprocess.run(sys.argv[1:], check=False).returncode
        finally:
            for one in running:
                one.send_signal(signal.SIGTERM)
            for one in running:
                one.wait()
    sys.exit(status)


if __name__ == "__main__":
    main()
