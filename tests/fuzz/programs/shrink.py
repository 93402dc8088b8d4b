# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a failing program small: fewer ranks, fewer steps, then fewer statements, clauses and surroundings.

Steps are dropped without compiling anything, because the schedule is an argument of the program. The rest compiles a
unit of the few steps left for each attempt. An attempt counts where the smaller program fails in the same way.
"""

import copy

import oracle
from expressions import E


class Shrinker:
    def __init__(self, tools, unit, program, mode, failure, executable, attempts=120):
        self.tools, self.unit, self.mode, self.failure = tools, copy.deepcopy(unit), mode, failure
        self.program, self.executable = program, executable
        self.attempts = attempts
        self.compiled = oracle.compile_unit(self.unit)
        self.log = []

    def fails(self, schedule=None, n=None, executable=None, compiled=None, unit=None):
        """The failure of that smaller program if it is of the same kind."""
        if self.attempts <= 0:
            return None
        self.attempts -= 1
        program = oracle.Program(unit or self.unit, self.program.seed, schedule or self.program.schedule, n or self.program.n)
        program.run(compiled or self.compiled)
        if self.mode.checked and program.conflicts:
            return None
        # What fails only sometimes fails often enough to be found again.
        for _ in range(3 if self.failure.kind == "timeout" or self.failure.kind.startswith("status") else 2):
            found = self.tools.run(executable or self.executable, program, self.mode)
            if found and found.kind == self.failure.kind:
                self.failure = found
                return program
        return None

    def take(self, program):
        self.program = program

    def shrink(self):
        if not self.fails():
            self.log.append("did not fail again")
            return self
        for n in range(1, self.program.n):
            if self.tools.applies(self.mode, n):
                smaller = self.fails(n=n)
                if smaller:
                    self.take(smaller)
                    break
        self.drop_steps()
        self.drop_parts()
        return self

    def drop_steps(self):
        size = len(self.program.schedule) // 2
        while size >= 1:
            at = 0
            while at < len(self.program.schedule) and len(self.program.schedule) > 1:
                schedule = self.program.schedule[:at] + self.program.schedule[at + size:]
                smaller = self.fails(schedule=schedule) if schedule else None
                if smaller:
                    self.take(smaller)
                else:
                    at += size
            size //= 2

    # Parts: each attempt is a changed copy of the unit

    def drop_parts(self):
        wanted = set(self.program.schedule)
        self.unit.steps = [step for step in self.unit.steps if step.number in wanted]
        progress = len(wanted) <= 6
        while progress and self.attempts > 0:
            progress = False
            for change in self.changes():
                other = copy.deepcopy(self.unit)
                change(other)
                if self.accept(other):
                    progress = True
                    break

    def accept(self, unit):
        executable = self.executable + ".small"
        try:
            compiled = oracle.compile_unit(unit)
            if self.tools.build(unit.source(), executable):
                return False
            smaller = self.fails(compiled=compiled, executable=executable, unit=unit)
        except (NameError, SyntaxError, AssertionError):
            return False  # a name, a generator or a filter was needed
        if smaller:
            self.unit, self.compiled = unit, compiled
            self.take(smaller)
        return smaller is not None

    def changes(self):
        """Functions that make a unit a little smaller, the largest steps first."""
        for s, step in enumerate(self.unit.steps):
            if step.control != "plain":
                yield lambda unit, s=s: set_fields(unit.steps[s], control="plain", condition=None)
            if step.windows:
                yield lambda unit, s=s: set_fields(unit.steps[s], windows=None)
                for at, events in enumerate(step.windows.events):
                    for e in range(len(events)):
                        yield lambda unit, s=s, at=at, e=e: unit.steps[s].windows.events[at].pop(e)
            chooses = step.control in ("if else", "switch")  # between its two blocks
            for b in range(len(step.blocks) * (len(step.blocks) > 1 and not chooses)):
                yield lambda unit, s=s, b=b: unit.steps[s].blocks.pop(b)
            for b, block in enumerate(step.blocks):
                for at in range(len(block.statements) * (len(block.statements) > 1)):
                    yield lambda unit, s=s, b=b, at=at: unit.steps[s].blocks[b].statements.pop(at)
                for m in range(len(block.modifiers)):
                    if not block.modifiers[m].startswith(("knows = s", "knows = r", "async", "team")):
                        yield lambda unit, s=s, b=b, m=m: unit.steps[s].blocks[b].modifiers.pop(m)
                if block.macro:
                    yield lambda unit, s=s, b=b: set_fields(unit.steps[s].blocks[b], macro=False)
                for at, statement in enumerate(block.statements):
                    for c, clause in enumerate(statement.clauses):
                        yield lambda unit, s=s, b=b, at=at, c=c: unit.steps[s].blocks[b].statements[at].clauses.pop(c)
                        if clause.kind == "generator" and clause.p != "(0,)":
                            yield lambda unit, s=s, b=b, at=at, c=c: set_fields(unit.steps[s].blocks[b].statements[at].clauses[c], c="{0}", p="(0,)")
                    for side in ("sender", "receiver"):
                        if getattr(statement, side).c != "0":
                            yield lambda unit, s=s, b=b, at=at, side=side: set_fields(unit.steps[s].blocks[b].statements[at], **{side: E("0", "0", atom=True)})


def set_fields(thing, **fields):
    for name, value in fields.items():
        setattr(thing, name, value)


def shrink_build(tools, unit, failure, executable, attempts=60):
    """The smallest unit found that kanorc fails to compile in the same way."""
    def fails(candidate):
        found = tools.build(candidate.source(), executable + ".small")
        return found is not None and found.kind == failure.kind

    def less(candidate, size, at):
        smaller = copy.deepcopy(candidate)
        smaller.steps = smaller.steps[:at] + smaller.steps[at + size:]
        return smaller
    size = len(unit.steps) // 2
    while size >= 1 and attempts > 0:
        at = 0
        while at < len(unit.steps) > 1 and attempts > 0:
            attempts -= 1
            smaller = less(unit, size, at)
            if smaller.steps and fails(smaller):
                unit = smaller
            else:
                at += size
        size //= 2
    for step in unit.steps:
        for block in step.blocks:
            for at in reversed(range(len(block.statements))):
                if len(block.statements) > 1 and attempts > 0:
                    attempts -= 1
                    statement = block.statements.pop(at)
                    if not fails(unit):
                        block.statements.insert(at, statement)
    return unit
