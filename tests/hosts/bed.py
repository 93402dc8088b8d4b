# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several hosts on one machine: a command runs on the first of them.

    bed.py [--hosts 2] [--own-cores] -- command...
    bed.py --check

Each host is a set of namespaces: network, PID, IPC, mount (a /dev/shm and an /etc/hosts of its own) and host name. A
bridge joins them. Hosts are called a, b, c, ... and have the addresses 10.77.0.1, 10.77.0.2, ... The command's
environment names in BED_RSH a program that starts a command on another host, as rsh does:

    bed.py -- sh -c 'mpiexec -launcher rsh -launcher-exec $BED_RSH -hosts a,b -n 4 -ppn 2 ./program'

With --own-cores each host has its part of this machine's cores, as speeds that are measured need: what runs on a host
believes that nobody else uses the cores that it sees.

The bed ends with the command and has its status; everything on its hosts ends with it, and nothing of it is seen from
outside. Where this machine permits no such namespaces the status is 77, and the reason is printed; --check only says
whether it does.
"""

import argparse
import array
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile

RSH = "rsh"
FORBIDDEN = 77
ISOLATED = ["unshare", "--net", "--mount", "--ipc", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc"]


def address(number):
    return f"10.77.0.{number + 1}"


def quiet(*command):
    """Runs a command of the system; its words are shown only if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(f"bed.py: {' '.join(command)}: {done.stdout.strip()}")


# The host's side: one server for each host starts what the other hosts ask for.


def serve(folder, name):
    """Runs as the host's first process. Answers each connection with a process of its own."""
    quiet("hostname", name)
    quiet("mount", "-t", "tmpfs", "tmpfs", "/dev/shm")
    quiet("mount", "--bind", os.path.join(folder, "hosts"), "/etc/hosts")
    quiet("ip", "link", "set", "lo", "up")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(os.path.join(folder, name))
    listener.listen()
    print("ready", flush=True)
    # Orphans of a killed launcher are the first process's children: nobody else reaps them.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        connection, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            answer(connection)
        connection.close()


def answer(connection):
    """Runs the command that a connection brings, with the streams that it brings, and sends the status back."""
    request, streams, _, _ = socket.recv_fds(connection, 1 << 20, 3)
    wanted = json.loads(request)
    child = subprocess.Popen(wanted["command"], cwd="/", env=wanted["environment"],
                             stdin=streams[0], stdout=streams[1], stderr=streams[2])
    for stream in streams:
        os.close(stream)
    status = child.wait()
    try:
        connection.sendall(json.dumps(status).encode())
    except OSError:
        pass  # Whoever asked is gone.
    os._exit(0)


def ask(folder, name, command, environment):
    """Runs a command on a host, and answers its status."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(os.path.join(folder, name))
    request = json.dumps({"command": command, "environment": environment}).encode()
    connection.sendmsg([request], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))])
    status = json.loads(connection.recv(100) or b"255")
    return 128 - status if status < 0 else status


# The bed's side.


def own_cores(number, hosts):
    """As the start of a command: it gets this host's part of the cores."""
    cores = sorted(os.sched_getaffinity(0))
    each = len(cores) // hosts
    if each == 0:
        sys.exit(f"bed.py: {hosts} hosts, but only {len(cores)} cores")
    return ["taskset", "--cpu-list", ",".join(map(str, cores[number * each:(number + 1) * each]))]


def start_host(folder, number, prefix):
    """Starts a host and joins it to the bridge."""
    name = chr(ord("a") + number)
    host = subprocess.Popen(prefix + ISOLATED + [sys.executable, os.path.abspath(__file__), "--serve", name, folder],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if host.stdout.readline() != "ready\n":
        sys.exit(f"bed.py: host {name} does not start")
    quiet("ip", "link", "add", f"to_{name}", "type", "veth", "peer", "name", "eth0", "netns", str(host.pid))
    quiet("ip", "link", "set", f"to_{name}", "master", "bed", "up")
    inside = ["nsenter", f"--net=/proc/{host.pid}/ns/net", "ip"]
    quiet(*inside, "address", "add", f"{address(number)}/24", "dev", "eth0")
    quiet(*inside, "link", "set", "eth0", "up")
    return host


def run_bed(hosts, apart, command):
    """Runs in namespaces of its own, as their first process."""
    quiet("ip", "link", "set", "lo", "up")
    quiet("ip", "link", "add", "bed", "type", "bridge")
    quiet("ip", "link", "set", "bed", "up")
    with tempfile.TemporaryDirectory(prefix="kanor-bed-") as folder:
        with open(os.path.join(folder, "hosts"), "w", encoding="utf-8") as file:
            file.write("127.0.0.1 localhost\n")
            file.writelines(f"{address(number)} {chr(ord('a') + number)}\n" for number in range(hosts))
        rsh = os.path.join(folder, RSH)
        with open(rsh, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec "{sys.executable}" "{os.path.abspath(__file__)}" --rsh "{folder}" "$@"\n')
        os.chmod(rsh, 0o755)
        running = [start_host(folder, number, own_cores(number, hosts) if apart else []) for number in range(hosts)]
        status = ask(folder, "a", command, {**os.environ, "BED_RSH": rsh})
        for host in running:
            host.kill()
            host.wait()
    return status


def permitted():
    """Whether this machine permits such namespaces; says why not."""
    done = subprocess.run(ISOLATED + ["sh", "-c", "ip link add bed type bridge && ip link add v type veth peer name w"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        print("no hosts in namespaces here:", done.stdout.strip() or f"unshare ends with status {done.returncode}")
    return done.returncode == 0


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--serve"]:
        serve(arguments[2], arguments[1])
    if arguments[:1] == ["--rsh"]:
        sys.exit(ask(arguments[1], arguments[2], ["sh", "-c", " ".join(arguments[3:])], dict(os.environ)))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=2)
    parser.add_argument("--own-cores", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("command", nargs="*")
    options = parser.parse_args()
    if not options.inside and not permitted():
        sys.exit(FORBIDDEN)
    if options.check:
        return
    if not options.command:
        parser.error("which command?")
    if options.inside:
        sys.exit(run_bed(options.hosts, options.own_cores, options.command))
    again = [sys.executable, os.path.abspath(__file__), "--inside", "--hosts", str(options.hosts)]
    again += ["--own-cores"] * options.own_cores + ["--"]
    os.execvp(ISOLATED[0], ISOLATED + again + options.command)


if __name__ == "__main__":
    main()
