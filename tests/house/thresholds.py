# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every number at which the runtime does something else has a test on both of its sides.

Such a number of ranks, bytes or items is a constant in runtime/src or runtime/include whose name begins with `least` or
`most` (times are not meant: `least_pause_us`, `most_hang_seconds`). tests/house/thresholds.toml lists each of them:

    [[threshold]]
    file = "exchange/regions.cpp"
    name = "most_that_fold_all"
    tests = ["exchange/given_values_test.cpp: SumsOfLongs"]

Paths are from runtime/src, others from the root. A test is a file and a word in it, mostly a test's name; the file
also has the threshold's name, so that whoever changes the one finds the other. Where there is no other side, `none`
says why. No other number above 2 stands in a comparison by size, unless a [[number]] gives its file, the text, and why it is none.
"""

import re
import tomllib

import house

LIST = "tests/house/thresholds.toml"
FOLDERS = ("runtime/src/", "runtime/include/")
NO_PRODUCT = re.compile(r"_test\.\w+$|/test_\w+\.hpp$|/(mpi_)?probe/|_probe\.cpp$|/brute_force\.hpp$|/count_allocations\.\w+$")
TIMES = re.compile(r"_(us|ms|seconds)$")
DECLARATION = re.compile(r"\bconstexpr\b([^;{]*?\b(?:least|most)\w*\s*=[^;]*);")
NAMES = re.compile(r"\b((?:least|most)(?:_\w+)?)\s*=")
COMPARISON = re.compile(r"(?<![<>=-])[<>]=?\s*(\d[\d']*)\b(?!\s*[>,])")
NOT_CODE = re.compile(r"""//.*|"(?:\\.|[^"\\])*"|template\s*<[^;{]*?>|_cast<[^>]*>|#include.*""")


def product(files):
    return {path: text for path, text in files.items()
            if path.startswith(FOLDERS) and path.endswith((".cpp", ".hpp", ".h")) and not NO_PRODUCT.search(path)}


def full_path(files, path):
    return next((folder + path for folder in FOLDERS if folder + path in files), path)


def constants(text):
    found = set()
    for declaration in DECLARATION.findall(text):
        # A name in an initialiser is none that is declared.
        found.update(name for name in NAMES.findall(declaration) if not TIMES.search(name))
    return found


def check_threshold(files, where, entry):
    if set(entry) - {"file", "name", "tests", "none"}:
        return [f"{where}: unknown keys {sorted(set(entry) - {'file', 'name', 'tests', 'none'})}"]
    path = full_path(files, entry.get("file", ""))
    name, tests = entry.get("name", ""), entry.get("tests", [])
    if path not in files or not re.search(rf"\b{re.escape(name or '?')}\b", files[path]):
        return [f"{where}: '{path}' has no '{name}'"]
    if bool(tests) == (len(entry.get("none", "")) >= 10):
        return [f"{where}: either tests, or a reason in none"]
    found = []
    for test in tests:
        file, _, word = test.partition(": ")
        file = full_path(files, file)
        if file not in files:
            found.append(f"{where}: there is no '{file}'")
        elif not word or not re.search(rf"\b{re.escape(word)}\b", files[file]):
            found.append(f"{where}: '{file}' does not have '{word}'")
        elif not re.search(rf"\b{re.escape(name)}\b", files[file]):
            found.append(f"{where}: '{file}' does not name '{name}'")
    return found


def rule(files):
    listed = tomllib.loads(files.get(LIST, ""))
    code = product(files)
    found = []
    for entry in listed.get("threshold", []):
        found += check_threshold(files, f"{LIST}: {entry.get('file')} {entry.get('name')}", entry)
    known = {(full_path(files, entry.get("file", "")), entry.get("name")) for entry in listed.get("threshold", [])}
    numbers = [(full_path(files, entry.get("file", "")), entry.get("text", "?")) for entry in listed.get("number", [])]
    for path, text in numbers:
        if text not in files.get(path, ""):
            found.append(f"{LIST}: '{path}' does not have '{text}'")
    found += [f"{LIST}: {entry.get('file')}: no reason" for entry in listed.get("number", []) if len(entry.get("why", "")) < 10]
    for path, text in code.items():
        for name in sorted(constants(text)):
            if (path, name) not in known:
                found.append(f"{path}: '{name}' is not in {LIST} with a test on both of its sides")
        for number, line in enumerate(text.splitlines(), 1):
            for compared in COMPARISON.findall(NOT_CODE.sub("", line)):
                if int(compared.replace("'", "")) > 2 and not any(path == one and its in line for one, its in numbers):
                    found.append(f"{path}:{number}: compares with {compared}, which should be a constant least_… or most_…")
    return found


SOURCE = "runtime/src/a/b.cpp"
TEST = "runtime/src/a/b_test.cpp"
ENTRY = '[[threshold]]\nfile = "a/b.cpp"\nname = "most_x"\n'
TESTED = ENTRY + 'tests = ["a/b_test.cpp: Both"]\n'
CASES = [
    ({SOURCE: "constexpr int most_x = 3;", LIST: TESTED, TEST: "TEST(A, Both) most_x"}, []),
    ({SOURCE: "constexpr int most_x = 3;", LIST: ENTRY + 'none = "nothing is compared with it"\n'}, []),
    ({SOURCE: "constexpr int most_x = 3;", LIST: ENTRY}, ["either tests, or a reason"]),
    ({SOURCE: "constexpr int most_x = 3;", LIST: TESTED, TEST: "TEST(A, Both)"}, ["does not name 'most_x'"]),
    ({SOURCE: "constexpr int most_x = 3;", LIST: TESTED, TEST: "most_x"}, ["does not have 'Both'"]),
    ({SOURCE: "constexpr int most_x = 3;", LIST: TESTED}, ["there is no 'a/b_test.cpp'"]),
    ({SOURCE: "int most_y;", LIST: TESTED, TEST: "TEST(A, Both) most_x"}, ["has no 'most_x'"]),
    ({SOURCE: "static constexpr std::size_t least_a = 8,\n  most_b = 9;\nconstexpr int most_us = 1, most_c_us = most_d;"},
     ["'least_a' is not in", "'most_b' is not in"]),
    ({SOURCE: "if (size() > 8) f<9>(); // > 7\nif (x >= 1) g(\"< 3\"); static_cast<int>(16);"}, ["b.cpp:1: compares with 8"]),
    ({SOURCE: "if (bit < 64) f();", LIST: '[[number]]\nfile = "a/b.cpp"\ntext = "bit < 64"\nwhy = "the bits of a word"\n'}, []),
    ({SOURCE: "", LIST: '[[number]]\nfile = "a/b.cpp"\ntext = "bit < 64"\nwhy = "the bits of a word"\n'}, ["does not have 'bit < 64'"]),
]

if __name__ == "__main__":
    house.main(rule, CASES)
