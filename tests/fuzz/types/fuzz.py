# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which types travel: random nests of types, each either an error at its block or the same value in every mode.

    fuzz.py --kanorc K --kanorrun R [--mpiexec E] [--nests 10] [--rejected 60] [--seed 1] [--units 1] [--keep FOLDER]

A nest is a type of the standard library or a class of classes.hpp, put into containers and classes at random. Those made of
parts that travel must compile and give every rank the value that it computes by itself, with threads, processes, MPI and MPI
without shared memory. Those with a part that doesn't must be an error at the block that says so. Only the numbers of ranks and
the names of the modes are shared with the rest of the tests: nothing here asks Kanor what is right.
"""

import argparse
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

NUMBERS = ["int", "char", "double", "long long", "unsigned short", "float", "long double", "bool"]
KEYS = ["int", "char", "std::string", "unsigned short"]
LEAVES = NUMBERS + [
    "Plain", "Scoped", "std::byte", "std::string", "std::u16string", "std::pmr::string", "std::bitset<70>", "std::complex<float>",
    "std::chrono::milliseconds", "std::chrono::time_point<std::chrono::system_clock, std::chrono::seconds>",
    "std::chrono::year_month_day", "std::mt19937", "std::monostate", "std::vector<bool>", "Point", "Bits", "FlatUnion", "Hidden",
    "Leaf", "Named", "NamedBits", "Serialised", "Split", "Outside", "SameOutside", "SavesToFile"]
# Around any type, around a key and any type, around a key, around a number.
AROUND = [
    "std::vector<{}>", "std::list<{}>", "std::deque<{}>", "std::forward_list<{}>", "std::array<{}, 3>", "std::optional<{}>",
    "std::stack<{}>", "std::queue<{}, std::list<{}>>", "std::pmr::vector<{}>", "std::vector<{}, Stateless<{}>>", "Wrapped<{}>"]
PAIRS = ["std::pair<{}, {}>", "std::variant<{}, {}>", "std::tuple<{}, {}, int>", "Both<{}, {}>"]
MAPS = ["std::map<{}, {}>", "std::unordered_map<{}, {}>", "std::multimap<{}, {}>", "std::map<{}, {}, Downwards>",
        "std::pmr::map<{}, {}>", "std::unordered_multimap<{}, {}>"]
SETS = ["std::set<{}>", "std::multiset<{}>", "std::unordered_set<{}>", "std::set<{}, Downwards>", "std::unordered_multiset<{}>"]
# Without a comparison of their own, so in few places.
UNCOMPARED = ["std::valarray<{}>", "std::priority_queue<{}>", "std::priority_queue<{}, std::vector<{}>, std::greater<{}>>"]
AROUND_UNCOMPARED = ["{}", "std::vector<{}>", "std::list<{}>", "std::optional<{}>"]
REJECTED = [
    "int*", "const char*", "void*", "Order", "int Point::*", "std::nullptr_t", "std::string_view", "std::span<int>",
    "std::initializer_list<int>", "std::reference_wrapper<int>", "std::unique_ptr<int>", "std::shared_ptr<int>", "std::weak_ptr<int>",
    "std::function<int(int)>", "std::atomic<int>", "std::mutex", "std::any", "std::regex", "std::filesystem::path", "std::error_code",
    "std::thread::id", "std::vector<int>::iterator", "std::list<int>::iterator", "std::map<int, int>::iterator", "std::type_index",
    "std::exception_ptr", "std::locale", "std::coroutine_handle<>", "std::shared_future<int>", "std::runtime_error", "std::gslice",
    "Bound", "pthread_mutex_t", "pthread_cond_t", "sem_t", "RefMember", "OwnCopy", "Virtual", "AnonymousUnion",
    "SavesOnly", "SavesElsewhere", "PrivateSerialize", "AddsToSerialised", "UnionOfHandle", "AddsToHandle",
    "std::vector<int, Stateful<int>>", "std::basic_string<char, std::char_traits<char>, Stateful<char>>", "std::set<int, Either>",
    "std::set<int, Order>", "std::map<int, int, Order>", "std::unordered_set<int, Either>",
    "std::unordered_map<int, int, std::hash<int>, std::function<bool(int, int)>>",
    "std::priority_queue<int, std::vector<int>, std::function<bool(int, int)>>",
    "std::priority_queue<int, std::vector<int>, Order>"]
# Where a receiver has to make the object first.
UNMAKEABLE = ["ConstMember", "NeedsArgument"]
AROUND_REJECTED = ["{}", "std::vector<{}>", "std::optional<{}>", "std::pair<int, {}>", "std::map<int, {}>", "Wrapped<{}>", "std::array<{}, 2>",
                   "std::variant<int, {}>", "std::list<std::tuple<{}>>"]
MODES = [("threads", {}), ("processes", {}), ("mpi", {}), ("mpi-net", {"MPIR_CVAR_NOLOCAL": "1", "UCX_TLS": "tcp,self"})]


def nest(draw, depth):
    """A type that travels."""
    kind = draw.random()
    if depth == 0 or kind < 0.15:
        return draw.choice(LEAVES)
    if kind < 0.5:
        return draw.choice(AROUND).replace("{}", nest(draw, depth - 1))
    if kind < 0.7:
        return draw.choice(PAIRS).format(nest(draw, depth - 1), nest(draw, depth - 1))
    if kind < 0.85:
        return draw.choice(MAPS).format(draw.choice(KEYS), nest(draw, depth - 1))
    return draw.choice(SETS).format(draw.choice(KEYS))


def uncompared(draw):
    """A type that travels, around one without a comparison."""
    inner = draw.choice(UNCOMPARED).replace("{}", draw.choice(NUMBERS))
    return draw.choice(AROUND_UNCOMPARED).format(draw.choice(AROUND_UNCOMPARED).format(inner))


def accepted_program(types, draw):
    """A program that checks each of the types; prints a line for each value that is not what it should be."""
    lines = ['#include "support.hpp"', ""]
    for at, name in enumerate(types):
        form = draw.choice(["whole", "elements", "section"])
        lines += [f"void nest_{at}() {{", f"  using T = {name};",
                  "  const int n = kanor::world.size(), me = kanor::world.rank(), left = (me + n - 1) % n;",
                  f"  const T mine = value_of<T>({at}, me);"]
        if form == "whole":
            lines += [f"  T got = value_of<T>({at}, 100), first = value_of<T>({at}, 101);",
                      "  @communicate {", "    got@(i + 1) % n <<= mine@i where i in world;",
                      "    first@i <<= mine@0 where i in world", "  }",
                      f'  check(same(got, value_of<T>({at}, left)), "{name}", "from the left");',
                      f'  check(same(first, value_of<T>({at}, 0)), "{name}", "from rank 0");']
        elif form == "elements":
            lines += ["  std::vector<T> all(n);",
                      "  @communicate { all[i]@j <<= mine@i where i, j in world }",
                      f'  for (int i = 0; i < n; ++i) check(same(all[i], value_of<T>({at}, i)), "{name}", "gathered");']
        else:
            lines += ["  std::vector<T> some(5), all{mine, mine, mine};",
                      f"  all[1] = value_of<T>({at}, me + 50);",
                      "  @communicate { some[0 : 3 : 2]@(i + 1) % n <<= all[0 : 3]@i where i in world }",
                      f'  check(same(some[0], value_of<T>({at}, left)) && same(some[2], value_of<T>({at}, left + 50)), "{name}", "in a section");']
        lines += [f'  check(same(mine, value_of<T>({at}, me)), "{name}", "at its sender");', "}", ""]
    lines += ["int main() {"] + [f"  nest_{at}();" for at in range(len(types))] + ["}"]
    return "\n".join(lines) + "\n"


def rejected_program(types):
    lines = ['#include "support.hpp"', ""]
    for at, name in enumerate(types):
        lines += [f"void nest_{at}() {{", f"  using T = {name};",
                  "  T& a = hold<T>();", "  @communicate { a@0 <<= a@1 }", "}"]
    return "\n".join(lines) + "\n"


def run(command, environment=None, timeout=300):
    return subprocess.run(command, env=dict(os.environ, **(environment or {})), capture_output=True, text=True, check=False, timeout=timeout)


def check_rejected(options, folder, types):
    """The types whose block is no error that says why they don't travel."""
    source = os.path.join(folder, "rejected.cpp")
    with open(source, "w", encoding="utf-8") as out:
        out.write(rejected_program(types))
    done = run([options.kanorc, "-std=c++20", "-I", HERE, "-c", source, "-o", os.path.join(folder, "rejected.o")])
    said = {int(line) for line in re.findall(r"rejected\.cpp:(\d+):\d+: error: a value of type '[^\n]*' cannot travel: ", done.stderr)}
    missing = [name for at, name in enumerate(types) if 6 + 5 * at not in said]
    other = [line for line in done.stderr.splitlines() if "error:" in line and "cannot travel" not in line]
    return [f"{name}: no error at its block" for name in missing] + other[:10]


def check_accepted(options, folder, types, draw):
    source, program = os.path.join(folder, "accepted.cpp"), os.path.join(folder, "accepted")
    with open(source, "w", encoding="utf-8") as out:
        out.write(accepted_program(types, draw))
    done = run([options.kanorc, "-std=c++20", "-O0", "-I", HERE, source, "-o", program])
    if done.returncode:
        return [f"does not compile:\n{done.stderr[-4000:]}"]
    failures = []
    for mode, environment in MODES:
        if mode.startswith("mpi") and not options.mpiexec:
            continue
        launch = shlex.split(options.mpiexec or "") + ["-n", "3"] if mode.startswith("mpi") else [options.kanorrun, "-n", "3", "--mode", mode]
        done = run(launch + [program], environment)
        if done.returncode or done.stdout:
            failures.append(f"{mode}: status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kanorc", required=True)
    parser.add_argument("--kanorrun", required=True)
    parser.add_argument("--mpiexec")
    parser.add_argument("--nests", type=int, default=10, help="types that travel, in a unit")
    parser.add_argument("--rejected", type=int, default=60, help="types that don't, in a unit, beside each of them alone")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--units", type=int, default=1)
    parser.add_argument("--keep", help="a folder for the sources of the units that fail")
    options = parser.parse_args()
    failed = False
    for seed in range(options.seed, options.seed + options.units):
        draw = random.Random(seed)
        accepted = ["std::valarray<double>", uncompared(draw)] + [nest(draw, 3) for _ in range(options.nests - 2)]
        rejected = list(REJECTED)
        for _ in range(options.rejected):
            around = draw.choice(AROUND_REJECTED[1:])
            part = draw.choice(REJECTED + (UNMAKEABLE if around.startswith(("std::pair", "std::map", "Wrapped")) else []))
            rejected.append(around.format(part))
        with tempfile.TemporaryDirectory() as folder:
            failures = check_rejected(options, folder, rejected) + check_accepted(options, folder, accepted, draw)
            if failures and options.keep:
                os.makedirs(options.keep, exist_ok=True)
                for name in ("accepted.cpp", "rejected.cpp"):
                    os.replace(os.path.join(folder, name), os.path.join(options.keep, f"{seed}_{name}"))
        if failures:
            failed = True
            print(f"seed {seed}:", *failures, sep="\n", file=sys.stderr)
    if not failed:
        print(f"{options.units} units of {options.nests} types that travel and {len(REJECTED) + options.rejected} that don't: as it should be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
