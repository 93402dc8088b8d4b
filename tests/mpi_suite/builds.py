# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The suite's sources, fetched and checked, and configured for one MPI as a user would do it."""

import hashlib
import os
import shutil
import subprocess
import urllib.request

ARCHIVE = "mpich_4.0.2.orig.tar.xz"
URL = f"http://deb.debian.org/debian/pool/main/m/mpich/{ARCHIVE}"
SHA256 = "b27039f964afeb6b8a3e009c56b441cbe368c26d6d6476ad3bb7190996875860"
SOURCES = "mpich-4.0.2/test/mpi"
# What MPI says and no more, without what the folders that are run do not need.
OPTIONS = ("--enable-strictmpi", "--enable-fortran=no", "--disable-cxx", "--disable-rma", "--disable-spawn",
           "--disable-romio", "--disable-part", "--disable-perftest", "--disable-collalgo-tests",
           "--enable-threads=multiple")
LIBRARIES = ("dtpools", "util")
PROCESSES = "will be processes, not threads"  # kanor-mpicc says so when it links


class Failed(Exception):
    """What cannot be fetched or built, said in a line."""


def fetch(folder):
    """The folder of the suite's sources; fetches them unless they are there."""
    sources = os.path.join(folder, SOURCES)
    if os.path.exists(os.path.join(sources, "configure")):
        return sources
    os.makedirs(folder, exist_ok=True)
    archive = os.path.join(folder, ARCHIVE)
    if not os.path.exists(archive):
        print(f"fetching {URL}", flush=True)
        try:
            urllib.request.urlretrieve(URL, archive + ".part")
        except OSError as error:
            raise Failed(f"cannot fetch {URL}: {error}") from error
        os.rename(archive + ".part", archive)
    with open(archive, "rb") as file:
        found = hashlib.sha256(file.read()).hexdigest()
    if found != SHA256:
        raise Failed(f"{archive} has the checksum {found}, not {SHA256}: remove it")
    # The build's helper scripts lie beside the tests; the tests' own configuration reads the version.
    subprocess.run(["tar", "xf", archive, "-C", folder, "--wildcards", "*/test/mpi", "*/confdb",
                    "*/maint"], check=True)
    return sources


def call(line, folder, log):
    """Runs a command of the build; what it prints goes to a file."""
    with open(log, "w") as file:
        status = subprocess.run(line, cwd=folder, stdin=subprocess.DEVNULL, stdout=file,
                                stderr=subprocess.STDOUT, check=False).returncode
    if status != 0:
        raise Failed(f"'{' '.join(line[:3])} ...' failed: see {log}")


class Build:
    """The suite, configured for one MPI in a folder of its own."""

    def __init__(self, sources, folder, mpicc, mpicxx, mpiexec):
        self.folder = folder
        stamp = os.path.join(folder, "configured")
        line = [os.path.join(sources, "configure"), f"MPICC={mpicc}", f"MPICXX={mpicxx}",
                f"MPIEXEC={mpiexec}", *OPTIONS]
        compiler = str(os.path.getmtime(mpicc)) if os.path.exists(mpicc) else ""
        wanted = " ".join(line) + compiler
        if os.path.exists(stamp):
            with open(stamp) as file:
                if file.read() == wanted:
                    return
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        print(f"configuring the suite for {mpicc}", flush=True)
        call(line, folder, os.path.join(folder, "configure.log"))
        for library in LIBRARIES:
            call(["make", "-C", library], folder, os.path.join(folder, f"{library}.log"))
        with open(stamp, "w") as file:
            file.write(wanted)

    def make(self, path):
        """Builds a program: an empty text, or what went wrong in a line; and what was printed."""
        folder, program = os.path.split(path)
        job = subprocess.run(["make", program], cwd=os.path.join(self.folder, folder), text=True,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             errors="replace", check=False)
        if job.returncode == 0:
            return "", job.stdout
        wrong = [line for line in job.stdout.splitlines() if "error" in line or "undefined" in line]
        return "does not build: " + (wrong or job.stdout.splitlines())[0].strip(), job.stdout

    def clean(self, path):
        """Removes a program."""
        for end in ("", ".o"):
            name = os.path.join(self.folder, path) + end
            if os.path.isfile(name):
                os.remove(name)
