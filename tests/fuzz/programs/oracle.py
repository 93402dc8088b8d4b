# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program of a unit as LANGUAGE.md says, in Python, for all ranks: the digests that a right run prints."""

import zlib

import model


class Conflict:
    """Whether two updates of one block meet at one rank's storage."""

    def __init__(self):
        self.taken, self.inner, self.found = set(), set(), False

    def add(self, rank, path):
        at = (rank,) + path
        if at in self.taken or at in self.inner:
            self.found = True
        for length in range(2, len(at)):
            if at[:length] in self.taken:
                self.found = True
            self.inner.add(at[:length])
        self.taken.add(at)


def execute(compiled, n, data, states, turn, extra):
    """One block. Returns the new states, and whether updates conflict."""
    changed = [dict(state) for state in states]
    conflict = Conflict()
    for function, fold, convert, unseen in compiled:
        out = []
        function(n, data, states, out, turn, extra)
        if fold is None:
            updates = [(to, path, value) for to, path, _, value in out]
        else:
            arrived = {}
            for to, path, sender, value in out:
                # A place is updated in the order of its last contribution.
                values = arrived.pop((to, path), [])
                arrived[to, path] = values + [(sender, value)]
            operation = fold(data)
            updates = [(to, path, model.reduced(operation, values)) for (to, path), values in arrived.items()]
        for to, path, value in updates:
            state, value = changed[to], convert(value)
            in_section = isinstance(path, model.Parts)
            for part, new in zip(path, value) if in_section else ((path, value),):
                if part[0] != unseen or not in_section:
                    conflict.add(to, part)
                state[part[0]] = model.updated(state[part[0]], part[1:], new)
    return changed, conflict.found


class Program:
    """A unit's steps in some order with a seed, on n ranks. `expected` is what each rank prints after each step."""

    def __init__(self, unit, seed, schedule, n):
        self.unit, self.seed, self.schedule, self.n = unit, seed, schedule, n
        self.expected = []  # (step in the schedule, rank, number of the step, digest)
        self.conflicts = []  # positions in the schedule with conflicts
        self.states = []  # the last states
        self.executed = 0  # blocks

    def first_states(self):
        states = []
        for rank in range(self.n):
            random = model.state_random(self.seed, rank)
            states.append({v.name: v.type.fill(random) for v in self.unit.variables})
        return states

    def run(self, compiled, stop_after=None):
        """`compiled`: the unit's steps, compiled."""
        data = model.Data(self.seed, self.n)
        states = self.first_states()
        shown = [{} for _ in range(self.n)]
        for position, number in enumerate(self.schedule):
            states, found = self.run_step(compiled[number], data, states)
            if found:
                self.conflicts.append(position)
            for rank, state in enumerate(states):
                digest = zlib.crc32("".join(self.show(shown[rank], v, state[v.name]) for v in self.unit.variables).encode())
                self.expected.append((position, rank, number, digest))
            if position == stop_after:
                break
        self.states = states
        return self

    @staticmethod
    def show(shown, variable, value):
        """Its text; that of a value that did not change is kept."""
        kept = shown.get(variable.name)
        if kept is None or kept[0] is not value:
            kept = shown[variable.name] = (value, variable.type.show(value))
        return kept[1]

    def run_step(self, compiled, data, states):
        conflict, states = False, list(states)
        step = compiled.step
        teams = step.team.teams(data) if step.team else [range(self.n)]
        for members in teams:
            n, own_data = len(members), model.Data(self.seed, len(members)) if step.team else data
            own = [states[rank] for rank in members]
            waiting = {}  # puts, by the window
            for action, turn, extra in compiled.executions(n, own_data):
                block = isinstance(action, list)
                if block:
                    own, found = execute(action, n, own_data, own, turn, extra)
                else:
                    own, found = action.execute(n, own_data, own, waiting, turn, extra)
                conflict = conflict or found
                self.executed += block and members[0] == teams[0][0]
                if step.work and action is compiled.blocks[0]:
                    for rank, state in enumerate(own):
                        state[step.work.name] = model.opaque(state[step.work.name] & 1023, rank)
            for rank, state in zip(members, own):
                states[rank] = state
        return states, conflict


class CompiledStep:
    def __init__(self, step):
        self.step = step
        self.blocks = [block.compile() for block in step.blocks]
        self.actions = self.sequence()
        names = dict(vars(model))

        def function(e):
            return eval(f"lambda n, D: {e.p}", names) if e else None
        self.turns, self.condition, self.extra = function(step.turns), function(step.condition), function(step.extra)

    def sequence(self):
        """The blocks, and what happens to windows between them."""
        windows, found = self.step.windows, []
        for at in range(len(self.blocks) + 1):
            found += [event.compile() for event in windows.before(at, len(self.blocks))] if windows else []
            found += self.blocks[at:at + 1]
        return found + (windows.last_fences(True) if windows else [])

    def executions(self, n, data):
        """(block or what happens to a window, turn, extra) in the order of execution."""
        extra = self.extra(n, data) if self.extra else 0
        control = self.step.control
        if control == "loop":
            for turn in range(self.turns(n, data)):
                for action in self.actions:
                    yield action, turn, extra
        elif control in ("if else", "switch"):
            yield self.blocks[0 if self.condition(n, data) else 1], 0, extra
        elif not self.condition or self.condition(n, data):
            for action in self.actions:
                yield action, 0, extra
        for fence in self.step.windows.last_fences(False) if self.step.windows else ():
            yield fence, 0, extra


def without_conflicts(program, compiled):
    """The program with the steps left out in which updates meet."""
    while program.conflicts:
        left_out = set(program.conflicts)
        schedule = [number for at, number in enumerate(program.schedule) if at not in left_out]
        program = Program(program.unit, program.seed, schedule, program.n).run(compiled)
    return program


def compile_unit(unit):
    return {step.number: CompiledStep(step) for step in unit.steps}
