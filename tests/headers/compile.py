# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles one source for each header of headers.txt: it includes the header and has one block.

    compile.py --kanorc KANORC --host HOST [--tier landing|full] [--together] [--only HEADER] FOLDER

Prints what does not compile, with the first lines that the compiler says; the exit status is 1 then. A header that the
host alone does not compile either is only named. --together: all headers in one source. FOLDER is for the sources.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys

SOURCE = """{includes}
#include <kanor/kanor.hpp>

int main() {{
  int mine = kanor::world.rank(), left = -1;
  @communicate {{ left@(i + 1) % world.size() <<= mine@i where i in world }}
  return left < 0;
}}
"""


class Header:
    def __init__(self, line):
        self.name, self.package, self.tier, *self.flags = line.split()

    def include(self):
        return f"#include <{self.name}>"


def read_headers():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "headers.txt")
    with open(path, encoding="utf-8") as file:
        lines = [line.split("#")[0].strip() for line in file]
    return [Header(line) for line in lines if line]


def compile_source(name, includes, flags, options):
    """Empty, or what went wrong."""
    path = os.path.join(options.folder, name.replace("/", "_") + ".cpp")
    with open(path, "w", encoding="utf-8") as file:
        file.write(SOURCE.format(includes="\n".join(includes)))
    command = [options.kanorc, "--host-cxx=" + options.host, "-fsyntax-only", "-w", *flags, path]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode == 0:
        return ""
    alone = [options.host, "-std=gnu++20", "-fsyntax-only", "-w", *flags, "-x", "c++", "-"]
    if "file not found" not in done.stdout and subprocess.run(
            alone, input="\n".join(includes) + "\n", capture_output=True, text=True, check=False).returncode:
        print(f"{name}: {options.host} does not compile it without Kanor either")
        return ""
    hint = "  scripts/setup --full installs the headers' packages\n" if "file not found" in done.stdout else ""
    said = "".join("  " + line + "\n" for line in done.stdout.splitlines()[:8])
    return f"{name}: {' '.join(command)}\n" + said + hint


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kanorc", required=True)
    parser.add_argument("--host", required=True)
    parser.add_argument("--tier", choices=["landing", "full"], default="landing")
    parser.add_argument("--together", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("folder")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    headers = [header for header in read_headers() if header.tier == "landing" or options.tier == "full"]
    if "clang" in os.path.basename(options.host):
        headers = [header for header in headers if header.package != "g++"]
    if options.only:
        headers = [header for header in headers if header.name == options.only]
    if options.together:
        flags = [flag for header in headers for flag in header.flags]
        jobs = [("together", [header.include() for header in headers], flags)]
    else:
        jobs = [(header.name, [header.include()], header.flags) for header in headers]
    # A core for the compilation, and one for what it waits for.
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        failed = False
        for text in pool.map(lambda job: compile_source(*job, options), jobs):
            failed |= bool(text)
            sys.stdout.write(text)
            sys.stdout.flush()
    return 1 if failed else 0


sys.exit(main())
