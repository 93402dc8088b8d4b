# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes random MPI programs that test `kanor-mpicc -fdelta`.

    python3 random_messages.py SEED > prog.c
    kanor-mpicc -O2 -fdelta prog.c -o prog
    kanor-mpiexec -n 3 ./prog

The program is C99 and C++, for 2, 3, 4, 5 or 9 ranks. Each rank prints "ok", or a line that begins with "wrong".
It consists of phases. A phase is a function in which loops compute a buffer, the ranks exchange it, and loops use
what they received. It returns a checksum. The expected checksums do not depend on Kanor: the generator writes each
statement in C and in Python, and runs the Python text for all ranks.

Templates describe phases and loops. Each begins with a comment and a number: how often it is chosen. The body of a
statement stands behind a colon, with semicolons between its statements, or is indented, or both. Words in capital
letters stand for names and numbers, {x|y} for x or y, VALUE(k) for a random value. These are not statements of C:

    for k FIRST END 2            a loop from FIRST to END - 1; without the 2, the step is 1; with -1, downwards
    use x                        adds a value to the checksum
    sort A                       calls qsort with a comparison function that writes an element of A
    compute, compute from IN     loops that compute OUT, perhaps from the elements of IN
    consume                      loops that use the elements of IN
    send TARGET, receive SOURCE  a message; its buffer, tag, length, status and function may follow
"""

import random
import re
import sys
from functools import reduce
from types import SimpleNamespace

RANK_COUNTS = (2, 3, 4, 5, 9)
MASK = 0xFFFFFFFF  # values have the type unsigned int in C
MOST_ELEMENTS = 25000  # so that the simulation does not take long
MESSAGE_BYTES = ((0, 300), (8100, 8300), *((8192, most) for most in (12000, 16000, 20000, 30000, 40000, 60000, 200000)))

# The type in C, its bytes, the datatypes of MPI, and a modulus: elements are less than it, and not negative.
ELEMENT_TYPES = (("int", 4, ("MPI_INT", "MPI_INT", "MPI_BYTE"), 1 << 30),
                 ("double", 8, ("MPI_DOUBLE", "MPI_DOUBLE", "MPI_BYTE"), 1 << 31),
                 ("unsigned char", 1, ("MPI_UNSIGNED_CHAR", "MPI_BYTE"), 251),
                 ("long", 8, ("MPI_LONG", "MPI_LONG", "MPI_BYTE"), (1 << 31) - 1))

COMPUTE = """
# 16: each iteration writes one element; perhaps not all of them are written.
for COUNTER {FIRST|FIRST|SECOND} {END|END|PART}: A[COUNTER] = VALUE(COUNTER)
# 2: each iteration writes two elements.
for k FIRST EVEN 2: A[k] = VALUE(k); A[k + 1] = VALUE(k)
# 2: the counter is not the index.
for i FIRST TRIPLES: A[3 * i] = VALUE(i); {A[3 * i + 1] = VALUE(i)|use 3u}; A[i * 3 + 2] = VALUE(i)
# 3: an element is written before the loop. Each iteration may use the element before.
A[FIRST] = VALUE(FIRST)
for k SECOND END: A[k] = VALUE(k){| + (unsigned)A[k - 1] * 3u}
# 2: each iteration may write its element, or the one before, again.
for k SECOND END: A[k] = VALUE(k); if {k % 3 == 1|rank > 0}: A[{k|k|k - 1}] = VALUE(k) + (unsigned)A[k] * 3u
# 1: the counter, or the index, or both become smaller.
for k FIRST END {1|-1}: A[{MIRROR - k|k}] = VALUE(k)
# 2: an unsigned counter wraps around.
for w 0u-BELOW UEND-BELOW: A[w + BELOW] = VALUE(w + BELOW)
# 1: in one iteration, something else happens.
for k FIRST END: {A[k] = VALUE(k)|use 1u}; if k == {ANY|LAST}: {A[SECOND] = VALUE(k)|break|continue}
  A[k] = VALUE(k)
# 4: behind the loop, elements may be used or written again.
for COUNTER FIRST END: A[COUNTER] = VALUE(COUNTER)
{A[ANY] = 5u|sort A|sort A|sort A}
{use 1u|use 2u|for i SECOND END: A[i] = (unsigned)A[i] + 2u|for i SECOND END -1: use (unsigned)A[i]}
# 1: another pointer to the buffer writes elements again.
TYPE *P = A
for COUNTER FIRST END: A[COUNTER] = VALUE(COUNTER); {P[SECOND] = 78u|use 2u}
P[ANY] = 79u
"""

CONSUME = """
# 16: each iteration uses one element; perhaps not all of them are used.
for COUNTER {FIRST|FIRST|SECOND} {END|END|PART}: use (unsigned)A[COUNTER]{| * VALUE(COUNTER)}
# 3: each iteration uses two elements.
for {k FIRST EVEN 2: use (unsigned)A[k] + (unsigned)A[k + 1]|i FIRST TRIPLES: use (unsigned)A[3 * i + 2]}
# 2: each iteration also uses another element.
for k SECOND LAST: use (unsigned)A[k] + 5u * (unsigned)A[{k - 1|k - 1|k + 1|ANY}]
# 2: an iteration changes its element, or perhaps the next one.
for k FIRST LAST: use (unsigned)A[k]; A[{k|k|k + 1}] = (unsigned)A[k] + VALUE(k)
# 1: the counter, or the index, or both become smaller.
for k FIRST END {1|-1}: use (unsigned)A[{MIRROR - k|k}]
# 1: an element is used or written before the loop.
{use (unsigned)A[ANY]|A[ANY] = 42u}
for COUNTER FIRST END: use (unsigned)A[COUNTER]
# 1: an element decides whether the loop goes on.
for k FIRST END: if (unsigned)A[k] % 200u == 3u: {break|continue}
  use (unsigned)A[k]
# 1: the loop uses another pointer to the buffer.
TYPE *P = A
for k FIRST END {1|-1}: use (unsigned)P[k]
"""

COMPUTE_ROWS = "for OUTER {1|1|1|-1}: for INNER: A[i][j] = VALUE(i) + (unsigned)j * 7u; {use 2u|use 3u|A[0][1] = 5u}"
CONSUME_ROWS = "for OUTER {1|1|1|-1}: for INNER: use (unsigned)A[i][j] * VALUE(j)"
BETWEEN = "{use 5u|use (unsigned)(MPI_Wtime() > 0)|for j 0 20: use (unsigned)j}"

EXCHANGES = """
# 5: a chain of ranks, perhaps several times.
for r 0 {1|3}
  if {rank > 0|rank != 0}: receive rank - 1
  {compute from IN|consume; compute|consume; compute from IN}
  if {rank + 1 < size|rank < size - 1}: send rank + 1
# 5: a chain from the last rank to the first one; the messages may have several lengths.
int length = {COUNT|COUNT / (rank + 1)}
if rank < size - 1: receive rank + 1
compute from IN
if rank > 0: send rank - 1, length length
# 6: pairs of ranks. The receiver uses the status, perhaps at once.
MPI_Status status
if rank % 2 == 0: compute; if rank + 1 < size: send rank + 1
else
  receive rank - 1, status &status
  {consume|consume|MPI_Get_count(&status, DATATYPE, &got); use (unsigned)got; consume}
  use (unsigned)status.MPI_SOURCE
# 2: a ring in which the even ranks send first.
compute
if rank % 2 == 0: send (rank + 1) % size
receive (rank + size - 1) % size
if rank % 2 == 1: send (rank + 1) % size
consume
# 2: rank 0 sends to all.
if rank == 0: for r 1 size: compute; send r
else: receive 0; consume
# 1: rank 0 receives from all, in any order; so it adds, and then forgets the elements.
MPI_Status status
if rank > 0: compute; send 0, tag UNIQUE
else
  for r 1 size: receive MPI_ANY_SOURCE, tag UNIQUE, status &status
    for k FIRST END: checksum = checksum + (unsigned)IN[k] * (unsigned)(status.MPI_SOURCE + 1)
  for k FIRST END: IN[k] = 0u
# 2: several messages, and one of another buffer between a loop and its send.
MPI_Request request = MPI_REQUEST_NULL
if rank % 2 == 0 && rank + 1 < size
  compute; send rank + 1, function {MPI_Ssend|MPI_Send}
  for k FIRST END: OUT[k] = VALUE(k)
  FEW[0] = 7u; send rank + 1, buffer FEW, function MPI_Isend, tag {TAG|77}
  send rank + 1
  MPI_Wait(&request, MPI_STATUS_IGNORE)
if rank % 2 == 1
  receive rank - 1; consume
  receive rank - 1, buffer FEW, tag MPI_ANY_TAG, function {MPI_Recv|MPI_Irecv}
  MPI_Wait(&request, MPI_STATUS_IGNORE)
  receive rank - 1; consume
# 2: what is sent where may change in the loop, or behind it. The receiver may use as many elements as it got.
MPI_Status status
int length = COUNT; int tag = TAG
if rank % 2 == 0 && rank + 1 < size
  for k FIRST END: OUT[k] = VALUE(k); {length = (int)k + 1|tag = (int)k % 7|use 9u|use 8u|use 7u}
  {length = COUNT / 2|tag = 5|use 3u|use 2u}
  send rank + 1, length length, tag tag
if rank % 2 == 1
  receive rank - 1, tag MPI_ANY_TAG, status &status
  {consume|MPI_Get_count(&status, DATATYPE, &got); for n 0 got/UNIT: use (unsigned)IN[n]}
"""

FUNCTIONS = """
static inline void set_{position}({type} *p, int k, unsigned v) {{ p[k] = ({type})(v % {modulus}u); }}
static inline unsigned get_{position}(const {type} *p, int k) {{ return (unsigned)p[k]; }}
static unsigned total_{position}(const {type} *p, int length) {{
  unsigned total = 1;
  for (int k = 0; k < length; k++) total = total * 33u + (unsigned)p[k];
  return total;
}}
static unsigned phase_{position}(int rank, int size) {{
  unsigned checksum = 7;
  int got = 0;
  {i} i = 0;
  {j} j = 0;
  {k} k = 0;
  (void)size, (void)got, (void)i, (void)j, (void)k;
{body}
  return checksum;
}}"""

MAIN = """
int main(int argc, char **argv) {{
  static const unsigned expected[][{phases}] = {{{expected}}};
  int rank, size, wrong = -1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int row = rank + ({first});
  const unsigned checksums[] = {{{calls}}};
  for (int k = 0; k < {phases} && wrong < 0; k++)
    if (row < 0 || checksums[k] != expected[row][k]) wrong = k;
  if (wrong < 0) printf("ok\\n");
  else printf("wrong: rank %d, phase %d\\n", rank, wrong);
  MPI_Finalize();
  return wrong >= 0;
}}"""


def choose_template(templates):
    """Chooses one of the templates, without its comment."""
    choices = [template.split(": ", 1) for template in re.split("^# ", templates, flags=re.MULTILINE)[1:]]
    return random.choices(choices, [int(weight) for weight, _ in choices])[0][1].split("\n", 1)[1]


def as_python(expression):
    """Translates an expression of C. Operands of / and % must be exact, and not negative."""
    expression = re.sub(r"\((unsigned|int)\)", "", expression)
    expression = re.sub(r"\b(\d+)u\b", r"\1", expression)
    return expression.replace("&&", "and").replace("/", "//")


class Phase:
    """A function of the program, in C and in Python."""

    def __init__(self, position):
        self.position, self.depth, self.names = position, 1, 0
        self.file_scope, self.c_lines, self.c_end = [], [], []
        self.python_lines = ["def phase(rank, size, messages, checksums):"]
        self.write(None, "checksum, got, status = 7, 0, SimpleNamespace(MPI_SOURCE=0)")
        self.sources = []  # buffers whose elements VALUE uses
        self.counter_types = {name: random.choice(["int"] * 4 + ["long", "unsigned", "size_t"]) for name in "ijk"}
        self.type, size, datatypes, self.modulus = random.choice(ELEMENT_TYPES)
        self.datatype = random.choice(datatypes)
        self.unit = size if self.datatype == "MPI_BYTE" else 1  # elements of the datatype for each one in C
        self.tag = random.randint(0, 9)
        self.count = min(MOST_ELEMENTS, random.randint(*random.choice(MESSAGE_BYTES)) // size)
        self.rows, self.width = 0, 0  # if the buffers have two dimensions
        exchange = choose_template(EXCHANGES)
        if self.count > 200 and random.random() < 0.25 and not re.search(r"\[k\]|length", exchange):
            self.rows, self.width = random.choice(((self.count // 20, 20), (10, self.count // 10)))
            self.count = self.rows * self.width
        self.capacity = self.count + (0 if self.rows else random.choice((0, 0, 0, 100)))
        self.incoming = self.new_buffer(self.capacity)
        self.outgoing = self.incoming if random.random() < 0.2 else self.new_buffer(self.capacity)
        words = {"IN": self.incoming, "OUT": self.outgoing, "FEW": self.new_buffer(4) if "FEW" in exchange else "",
                 "COUNT": self.count, "UNIQUE": 100 + position}
        self.expand(exchange, self.loop_words(self.outgoing, self.count) | words)
        for buffer in (self.incoming, self.outgoing):
            row, length = (f"for r 0 {self.rows}: ", self.width) if self.rows else ("", self.capacity)
            self.expand(f"{row}use total_{self.position}({buffer}{'[r]' if row else ''}, {length})", {})
        self.write(None, "checksums[rank] = checksum")

    def new_name(self, prefix):
        """Makes a name that occurs nowhere else in the program."""
        self.names += 1
        return f"{prefix}_{self.position}_{self.names}"

    def new_buffer(self, length):
        """Declares a buffer whose elements are 0."""
        name = self.new_name("buffer")
        rows = self.rows or max(length, 1)
        storage = random.choice(("global", "global", "file scope", "file scope", "static", "local", "malloc", "malloc"))
        static = "static " if storage in ("file scope", "static") else ""
        text = f"{static}{self.type} {name}[{rows}]{f'[{self.width}]' if self.rows else ''};"
        if storage == "malloc" and not self.rows:
            text = f"{self.type} *{name} = ({self.type} *)malloc({rows} * sizeof *{name});"
            self.c_end.append(f"  free({name});")
        (self.file_scope.append if storage in ("global", "file scope") else self.write)(text)
        self.write(f"memset({name}, 0, {rows} * sizeof *{name});" if storage in ("local", "malloc") else None,
                   f"{name} = [{f'[0] * {self.width}' if self.rows else 0} for _ in range({rows})]")
        return name

    def loop_words(self, buffer, length):
        """The words in templates of loops that use the first elements of a buffer."""
        outer, inner = random.sample((f"i 0 {self.rows}", f"j 0 {self.width}"), 2)
        return {"A": buffer, "FIRST": 0, "SECOND": 1, "END": length, "LAST": length - 1, "EVEN": length // 2 * 2,
                "TRIPLES": length // 3, "PART": length - length // 5, "MIRROR": length - 1,
                "ANY": random.randrange(max(length, 1)), "BELOW": f"{random.randint(1, length + 1)}u",
                "TYPE": self.type, "UEND": f"{length}u", "COUNTER": random.choice("ijk"), "P": self.new_name("pointer"),
                "OUTER": outer, "INNER": inner, "DATATYPE": self.datatype, "UNIT": self.unit, "TAG": self.tag}

    def write(self, c_text, python_text=None):
        """Writes a line in C, in Python, or both."""
        if c_text is not None:
            self.c_lines.append("  " * self.depth + c_text)
        if python_text is not None:
            self.python_lines.append("  " * self.depth + python_text)

    def open_block(self, c_head, python_head):
        """Begins a compound statement."""
        self.write(c_head + " {", python_head + ":")
        self.depth += 1

    def expand(self, template, words):
        """Writes what a template describes."""
        depth = self.depth
        for line in template.splitlines():
            line = re.sub(r"\{([^{}]*)\}", lambda match: random.choice(match[1].split("|")), line)
            line = re.sub(r"\b[A-Z]+\b", lambda match: str(words.get(match[0], match[0])), line)
            self.close_blocks(depth + (len(line) - len(line.lstrip())) // 2)
            for statement in re.split("[:;] ", line.strip()):
                self.statement(statement)
        self.close_blocks(depth)

    def close_blocks(self, depth):
        """Ends compound statements; those with one statement need no braces."""
        while self.depth > depth:
            self.depth -= 1
            if self.c_lines[-2].endswith(" {") and self.c_lines[-1].endswith(";") and random.random() < 0.5:
                self.c_lines[-2] = self.c_lines[-2].removesuffix(" {")
            else:
                self.write("}")

    def statement(self, text):
        """Writes one statement of a template."""
        text = re.sub(r"VALUE\(([^()]*)\)", lambda match: self.value(match[1]), text)
        word, _, rest = text.partition(" ")
        if word in ("for", "compute", "consume", "sort"):
            getattr(self, f"write_{word}")(*rest.split())
        elif word in ("send", "receive"):
            other, *options = rest.split(", ")
            getattr(self, f"write_{word}")(other, **dict(option.split(" ") for option in options))
        elif word in ("if", "else"):
            self.open_block(f"if ({rest})" if rest else "else", as_python(text))
        elif word in ("use", "checksum"):
            if random.random() < 0.1:
                call = rf"get_{self.position}(\1, (int)(\2))"
                rest = re.sub(r"\(unsigned\)(buffer\w+)\[([^][]*)\](?!\[)", call, rest)
            value = f"checksum * 31u + ({rest})" if word == "use" else rest.removeprefix("= ")
            self.write(f"checksum = {value};", f"checksum = ({as_python(value)}) & MASK")
        elif element := re.fullmatch(r"(\w+)\[(.*?)\] = (.*)", text):
            buffer, index, value = element.groups()
            python_text = f"{buffer}[{as_python(index)}] = (({as_python(value)}) & MASK) % {self.modulus}"
            if "[" in index or random.random() < 0.9:
                self.write(f"{buffer}[{index}] = ({self.type})(({value}) % {self.modulus}u);", python_text)
            else:
                self.write(f"set_{self.position}({buffer}, (int)({index}), {value});", python_text)
        else:
            python_text = re.sub(r"^([a-z ]+\*|int )", "", as_python(text))
            self.write(text + ";", None if word.startswith("MPI_") else python_text)

    def value(self, index):
        """A random value that depends on an index."""
        terms = [f"(unsigned)({index}) * {random.randint(1, 99999)}u"]
        terms += [f"(unsigned){source}[{index}] * 3u" for source in self.sources]
        return " + ".join(terms + random.choice(([], ["(unsigned)rank * 7919u"], ["checksum"])))

    def number(self, value, number_type):
        """The text of a number: digits, a macro, a variable, or an expression."""
        kind = random.choice(("digits", "digits", "macro", "variable", "expression")) if value > 0 else "variable"
        name = self.new_name("LIMIT" if kind == "macro" else "limit")
        if kind == "macro":
            self.file_scope.append(f"#define {name} {value}")
        elif kind == "variable":
            self.write(f"{number_type} {name} = {value};")
        return {"digits": str(value), "expression": f"2 * {value // 2} + {value % 2}"}.get(kind, name)

    def write_for(self, counter, first, end, step="1"):
        """Begins a loop. A loop downwards can have an unsigned counter; the counter w begins below 0."""
        counter_type = {**self.counter_types, "w": "unsigned"}.get(counter, "int")
        declaration = "" if counter in "ijk" and random.random() < 0.6 else counter_type + " "
        comparison, limit = "!=" if counter == "w" else "<", end
        if end.isdigit() and step != "-1":
            comparison = random.choice(("<", "<", "<=", "!=") if int(end) > int(first) and step == "1" else ("<",))
            limit = self.number(int(end) - (comparison == "<="), counter_type)
        increment = random.choice((f"{counter}++", f"++{counter}")) if step == "1" else f"{counter} += {step}"
        c_head = f"for ({declaration}{counter} = {first}; {counter} {comparison} {limit}; {increment})"
        python_range = f"range({as_python(first)}, {as_python(end)}, {step.strip('-')})"
        if step == "-1":
            c_head = f"for ({declaration}{counter} = {end}; {counter}-- > {first};)"
            python_range += "[::-1]"
        self.open_block(c_head, f"for {counter} in {python_range}")

    def write_sort(self, buffer):
        """Calls qsort with a comparison function that writes an element of a buffer, which is at file scope."""
        if any(f" {buffer}[" in line for line in self.file_scope):
            compare, numbers = self.new_name("compare"), self.new_name("numbers")
            self.file_scope.append(f"static int {compare}(const void *x, const void *y) {{\n  {buffer}[1] = 77;\n"
                                   "  return *(const int *)x - *(const int *)y;\n}")
            self.write(f"int {numbers}[3] = {{3, 1, 2}};")
            self.write(f"qsort({numbers}, 3, sizeof(int), {compare});", f"{buffer}[1] = 77")

    def write_compute(self, *source):
        """Writes loops that compute a message, and perhaps a statement behind them."""
        self.sources = [self.incoming] if source and not self.rows else []
        words = self.loop_words(self.outgoing, self.count)
        template = COMPUTE_ROWS if self.rows else choose_template(COMPUTE)
        self.expand(template if self.count > 8 else "for k 0 END: A[k] = VALUE(k)", words)
        self.sources = []
        self.expand(BETWEEN if random.random() < 0.15 else "", {})

    def write_consume(self):
        """Writes loops that use what was received, and perhaps elements behind that."""
        template = CONSUME_ROWS if self.rows else choose_template(CONSUME)
        words = self.loop_words(self.incoming, random.choice((self.count, self.capacity)))
        self.expand(template if self.count > 8 else "for k 0 END: use (unsigned)A[k]", words)

    def write_message(self, function, buffer, length, *others):
        """Writes a call that sends or receives elements."""
        addresses = (buffer, f"{buffer}[0]", f"&{buffer}[0][0]") if self.rows else (buffer, f"&{buffer}[0]")
        count = self.number(length, "int") if isinstance(length, int) else length
        if self.unit > 1:
            count = random.choice((f"({count}) * (int)sizeof({self.type})", f"({count}) * {self.unit}"))
        self.write(f"{function}({random.choice(addresses)}, {count}, {self.datatype}, {', '.join(map(str, others))});")

    def write_send(self, target, buffer=None, tag=None, length=None, function="MPI_Send"):
        """Sends elements."""
        buffer, tag, length = buffer or self.outgoing, tag or self.tag, length or (4 if buffer else self.count)
        request = ["&request"] if function == "MPI_Isend" else []
        self.write_message(function, buffer, length, target, tag, "MPI_COMM_WORLD", *request)
        data = f"[row[:] for row in {buffer}]" if self.rows else f"{buffer}[:{length}]"
        self.write(None, f"messages.append((rank, {target}, {tag}, {data}))")

    def write_receive(self, source, buffer=None, tag=None, status="MPI_STATUS_IGNORE", function="MPI_Recv"):
        """Receives elements."""
        length = 4 if buffer else self.capacity
        buffer, tag = buffer or self.incoming, tag or random.choice([self.tag] * 6 + ["MPI_ANY_TAG"])
        unit = self.unit * max(self.width, 1)
        last = "&request" if function == "MPI_Irecv" else status
        self.write_message(function, buffer, length, source, tag, "MPI_COMM_WORLD", last)
        variables = f"got, {'status.MPI_SOURCE' if last == '&status' else '_'}"
        self.write(None, f"{variables} = yield from receive(messages, {source}, rank, {tag}, {buffer}, {unit})")


def receive(messages, source, target, tag, buffer, unit):
    """Waits for a message of the simulation; returns its number of units and its source."""
    while True:
        for message in messages:
            if message[1] == target and source in (message[0], "any") and tag in (message[2], "any"):
                messages.remove(message)
                buffer[:len(message[3])] = message[3]
                return len(message[3]) * unit, message[0]
        yield


def expected_checksums(phase, size):
    """Runs the Python text of a phase; returns the checksums of the ranks."""
    names = {"MASK": MASK, "SimpleNamespace": SimpleNamespace, "receive": receive, "MPI_Wtime": lambda: 1,
             "MPI_ANY_SOURCE": "any", "MPI_ANY_TAG": "any", f"get_{phase.position}": list.__getitem__,
             f"total_{phase.position}": lambda p, length: reduce(lambda x, y: (x * 33 + y) & MASK, p[:length], 1)}
    exec("\n".join(phase.python_lines), names)
    messages, checksums = [], {}
    waiting = [names["phase"](rank, size, messages, checksums) for rank in range(size)]
    while waiting:
        waiting = [rank for rank in waiting if next(rank, "ended") != "ended"]
    return [checksums[rank] for rank in range(size)]


def main():
    """Prints a program."""
    random.seed(int(sys.argv[1]))
    phases = [Phase(position) for position in range(random.randint(3, 6))]
    print("#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>")
    for phase in phases:
        print(*phase.file_scope, sep="\n", end="")
        print(FUNCTIONS.format(body="\n".join(phase.c_lines + phase.c_end), **vars(phase), **phase.counter_types))
    rows, first = [], "-100"
    for size in RANK_COUNTS:
        first = f"size == {size} ? {len(rows)} : {first}"
        rows += zip(*(expected_checksums(phase, size) for phase in phases))
    expected = ",\n    ".join("{" + ", ".join(f"{value}u" for value in row) + "}" for row in rows)
    calls = ", ".join(f"phase_{phase.position}(rank, size)" for phase in phases)
    print(MAIN.format(phases=len(phases), expected=expected, calls=calls, first=first))


if __name__ == "__main__":
    main()
