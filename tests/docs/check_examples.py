# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs the examples of a page of the documentation.

    check_examples.py --kanorc K --kanorrun R --work DIRECTORY [--update] PAGE.md

An example is a fence marked cpp. Without a `main` it is the body of one, after PRELUDE. A fence marked
`output` right behind it holds what it prints, lines sorted; without one it has to run without printing
an error. A comment before the fence changes how it is run:

    <!-- ranks=2 mode=threads status=1 -->   a program that fails when it runs; stderr is compared,
                                             with N for the rank that says it
    <!-- … status=1 check -->                the same in checked mode, without the block that a message is told in;
                                             hang=1: KANOR_HANG_SECONDS
    <!-- … delta=pages -->                   with KANOR_DELTA=pages
    <!-- … status=124 hang=1 -->             one that does not end, and is ended after 4 s
    <!-- … stderr -->                        stderr is compared, although the program succeeds
    <!-- rejected -->                        a program that must not compile; kanorc's messages are compared,
                                             lines counted from the example's first, file `example.cpp`

A printed line of more than 100 characters stands in the page on several, each but the first with four
spaces before it.

A fence marked sh is one command line of kanorc or kanorrun that fails; what it says is compared.

With --update the output fences are rewritten instead.
"""

import argparse
import concurrent.futures
import os
import re
import shlex
import subprocess
import sys

PRELUDE = "".join(f"#include <{name}>\n" for name in
                  ("kanor/kanor.hpp", "array", "cstdio", "map", "optional", "stdexcept", "string", "utility", "vector"))
MOST_COLUMNS = 100
CONTINUED = "    "
EXAMPLE = re.compile(r"(?:<!--(?P<options>[^>]*)-->\n)?```(?P<language>cpp|sh)\n(?P<code>.*?)^```\n(?:```output\n(?P<output>.*?)^```\n)?",
                     re.MULTILINE | re.DOTALL)


def whole_program(code):
    """The file to compile, and how many lines stand before the example's first."""
    if re.search(r"^#include", code, re.MULTILINE) and re.search(r"\bmain\(", code):
        return code, 0
    if re.search(r"\bmain\(", code):
        return PRELUDE + code, PRELUDE.count("\n")
    head = PRELUDE + "using kanor::world;\nint main() {\n[[maybe_unused]] const int me = kanor::world.rank();\n"
    return head + code + "}\n", head.count("\n")


def parse_options(text):
    options = {"ranks": "4", "mode": "auto", "status": "0"}
    for word in (text or "").split():
        name, _, value = word.partition("=")
        options[name] = value
    return options


def run(command, folder, variables=None, **more):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("KANOR_")}
    environment.update(variables or {})
    try:
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace",
                              timeout=120, stdin=subprocess.DEVNULL, **more)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "no end after 120 s\n")


def own_lines(text, lines_before):
    """The text with the lines' numbers of an example that is the whole file example.cpp."""
    return re.sub(r"\bexample\.cpp:(\d+)", lambda m: f"example.cpp:{int(m.group(1)) - lines_before}", text)


def wrapped(printed):
    """The text as pages have it: a long line ends at a space, which the end and four more spaces replace."""
    def wrap(line, width=MOST_COLUMNS):
        end = line.rfind(" ", 1, width + 1)
        if len(line) <= width or end < 0 or not line[:end].strip():
            return line
        return line[:end] + "\n" + CONTINUED + wrap(line[end + 1:], MOST_COLUMNS - len(CONTINUED))
    return "\n".join(wrap(line) for line in printed.split("\n"))


def messages(text, lines_before):
    """What kanorc said, as if the example were the whole file example.cpp."""
    return own_lines(text, lines_before).strip("\n") + "\n"


def try_example(number, language, code, options, arguments):
    """(what it printed, None) or (None, what went wrong)."""
    folder = os.path.join(arguments.work, str(number))
    os.makedirs(folder, exist_ok=True)
    if language == "sh":
        words = shlex.split(code)
        words[0] = {"kanorc": arguments.kanorc, "kanorrun": arguments.kanorrun}[words[0]]
        done = run(words, folder)
        return (None, "the command succeeds") if done.returncode == 0 else (messages(done.stderr, 0), None)
    text, lines_before = whole_program(code)
    with open(os.path.join(folder, "example.cpp"), "w", encoding="utf-8") as file:
        file.write(text)
    done = run([arguments.kanorc, "example.cpp", "-o", "example"], folder)
    if "rejected" in options:
        return (None, "is not rejected") if done.returncode == 0 else (messages(done.stderr, lines_before), None)
    if done.returncode:
        return None, "does not compile:\n" + done.stderr
    warnings = messages(done.stderr, lines_before) if done.stderr.strip() else ""
    settings = {"hang": "KANOR_HANG_SECONDS", "delta": "KANOR_DELTA"}
    variables = {settings[name]: value for name, value in options.items() if name in settings}
    if "check" in options:
        variables["KANOR_CHECK"] = "1"
    done = run([*(["timeout", "4"] if options["status"] == "124" else []),
                arguments.kanorrun, "-n", options["ranks"], "--mode", options["mode"], "./example"], folder, variables)
    if done.returncode != int(options["status"]):
        return None, f"ends with status {done.returncode}:\n{done.stdout}{done.stderr}"
    shown = own_lines(done.stdout, lines_before)
    if options["status"] != "0" or "stderr" in options:
        # Which ranks get to say it before the job ends is not defined.
        shown += re.sub(r"^kanor: rank \d+:", "kanor: rank N:", messages(done.stderr, lines_before), flags=re.MULTILINE)
        # ... and so is how many.
        shown = re.sub(r"^kanor: \d+ more ranks? reports? the same error as rank \d+\n", "", shown, flags=re.MULTILINE)
        if "check" in options:  # how far a rank has come by then is not defined either
            shown = re.sub(r" \((?:in the|last) block at [^)]*\)$", "", shown, flags=re.MULTILINE)
    lines = shown.splitlines(keepends=True)
    return warnings + "".join(sorted(lines if options["status"] == "0" else set(lines))), None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kanorc", required=True)
    parser.add_argument("--kanorrun", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("page")
    arguments = parser.parse_args()

    with open(arguments.page, encoding="utf-8") as file:
        page = file.read()
    examples = list(EXAMPLE.finditer(page))
    if len(examples) != len(re.findall(r"^```(?:cpp|sh)$", page, re.MULTILINE)) or not examples:
        sys.exit(f"{arguments.page}: some example is not understood")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda item: try_example(item[0], item[1]["language"], item[1]["code"],
                                                                 parse_options(item[1]["options"]), arguments),
                                enumerate(examples)))

    failures, new_page, at = 0, "", 0
    for example, (printed, trouble) in zip(examples, results):
        printed = wrapped(printed) if printed else printed
        line = page.count("\n", 0, example.start("code")) + 1
        expected = example["output"] or ""
        if trouble is None and printed != expected and not arguments.update:
            trouble = f"prints something else:\n{printed}--- instead of\n{expected}"
        if trouble is not None:
            failures += 1
            print(f"{arguments.page}:{line}: {trouble}")
            printed = expected
        new_page += page[at:example.end("code")] + "```\n" + (f"```output\n{printed}```\n" if printed else "")
        at = example.end()
    new_page += page[at:]
    if arguments.update:
        with open(arguments.page, "w", encoding="utf-8") as file:
            file.write(new_page)
    print(f"{len(examples)} examples, {failures} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
