# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program of many functions whose variables are all candidates for sharing, for compile_time.py.

    many_variables.py [LINES]

Helpers that read and write what they get, and functions that communicate their arrays and vectors in loops, with branches,
nested loops, calls of helpers and of earlier functions in between. Always the same text for the same number of lines.
"""

import random
import sys

HEAD = """#include <kanor/kanor.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

using kanor::world;
"""
HELPERS = """
double total_{n}(const double (&values)[1024]) {{
  double sum = {n};
  for (int i = 0; i < 1024; ++i)
    if (values[i] > 0) sum += values[i];
  return sum;
}}

void scale_{n}(double (&values)[1024], double by) {{
  for (int i = 0; i < 1024; ++i) values[i] *= by;
}}

double largest_{n}(const std::vector<double>& values) {{
  double found = {n};
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] > found) found = values[i];
  return found;
}}
"""
BLOCKS = [
    "@communicate {{ {b}@(i + 1) % world.size() <<= {a}@i where i in world }}",
    "@communicate {{ {b}@i <<= {a}@turn % world.size() where i in world }}",
    "@communicate {{ {a}@(i + 1) % world.size() <<= {a}@i where i in world }}",
    "@communicate {{\n      {b}@i <<= {a}@0 where i in world;\n      {a}@0 <<= {b}@world.size() - 1\n    }}",
]
# What a function does with an array, with a vector; {c} is another variable of the same kind.
ARRAY_STEPS = [
    "for (int i = 0; i < 1024; ++i) {a}[i] = {c}[i] + turn;",
    "{a}[turn] = seen;",
    "seen += total_{n}({a});",
    "if (seen > {k}) {{\n      scale_{n}({a}, 0.5);\n    }} else {{\n      {a}[0] += 1;\n    }}",
    "for (int i = 1; i < 1023; ++i) {{\n      const double mean = ({c}[i - 1] + {c}[i + 1]) / 2;\n      {a}[i] = mean > {k} ? {c}[i] : mean;\n    }}",
    "for (int i = 0; i < 32; ++i)\n      for (int j = 0; j < 32; ++j) seen += {a}[32 * i + j] * {c}[32 * j + i];",
]
VECTOR_STEPS = [
    "std::fill({a}.begin(), {a}.end(), seen);",
    "seen += largest_{n}({a});",
    "{a} = {c};",
    "for (std::size_t i = 0; i < {a}.size(); ++i) {a}[i] = {k} + i;",
    "while (seen > {k}) {{\n      {a}[0] += 1;\n      seen /= 2;\n    }}",
    "{a}.assign(2048, seen);",
]


def function(number, helpers, draw):
    """A function with a loop over blocks, each between steps on its variables."""
    arrays, vectors = [f"A{i}" for i in range(3)], [f"V{i}" for i in range(2)]
    lines = [f"\ndouble work_{number}(int turns) {{", f"  double seen = {number};"]
    lines += [f"  double {name}[1024] = {{1}};" for name in arrays]
    lines += [f"  std::vector<double> {name}(2048, 1);" for name in vectors]
    lines.append("  for (int turn = 0; turn < turns; ++turn) {")
    for _ in range(7):
        names, steps = draw.choice([(arrays, ARRAY_STEPS), (vectors, VECTOR_STEPS)])
        a, b = draw.sample(names, 2)
        for step in draw.sample(steps, 2) + [draw.choice(BLOCKS)] + draw.sample(steps, 1):
            lines.append("    " + step.format(a=a, b=b, c=b, n=draw.randrange(helpers), k=draw.randrange(100)))
    if number:
        lines.append(f"    if (turn % 3 == 0) seen += work_{draw.randrange(number)}(turns / 2);")
    lines.append("  }")
    lines.append("  return seen + " + " + ".join(f"{name}[1]" for name in arrays + vectors) + ";\n}")
    return "\n".join(lines) + "\n"


def program(lines):
    """A program of about so many lines."""
    draw = random.Random(1)
    helpers = max(1, lines // 300)
    text = HEAD + "".join(HELPERS.format(n=n) for n in range(helpers))
    functions = 0
    while text.count("\n") < lines - 20:
        text += function(functions, helpers, draw)
        functions += 1
    calls = " + ".join(f"work_{number}(2)" for number in range(functions))
    return text + f'\nint main() {{\n  std::printf("%g\\n", {calls});\n}}\n'


if __name__ == "__main__":
    print(program(int(sys.argv[1]) if len(sys.argv) > 1 else 3000), end="")
